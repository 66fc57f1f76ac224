import { areSameRanges, intersectRanges, type Range } from '../../chain/insight/range.ts';
import type { Check } from './check.ts';
import type { AuditedTable } from './rows.ts';
import { type InputsByTable, rangesText, tableRanges } from './table-inputs.ts';

/** The blocks that a check compares: those that all its tables have. */
export interface CheckScope {
  readonly ranges: readonly Range[];
  /** The range index of each CSV of each table; -1 for a CSV outside all ranges. */
  readonly csvs: ReadonlyMap<AuditedTable, readonly number[]>;
  /** Helping tables that have all of these blocks. */
  readonly helpers: ReadonlySet<AuditedTable>;
  /** The parts of the files that are not compared, a sentence each. */
  readonly notes: readonly string[];
}

/** Why a check cannot be made, and what to fetch for it. */
export interface MissingData {
  readonly why: string;
  readonly tables: readonly MissingTable[];
}

export interface MissingTable {
  readonly table: AuditedTable;
  /** Undefined if no other table tells. */
  readonly blocks: Range | undefined;
}

export function checkScope({ tables, helpers = [] }: Check, inputs: InputsByTable): CheckScope | MissingData {
  const missing = tables.filter(table => !inputs.has(table));
  const there = tables.flatMap(table => inputs.get(table) ?? []);
  if (missing.length > 0) {
    const blocks = spanningRangeIfAny(
      there.length > 0 ? there.flatMap(tableRanges) : [...inputs.values()].flatMap(tableRanges),
    );
    return { why: `${missing.join(', ')} not exported`, tables: missing.map(table => ({ table, blocks })) };
  }
  const broken = there.find(({ problem }) => problem !== undefined);
  if (broken !== undefined) return { why: `${broken.table}: ${broken.problem}`, tables: [] };
  const [first, ...others] = there.map(input => tableRanges(input));
  const ranges = others.reduce(intersectRanges, first ?? []);
  const csvs = new Map<AuditedTable, readonly number[]>();
  for (const { table, csvs: all } of there) {
    const places = all.map(csv => containingRangeIndex(csv, ranges));
    const cut = all.find((_, index) => places[index] === undefined);
    if (cut !== undefined || ranges.length === 0) {
      const all = there.flatMap(tableRanges);
      const lacking = there.filter(input => !areSameRanges(tableRanges(input), [spanningRange(all)]));
      const shown = there.map(input => `${input.table} has ${rangesText(tableRanges(input))}`);
      return {
        why: `the tables are not of the same blocks: ${shown.join(', ')}`,
        tables: lacking.map(input => ({ table: input.table, blocks: spanningRangeIfAny(all) })),
      };
    }
    csvs.set(
      table,
      places.map(place => place ?? -1),
    );
  }
  const notes = there.flatMap(input =>
    areSameRanges(tableRanges(input), ranges) ? [] : [`${input.table}: only ${rangesText(ranges)} are compared`],
  );
  const helping = helpers.filter(table => {
    const input = inputs.get(table);
    return (
      input?.problem === undefined &&
      input !== undefined &&
      areSameRanges(intersectRanges(tableRanges(input), ranges), ranges)
    );
  });
  return { ranges, csvs, helpers: new Set(helping), notes };
}

/** The index of the range that contains a CSV; -1 if no range has any of its blocks; undefined if partly inside. */
function containingRangeIndex(csv: Range, ranges: readonly Range[]): number | undefined {
  const inside = ranges.findIndex(({ from, to }) => from <= csv.from && csv.to <= to);
  if (inside >= 0) return inside;
  return ranges.some(({ from, to }) => from <= csv.to && csv.from <= to) ? undefined : -1;
}

const spanningRangeIfAny = (ranges: readonly Range[]): Range | undefined =>
  ranges.length === 0 ? undefined : spanningRange(ranges);

/** From the first to the last block of some ranges. */
export function spanningRange(ranges: readonly Range[]): Range {
  return ranges.reduce(
    ({ from, to }, range) => ({ from: range.from < from ? range.from : from, to: range.to > to ? range.to : to }),
    ranges[0] ?? { from: 0n, to: 0n },
  );
}
