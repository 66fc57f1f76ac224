import * as v from 'valibot';
import { list, object, text } from './field.ts';
import { defineResource } from './resource.ts';

const order = object({
  liquidityOrder: object({ offset: text, proportion: text, reference: text }),
  orderId: text,
});

export const liquidityProvisions = defineResource({
  id: 'provisions',
  title: 'Provisions',
  singular: 'liquidity provision',
  path: 'api/v2/liquidity/provisions',
  wrapperKey: 'liquidityProvisions',
  schema: v.object({
    id: text,
    marketId: text,
    partyId: text,
    reference: text,
    commitmentAmount: text,
    fee: text,
    createdAt: text,
    updatedAt: text,
    version: text,
    status: text,
    buys: list(order),
    sells: list(order),
  }),
  filters: [
    { name: 'marketId', title: 'market', kind: 'id', entity: 'market', meaning: 'provisions on this market' },
    { name: 'partyId', title: 'party', kind: 'id', entity: 'party', meaning: 'provisions of this party' },
    {
      name: 'reference',
      title: 'reference',
      kind: 'text',
      meaning: 'provisions with exactly this order reference',
    },
    {
      name: 'live',
      title: 'live',
      kind: 'boolean',
      meaning: 'true: the live ones, a row each; otherwise every version ever',
    },
  ],
  columns: [
    { id: 'id', title: 'ID', kind: 'id', value: row => row.id },
    { id: 'market', title: 'MARKET', kind: 'id', entity: 'market', value: row => row.marketId },
    { id: 'party', title: 'PARTY', kind: 'id', entity: 'party', value: row => row.partyId },
    { id: 'commitment', title: 'COMMITMENT', kind: 'amount', value: row => row.commitmentAmount },
    { id: 'fee', title: 'FEE', kind: 'factor', value: row => row.fee },
    { id: 'status', title: 'STATUS', kind: 'status', value: row => row.status },
    { id: 'updated', title: 'UPDATED', kind: 'time', value: row => row.updatedAt },
    { id: 'version', title: 'VERSION', kind: 'ordinal', value: row => row.version },
    { id: 'reference', title: 'REFERENCE', kind: 'text', value: row => row.reference },
    { id: 'created', title: 'CREATED', kind: 'time', value: row => row.createdAt },
    { id: 'buys', title: 'BUYS', kind: 'count', isExtra: true, value: row => String(row.buys.length) },
    { id: 'sells', title: 'SELLS', kind: 'count', isExtra: true, value: row => String(row.sells.length) },
  ],
  sections: [
    {
      title: 'Commitment',
      paths: ['status', 'commitmentAmount', 'fee', 'version', 'reference'],
      notes: row =>
        row.status === 'STATUS_PENDING'
          ? ['pending: this list shows an accepted amendment in place of the version now in force', ...cancelling(row)]
          : [],
    },
    { title: 'Identity', paths: ['id', 'marketId', 'partyId'] },
    { title: 'Times', paths: ['createdAt', 'updatedAt'] },
    { title: 'Orders', paths: ['buys', 'sells'] },
  ],
  kinds: {
    id: 'id',
    marketId: 'id',
    partyId: 'id',
    commitmentAmount: 'amount',
    fee: 'factor',
    createdAt: 'time',
    updatedAt: 'time',
    version: 'ordinal',
    status: 'status',
    'buys.*.orderId': 'id',
    'buys.*.liquidityOrder.offset': 'integer',
    'buys.*.liquidityOrder.proportion': 'integer',
    'buys.*.liquidityOrder.reference': 'status',
    'sells.*.orderId': 'id',
    'sells.*.liquidityOrder.offset': 'integer',
    'sells.*.liquidityOrder.proportion': 'integer',
    'sells.*.liquidityOrder.reference': 'status',
  },
  paging: { byCursor: true, backward: true, oldestFirst: true },
  key: row => row.id,
  // Deployed nodes answer 500 without one of the two (node-behaviour.md section 9).
  demandsFilters: fault =>
    fault.details.some(detail => detail.inner.includes('market or party filters are required'))
      ? 'This node lists provisions of a market or of a party only: choose one.'
      : undefined,
});

// An amendment to nothing is the wish to leave (node-behaviour.md section 9).
const cancelling = (row: { readonly commitmentAmount: string }): readonly string[] =>
  row.commitmentAmount === '0' ? ['a pending commitment of 0 is a cancellation at the next epoch'] : [];
