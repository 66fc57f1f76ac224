import type { ViewerColumn } from '../../../answers/index.ts';
import { didYouMeanQuestion } from '../../../base/text/nearest-word.ts';
import { normaliseTypedLine } from '../../../base/text/safe-text.ts';
import { splitRangeText } from '../../../chain/insight/chain-point.ts';
import { parseNamedRangeEnd } from '../../../chain/range/parse-range.ts';
import { rowsBehind } from '../../core/rows-seen.ts';
import type { ScreenContext, ScreenVerb, VerbOutcome } from '../../core/screen.ts';
import { drawnColumns } from './column-order.ts';
import type { ViewerEvent } from './events.ts';
import { type OpenTable, openTableOf, type Viewer } from './state.ts';

type ViewerVerb = ScreenVerb<Viewer, ViewerEvent>;
type Outcome = VerbOutcome<ViewerEvent>;

interface RowsVerb {
  readonly help: ViewerVerb['help'];
  readonly read: (known: OpenTable, words: readonly string[]) => Outcome;
  readonly columns?: (known: OpenTable) => readonly ViewerColumn[];
  /** The screen over the rows that shows the result. */
  readonly shownBy?: string;
}

/** What a word of the command line does to the rows of the table. */
const ofRows = ({ help, read, columns, shownBy }: RowsVerb): ViewerVerb => ({
  help,
  read: (viewer, words, context) => {
    const problem = rowsBehind(context, shownBy);
    if (problem !== undefined) return { problem };
    const known = openTableOf(viewer);
    if (known === undefined) return { problem: 'the table is not open' };
    return known.view.shown.count === 0 ? { problem: 'no rows' } : read(known, words);
  },
  complete: (viewer, words) => {
    const known = openTableOf(viewer);
    const names = known === undefined ? [] : (columns?.(known) ?? []).map(typeableName);
    // The first of several words can only be continued by a name of several words.
    return words.length > 1 ? names.filter(name => name.includes(' ')) : names;
  },
});

export const VIEWER_VERBS: { readonly [word: string]: ViewerVerb } = {
  find: ofRows({
    help: ['find TEXT', 'find in all rows of the table'],
    read: (_, words) => {
      const text = words.join(' ').trim();
      return text === '' ? { problem: 'find needs a text, a number or an id' } : { event: { type: 'find', text } };
    },
  }),
  sort: ofRows({
    help: ['sort COLUMN[:desc]', 'sort all rows by column; repeat to reverse'],
    columns: drawnColumnsOf,
    read: sort,
  }),
  freq: ofRows({
    help: ['freq COLUMN', 'how often values occur in the table'],
    columns: drawnColumnsOf,
    shownBy: 'counts',
    read: (known, words) => {
      const column = findColumn(known, words.join(' '));
      if (column === undefined) return { problem: noColumn(drawnColumnsOf(known), words.join(' ')) };
      return { event: { type: 'count', column: column.name } };
    },
  }),
  sum: ofRows({
    help: ['sum COLUMN', 'the sum of a column of the table'],
    columns: summableColumns,
    shownBy: 'counts',
    read: sum,
  }),
  size: ofRows({
    help: ['size N', 'rows a page'],
    read: () => ({ problem: 'a table on the disk has no pages' }),
  }),
  range: { help: ['range FIRST..LAST', 'the answer for another range'], read: range, complete: rangeWords },
};

function sort(known: OpenTable, words: readonly string[]): Outcome {
  const typed = words.join(' ');
  const [, text = '', order] = /^(.*?)(?::(asc|desc))?$/.exec(typed) ?? [];
  // A name may end like an order.
  const whole = findColumn(known, typed);
  const column = whole ?? findColumn(known, text);
  if (column === undefined) return { problem: noColumn(drawnColumnsOf(known), text) };
  const isDescending = whole !== undefined || order === undefined ? {} : { isDescending: order === 'desc' };
  return { event: { type: 'sort', column: column.name, ...isDescending } };
}

function sum(known: OpenTable, words: readonly string[]): Outcome {
  const column = findColumn(known, words.join(' '));
  if (column === undefined) return { problem: noColumn(summableColumns(known), words.join(' ')) };
  if (column.isSummable === true) return { event: { type: 'count', column: column.name } };
  const names = summableColumns(known).map(typeableName);
  return {
    problem: `${typeableName(column)} cannot be added up${names.length === 0 ? '' : `: there are ${names.join(', ')}`}`,
  };
}

function range({ opening }: Viewer, words: readonly string[], context: ScreenContext): Outcome {
  const problem = rowsBehind(context);
  if (problem !== undefined) return { problem };
  if (opening.question === null) return { problem: 'no answer is open: a on an export asks it' };
  return parseRange(words.join(' ').trim());
}

/** The same question for a range that was typed. */
export function parseRange(text: string): { readonly problem: string } | { readonly event: ViewerEvent } {
  if (text === 'all' || text === 'asked') return { event: { type: 'ask-again', range: text === 'asked' ? '' : text } };
  const ends = splitRangeText(text);
  if (ends === undefined || [ends.from, ends.to].some(end => parseNamedRangeEnd(end) === undefined))
    return { problem: 'range needs e20..e25, 2026-10-01..2026-10-31, all, or asked' };
  return { event: { type: 'ask-again', range: `${ends.from}..${ends.to}` } };
}

function rangeWords(_: Viewer, words: readonly string[]): readonly string[] {
  return words.length === 1 ? ['all', 'asked'] : [];
}

function drawnColumnsOf({ table }: OpenTable): readonly ViewerColumn[] {
  return drawnColumns(table.columns);
}

function summableColumns(known: OpenTable): readonly ViewerColumn[] {
  return drawnColumnsOf(known).filter(({ isSummable }) => isSummable === true);
}

/** As it can be typed: files may call their columns anything. */
function typeableName({ name }: ViewerColumn): string {
  return normaliseTypedLine(name).replace(/\s+/g, ' ').trim();
}

/** By its name, in upper or lower case where no other has it. */
function findColumn({ table }: OpenTable, typed: string): ViewerColumn | undefined {
  const wanted = typed.trim();
  const { columns } = table;
  return (
    columns.find(column => typeableName(column) === wanted) ??
    columns.find(column => typeableName(column).toLowerCase() === wanted.toLowerCase())
  );
}

function noColumn(columns: readonly ViewerColumn[], typed: string): string {
  const names = columns.map(typeableName);
  return `no column "${typed}": ${didYouMeanQuestion(typed, names) ?? `there are ${names.join(', ')}`}`;
}
