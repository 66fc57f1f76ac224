import { marksWholeLine } from '../../session/model/looks.ts';
import { barLine, type Line } from './line.ts';
import type { Shared } from './screen.ts';

/** The line at the cursor, as a bar of this width unless only its mark is wanted. */
export const selectedLine = (line: Line, cells: number, shared: Pick<Shared, 'looks' | 'preferences'>): Line =>
  marksWholeLine(shared) ? barLine(line, cells, 'selection') : line;
