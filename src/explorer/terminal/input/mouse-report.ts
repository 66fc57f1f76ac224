/** What the mouse did: a press of the first button, or a turn of the wheel; 0, 0 is the top left. */
export interface MouseReport {
  readonly what: 'press' | 'wheel-up' | 'wheel-down';
  readonly row: number;
  readonly column: number;
}

const MOUSE = /^<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])$/;

/** The mouse report in a sequence (the part after `ESC [`), if the program uses it. */
export function parseMouseReport(sequence: string): MouseReport | undefined {
  const [, button, column, row, end] = MOUSE.exec(sequence) ?? [];
  return end === 'M' ? mouseReport([Number(button), Number(column), Number(row)]) : undefined;
}

/** For terminals that only know the old form: three characters, each 32 above its value. */
export const parseOldMouseReport = (characters: string): MouseReport | undefined =>
  mouseReport(Array.from(characters, character => (character.codePointAt(0) ?? 0) - 32));

const SHIFT_META_CTRL = 4 | 8 | 16;

function mouseReport([button = 0, column = 0, row = 0]: readonly number[]): MouseReport | undefined {
  const what = WHATS[button & ~SHIFT_META_CTRL];
  return what === undefined ? undefined : { what, row: row - 1, column: column - 1 };
}

const WHATS: { readonly [button: number]: MouseReport['what'] } = {
  0: 'press',
  64: 'wheel-up',
  65: 'wheel-down',
};
