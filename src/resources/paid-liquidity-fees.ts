import * as v from 'valibot';
import { list, object, text } from './field.ts';
import { defineResource } from './resource.ts';

export const paidLiquidityFees = defineResource({
  id: 'fees',
  title: 'Paid fees',
  singular: 'paid fee',
  path: 'api/v2/liquidity/paidfees',
  wrapperKey: 'paidLiquidityFees',
  schema: v.object({
    market: text,
    asset: text,
    epochSeq: text,
    totalFeesPaid: text,
    feesPaidPerParty: list(object({ party: text, amount: text, quantumAmount: text })),
  }),
  filters: [
    { name: 'marketId', title: 'market', kind: 'id', entity: 'market', meaning: 'fees made on this market' },
    {
      name: 'assetId',
      title: 'asset',
      kind: 'id',
      entity: 'asset',
      meaning: 'fees paid in this asset; with a market too: all epochs',
    },
    {
      name: 'epochSeq',
      title: 'epoch',
      kind: 'epoch',
      entity: 'epoch',
      meaning: 'this epoch; the last complete one when not set',
    },
    {
      name: 'partyIds',
      title: 'parties',
      kind: 'id',
      repeats: true,
      entity: 'party',
      meaning: 'fees paid to these parties; the total stays that of the whole market',
    },
  ],
  columns: [
    { id: 'epoch', title: 'EPOCH', kind: 'ordinal', entity: 'epoch', value: row => row.epochSeq },
    { id: 'market', title: 'MARKET', kind: 'id', entity: 'market', value: row => row.market },
    { id: 'asset', title: 'ASSET', kind: 'id', entity: 'asset', value: row => row.asset },
    { id: 'total', title: 'TOTAL PAID', kind: 'amount', value: row => row.totalFeesPaid },
    { id: 'parties', title: 'PARTIES', kind: 'count', value: row => String(row.feesPaidPerParty.length) },
    {
      id: 'first-party',
      title: 'FIRST PARTY',
      kind: 'id',
      entity: 'party',
      value: row => row.feesPaidPerParty[0]?.party ?? '',
    },
    {
      id: 'first-amount',
      title: 'ITS AMOUNT',
      kind: 'amount',
      value: row => row.feesPaidPerParty[0]?.amount ?? '',
    },
  ],
  sections: [
    { title: 'Fees', paths: ['epochSeq', 'market', 'asset', 'totalFeesPaid'] },
    { title: 'Paid to', paths: ['feesPaidPerParty'] },
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
  paging: {
    // node-behaviour.md section 6: any cursor is answered 500, while hasNextPage still says true.
    byCursor: 'deployed nodes fail on every cursor of this list: narrow it by epoch, market or asset instead',
    backward: 'deployed nodes fail on every cursor of this list',
    oldestFirst: true,
    pageSize: 5000,
  },
  key: row => `${row.market}/${row.asset}/${row.epochSeq}`,
});
