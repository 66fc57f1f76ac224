import type { SafeText } from '../../text/safe-text.ts';
import type { Line } from './line.ts';

/** What a row of the screen holds: text, the field that has the focus, or a small fixed table. */
export type ScreenRow =
  | { readonly kind: 'line' | 'field'; readonly line: Line }
  | {
      readonly kind: 'table';
      readonly heading: readonly SafeText[];
      readonly rows: readonly (readonly SafeText[])[];
    };

export const asRows = (lines: readonly Line[]): readonly ScreenRow[] => lines.map(line => ({ kind: 'line', line }));

/** Screen rows that a row takes; a table has rules around its heading and its end. */
export const heightOf = (row: ScreenRow): number => (row.kind === 'table' ? row.rows.length * 2 + 3 : 1);
