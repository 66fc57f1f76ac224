import * as v from 'valibot';
import { statusKind } from '../insight/kind.ts';
import { latestVersions, supersedes } from '../insight/provision-versions.ts';
import { listOf, object, text } from './field.ts';
import { defineResource } from './resource.ts';

const order = object({
  liquidityOrder: object({ offset: text, proportion: text, reference: text }),
  orderId: text,
});

const statuses = statusKind('STATUS_', {
  ACTIVE: 'good',
  PENDING: 'pending',
  UNDEPLOYED: 'pending',
  REJECTED: 'bad',
  STOPPED: 'bad',
  CANCELLED: 'quiet',
  UNSPECIFIED: 'quiet',
});
const pegs = statusKind('PEGGED_REFERENCE_');

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
    buys: listOf(order),
    sells: listOf(order),
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
    {
      id: 'status',
      title: 'STATUS',
      kind: statuses,
      qualifier: (row, rows) => (laterOf(row, rows) === undefined ? '' : 'was '),
      value: row => row.status,
    },
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
      notes: (row, { filters, rows }) => standing(row, laterOf(row, rows), filters.live?.[0] === 'true'),
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
    status: statuses,
    'buys.*.orderId': 'id',
    'buys.*.liquidityOrder.offset': 'integer',
    'buys.*.liquidityOrder.proportion': 'integer',
    'buys.*.liquidityOrder.reference': pegs,
    'sells.*.orderId': 'id',
    'sells.*.liquidityOrder.offset': 'integer',
    'sells.*.liquidityOrder.proportion': 'integer',
    'sells.*.liquidityOrder.reference': pegs,
  },
  paging: {
    byCursor: true,
    backward: true,
    oldestFirst: true,
    // A row of a live provision is replaced at each event, and its time is part of its place (node-behaviour.md sections
    // 3.2 and 9).
    rowsMove: filters => filters.live?.[0] === 'true',
  },
  key: row => row.id,
  // Deployed nodes answer 500 without one of the two (node-behaviour.md section 9).
  demandsFilters: fault =>
    fault.details.some(detail => detail.inner.includes('market or party filters are required'))
      ? 'This node lists provisions of a market or of a party only: choose one.'
      : undefined,
});

interface Provision {
  readonly id: string;
  readonly version: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly commitmentAmount: string;
}

const latestById = new WeakMap<readonly Provision[], Map<string, readonly Provision[]>>();

/** The row of the page that says that this one is history. */
function laterOf(row: Provision, rows: readonly Provision[]): Provision | undefined {
  const known = latestById.get(rows) ?? latestOfEach(rows);
  latestById.set(rows, known);
  return known.get(row.id)?.find(latest => supersedes(latest, row));
}

function latestOfEach(rows: readonly Provision[]): Map<string, readonly Provision[]> {
  const versions = Map.groupBy(rows, ({ id }) => id);
  return new Map([...versions].map(([id, group]) => [id, latestVersions(group)]));
}

// What a status means beside the rows of its page (node-behaviour.md section 9); nothing that they do not show.
function standing(row: Provision, later: Provision | undefined, isLive: boolean): readonly string[] {
  if (later !== undefined) return [`superseded: version ${later.version} on this page is ${later.status}`];
  if (row.status !== 'STATUS_PENDING') return [];
  const cancelling = row.commitmentAmount === '0' ? ['a pending commitment of 0 is a cancellation'] : [];
  if (row.version === '1') return ['pending: a first version, no other is in force before it', ...cancelling];
  return isLive
    ? ['pending: shown here in place of the version in force till then', ...cancelling]
    : ['pending: no row of this page says that it took effect', ...cancelling];
}
