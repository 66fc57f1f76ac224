import xterm, { type Terminal as Emulator, type IBufferCell } from '@xterm/headless';

export type { Emulator };

export const emulatorOf = (columns: number, rows: number): Emulator =>
  new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0, logLevel: 'off' });

interface Core {
  readonly writeSync: (data: string) => void;
  readonly coreService: { readonly isCursorHidden: boolean };
}

const isCore = (value: unknown): value is Core =>
  typeof value === 'object' && value !== null && 'writeSync' in value && 'coreService' in value;

// The public write is asynchronous, and the public interface does not tell whether the cursor is hidden.
function coreOf(emulator: Emulator): Core {
  const core: unknown = Reflect.get(emulator, '_core');
  if (!isCore(core)) throw new Error('the emulator is built otherwise than it was');
  return core;
}

/** Writes as through the terminal driver, which puts a carriage return before a line feed and no other character. */
export const feed = (emulator: Emulator, text: string): void =>
  coreOf(emulator).writeSync(text.replaceAll('\n', '\r\n'));

const isCursorHidden = (emulator: Emulator): boolean => coreOf(emulator).coreService.isCursorHidden;

/** The first thing in which two screens differ; '' when they are equal. A hidden cursor may be anywhere. */
export function difference(a: Emulator, b: Emulator): string {
  const [cellA, cellB] = [a.buffer.active.getNullCell(), b.buffer.active.getNullCell()];
  for (let row = 0; row < a.rows; row++) {
    const lineA = a.buffer.active.getLine(a.buffer.active.baseY + row);
    const lineB = b.buffer.active.getLine(b.buffer.active.baseY + row);
    for (let column = 0; column < a.cols; column++) {
      lineA?.getCell(column, cellA);
      lineB?.getCell(column, cellB);
      if (!isEqual(cellA, cellB))
        return `row ${row}, column ${column}: ${JSON.stringify(seen(cellA))}, not ${JSON.stringify(seen(cellB))}`;
    }
  }
  return cursorOf(a) === cursorOf(b) ? '' : `cursor: ${cursorOf(a)}, not ${cursorOf(b)}`;
}

/** Everything that can be seen, as one string. */
export function picture(emulator: Emulator): string {
  const cell = emulator.buffer.active.getNullCell();
  let all = cursorOf(emulator);
  for (let row = 0; row < emulator.rows; row++) {
    const line = emulator.buffer.active.getLine(emulator.buffer.active.baseY + row);
    for (let column = 0; column < emulator.cols; column++) {
      line?.getCell(column, cell);
      all += seen(cell).join(',');
    }
  }
  return all;
}

function cursorOf(emulator: Emulator): string {
  const { cursorX, cursorY } = emulator.buffer.active;
  return isCursorHidden(emulator) ? 'hidden' : `row ${cursorY}, column ${Math.min(cursorX, emulator.cols - 1)}`;
}

const isEqual = (a: IBufferCell, b: IBufferCell): boolean =>
  (a.getChars() || ' ') === (b.getChars() || ' ') &&
  a.getWidth() === b.getWidth() &&
  a.getFgColor() === b.getFgColor() &&
  a.getFgColorMode() === b.getFgColorMode() &&
  a.getBgColor() === b.getBgColor() &&
  a.getBgColorMode() === b.getBgColorMode() &&
  a.isBold() === b.isBold() &&
  a.isDim() === b.isDim() &&
  a.isInverse() === b.isInverse() &&
  a.isUnderline() === b.isUnderline() &&
  a.isItalic() === b.isItalic();

const seen = (cell: IBufferCell) => [
  cell.getChars() || ' ',
  cell.getWidth(),
  `${cell.getFgColorMode()}:${cell.getFgColor()}`,
  `${cell.getBgColorMode()}:${cell.getBgColor()}`,
  `${cell.isBold()}.${cell.isDim()}.${cell.isInverse()}.${cell.isUnderline()}.${cell.isItalic()}`,
];
