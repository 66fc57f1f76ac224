import { SPACE } from './glyph-table.ts';
import type { Grid } from './grid.ts';
import { PLAIN } from './style-table.ts';

/** Rows `top` to `bottom` move up by this number of rows; down if it is negative. */
export interface ScrollPlan {
  readonly top: number;
  readonly bottom: number;
  readonly by: number;
}

/** The band of rows that has moved between two screens of the same size, when there is one. */
export function planScroll(previous: Grid, next: Grid): ScrollPlan | undefined {
  const before = rowHashes(previous);
  const after = rowHashes(next);
  const by = mostFrequentMove(before, after);
  if (by === 0) return undefined;
  const { rows } = next;
  const hasMoved = (row: number): boolean =>
    after[row] !== before[row] && after[row] !== BLANK_ROW && after[row] === before[row + by];
  let first = 0;
  while (first < rows && !hasMoved(first)) first++;
  let last = rows - 1;
  while (last > first && !hasMoved(last)) last--;
  // The rows at the ends moved too, but lost or got a mark or a highlight on the way.
  while (isNearerMoved(previous, next, first - 1, by)) first--;
  while (isNearerMoved(previous, next, last + 1, by)) last++;
  return { top: Math.min(first, first + by), bottom: Math.max(last, last + by), by };
}

/** For each row the row whose cells it has after the scroll; -1 for a blank one. */
export function rowsAfter({ top, bottom, by }: ScrollPlan, rows: number): Int32Array {
  const sources = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const isInside = row >= top && row <= bottom;
    const source = isInside ? row + by : row;
    sources[row] = isInside && (source < top || source > bottom) ? -1 : source;
  }
  return sources;
}

/** Scrolls with what every terminal with scroll regions has. The cursor is at an unknown place afterwards. */
export function scrollSequence({ top, bottom, by }: ScrollPlan, rows: number): string {
  const isWhole = top === 0 && bottom === rows - 1;
  const region = isWhole ? '' : `\u001b[${top + 1};${bottom + 1}r`;
  const moves = by > 0 ? `\u001b[${bottom + 1}H${'\n'.repeat(by)}` : `\u001b[${top + 1}H${'\u001bM'.repeat(-by)}`;
  return `${region}${moves}${isWhole ? '' : '\u001b[r'}`;
}

const BLANK_ROW = 0;

function rowHashes({ columns, rows, glyphs, styles }: Grid): Int32Array {
  const hashes = new Int32Array(rows);
  for (let row = 0, at = 0; row < rows; row++) {
    let hash = BLANK_ROW;
    for (const end = at + columns; at < end; at++) {
      const glyph = glyphs[at] ?? SPACE;
      const style = styles[at] ?? PLAIN;
      // Blank cells at the start leave the hash at that of a blank row, which is as good as any.
      const cell = glyph === SPACE && style === PLAIN ? 0 : Math.imul(glyph + (style << 21), 0x9e3779b1);
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) + cell;
    }
    hashes[row] = hash;
  }
  return hashes;
}

// Rows that occur several times (rules, for example) are not evidence.
function mostFrequentMove(before: Int32Array, after: Int32Array): number {
  const places = new Map<number, number>();
  for (const [row, hash] of before.entries()) places.set(hash, places.has(hash) ? -1 : row);
  const votes = new Map<number, number>();
  let best = 0;
  for (const [row, hash] of after.entries()) {
    const place = places.get(hash) ?? -1;
    if (hash === BLANK_ROW || hash === before[row] || place === -1) continue;
    const count = (votes.get(place - row) ?? 0) + 1;
    votes.set(place - row, count);
    if (count > (votes.get(best) ?? 0)) best = place - row;
  }
  return best;
}

function isNearerMoved(previous: Grid, next: Grid, row: number, by: number): boolean {
  const source = row + by;
  if (row < 0 || row >= next.rows || source < 0 || source >= next.rows) return false;
  return countDifferences(previous, source, next, row) < countDifferences(previous, row, next, row);
}

function countDifferences(previous: Grid, source: number, next: Grid, row: number): number {
  let count = 0;
  const start = row * next.columns;
  const shift = source * next.columns - start;
  for (let at = start; at < start + next.columns; at++) {
    if (previous.glyphs[at + shift] !== next.glyphs[at] || previous.styles[at + shift] !== next.styles[at]) count++;
  }
  return count;
}
