import type { Boundaries } from './boundaries.ts';
import type { SliceRecord } from './manifest.ts';
import type { Slice } from './slices.ts';

/** The ids of the segments that a slice is made of, in height order; none where the node lists no segments. */
export function segmentIdsOf(boundaries: Boundaries, { fromBlock, toBlock }: Slice): readonly string[] {
  if (boundaries.kind === 'rule') return [];
  return boundaries.segments
    .filter(({ fromHeight, toHeight }) => fromHeight >= fromBlock && toHeight <= toBlock)
    .map(({ historySegmentId }) => historySegmentId);
}

/**
 * What a reader of the slices together has to know: a segment is named after its content, so other ids for the same
 * blocks are another history. Segments that the node no longer lists say nothing.
 */
export function historyNotes(slices: readonly SliceRecord[], now: Boundaries): readonly string[] {
  const changed = slices.filter(slice => {
    const ids = segmentIdsOf(now, { fromBlock: BigInt(slice.fromBlock), toBlock: BigInt(slice.toBlock) });
    return (
      slice.segmentIds.length > 0 && ids.length === slice.segmentIds.length && ids.join() !== slice.segmentIds.join()
    );
  });
  const [first] = changed;
  const refetched = slices.filter(({ differsFrom }) => differsFrom !== null).map(refetchedNote);
  if (first === undefined) return refetched;
  const which =
    changed.length === 1 ? `that of ${first.file}` : `that of ${changed.length} slices, ${first.file} the first`;
  return [
    ...refetched,
    `the node's history changed between the slices: it lists other segments now than when ${which} was fetched; each slice is right by itself, together they may tell of two histories`,
  ];
}

const refetchedNote = ({ file, differsFrom }: SliceRecord): string =>
  `${file} was fetched again, and its bytes are not those that were recorded before (SHA-256 ${differsFrom}): the node's history changed between the slices, or it is another node's`;
