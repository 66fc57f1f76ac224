import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, widthCells } from '../../../base/text/width.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { lookOf } from '../../../chain/insight/kind.ts';
import { shareShown } from '../../../chain/insight/paid-fees.ts';
import { type AmountSum, sumShown, sumUnit } from '../../../chain/resources/amount-sums.ts';
import type { Column } from '../../../chain/resources/resource.ts';
import { type Frequency, frequentText } from '../../../chain/resources/tally.ts';
import type { ScreenContext, Shared } from '../../core/screen.ts';
import type { CountedScope } from '../../openings.ts';
import type { ShownCounts } from './state.ts';

/** Columns of the counts, and their lines where they are drawn: a long list is worked out a screen at a time. */
export interface CountsTable {
  readonly columns: readonly { readonly title: SafeText; readonly align: 'left' | 'right'; readonly cells: number }[];
  readonly linesFrom: (from: number, to: number) => readonly CountsLine[];
}

export interface CountsLine {
  readonly cells: readonly SafeText[];
  /** Rows that have the value, of the most that one has. */
  readonly bar: { readonly part: bigint; readonly of: bigint } | null;
}

/** What stands above the lines, and how many lines there is room for. */
export interface CountsPlaces {
  readonly sums: readonly SafeText[];
  readonly height: number;
}

const MOST_SUMS = 4;

/** Sums stand above the values, if there is room. */
export function countsPlaces(counts: ShownCounts, { shared, area }: ScreenContext): CountsPlaces {
  const { opening, frequency } = counts;
  const unsummed = unsummedLines(counts);
  if (frequency === null || opening.shows === 'sums')
    return { sums: unsummed, height: Math.max(1, area.rows - 1 - unsummed.length) };
  const { sums } = frequency;
  const most = Math.min(MOST_SUMS, Math.max(1, Math.floor(area.rows / 4)));
  const shown = sums.slice(0, sums.length > most ? most - 1 : most);
  const more = sums.length - shown.length;
  const lines = [
    ...sumLines(shown, shared),
    ...(more > 0 ? [safeText`${more} more assets: :sum ${sanitize(opening.column.id)} has them all`] : []),
    ...unsummed,
  ];
  return { sums: lines, height: Math.max(1, area.rows - 1 - lines.length) };
}

function sumLines(sums: readonly AmountSum[], { directory }: Shared): readonly SafeText[] {
  const figures = sums.map(sum => [sum.sum, sum.least, sum.largest].map(value => sumShown(sum, value)));
  const widest = [0, 1, 2].map(index => figures.reduce((most, texts) => Math.max(most, cellsOf(texts[index])), 0));
  return sums.map((sum, line) => {
    const [total = EMPTY, least = EMPTY, largest = EMPTY] = (figures[line] ?? []).map((text, index) =>
      fitCells(text, widest[index] ?? 0, 'right'),
    );
    const unit = sumUnit(sum, directory);
    const rows = sanitize(countOf(sum.count, 'row'));
    const of = unit === EMPTY ? rows : safeText`${unit}, ${rows}`;
    return safeText`sum ${total}  least ${least}  largest ${largest}  ${of}`;
  });
}

function unsummedLines({ frequency }: ShownCounts): readonly SafeText[] {
  if (frequency === null || frequency.unsummed === 0) return [];
  return [
    safeText`left out of the sums: ${sanitize(countOf(frequency.unsummed, 'row'))} without an amount of a known asset`,
  ];
}

/** `of 50 loaded rows`, `of all 200 000 rows`, `of 12 found among 50 loaded rows`. */
export function scopeText({ rows, loaded, isWhole, find }: CountedScope): string {
  const some = isWhole ? `all ${countOf(loaded, 'row')}` : countOf(loaded, 'loaded row');
  return find === '' ? `of ${some}` : `of ${countText(rows)} found among ${some}`;
}

const tables = new WeakMap<Frequency, { readonly key: string; readonly names: unknown; readonly made: CountsTable }>();

/** The lines; undefined while they are not counted. Columns stand still while they are scrolled. */
export function countsTable({ opening, frequency }: ShownCounts, { directory }: Shared): CountsTable | undefined {
  if (frequency === null) return undefined;
  const { column, shows } = opening;
  const key = `${shows} ${column.title}`;
  const known = tables.get(frequency);
  if (known?.key === key && known.names === directory) return known.made;
  const made = shows === 'sums' ? sumsTable(frequency, directory) : valuesTable(column, frequency, directory);
  tables.set(frequency, { key, names: directory, made });
  return made;
}

/** So many lines say how wide the columns are. */
const MEASURED = 500;

function valuesTable(column: Column, frequency: Frequency, directory: Directory): CountsTable {
  const { values, rows } = frequency;
  const most = BigInt(values[0]?.count ?? 0);
  const linesFrom = (from: number, to: number): readonly CountsLine[] =>
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

function sumsTable({ sums }: Frequency, directory: Directory): CountsTable {
  const linesFrom = (from: number, to: number): readonly CountsLine[] =>
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
  lines: readonly CountsLine[],
): CountsTable['columns'] =>
  titles.map((title, index) => ({
    title,
    align: aligns[index] ?? 'left',
    cells: lines.reduce((widest, { cells }) => Math.max(widest, cellsOf(cells[index])), widthCells(title)),
  }));

const cellsOf = (text: SafeText | undefined): number => (text === undefined ? 0 : widthCells(text));
