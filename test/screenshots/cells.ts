import type { Cell } from '../support/terminal-frame.ts';

/** A cell of a terminal's own look but for what a case changes. */
export const cell = (char: string, part: Partial<Cell> = {}): Cell => ({
  char,
  width: 1,
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  inverse: false,
  underline: false,
  ...part,
});

/** A row of such cells, one for each character. */
export const row = (text: string, part: Partial<Cell> = {}): readonly Cell[] =>
  Array.from(text, char => cell(char, part));
