import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, widthCells } from '../../../base/text/width.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { fitDigits } from '../../../chain/insight/decimal.ts';
import { shortText } from '../../../chain/insight/kind.ts';
import { shareText } from '../../../chain/insight/paid-fees.ts';
import type { CountedSum, Counts } from '../../core/counts.ts';
import type { ScreenContext, SharedState } from '../../core/screen.ts';
import type { CountedColumn, CountedScope } from '../../openings.ts';
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

/** The text above the lines, and the number of lines that have room. */
interface CountsLayout {
  readonly above: readonly SafeText[];
  readonly height: number;
}

const MAX_SUMS = 4;

/** Sums stand above the values, if there is room. */
export function countsLayout(shown: ShownCounts, { shared, area }: ScreenContext): CountsLayout {
  const { opening, counts } = shown;
  if (counts === null) return { above: [], height: Math.max(1, area.rows - 1) };
  const room = area.columns - 2;
  const most = opening.shows === 'sums' ? 0 : Math.min(MAX_SUMS, Math.max(1, Math.floor(area.rows / 4)));
  const { sums, unsummed } = counts;
  const summed = sums.slice(0, sums.length > most ? Math.max(0, most - 1) : most);
  const more = most === 0 ? 0 : sums.length - summed.length;
  const words = [...(more > 0 ? [`${more} more assets: :sum ${opening.column.id} has them all`] : []), ...unsummed];
  const above = [...sumLines(summed, shared, room), ...words.map(text => truncateEnd(sanitize(text), room))];
  return { above, height: Math.max(1, area.rows - 1 - above.length) };
}

function sumLines(sums: readonly CountedSum[], shared: SharedState, room: number): readonly SafeText[] {
  const widest = (of: (sum: CountedSum) => SafeText): number => Math.max(0, ...sums.map(sum => widthCells(of(sum))));
  const cells = {
    sum: widest(({ sum }) => sum),
    least: widest(({ least }) => least),
    largest: widest(({ largest }) => largest),
  };
  return sums.map(of => {
    const sum = safeText`sum ${fitCells(of.sum, cells.sum, 'right')}`;
    const all = safeText`${sum}  least ${fitCells(of.least, cells.least, 'right')}  largest ${fitCells(of.largest, cells.largest, 'right')}`;
    const unit = of.unit(shared);
    const rows = sanitize(countOf(of.count, 'row'));
    const whole = safeText`${all}  ${unit === EMPTY ? rows : safeText`${unit}, ${rows}`}`;
    if (widthCells(whole) <= room) return whole;
    const figures = [all, sum].find(text => widthCells(text) + 2 + Math.min(widthCells(unit), MIN_UNIT) <= room);
    // No figure is cut: one without room is shown by its size.
    if (figures === undefined) return safeText`sum ${figureWithin(of.sum, room - 4)}`;
    return safeText`${figures}  ${truncateEnd(unit, room - widthCells(figures) - 2)}`;
  });
}

/** Of a unit behind its figures. */
const MIN_UNIT = 8;

/** A figure that does not fit is shown with its zeros as a power of ten, or with fewer digits and a mark for that. */
export function figureWithin(text: SafeText, width: number): SafeText {
  if (widthCells(text) <= width) return text;
  const digits = text.replaceAll(' ', '');
  const exact = shortText('amount', digits, 0);
  return widthCells(exact) <= width ? exact : sanitize(fitDigits(digits, width));
}

/** `of 50 loaded rows`, `of all 200 000 rows`, `of 12 found among 50 loaded rows`. */
export function scopeText({ rows, loaded, isWhole, find }: CountedScope): string {
  const some = isWhole ? `all ${countOf(loaded, 'row')}` : countOf(loaded, 'loaded row');
  return find === '' ? `of ${some}` : `of ${countText(rows)} found among ${some}`;
}

interface MadeTable {
  /** What names depend on. */
  readonly directory: Directory;
  readonly chainId: SharedState['node']['chainId'];
  readonly table: CountsTable;
}

const tables = new WeakMap<Counts, MadeTable>();

/** The lines; undefined while they are not counted. Columns stand still while they are scrolled. */
export function countsTable({ opening, counts }: ShownCounts, shared: SharedState): CountsTable | undefined {
  if (counts === null) return undefined;
  const { directory } = shared;
  const { chainId } = shared.node;
  const known = tables.get(counts);
  if (known?.directory === directory && known.chainId === chainId) return known.table;
  const table = opening.shows === 'sums' ? sumsTable(counts, shared) : valuesTable(opening.column, counts, shared);
  tables.set(counts, { directory, chainId, table });
  return table;
}

/** The number of lines that determine the column widths. */
const MEASURED = 500;

function valuesTable(
  { title, align }: CountedColumn,
  { values, rows, textAt }: Counts,
  shared: SharedState,
): CountsTable {
  const most = BigInt(values[0]?.count ?? 0);
  const linesFrom = (from: number, to: number): readonly CountsLine[] =>
    values.slice(from, to).map(({ count }, index) => ({
      cells: [
        textAt(from + index, shared),
        sanitize(countText(count)),
        sanitize(`${shareText(String(count), String(rows)) ?? '-'} %`),
      ],
      bar: { part: BigInt(count), of: most },
    }));
  const titles = [sanitize(title), safeText`COUNT`, safeText`SHARE`];
  return { columns: fitColumns(titles, [align, 'right', 'right'], linesFrom(0, MEASURED)), linesFrom };
}

function sumsTable({ sums }: Counts, shared: SharedState): CountsTable {
  const linesFrom = (from: number, to: number): readonly CountsLine[] =>
    sums.slice(from, to).map(({ sum, least, largest, count, unit }) => ({
      cells: [unit(shared), sum, sanitize(countText(count)), least, largest],
      bar: null,
    }));
  const titles = [safeText`OF`, safeText`SUM`, safeText`COUNT`, safeText`LEAST`, safeText`LARGEST`];
  return {
    columns: fitColumns(titles, ['left', 'right', 'right', 'right', 'right'], linesFrom(0, MEASURED)),
    linesFrom,
  };
}

const fitColumns = (
  titles: readonly SafeText[],
  aligns: readonly ('left' | 'right')[],
  lines: readonly CountsLine[],
): CountsTable['columns'] =>
  titles.map((title, index) => ({
    title,
    align: aligns[index] ?? 'left',
    cells: lines.reduce((widest, { cells }) => Math.max(widest, textCells(cells[index])), widthCells(title)),
  }));

const textCells = (text: SafeText | undefined): number => (text === undefined ? 0 : widthCells(text));
