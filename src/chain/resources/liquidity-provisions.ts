import * as v from 'valibot';
import { isJsonObject, jsonText, member } from '../api/json.ts';
import type { Denomination } from '../directory/denomination.ts';
import { type Kind, statusKind } from '../insight/kind.ts';
import {
  createMarketTotal,
  nextEpochOutlook,
  type Succession,
  shareOfTotal,
  successionOf,
} from '../insight/provision.ts';
import { listOf, object, text } from './field.ts';
import type { FilterValues } from './filter.ts';
import { onceFor } from './once-for.ts';
import { defineResource, type Row, type RunningTotal } from './resource.ts';

const order = object({
  liquidityOrder: object({ offset: text, proportion: text, reference: text }),
  orderId: text,
});

const MEMBERS = {
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
};

const version = object(MEMBERS);

/** One version of a provision. */
export type SentVersion = v.InferOutput<typeof version>;

/** A row of either list: a single version, or the current and the pending one (node-behaviour.md section 9). */
export interface ProvisionRow {
  readonly current: SentVersion;
  readonly pending: SentVersion | null;
  /** It came from the list of current and pending versions. */
  readonly isPair: boolean;
}

/**
 * The shape of every record: the current version with its `pending` one, null if none is pending. A list of single
 * versions does not show pending ones, and its records have no such member.
 */
export function normalizeProvision(record: Row): Row {
  const { current, pending, ...rest } = record;
  if (isJsonObject(current)) return { ...rest, ...current, pending: isJsonObject(pending) ? pending : null };
  // The record does not show the current version: only the pending one is known.
  return isJsonObject(pending) && rest.id === undefined ? { ...rest, ...pending, pending: null } : record;
}

const provisionRow: v.GenericSchema<unknown, ProvisionRow> = v.pipe(
  v.object({ ...MEMBERS, pending: v.optional(v.nullable(version)) }),
  v.transform(({ pending, ...current }) => ({ current, pending: pending ?? null, isPair: pending !== undefined })),
);

/** A record of either list. */
export const readProvision = (row: Row): ProvisionRow => v.parse(provisionRow, normalizeProvision(row));

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

/** The live provisions of one market, of all parties. */
function isOfMarket({ marketId, live, ...others }: FilterValues): boolean {
  return marketId?.length === 1 && live?.[0] === 'true' && Object.keys(others).length === 0;
}

const isLive = ({ live }: FilterValues): boolean => live?.[0] === 'true';

/** A record is one version, and may have the pending one in it. */
const PREFIXES = ['', 'pending.'] as const;

const inMarketsAsset = ({ current }: ProvisionRow): Denomination => ({ of: 'market', id: current.marketId });
const inMarketsPrice = ({ current }: ProvisionRow): Denomination => ({ of: 'price', id: current.marketId });

