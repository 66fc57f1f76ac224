import type { Terminal as Emulator, IBufferCell } from '@xterm/headless';

export type CellColour = 'default' | `ansi-${number}` | `#${string}`;

/** One place on the screen. The place behind a character two cells wide has width 0 and no character. */
export interface Cell {
  readonly char: string;
  readonly width: number;
  readonly fg: CellColour;
  readonly bg: CellColour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
  readonly underline: boolean;
}

/** The lines in view, without the spaces at their ends. */
export function visibleText(emulator: Emulator): string {
  return fullLines(emulator)
    .map(line => line.replace(/ +$/, ''))
    .join('\n');
}

/** The lines in view in a box, for messages. */
export function boxedText(emulator: Emulator): string {
  const edge = '─'.repeat(emulator.cols);
  return [`┌${edge}┐`, ...fullLines(emulator).map(line => `│${line}│`), `└${edge}┘`].join('\n');
}

/** Every cell of a row in view; the top row is 0. */
export function cellsOfRow(emulator: Emulator, row: number): readonly Cell[] {
  const buffer = emulator.buffer.active;
  const line = row < 0 || row >= emulator.rows ? undefined : buffer.getLine(buffer.baseY + row);
  if (line === undefined) throw new RangeError(`Row ${row} is not on a screen of ${emulator.rows} rows`);
  return Array.from({ length: emulator.cols }, (_, column) => {
    const cell = line.getCell(column);
    if (cell === undefined) throw new RangeError(`Row ${row} has no column ${column}`);
    return readCell(cell);
  });
}

function readCell(cell: IBufferCell): Cell {
  const width = cell.getWidth();
  return {
    char: cell.getChars() || (width === 0 ? '' : ' '),
    width,
    fg: colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    bg: colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}

function colour(isRgb: boolean, isPalette: boolean, value: number): CellColour {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return isPalette ? `ansi-${value}` : 'default';
}

function fullLines(emulator: Emulator): readonly string[] {
  const buffer = emulator.buffer.active;
  return Array.from(
    { length: emulator.rows },
    (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(false, 0, emulator.cols) ?? '',
  );
}
