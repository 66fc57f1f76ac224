import * as v from 'valibot';
import { jsonText } from '../api/json.ts';
import { epochNumber, type FeeRow, sharePercent, sumPaid, topParty } from '../insight/paid-fees.ts';
import { listOf, object, text } from './field.ts';
import { type FilterValues, isFilterActive } from './filter.ts';
import { textsAt, textsInList } from './filter-check.ts';
import { defineResource, type Row } from './resource.ts';

const fields = v.object({
  market: text,
  asset: text,
  epochSeq: text,
  totalFeesPaid: text,
  feesPaidPerParty: listOf(object({ party: text, amount: text, quantumAmount: text })),
});

/** The fees in a record: who was allocated how much. */
export const readFeeRow = (row: Row): FeeRow => v.parse(fields, row);

export const paidLiquidityFees = defineResource({
  id: 'fees',
  title: 'Paid fees',
  shortTitle: 'Fees',
  description: 'liquidity fees allocated to parties, by epoch',
  singular: 'paid fee',
  path: 'api/v2/liquidity/paidfees',
  wrapperKey: 'paidLiquidityFees',
  schema: fields,
  filters: [
    {
      ...{ name: 'marketId', title: 'market', kind: 'id', entity: 'market', meaning: 'fees made on this market' },
      textsIn: textsAt('market'),
    },
    {
      name: 'assetId',
      title: 'asset',
      kind: 'id',
      entity: 'asset',
      meaning: 'fees in this asset; with a market as well, all epochs',
      textsIn: textsAt('asset'),
    },
    {
      name: 'epochSeq',
      title: 'epoch',
      kind: 'epoch',
      entity: 'epoch',
      meaning: 'one epoch; default: the newest with fees, or all epochs of a market and asset',
      unset: others => (hasEveryEpoch(others) ? 'all' : 'newest'),
      textsIn: textsAt('epochSeq'),
    },
    {
      name: 'partyIds',
      title: 'parties',
      kind: 'id',
      repeats: true,
      entity: 'party',
      meaning: 'fees allocated to these parties; totals still cover the whole market',
      textsIn: row => textsInList(row, 'feesPaidPerParty', 'party'),
    },
  ],
  columns: [
    { id: 'epoch', title: 'EPOCH', kind: 'ordinal', entity: 'epoch', isAnswer: true, value: row => row.epochSeq },
    { id: 'market', title: 'MARKET', kind: 'id', entity: 'market', isAnswer: true, value: row => row.market },
    {
      id: 'paid',
      title: 'ALLOCATED',
      kind: 'amount',
      isExtra: { until: 'partyIds' },
      filtered: { by: 'partyIds', title: 'AMOUNT' },
      isAnswer: true,
      unit: row => ({ of: 'asset', id: row.asset }),
      value: row => paidTotal(row),
    },
    {
      id: 'share',
      title: 'SHARE',
      kind: 'share',
      isExtra: { until: 'partyIds' },
      isAnswer: true,
      value: row => sharePercent(paidTotal(row), row.totalFeesPaid) ?? '',
    },
    {
      id: 'total',
      title: 'TOTAL',
      kind: 'amount',
      filtered: { by: 'partyIds', title: 'MARKET TOTAL' },
      isAnswer: { until: 'partyIds' },
      unit: row => ({ of: 'asset', id: row.asset }),
      value: row => row.totalFeesPaid,
    },
    {
      id: 'parties',
      title: 'PARTIES',
      kind: 'count',
      entity: 'party',
      ids: row => row.feesPaidPerParty.map(({ party }) => party),
      filtered: { by: 'partyIds', title: 'MATCHING' },
      value: row => String(row.feesPaidPerParty.length),
    },
    // The top party among those requested is not the top party of the market.
    {
      id: 'top',
      title: 'TOP PARTY',
      kind: 'id',
      entity: 'party',
      isExtra: { while: 'partyIds' },
      value: row => topParty(row)?.party ?? '',
    },
    {
      id: 'top-share',
      title: 'TOP SHARE',
      kind: 'share',
      isExtra: { while: 'partyIds' },
      value: row => sharePercent(topParty(row)?.amount ?? '', row.totalFeesPaid) ?? '',
    },
    { id: 'asset', title: 'ASSET', kind: 'id', entity: 'asset', value: row => row.asset },
  ],
  csv: {
    columns: [
      { id: 'epoch', title: 'EPOCH', kind: 'ordinal', entity: 'epoch', value: row => jsonText(row.epochSeq) },
      { id: 'market', title: 'MARKET', kind: 'id', entity: 'market', value: row => jsonText(row.market) },
      { id: 'asset', title: 'ASSET', kind: 'id', entity: 'asset', value: row => jsonText(row.asset) },
      {
        id: 'total',
        title: 'TOTAL',
        kind: 'amount',
        unit: row => ({ of: 'asset', id: jsonText(row.asset) }),
        value: row => jsonText(row.totalFeesPaid),
      },
      { id: 'parties', title: 'PARTIES', kind: 'count', value: row => jsonText(row.parties) },
      { id: 'party', title: 'PARTY', kind: 'id', entity: 'party', value: row => jsonText(row.party) },
      {
        id: 'amount',
        title: 'AMOUNT',
        kind: 'amount',
        unit: row => ({ of: 'asset', id: jsonText(row.asset) }),
        value: row => jsonText(row.amount),
      },
      { id: 'share', title: 'SHARE', kind: 'share', value: row => jsonText(row.share) },
      { id: 'quantum', title: 'QUANTUM', kind: 'amount', value: row => jsonText(row.quantumAmount) },
    ],
    rowsOf: row => partyRows(row),
  },
  sections: [
    {
      title: 'Fees allocated',
      paths: ['epochSeq', 'market', 'asset', 'totalFeesPaid'],
      notes: (row, { filters }) =>
        isFilterActive(filters, 'partyIds')
          ? [
              `the total covers the whole market; below: ${row.feesPaidPerParty.length} of the ${filters.partyIds?.length} requested parties`,
            ]
          : [],
    },
    { title: 'Allocated to', paths: ['feesPaidPerParty'] },
  ],
  kinds: {
    market: 'id',
    asset: 'id',
    epochSeq: 'ordinal',
    totalFeesPaid: 'amount',
    'feesPaidPerParty.*.party': 'id',
    'feesPaidPerParty.*.amount': 'amount',
    'feesPaidPerParty.*.quantumAmount': 'amount',
  },
  entities: { market: 'market', asset: 'asset', 'feesPaidPerParty.*.party': 'party' },
  units: {
    totalFeesPaid: row => ({ of: 'asset', id: row.asset }),
    'feesPaidPerParty.*.amount': row => ({ of: 'asset', id: row.asset }),
  },
  paging: {
    // node-behaviour.md section 6: any cursor is answered 500, while hasNextPage still says true.
    byCursor: 'nodes fail on its cursors: filter by epoch, market, asset',
    backward: 'nodes fail on its cursors',
    // Only a market and asset together list several epochs, and in the reverse of the requested order (section 6).
    oldestFirst: filters => hasEveryEpoch(filters) || 'all these rows are from the same epoch',
    isReversed: filters => hasEveryEpoch(filters),
    inOrder: (rows, { filters, newestFirst }) => (hasEveryEpoch(filters) ? byEpoch(rows, newestFirst) : rows),
    pageSize: 5000,
  },
  caveats: filters => [
    ...(isFilterActive(filters, 'epochSeq') || hasEveryEpoch(filters)
      ? []
      : ['only the newest epoch with fees; filter by epoch, or by market and asset']),
    ...(isFilterActive(filters, 'partyIds')
      ? ['totals cover the whole market, parties those requested; AMMs have their own ids']
      : []),
  ],
  key: row => `${row.market}/${row.asset}/${row.epochSeq}`,
});

