import type { Line } from '../../explorer/core/line.ts';
import type { ScreenRow } from '../../explorer/core/row.ts';

/** A drawn line in words: without line art, and with a comma where there was room. */
export const plainText = (line: Line): string =>
  line
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[\u2500-\u25ff]/g, ' ')
    .trimEnd()
    .replaceAll(/(?<=\S) {2,}(?=\S)/g, ', ')
    .trim();

/** The lines of a row of the body; rules and blanks are none. */
export function bodyText(row: ScreenRow): readonly string[] {
  switch (row.kind) {
    case 'line':
      return [plainText(row.line)].filter(text => text !== '');
    case 'field':
      return [];
    case 'table':
      return row.rows.map(cells => cells.map((cell, index) => `${row.heading[index]}: ${cell}`).join('; '));
  }
}
