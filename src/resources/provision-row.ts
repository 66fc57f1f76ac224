import * as v from 'valibot';
import { type Succession, successionOf } from '../insight/provision-versions.ts';
import { listOf, object, text, variant } from './field.ts';
import type { Row } from './resource.ts';

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
export type Version = v.InferOutput<typeof version>;

/** A row of either list: a single version, or the current and the pending one (node-lists.md section 9). */
export interface ProvisionRow {
  readonly current: Version;
  readonly pending: Version | null;
  /** It came from the list of current and pending versions. */
  readonly isPair: boolean;
}

export const provisionRow: v.GenericSchema<unknown, ProvisionRow> = v.pipe(
  v.object({ ...MEMBERS, current: variant(version), pending: variant(version) }),
  v.transform(({ current, pending, ...alone }) => {
    if (current !== null) return { current, pending, isPair: true };
    // The row does not show the current version: only the pending one is known.
    return pending === null
      ? { current: alone, pending, isPair: false }
      : { current: pending, pending: null, isPair: true };
  }),
);

/** A record of either list. */
export const readProvision = (row: Row): ProvisionRow => v.parse(provisionRow, row);

/** Whether the rows can be the live provisions of a market: nodes ignore unknown filters, and a sum must count each once. */
export function areOfMarket(rows: readonly ProvisionRow[], marketId: string): boolean {
  const { add, isSound } = createRowsOfMarket(marketId);
  for (const row of rows) add(row);
  return isSound();
}

/** The same, row by row. */
export function createRowsOfMarket(marketId: string) {
  const wanted = marketId.toLowerCase();
  const ids = new Set<string>();
  let isSound = true;
  return {
    add: ({ current }: ProvisionRow): void => {
      // Once unsound, the ids are not needed any more.
      if (!isSound) return;
      isSound = !ids.has(current.id) && current.marketId.toLowerCase() === wanted;
      ids.add(current.id);
    },
    isSound: (): boolean => isSound,
  };
}

const successions = new WeakMap<readonly ProvisionRow[], Map<string, Succession<Version>>>();

/** The row of the page that supersedes this one. */
export function laterOf({ current, isPair }: ProvisionRow, rows: readonly ProvisionRow[]): Version | undefined {
  if (isPair || rows.length < 2) return undefined;
  const known = successions.get(rows) ?? successionsIn(rows);
  successions.set(rows, known);
  return known.get(current.id)?.successorOf(current);
}

function successionsIn(rows: readonly ProvisionRow[]): Map<string, Succession<Version>> {
  const versions = Map.groupBy(
    rows.map(({ current }) => current),
    ({ id }) => id,
  );
  return new Map([...versions].map(([id, group]) => [id, successionOf(group)]));
}
