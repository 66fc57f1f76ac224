import type { Boundaries } from './boundaries.ts';

/** What a cell of the history stands for. */
export type HistoryCell = 'kept' | 'missing' | 'chosen';

/** The history of a node as one line: a character a stretch of blocks, the oldest at the left. */
export interface HistoryLine {
  readonly first: bigint;
  readonly last: bigint;
  readonly cells: readonly HistoryCell[];
}

/** Blocks that are to be marked; the ends may be the wrong way round while somebody types. */
export interface Marked {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * A line of so many cells, or null where no history is known. A cell that holds a block of the marked range is marked,
 * else one that holds a block that is not kept shows the gap: what is short is drawn too long, never left out.
 */
export function historyLine(boundaries: Boundaries, marked: Marked | null, cells: number): HistoryLine | null {
  if (boundaries.kind === 'rule' || cells < 1) return null;
  const { spans } = boundaries;
  const [first, last] = endsOf(spans);
  if (first === undefined || last === undefined) return null;
  const count = last - first + 1n;
  const drawn = BigInt(cells) < count ? BigInt(cells) : count;
  const length = Number(drawn);
  const edge = (index: number): bigint => first + (count * BigInt(index)) / drawn;
  // Spans come oldest first, as cells do: a history with thousands of gaps is gone through once.
  let at = 0;
  const isKept = (from: bigint, to: bigint): boolean => {
    while (at < spans.length - 1 && (spans[at]?.toHeight ?? 0n) < from) at++;
    const span = spans[at];
    return span !== undefined && span.fromHeight <= from && to <= span.toHeight;
  };
  const kinds = Array.from({ length }, (_, index): HistoryCell => {
    const [from, to] = [edge(index), edge(index + 1) - 1n];
    if (marked !== null && marked.from <= to && marked.to >= from) return 'chosen';
    return isKept(from, to) ? 'kept' : 'missing';
  });
  return { first, last, cells: kinds };
}

type Spans = Extract<Boundaries, { readonly kind: 'listed' }>['spans'];

function endsOf(spans: Spans): readonly [bigint | undefined, bigint | undefined] {
  let [first, last]: [bigint | undefined, bigint | undefined] = [undefined, undefined];
  for (const { fromHeight, toHeight } of spans) {
    if (first === undefined || fromHeight < first) first = fromHeight;
    if (last === undefined || toHeight > last) last = toHeight;
  }
  return [first, last];
}

/** How the cells are drawn, in ASCII where nothing else can be: three characters that nobody takes for each other. */
export const HISTORY_MARKS: { readonly [charset in 'utf-8' | 'ascii']: { readonly [cell in HistoryCell]: string } } = {
  'utf-8': { kept: '─', missing: '·', chosen: '█' },
  ascii: { kept: '-', missing: '.', chosen: '#' },
};

/** What the characters stand for, as far as they are on the line. */
export function historyLegend({ cells }: HistoryLine, marks: { readonly [cell in HistoryCell]: string }): string {
  const told = (['chosen', 'missing'] as const).filter(cell => cells.includes(cell));
  return told.map(cell => `${marks[cell]} ${cell === 'chosen' ? 'chosen' : 'not kept'}`).join('  ');
}
