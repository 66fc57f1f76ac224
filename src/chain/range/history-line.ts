import type { Range } from '../insight/range.ts';
import type { Boundaries } from './segment-boundaries.ts';

/** What one character of the line stands for. */
export type HistoryCell = 'available' | 'missing' | 'chosen';

/** The history of a node as one line of characters, the oldest blocks at the left. */
interface HistoryLine {
  readonly first: bigint;
  readonly last: bigint;
  readonly cells: readonly HistoryCell[];
}

/**
 * Draws the history in `cells` characters; null when no segments are known. A cell with any chosen block is `chosen`
 * (while a user types, `from` may be above `to`), otherwise one with any missing block is `missing`, so that even a short
 * gap shows.
 */
export function historyLine(boundaries: Boundaries, marked: Range | null, cells: number): HistoryLine | null {
  if (boundaries.kind === 'rule' || cells < 1) return null;
  const { spans } = boundaries;
  const [first, last] = firstAndLastBlock(spans);
  if (first === undefined || last === undefined) return null;
  const count = last - first + 1n;
  const drawn = BigInt(cells) < count ? BigInt(cells) : count;
  const length = Number(drawn);
  const edge = (index: number): bigint => first + (count * BigInt(index)) / drawn;
  // Spans and cells are both in order, so one pass is enough even for thousands of gaps.
  let at = 0;
  const isAvailable = (from: bigint, to: bigint): boolean => {
    while (at < spans.length - 1 && (spans[at]?.to ?? 0n) < from) at++;
    const span = spans[at];
    return span !== undefined && span.from <= from && to <= span.to;
  };
  const kinds = Array.from({ length }, (_, index): HistoryCell => {
    const [from, to] = [edge(index), edge(index + 1) - 1n];
    if (marked !== null && marked.from <= to && marked.to >= from) return 'chosen';
    return isAvailable(from, to) ? 'available' : 'missing';
  });
  return { first, last, cells: kinds };
}

type Spans = Extract<Boundaries, { readonly kind: 'listed' }>['spans'];

function firstAndLastBlock(spans: Spans): readonly [bigint | undefined, bigint | undefined] {
  let [first, last]: [bigint | undefined, bigint | undefined] = [undefined, undefined];
  for (const { from, to } of spans) {
    if (first === undefined || from < first) first = from;
    if (last === undefined || to > last) last = to;
  }
  return [first, last];
}

/** The characters for the cells, in UTF-8 and ASCII. */
export const HISTORY_MARKS: { readonly [charset in 'utf-8' | 'ascii']: { readonly [cell in HistoryCell]: string } } = {
  'utf-8': { available: '─', missing: '·', chosen: '█' },
  ascii: { available: '-', missing: '.', chosen: '#' },
};

/** Explains the characters that are on the line. */
export function historyLegend({ cells }: HistoryLine, marks: { readonly [cell in HistoryCell]: string }): string {
  const shown = (['chosen', 'missing'] as const).filter(cell => cells.includes(cell));
  return shown.map(cell => `${marks[cell]} ${cell === 'chosen' ? 'chosen' : 'missing'}`).join('  ');
}