export const liquidityProvisions = defineResource({
  id: 'provisions',
  title: 'Provisions',
  shortTitle: 'LPs',
  description: 'liquidity commitments by market',
  singular: 'liquidity provision',
  path: 'api/v2/liquidity/provisions',
  // The usual list shows only the pending version of an amended provision.
  better: {
    path: 'api/v2/liquidity/all-provisions',
    when: isLive,
    without: 'for an amended provision this node lists only the pending version, not the current one',
  },
  wrapperKey: 'liquidityProvisions',
  schema: provisionRow,
  flat: normalizeProvision,
  filters: [
    {
      name: 'marketId',
      title: 'market',
      kind: 'id',
      entity: 'market',
      meaning: 'provisions on this market',
      textsIn: latest('marketId'),
      largestFirst: 'commitment',
    },
    {
      ...{ name: 'partyId', title: 'party', kind: 'id', entity: 'party', meaning: 'provisions of this party' },
      textsIn: latest('partyId'),
    },
    {
      name: 'reference',
      title: 'reference',
      kind: 'text',
      meaning: 'provisions with exactly this order reference',
      textsIn: latest('reference'),
    },
    {
      name: 'live',
      title: 'live',
      kind: 'boolean',
      meaning:
        'true: one record per provision, its current version with the `pending` one in it; otherwise every version',
      unset: () => 'every version',
      words: { true: 'current and pending', false: 'every version' },
    },
  ],
  usualFilters: { live: ['true'] },
  versions: { filter: 'live', value: 'true' },
  columns: [
    {
      id: 'party',
      title: 'PARTY',
      kind: 'id',
      entity: 'party',
      isAnswer: true,
      value: ({ current }) => current.partyId,
    },
    {
      id: 'market',
      title: 'MARKET',
      kind: 'id',
      entity: 'market',
      isAnswer: true,
      value: ({ current }) => current.marketId,
    },
    {
      id: 'status',
      title: 'STATUS',
      kind: statuses,
      isAnswer: true,
      qualifier: (row, rows) => (supersedingRow(row, rows) === undefined ? '' : 'was '),
      addition: (row, rows) => outlookWord(row, rows),
      tone: row => (row.pending === null ? undefined : 'pending'),
      value: ({ current }) => current.status,
    },
    {
      id: 'commitment',
      title: 'COMMITMENT',
      kind: 'amount',
      isAnswer: true,
      unit: inMarketsAsset,
      value: ({ current }) => current.commitmentAmount,
    },
    {
      id: 'share',
      title: 'COMMIT %',
      words: 'share of commitment',
      kind: 'share',
      isExtra: filters => !isOfMarket(filters),
      value: () => '',
      worked: marketShare,
    },
    { id: 'fee', title: 'FEE', kind: 'factor', isAnswer: true, value: ({ current }) => current.fee },
    { id: 'version', title: 'VER', words: 'version', kind: 'ordinal', value: ({ current }) => current.version },
    { id: 'updated', title: 'UPDATED', kind: 'time', value: ({ current, pending }) => (pending ?? current).updatedAt },
    { id: 'id', title: 'ID', kind: 'id', value: ({ current }) => current.id },
    { id: 'reference', title: 'REFERENCE', kind: 'text', value: ({ current }) => current.reference },
    { id: 'created', title: 'CREATED', kind: 'time', value: ({ current }) => current.createdAt },
    {
      id: 'pending-commitment',
      title: 'NEXT COMMITMENT',
      kind: 'amount',
      unit: inMarketsAsset,
      isExtra: true,
      value: ({ pending }) => pending?.commitmentAmount ?? '',
    },
    { id: 'pending-fee', title: 'NEXT FEE', kind: 'factor', isExtra: true, value: ({ pending }) => pending?.fee ?? '' },
    {
      id: 'pending-version',
      title: 'NEXT VER',
      words: 'next version',
      kind: 'ordinal',
      isExtra: true,
      value: ({ pending }) => pending?.version ?? '',
    },
    { id: 'buys', title: 'BUYS', kind: 'count', isExtra: true, value: ({ current }) => String(current.buys.length) },
    { id: 'sells', title: 'SELLS', kind: 'count', isExtra: true, value: ({ current }) => String(current.sells.length) },
  ],
  sections: [
    {
      title: 'Commitment',
      paths: ['status', 'commitmentAmount', 'fee', 'version', 'reference'],
      notes: (row, { filters, rows }) => (row.isPair ? [] : statusNotes(row, rows, isLive(filters))),
    },
    { title: 'Identity', paths: ['id', 'marketId', 'partyId'] },
    { title: 'Times', paths: ['createdAt', 'updatedAt'] },
    { title: 'Orders', paths: ['buys', 'sells'] },
    {
      title: 'Pending',
      paths: ['pending'],
      notes: ({ pending, isPair }) => (isPair && pending === null ? ['no change is pending'] : []),
    },
  ],
  kinds: { ...versionKinds(''), ...versionKinds('pending.') },
  entities: Object.fromEntries(
    PREFIXES.flatMap(prefix => [[`${prefix}marketId`, 'market'] as const, [`${prefix}partyId`, 'party'] as const]),
  ),
  units: Object.fromEntries(
    PREFIXES.flatMap(prefix => [
      [`${prefix}commitmentAmount`, inMarketsAsset] as const,
      [`${prefix}buys.*.liquidityOrder.offset`, inMarketsPrice] as const,
      [`${prefix}sells.*.liquidityOrder.offset`, inMarketsPrice] as const,
    ]),
  ),
  paging: {
    byCursor: true,
    backward: true,
    oldestFirst: true,
    // Each event replaces the row of a live provision, and its time is part of its sort key (node-behaviour.md
    // sections 3.2 and 9).
    rowsMove: isLive,
  },
  kinOf: row => jsonText(member(row, 'id')),
  totalOf: filters => (isOfMarket(filters) ? totalOfMarket(filters.marketId?.[0] ?? '') : undefined),
  key: ({ current }) => current.id,
  // Deployed nodes answer 500 without one of the two (node-behaviour.md section 9).
  demandsFilters: fault =>
    fault.details.some(detail => detail.inner.includes('market or party filters are required'))
      ? 'This node lists provisions only by market or party. Choose one.'
      : undefined,
});

function versionKinds(prefix: string): { readonly [path: string]: Kind } {
  const kinds: readonly (readonly [string, Kind])[] = [
    ['id', 'id'],
    ['marketId', 'id'],
    ['partyId', 'id'],
    ['commitmentAmount', 'amount'],
    ['fee', 'factor'],
    ['createdAt', 'time'],
    ['updatedAt', 'time'],
    ['version', 'ordinal'],
    ['status', statuses],
    ...['buys', 'sells'].flatMap((side): readonly (readonly [string, Kind])[] => [
      [`${side}.*.orderId`, 'id'],
      [`${side}.*.liquidityOrder.offset`, 'integer'],
      [`${side}.*.liquidityOrder.proportion`, 'integer'],
      [`${side}.*.liquidityOrder.reference`, pegs],
    ]),
  ];
  return Object.fromEntries(kinds.map(([path, kind]) => [`${prefix}${path}`, kind]));
}

