import { ASSUMED_SEGMENT_BLOCKS, type Boundaries, checkRange } from '../../chain/range/segment-boundaries.ts';
import type { Segment } from '../../chain/range/segment-history.ts';
import type { ExportPlan } from './export-plan.ts';

/** Slices are proposed for longer ranges, where one lost connection would cost too much. */
export const MANY_SEGMENTS = 50n;

// More would be too many files, and too many requests.
const MAX_SLICES = 100;

/**
 * Proposes the number of segments per slice for a range of `segments`: a round number that gives at most 100 slices for a
 * long range and about ten for a short one.
 */
export function proposeSliceLength(segments: bigint): number {
  const count = Number(segments);
  const least = Math.max(Math.ceil(count / MAX_SLICES), Math.min(10, Math.ceil(count / 10)));
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5].map(step => step * power).find(size => size >= least) ?? 10 * power;
}

/** A part of an export with a request of its own. Both ends are segment boundaries. */
export interface Slice {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Cuts a valid range into slices of `segmentsPerSlice`; the last one may have fewer. */
export function cutIntoSlices(plan: ExportPlan, boundaries: Boundaries, segmentsPerSlice: number): readonly Slice[] {
  const edges =
    boundaries.kind === 'listed'
      ? listedSliceEdges(
          plan,
          boundaries.spans.flatMap(({ segments }) => segments),
        )
      : assumedSliceEdges(plan);
  const slices: Slice[] = [];
  for (let first = 0; first < edges.length; first += segmentsPerSlice) {
    const part = edges.slice(first, first + segmentsPerSlice);
    const from = part[0];
    const to = part.at(-1);
    if (from !== undefined && to !== undefined) slices.push({ fromBlock: from.fromBlock, toBlock: to.toBlock });
  }
  return slices;
}

/** The plan of one slice, with the CSVs that it should contain. */
export function slicePlan(plan: ExportPlan, boundaries: Boundaries, slice: Slice, path: string): ExportPlan {
  const { runs: _, slices: __, broken: ___, ...rest } = plan;
  const range = checkRange(boundaries, slice.fromBlock, slice.toBlock);
  const runs = range.isValid && range.runs !== undefined ? { runs: range.runs } : {};
  return { ...rest, ...slice, ...runs, destination: path, mayOverwrite: false };
}

function listedSliceEdges({ fromBlock, toBlock }: ExportPlan, segments: readonly Segment[]): readonly Slice[] {
  return segments
    .filter(({ fromHeight, toHeight }) => fromHeight >= fromBlock && toHeight <= toBlock)
    .map(({ fromHeight, toHeight }) => ({ fromBlock: fromHeight, toBlock: toHeight }));
}

function assumedSliceEdges({ fromBlock, toBlock }: ExportPlan): readonly Slice[] {
  const edges: Slice[] = [];
  for (let from = fromBlock; from <= toBlock; from += ASSUMED_SEGMENT_BLOCKS)
    edges.push({ fromBlock: from, toBlock: from + ASSUMED_SEGMENT_BLOCKS - 1n });
  return edges;
}
