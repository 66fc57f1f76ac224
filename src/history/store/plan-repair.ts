import type { Range } from '../../chain/insight/range.ts';
import type { HistoryCheck } from './check-history.ts';
import { countSegments, type FetchOptions, type FetchPlan, planFetch } from './plan-fetch.ts';

/** The blocks to bring again, by table. */
export type Repair = ReadonlyMap<string, readonly Range[]>;

/** What a check found damaged and set aside, or without its record. Undefined if there is nothing that a fetch mends. */
export function repairOf({ damaged, unrecorded }: Pick<HistoryCheck, 'damaged' | 'unrecorded'>): Repair | undefined {
  const places = [
    ...damaged.filter(({ isSetAside }) => isSetAside).map(({ table, range }) => ({ table, range })),
    ...unrecorded.flatMap(({ table, ranges }) => ranges.map(range => ({ table, range }))),
  ];
  if (places.length === 0) return undefined;
  const byTable = Map.groupBy(places, ({ table }) => table);
  return new Map([...byTable].map(([table, of]) => [table, of.map(({ range }) => range)]));
}

/** Plans a fetch of these blocks alone, however much else is missing. Throws NodeError or DestinationError. */
export async function planRepair(
  options: Omit<FetchOptions, 'tables' | 'range' | 'isExact'>,
  repair: Repair,
): Promise<FetchPlan> {
  const plan = await planFetch({ ...options, tables: [...repair.keys()], isExact: true });
  const tables = plan.tables.map(table => ({
    ...table,
    missing: table.missing.filter(({ fromBlock, toBlock }) =>
      repair.get(table.table)?.some(({ from, to }) => fromBlock <= to && from <= toBlock),
    ),
  }));
  const missing = tables.reduce((sum, table) => sum + countSegments(table.missing), 0);
  return { ...plan, tables, segments: { ...plan.segments, missing } };
}