/** What happens to a row at the next epoch, or the version that replaced it. */
function outlookWord(row: ProvisionRow, rows: readonly ProvisionRow[]): string {
  const later = supersedingRow(row, rows);
  if (later !== undefined) return later.version === row.current.version ? '' : ` (now ${later.version})`;
  const outlook = nextEpochOutlook(row);
  switch (outlook.kind) {
    case 'leaves':
      return ' -> 0';
    case 'changes':
      return ` -> ${outlook.percent ?? 'amended'}`;
    case 'enters':
      return ' (new)';
    case 'stays':
    case 'unknown':
      return '';
  }
}

/** Shown only for a list of one market with all of its provisions loaded. */
function marketShare(
  row: ProvisionRow,
  {
    rows,
    filters,
    isWhole,
    total,
  }: {
    readonly rows: readonly ProvisionRow[];
    readonly filters: FilterValues;
    readonly isWhole: boolean;
    readonly total?: string;
  },
): string {
  if (!isOfMarket(filters)) return '-';
  if (total !== undefined) return shareOfTotal(row, total) ?? '-';
  if (!isWhole) return '-';
  const marketId = filters.marketId?.[0] ?? '';
  return row.current.marketId.toLowerCase() === marketId.toLowerCase()
    ? (shareOfTotal(row, totalCommitment(rows)) ?? '-')
    : '-';
}

/** '' if they are not of one market. */
const totalCommitment = onceFor((rows: readonly ProvisionRow[]): string => {
  const { add, result } = totalOfMarket(rows[0]?.current.marketId ?? '');
  for (const row of rows) add(row);
  return result();
});

/** The total commitment of a market by the rows of its list; '' if they cannot be its live provisions. */
function totalOfMarket(marketId: string): RunningTotal<ProvisionRow> {
  const market = createRowsOfMarket(marketId);
  const total = createMarketTotal();
  return {
    add: row => {
      market.add(row);
      total.add(row);
    },
    result: () => (market.isSound() ? total.result() : undefined) ?? '',
  };
}

// What a status means, judged only by the rows of its page (node-behaviour.md section 9).
function statusNotes(row: ProvisionRow, rows: readonly ProvisionRow[], isOfLive: boolean): readonly string[] {
  const { status, version, commitmentAmount } = row.current;
  const later = supersedingRow(row, rows);
  if (later !== undefined) return [`superseded: version ${later.version} on this page is ${later.status}`];
  if (status !== 'STATUS_PENDING') return [];
  const cancelling = commitmentAmount === '0' ? ['a pending commitment of 0 is a cancellation'] : [];
  if (version === '1') return ['pending: the first version, none is active before it', ...cancelling];
  return isOfLive
    ? ['pending: shown here instead of the current version', ...cancelling]
    : ['pending: no row on this page shows that it took effect', ...cancelling];
}

/** A member of the latest version in a record, which is the version nodes filter by. */
function latest(name: string) {
  return (row: Row): readonly string[] => [jsonText(member(isJsonObject(row.pending) ? row.pending : row, name))];
}

/** Whether the rows can be the live provisions of a market: nodes ignore unknown filters, and a sum must count each once. */
export function areOfMarket(rows: readonly ProvisionRow[], marketId: string): boolean {
  const { add, isSound } = createRowsOfMarket(marketId);
  for (const row of rows) add(row);
  return isSound();
}

/** The same, row by row. */
function createRowsOfMarket(marketId: string) {
  const wanted = marketId.toLowerCase();
  const ids = new Set<string>();
  let isSound = true;
  return {
    add: ({ current }: ProvisionRow): void => {
      // Once unsound, the ids are no longer needed.
      if (!isSound) return;
      isSound = !ids.has(current.id) && current.marketId.toLowerCase() === wanted;
      ids.add(current.id);
    },
    isSound: (): boolean => isSound,
  };
}

/** The row of the page that supersedes this one. */
function supersedingRow({ current, isPair }: ProvisionRow, rows: readonly ProvisionRow[]): SentVersion | undefined {
  if (isPair || rows.length < 2) return undefined;
  return findSuccessions(rows).get(current.id)?.successorOf(current);
}

const findSuccessions = onceFor((rows: readonly ProvisionRow[]): ReadonlyMap<string, Succession<SentVersion>> => {
  const versions = Map.groupBy(
    rows.map(({ current }) => current),
    ({ id }) => id,
  );
  return new Map([...versions].map(([id, group]) => [id, successionOf(group)]));
});
