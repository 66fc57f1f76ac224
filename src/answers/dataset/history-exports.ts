import { slicesNamesPath } from '../../chain/directory/names-file.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { areSameRanges, type Range, rangeLabel } from '../../chain/insight/range.ts';
import { type ChainHistory, estimateBlockTime, type StoredTable } from '../../history/store/chain-history.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { SelectedExports, SelectionOptions } from './choose-exports.ts';
import type { BlockRun } from './open-dataset.ts';

/** The slice folders of the wanted tables of a history. Throws AnswerError if the history has no such table. */
export function selectHistory(
  history: ChainHistory,
  wanted: Pick<SelectionOptions, 'tables' | 'naming'>,
): SelectedExports {
  const { folder, chainId } = history;
  const asked = history.tables.filter(({ table }) => wanted.tables?.includes(table) ?? true);
  if (asked.length === 0) throw missingTablesError(history, wanted.tables ?? []);
  const tables = history.tables.filter(each => asked.includes(each) || wanted.naming?.includes(each.table));
  const runs = tables.map(({ table, ranges }) => [table, ranges.map(range => blockRun(range, history))] as const);
  return {
    paths: tables.map(each => each.folder),
    without: new Map(),
    left: history.problems.map(why => ({ path: folder, why })),
    blocks: tables.map(({ table, ranges }) => ({ table, ranges })),
    names: [slicesNamesPath(folder)],
    isSearched: false,
    history: { folder, chainId, tables, notes: coverageNotes(asked), runs: new Map(runs) },
  };
}

const blockRun = (range: Range, { blockTimes }: ChainHistory): BlockRun => ({
  ...range,
  fromMs: estimateBlockTime(blockTimes, range.from),
  toMs: estimateBlockTime(blockTimes, range.to),
});

function missingTablesError({ chainId, tables }: ChainHistory, wanted: readonly string[]): AnswerError {
  const there = tables.map(({ table }) => table).join(', ');
  return new AnswerError(
    `the history of ${chainId} has no ${wanted.join(' or ')}; it has ${there || 'nothing yet'}`,
    wanted[0] === undefined ? 'fetch it: blockglass fetch' : `fetch it: ${fetchHint(wanted[0])}`,
  );
}

/** The command that brings blocks of tables. */
const fetchHint = (tables: string, blocks?: Range): string =>
  `blockglass fetch --tables ${tables}${blocks === undefined ? '' : ` --from ${blocks.from} --to ${blocks.to}`}`;

/** Blocks that are missing between others, and tables that do not have the same ones. */
function coverageNotes(tables: readonly StoredTable[]): readonly string[] {
  const gaps = tables.flatMap(({ table, ranges }) =>
    ranges.slice(1).map(({ from }, index) => ({ table, from: (ranges[index]?.to ?? 0n) + 1n, to: from - 1n })),
  );
  const groups = [...Map.groupBy(gaps, ({ from, to }) => `${from}-${to}`).values()];
  const shown = groups.slice(0, MAX_GAPS).flatMap(group => {
    const names = group.map(({ table }) => table);
    return group
      .slice(0, 1)
      .map(
        gap =>
          `${names.join(', ')}: blocks ${rangeLabel(gap)} are not on disk. To fetch them: ${fetchHint(names.join(','), gap)}`,
      );
  });
  const left = groups.length - MAX_GAPS;
  const more = left > 0 ? [`${countOf(left, 'more gap')}. To fill all: blockglass fetch`] : [];
  const ends = tables.map(({ table, ranges: [first, ...others] }) => ({
    table,
    ends: first === undefined ? [] : [{ from: first.from, to: (others.at(-1) ?? first).to }],
  }));
  const isSame = ends.every(each => areSameRanges(each.ends, ends[0]?.ends ?? []));
  const each = ends.map(({ table, ends: own }) => `${table} ${own.map(rangeLabel).join('')}`);
  return [...shown, ...more, ...(isSame ? [] : [`the tables have different blocks: ${each.join(', ')}`])];
}

const MAX_GAPS = 5;
