import { countOf, countText } from '../../insight/count-of.ts';
import { lookOf } from '../../insight/kind.ts';
import { shareShown } from '../../insight/paid-fees.ts';
import { type AmountSum, sumShown, sumUnit } from '../../resources/amount-sums.ts';
import type { Column } from '../../resources/resource.ts';
import { type Frequency, frequentText } from '../../resources/tally.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, widthCells } from '../../text/width.ts';
import { countedColumn } from './counted-columns.ts';
import type { CountedScope, FrequencyView } from './frequency.ts';
import { layoutOf } from './layout.ts';
import type { SessionState } from './state.ts';

/** Columns of the view, and its lines where they are drawn: a long list is worked out a screen at a time. */
export interface FrequencyTable {
  readonly columns: readonly { readonly title: SafeText; readonly align: 'left' | 'right'; readonly cells: number }[];
  readonly linesFrom: (from: number, to: number) => readonly FrequencyLine[];
}

interface FrequencyLine {
  readonly cells: readonly SafeText[];
  /** Rows that have the value, of the most that one has. */
  readonly bar: { readonly part: bigint; readonly of: bigint } | null;
}

/** What stands above the lines, and how many lines there is room for. */
export interface FrequencyPlaces {
  readonly sums: readonly SafeText[];
  readonly height: number;
}

const MOST_SUMS = 4;

/** What amounts come to stands above their values, as far as there is room. */
export function frequencyPlaces(state: SessionState, view: FrequencyView): FrequencyPlaces {
  const { bodyRows } = layoutOf(state);
  if (view.status === 'counting' || view.shows === 'sums')
    return { sums: unsummedLines(view), height: Math.max(1, bodyRows - 1 - unsummedLines(view).length) };
  const { sums } = view.frequency;
  const most = Math.min(MOST_SUMS, Math.max(1, Math.floor(bodyRows / 4)));
  const shown = sums.slice(0, sums.length > most ? most - 1 : most);
  const more = sums.length - shown.length;
  const lines = [
    ...sumLines(shown, state),
    ...(more > 0 ? [safeText`${more} more assets: :sum ${sanitize(view.column)} has them all`] : []),
    ...unsummedLines(view),
  ];
  return { sums: lines, height: Math.max(1, bodyRows - 1 - lines.length) };
}

function sumLines(sums: readonly AmountSum[], { directory }: SessionState): readonly SafeText[] {
  const figures = sums.map(sum => [sum.sum, sum.least, sum.largest].map(value => sumShown(sum, value)));
  const widest = [0, 1, 2].map(index => figures.reduce((most, texts) => Math.max(most, cellsOf(texts[index])), 0));
  return sums.map((sum, line) => {
    const [total = EMPTY, least = EMPTY, largest = EMPTY] = (figures[line] ?? []).map((text, index) =>
      fitCells(text, widest[index] ?? 0, 'right'),
    );
    const of = safeText`${sumUnit(sum, directory)}, ${sanitize(countOf(sum.count, 'row'))}`;
    return safeText`sum ${total}  least ${least}  largest ${largest}  ${of}`;
  });
}

function unsummedLines(view: FrequencyView): readonly SafeText[] {
  if (view.status === 'counting' || view.frequency.unsummed === 0) return [];
  return [
    safeText`left out of the sums: ${sanitize(countOf(view.frequency.unsummed, 'row'))} without an amount of a known asset`,
  ];
}

/** `of 50 loaded rows`, `of all 200 000 rows`, `of 12 found among 50 loaded rows`. */
export function scopeText({ rows, loaded, isWhole, find }: CountedScope): string {
  const some = isWhole ? `all ${countOf(loaded, 'row')}` : countOf(loaded, 'loaded row');
  return find === '' ? `of ${some}` : `of ${countText(rows)} found among ${some}`;
}

const tables = new WeakMap<
  Frequency,
  { readonly key: string; readonly names: unknown; readonly made: FrequencyTable }
>();

/** The lines of the view; undefined while they are not counted. Columns stand still while it is scrolled. */
export function frequencyTable(state: SessionState, view: FrequencyView): FrequencyTable | undefined {
  const column = countedColumn(state, view);
  if (view.status === 'counting' || column === undefined) return undefined;
  const { frequency, shows } = view;
  const key = `${shows} ${column.title}`;
  const known = tables.get(frequency);
  if (known?.key === key && known.names === state.directory) return known.made;
  const made = shows === 'sums' ? sumsTable(frequency, state) : valuesTable(column, frequency, state);
  tables.set(frequency, { key, names: state.directory, made });
  return made;
}

/** So many lines say how wide the columns are. */
const MEASURED = 500;

function valuesTable(column: Column, frequency: Frequency, { directory }: SessionState): FrequencyTable {
  const { values, rows } = frequency;
  const most = BigInt(values[0]?.count ?? 0);
  const linesFrom = (from: number, to: number): readonly FrequencyLine[] =>
    values.slice(from, to).map(value => ({
      cells: [
        frequentText(column, value, directory),
        sanitize(countText(value.count)),
        sanitize(`${shareShown(String(value.count), String(rows)) ?? '-'} %`),
      ],
      bar: { part: BigInt(value.count), of: most },
    }));
  const titles = [sanitize(column.title), safeText`COUNT`, safeText`SHARE`];
  return { columns: fitted(titles, [lookOf(column.kind).align, 'right', 'right'], linesFrom(0, MEASURED)), linesFrom };
}

function sumsTable({ sums }: Frequency, { directory }: SessionState): FrequencyTable {
  const linesFrom = (from: number, to: number): readonly FrequencyLine[] =>
    sums.slice(from, to).map(sum => ({
      cells: [
        sumUnit(sum, directory),
        sumShown(sum, sum.sum),
        sanitize(countText(sum.count)),
        sumShown(sum, sum.least),
        sumShown(sum, sum.largest),
      ],
      bar: null,
    }));
  const titles = [safeText`OF`, safeText`SUM`, safeText`COUNT`, safeText`LEAST`, safeText`LARGEST`];
  return { columns: fitted(titles, ['left', 'right', 'right', 'right', 'right'], linesFrom(0, MEASURED)), linesFrom };
}

const fitted = (
  titles: readonly SafeText[],
  aligns: readonly ('left' | 'right')[],
  lines: readonly FrequencyLine[],
): FrequencyTable['columns'] =>
  titles.map((title, index) => ({
    title,
    align: aligns[index] ?? 'left',
    cells: lines.reduce((widest, { cells }) => Math.max(widest, cellsOf(cells[index])), widthCells(title)),
  }));

const cellsOf = (text: SafeText | undefined): number => (text === undefined ? 0 : widthCells(text));
