import { joinRanges, type Range } from '../../../chain/insight/range.ts';
import type { StoredRows } from '../../services/chain-history/chain-history.ts';

/** A part of the history that is fetched whole, or blocks that neither node nor disk has. */
export interface HistoryPart extends Range {
  /** The node has it. */
  readonly isServed: boolean;
}

/** What a part is of a table. */
export type PartState = 'on-disk' | 'partly' | 'fetching' | 'on-node' | 'missing' | 'damaged';

export const PART_STATES: readonly PartState[] = ['on-disk', 'partly', 'fetching', 'on-node', 'missing', 'damaged'];

/** The strip's characters; those for ASCII are in `src/base/text/ascii.ts`. */
export const PART_MARKS: { readonly [state in PartState]: string } = {
  'on-disk': '\u2588',
  partly: '\u2593',
  fetching: '\u2592',
  'on-node': '\u2591',
  missing: '\u00b7',
  damaged: '!',
};

export const PART_WORDS: { readonly [state in PartState]: string } = {
  'on-disk': 'on disk',
  partly: 'partly on disk',
  fetching: 'fetching',
  'on-node': 'on the node',
  missing: 'missing',
  damaged: 'damaged',
};

/** The parts of a history, oldest first: segments of the node, slices of segments it has deleted, and gaps. */
export function historyParts(segments: readonly Range[], tables: readonly StoredRows[]): readonly HistoryPart[] {
  const served = [...segments].toSorted(byBlock);
  const onNode = joinRanges(served);
  const slices = new Map(
    tables
      .flatMap(table => [...table.slices, ...table.damaged])
      .filter(slice => !onNode.some(range => overlaps(range, slice)))
      .map(slice => [slice.from, slice]),
  );
  const parts = [
    ...served.map(({ from, to }) => ({ from, to, isServed: true })),
    ...[...slices.values()].map(({ from, to }) => ({ from, to, isServed: false })),
  ].toSorted(byBlock);
  return parts.flatMap((part, index): readonly HistoryPart[] => {
    const before = parts[index - 1];
    const isGap = before !== undefined && part.from > before.to + 1n;
    return isGap ? [{ from: before.to + 1n, to: part.from - 1n, isServed: false }, part] : [part];
  });
}

/** What a table has of a part. */
export function partState(part: HistoryPart, table: StoredRows | undefined, underWay: Range | null): PartState {
  if (table?.ranges.some(({ from, to }) => from <= part.from && part.to <= to) === true) return 'on-disk';
  if (underWay !== null && overlaps(underWay, part)) return 'fetching';
  if (table?.damaged.some(range => overlaps(range, part)) === true) return 'damaged';
  return part.isServed ? 'on-node' : 'missing';
}

/** The parts in at most `cells` cells. A cell of several parts shows the worst. */
export function stripCells(states: readonly PartState[], cells: number): readonly PartState[] {
  const count = Math.min(cells, states.length);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * states.length) / count);
    const to = Math.floor(((index + 1) * states.length) / count);
    return mixedState(new Set(states.slice(from, to)));
  });
}

function mixedState(states: ReadonlySet<PartState>): PartState {
  const worst = (['damaged', 'fetching'] as const).find(state => states.has(state));
  if (worst !== undefined) return worst;
  if (states.has('on-disk')) return states.size === 1 ? 'on-disk' : 'partly';
  return states.has('missing') && !states.has('on-node') ? 'missing' : 'on-node';
}

const overlaps = (one: Range, other: Range): boolean => one.from <= other.to && other.from <= one.to;

const byBlock = (one: Range, other: Range): number => (one.from < other.from ? -1 : 1);
