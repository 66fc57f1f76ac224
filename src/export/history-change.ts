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
  const changed = slices.filter(({ fromBlock, toBlock, segmentIds }) => {
    const ids = segmentIdsOf(now, { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) });
    const isComparable = segmentIds !== null && segmentIds.length > 0 && ids.length === segmentIds.length;
    return isComparable && ids.join() !== segmentIds.join();
  });
  const unknown = now.kind === 'rule' ? [] : slices.filter(({ segmentIds }) => segmentIds === null);
  return [
    ...slices.filter(({ differsFrom }) => differsFrom !== null).map(refetchedNote),
    ...noteOn(unknown, unknownNote),
    ...noteOn(changed, changedNote),
  ];
}

/** For an export at whose end the node did not say which segments it has. */
export const UNKNOWN_CHANGE =
  "whether the node's history changed meanwhile is not known, as it did not list its segments at the end";

function noteOn(slices: readonly SliceRecord[], note: (which: string) => string): readonly string[] {
  const [first] = slices;
  if (first === undefined) return [];
  return [note(slices.length === 1 ? first.file : `${slices.length} slices, ${first.file} the first`)];
}

const changedNote = (which: string): string =>
  `the node's history changed between the slices: it lists other segments now than when that of ${which} was fetched; each slice is right by itself, together they may tell of two histories`;

const unknownNote = (which: string): string =>
  `which segments were listed when that of ${which} was fetched is not known: a run ended before it had recorded them, so a change of the node's history cannot be seen there`;

const refetchedNote = ({ file, differsFrom }: SliceRecord): string =>
  `${file} was fetched again, and its bytes are not those that were recorded before (SHA-256 ${differsFrom}): the node's history changed between the slices, or it is another node's`;
