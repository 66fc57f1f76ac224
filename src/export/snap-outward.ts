import { type Bound, type Boundaries, nearestBoundaries } from './boundaries.ts';
import type { Located } from './locate.ts';

/** Where a named block moves a bound to, or why it cannot. */
export type Snapped =
  | { readonly kind: 'snapped'; readonly height: bigint; readonly note: string }
  | { readonly kind: 'outside'; readonly problem: string };

/**
 * The rule for dates and epochs: exports go by whole segments, so a bound moves outwards to the end of the segment that
 * holds the block. The whole of what was named is inside, never less; a block that no segment holds is refused.
 */
export function snapOutward(boundaries: Boundaries, bound: Bound, { height, note }: Omit<Located, 'asked'>): Snapped {
  const segment = segmentHolding(boundaries, height);
  if (segment === undefined)
    return { kind: 'outside', problem: `${note}, which is in no segment of this node; ${keptRanges(boundaries)}` };
  const edge = bound === 'from' ? segment.fromHeight : segment.toHeight;
  const verb = bound === 'from' ? 'begins' : 'ends';
  const where = edge === height ? `where its segment ${verb}` : `in the segment that ${verb} with ${edge}`;
  return { kind: 'snapped', height: edge, note: `${note}, ${where}` };
}

/** What can be exported at all: `the node keeps 1 to 23500`. */
export function keptRanges(boundaries: Boundaries): string {
  if (boundaries.kind === 'rule') return 'segments of 1000 blocks begin at 1, 1001, ...';
  const spans = boundaries.spans.map(({ fromHeight, toHeight }) => `${fromHeight} to ${toHeight}`);
  if (spans.length === 0) return 'the node keeps no history';
  const more = spans.length - MOST_SPANS;
  const shown = more > 0 ? [...spans.slice(0, MOST_SPANS), `and ${more} more spans`] : spans;
  return `the node keeps ${shown.join(', ')}`;
}

// Spans are one or two; a node that lost parts of its history may have very many.
const MOST_SPANS = 6;

function segmentHolding(boundaries: Boundaries, height: bigint) {
  if (boundaries.kind === 'listed')
    return boundaries.segments.find(({ fromHeight, toHeight }) => fromHeight <= height && height <= toHeight);
  const from = nearestBoundaries(boundaries, 'from', height);
  const to = nearestBoundaries(boundaries, 'to', height);
  const fromHeight = from.isExact ? height : from.below;
  const toHeight = to.isExact ? height : to.above;
  return fromHeight === null || toHeight === null ? undefined : { fromHeight, toHeight };
}
