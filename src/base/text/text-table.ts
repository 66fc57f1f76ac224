import { fitColumns, lineCells } from './fit-columns.ts';
import { EMPTY, joinSafe, type SafeText, safeText, sanitize, trimEndSafe } from './safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells, wrapCells, wrapWords } from './width.ts';

interface TextColumn {
  readonly title: SafeText;
  readonly align?: 'left' | 'right';
  /** Where a cell is cut that is wider than the column. Without it no cell is cut: a wider one pushes the others aside. */
  readonly cut?: 'end' | 'middle';
  /** Cells that the column is never wider than. */
  readonly mostCells?: number;
  /** Cells that the column keeps where the table has to fit. */
  readonly leastCells?: number;
  /** More cells show nothing more until all of a cell is shown: the others are widened before this one. */
  readonly isWidenedLast?: boolean;
}

/** A table as text, with its rows as they come. */
export interface TextTable {
  /** The lines of these rows. The first rows decide how wide the columns are, and have the titles above them. */
  readonly lines: (rows: readonly (readonly SafeText[])[]) => SafeText;
}

/** Where columns cannot be cut to fit `room` cells, each row is a block of lines instead. */
export function textTable(columns: readonly TextColumn[], room = Number.POSITIVE_INFINITY): TextTable {
  let widths: readonly number[] | undefined;
  let isInBlocks = false;
  let count = 0;
  const titles = columns.map(({ title }) => title);
  const begin = (rows: readonly (readonly SafeText[])[]): readonly SafeText[] => {
    const wanted = columns.map(({ title, mostCells = Number.POSITIVE_INFINITY }, index) =>
      Math.min(mostCells, maxWidthCells([title, ...rows.map(row => row[index] ?? EMPTY)])),
    );
    const fittable = wanted.map((cells, index) => {
      const { leastCells = cells, isWidenedLast = false } = columns[index] ?? {};
      const least = Math.min(cells, leastCells);
      return { steps: [least, isWidenedLast ? least : cells, cells] as const };
    });
    const hasRoom = lineCells(fittable, GAP.length) <= room;
    widths = hasRoom ? fitColumns(fittable, { room, gap: GAP.length }).map(({ cells }) => cells) : wanted;
    isInBlocks = !hasRoom && rows.length > 0;
    // A title is recognisable by its beginning, whatever the cells below are.
    return isInBlocks ? [] : [tableLine(titles, columns.map(cutAtEnd), widths)];
  };
  return {
    lines: rows => {
      const head = widths === undefined ? begin(rows) : [];
      const line = (row: readonly SafeText[]): SafeText =>
        isInBlocks ? rowAsBlock(titles, row, { number: ++count, room }) : tableLine(row, columns, widths ?? []);
      return joinSafe([...head, ...rows.map(line)]);
    },
  };
}

/** A table whose rows are all there: columns as wide as they need, nothing cut. */
export const formatTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[] = [],
): SafeText =>
  textTable(titles.map((title, index) => ({ title: sanitize(title), align: aligns[index] ?? 'left' }))).lines(
    rows.map(row => row.map(sanitize)),
  );

const maxWidthCells = (texts: readonly SafeText[]): number =>
  texts.reduce((most, text) => Math.max(most, widthCells(text)), 0);

const cutAtEnd = (column: TextColumn): TextColumn => (column.cut === undefined ? column : { ...column, cut: 'end' });

const GAP = safeText`  `;

function tableLine(cells: readonly SafeText[], columns: readonly TextColumn[], widths: readonly number[]): SafeText {
  const fitted = columns.map(({ align, cut }, index) => {
    const [text, width] = [cells[index] ?? EMPTY, widths[index] ?? 0];
    if (cut === undefined && widthCells(text) > width) return text;
    return fitCells(cut === 'middle' ? truncateMiddle(text, width) : truncateEnd(text, width), width, align);
  });
  return safeText`${trimEndSafe(joinSafe(fitted, GAP))}\n`;
}

/** A row as lines of names and values, with all of each value. */
function rowAsBlock(
  titles: readonly SafeText[],
  cells: readonly SafeText[],
  { number, room }: { readonly number: number; readonly room: number },
): SafeText {
  const width = Math.min(Math.floor(room / 3), maxWidthCells(titles));
  const lines = cells.flatMap((text, index) =>
    wrapCells(text, Math.max(1, room - width - GAP.length)).map((part, line) => {
      const title = line === 0 ? (titles[index] ?? EMPTY) : EMPTY;
      return safeText`${trimEndSafe(joinSafe([fitCells(title, width), part], GAP))}\n`;
    }),
  );
  return joinSafe([safeText`-- ${number} --\n`, ...lines]);
}

/** A label and its text, which is wrapped below itself at `columns` cells. */
export function labelledLines(label: string, text: string, { labelCells, columns = Number.POSITIVE_INFINITY }: Labels) {
  const room = Math.max(20, columns - labelCells - 4);
  const [first = EMPTY, ...rest] =
    columns === Number.POSITIVE_INFINITY ? [sanitize(text)] : wrapWords(sanitize(text), room);
  const lines = [[label, first] as const, ...rest.map(more => ['', more] as const)];
  return joinSafe(lines.map(([head, part]) => safeText`  ${fitCells(sanitize(head), labelCells)} ${part}\n`));
}

interface Labels {
  readonly labelCells: number;
  readonly columns: number | undefined;
}
