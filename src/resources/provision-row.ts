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

/** A row of either list: a version by itself, or the one in force and the one that waits (node-lists.md section 9). */
export interface ProvisionRow {
  readonly current: Version;
  readonly pending: Version | null;
  /** It came from the list of what stands. */
  readonly isPair: boolean;
}

export const provisionRow: v.GenericSchema<unknown, ProvisionRow> = v.pipe(
  v.object({ ...MEMBERS, current: variant(version), pending: variant(version) }),
  v.transform(({ current, pending, ...alone }) => {
    if (current !== null) return { current, pending, isPair: true };
    // Of what is in force it says nothing then: what waits is all there is to tell.
    return pending === null
      ? { current: alone, pending, isPair: false }
      : { current: pending, pending: null, isPair: true };
  }),
);

/** A record of either list. */
export const readProvision = (row: Row): ProvisionRow => v.parse(provisionRow, row);

/** Whether the rows can be what stands on a market: nodes ignore filters that they do not know, and a sum counts once. */
export function areOfMarket(rows: readonly ProvisionRow[], marketId: string): boolean {
  const { add, isSound } = createRowsOfMarket(marketId);
  for (const row of rows) add(row);
  return isSound();
}

/** The same of rows as they come. */
export function createRowsOfMarket(marketId: string) {
  const wanted = marketId.toLowerCase();
  const ids = new Set<string>();
  let isSound = true;
  return {
    add: ({ current }: ProvisionRow): void => {
      // What has gone wrong once needs no ids any more.
      if (!isSound) return;
      isSound = !ids.has(current.id) && current.marketId.toLowerCase() === wanted;
      ids.add(current.id);
    },
    isSound: (): boolean => isSound,
  };
}

const successions = new WeakMap<readonly ProvisionRow[], Map<string, Succession<Version>>>();

/** The row of the page that says that this one is history. */
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
