import * as v from 'valibot';
import { jsonText } from '../api/json.ts';
import { epochNumber, type FeeRow, paidTogether, sharePercent, topParty } from '../insight/paid-fees.ts';
import { listOf, object, text } from './field.ts';
import { type FilterValues, isInForce } from './filter.ts';
import { defineResource, type Row } from './resource.ts';
import { textsAt, textsInList } from './strays.ts';

const fields = v.object({
  market: text,
  asset: text,
  epochSeq: text,
  totalFeesPaid: text,
  feesPaidPerParty: listOf(object({ party: text, amount: text, quantumAmount: text })),
});

/** What a record says of who was allocated what. */
export const feeRowOf = (row: Row): FeeRow => v.parse(fields, row);

export const paidLiquidityFees = defineResource({
  id: 'fees',
  title: 'Paid fees',
  shortTitle: 'Fees',
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
      meaning: 'fees in this asset; with a market too: every epoch',
      textsIn: textsAt('asset'),
    },
    {
      name: 'epochSeq',
      title: 'epoch',
      kind: 'epoch',
      entity: 'epoch',
      meaning: 'this epoch; not set: the newest with fees, or every one of a market and asset',
      unset: others => (hasEveryEpoch(others) ? 'all' : 'newest'),
      textsIn: textsAt('epochSeq'),
    },
    {
      name: 'partyIds',
      title: 'parties',
      kind: 'id',
      repeats: true,
      entity: 'party',
      meaning: 'fees allocated to these parties; the total stays that of the whole market',
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
      value: row => paidTo(row),
    },
    {
      id: 'share',
      title: 'SHARE',
      kind: 'share',
      isExtra: { until: 'partyIds' },
      isAnswer: true,
      value: row => sharePercent(paidTo(row), row.totalFeesPaid) ?? '',
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
      filtered: { by: 'partyIds', title: 'OF THOSE ASKED' },
      value: row => String(row.feesPaidPerParty.length),
    },
    // Among those that were asked for the top one is not that of the market.
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
      title: 'ITS SHARE',
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
        isInForce(filters, 'partyIds')
          ? [
              `the total is of the whole market; below: ${row.feesPaidPerParty.length} of the ${filters.partyIds?.length} parties asked for`,
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
    // node-lists.md section 6: any cursor is answered 500, while hasNextPage still says true.
    byCursor: 'deployed nodes fail on every cursor of this list: narrow it by epoch, market or asset instead',
    backward: 'deployed nodes fail on every cursor of this list',
    // Within a market and asset alone are there several epochs, and they run against the node's words (section 6).
    oldestFirst: filters => hasEveryEpoch(filters) || 'all these rows are of one epoch: none is older than another',
    isReversed: filters => hasEveryEpoch(filters),
    inOrder: (rows, { filters, newestFirst }) => (hasEveryEpoch(filters) ? byEpoch(rows, newestFirst) : rows),
    pageSize: 5000,
  },
  caveats: filters => [
    ...(isInForce(filters, 'epochSeq') || hasEveryEpoch(filters)
      ? []
      : ['the newest epoch with fees alone: another by its number, all of them with a market and an asset']),
    ...(isInForce(filters, 'partyIds')
      ? ['totals are of the whole market, parties those asked for; an AMM has an id of its own']
      : []),
  ],
  key: row => `${row.market}/${row.asset}/${row.epochSeq}`,
});

const hasEveryEpoch = (filters: FilterValues): boolean =>
  isInForce(filters, 'marketId') && isInForce(filters, 'assetId') && !isInForce(filters, 'epochSeq');

/** Nothing where the sum cannot be told: a part of it, or 0, would pass for it. */
const paidTo = (row: FeeRow): string => paidTogether(row) ?? '';

/** A row for each party; where nobody is named one without a party, so that the total is not lost. */
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

/** By epoch, whatever a node took for newest first; rows whose epoch cannot be read come last, as they came. */
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
