import type { Terminal } from '../support/terminal.ts';
import type { Cell } from '../support/terminal-frame.ts';

/** The cells of a screen, row by row. */
export type Shot = readonly (readonly Cell[])[];

/** Text that is another one on the next run, and what is shown for it. */
export interface Mask {
  readonly hidden: string;
  readonly shown: string;
}

export const shotOf = (terminal: Terminal, rows: number): Shot =>
  Array.from({ length: rows }, (_, row) => terminal.cells(row));

/** The screen with one text for another of the same length, wherever it stands whole in a row. */
export function masked(shot: Shot, { hidden, shown }: Mask): Shot {
  if (hidden.length !== shown.length) throw new RangeError(`${shown} is not as long as ${hidden}`);
  return shot.map(row => {
    const text = row.map(({ char }) => (char.length === 1 ? char : ' ')).join('');
    const told = text.replaceAll(hidden, shown);
    return row.map((cell, column) => (told[column] === text[column] ? cell : { ...cell, char: told[column] ?? ' ' }));
  });
}