const hasEveryEpoch = (filters: FilterValues): boolean =>
  isFilterActive(filters, 'marketId') && isFilterActive(filters, 'assetId') && !isFilterActive(filters, 'epochSeq');

/** '' if the sum is unknown, since a partial sum or 0 would be taken for it. */
const paidTotal = (row: FeeRow): string => sumPaid(row) ?? '';

/** A row for each party; one without a party if none is named, so that the total is not lost. */
function partyRows(row: Row): readonly Row[] {
  const { feesPaidPerParty: paid, ...total } = v.parse(fields, row);
  const parties = paid.length === 0 ? [{ party: '', amount: '', quantumAmount: '' }] : paid;
  return parties.map(party => ({
    ...total,
    ...party,
    parties: String(paid.length),
    share: sharePercent(party.amount, total.totalFeesPaid) ?? '',
  }));
}

/** Sorted by epoch, whatever order the node sent; rows without a readable epoch come last, in their order. */
function byEpoch(rows: readonly Row[], newestFirst: boolean): readonly Row[] {
  const keyed = rows.map(row => ({ row, epoch: epochNumber(jsonText(row.epochSeq)) }));
  const direction = newestFirst ? -1 : 1;
  return keyed
    .toSorted(({ epoch: one }, { epoch: other }) => {
      if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? 1 : -1;
      return one === other ? 0 : one < other ? -direction : direction;
    })
    .map(({ row }) => row);
}
