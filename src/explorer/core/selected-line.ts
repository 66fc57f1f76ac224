import { barLine, type Line } from './line.ts';
import { marksWholeLine } from './looks.ts';
import type { Shared } from './screen.ts';

/** The line at the cursor, as a bar of this width unless only its mark is wanted. */
export const selectedLine = (line: Line, cells: number, shared: Pick<Shared, 'looks' | 'preferences'>): Line =>
  marksWholeLine(shared) ? barLine(line, cells, 'selection') : line;
