import type { Range } from '../../chain/insight/range.ts';
import { ASSUMED_SEGMENT_BLOCKS, type Boundaries } from '../../chain/range/segment-boundaries.ts';
import type { Segment } from '../../chain/range/segment-history.ts';
import type { Slice } from '../plan/slices.ts';

/** A slice to fetch. */
export interface PlannedSlice extends Slice {
  readonly segments: number;
}

export type FetchOrder = 'newest-first' | 'oldest-first';

/** The blocks of a whole segment. */
export type SegmentBlocks = Pick<Segment, 'fromHeight' | 'toHeight'>;

/** The segments with blocks of a range, oldest first, without overlap. Assumed ones if the node lists none. */
export function segmentsInRange(boundaries: Boundaries, { from, to }: Range): readonly SegmentBlocks[] {
  const all = boundaries.kind === 'rule' ? assumedSegments({ from, to }) : boundaries.segments;
  const segments: SegmentBlocks[] = [];
  let end = -1n;
  for (const { fromHeight, toHeight } of all) {
    if (toHeight < from || fromHeight > to || fromHeight <= end) continue;
    segments.push({ fromHeight, toHeight });
    end = toHeight;
  }
  return segments;
}

function assumedSegments({ from, to }: Range): readonly SegmentBlocks[] {
  const segments: SegmentBlocks[] = [];
  const first = ((from > 0n ? from - 1n : 0n) / ASSUMED_SEGMENT_BLOCKS) * ASSUMED_SEGMENT_BLOCKS + 1n;
  for (let start = first; start <= to; start += ASSUMED_SEGMENT_BLOCKS)
    segments.push({ fromHeight: start, toHeight: start + ASSUMED_SEGMENT_BLOCKS - 1n });
  return segments;
}

interface MissingOptions {
  readonly sliceSegments: number;
  readonly order: FetchOrder;
  /** Blocks of whole files that a killed run may have left unrecorded: each is a slice of its own. */
  readonly unrecorded?: readonly Range[];
}

interface MissingSlices {
  readonly slices: readonly PlannedSlice[];
  /** Segments that reach into slices on disk but are not inside them: they would give rows twice, so they cannot be fetched. */
  readonly crossing: readonly Range[];
}

/** The segments that no stored range has, in slices of neighbouring segments. */
export function missingSlices(
  segments: readonly SegmentBlocks[],
  stored: readonly Range[],
  { sliceSegments, order, unrecorded = [] }: MissingOptions,
): MissingSlices {
  const crossing: Range[] = [];
  const runs: SegmentBlocks[][] = [];
  const [starts, ends] = [new Set(unrecorded.map(({ from }) => from)), new Set(unrecorded.map(({ to }) => to))];
  let at = 0;
  for (const segment of segments) {
    const { fromHeight, toHeight } = segment;
    for (let range = stored[at]; range !== undefined && range.to < fromHeight; range = stored[++at]);
    const next = stored[at];
    if (next !== undefined && next.from <= toHeight) {
      if (next.from > fromHeight || next.to < toHeight) crossing.push({ from: fromHeight, to: toHeight });
      continue;
    }
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext = last !== undefined && last.toHeight + 1n === fromHeight;
    if (run !== undefined && isNext && !starts.has(fromHeight) && !ends.has(last.toHeight)) run.push(segment);
    else runs.push([segment]);
  }
  const wholeFiles = new Set(unrecorded.map(({ from, to }) => `${from}-${to}`));
  const slices = runs.flatMap(run => {
    const length = wholeFiles.has(`${run[0]?.fromHeight}-${run.at(-1)?.toHeight}`) ? run.length : sliceSegments;
    return cut(run, length);
  });
  return { slices: order === 'newest-first' ? slices.toReversed() : slices, crossing };
}

function cut(run: readonly SegmentBlocks[], length: number): readonly PlannedSlice[] {
  const slices: PlannedSlice[] = [];
  for (let first = 0; first < run.length; first += length) {
    const part = run.slice(first, first + length);
    const [from, to] = [part[0], part.at(-1)];
    if (from !== undefined && to !== undefined)
      slices.push({ fromBlock: from.fromHeight, toBlock: to.toHeight, segments: part.length });
  }
  return slices;
}

/** The blocks between the first and the last of a range that no segment of the node has. */
export function blocksWithoutSegment(segments: readonly SegmentBlocks[], { from, to }: Range): readonly Range[] {
  const gaps: Range[] = [];
  let next = from;
  for (const { fromHeight, toHeight } of segments) {
    if (fromHeight > next) gaps.push({ from: next, to: fromHeight - 1n });
    if (toHeight >= next) next = toHeight + 1n;
  }
  if (next <= to) gaps.push({ from: next, to });
  return gaps;
}
