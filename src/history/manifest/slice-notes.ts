import type { Boundaries } from '../../chain/range/segment-boundaries.ts';
import { breaksInRange, breaksText } from '../../chain/range/segment-links.ts';
import type { Slice } from '../plan/slices.ts';
import type { SliceRecord } from './manifest.ts';

/** The ids of the segments of a slice, in height order; empty when the node lists no segments. */
export function sliceSegmentIds(boundaries: Boundaries, { fromBlock, toBlock }: Slice): readonly string[] {
  if (boundaries.kind === 'rule') return [];
  return boundaries.segments
    .filter(({ fromHeight, toHeight }) => fromHeight >= fromBlock && toHeight <= toBlock)
    .map(({ historySegmentId }) => historySegmentId);
}

/** The id of the segment before a slice, from its first segment: '' for the first of the chain. Null if the node lists no segments. */
export function segmentBefore(boundaries: Boundaries, { fromBlock }: Slice): string | null {
  if (boundaries.kind === 'rule') return null;
  return boundaries.segments.find(({ fromHeight }) => fromHeight === fromBlock)?.previousHistorySegmentId ?? null;
}

/**
 * Remarks on slices whose history changed between downloads. A segment id is a hash of its content, so other ids for the
 * same blocks mean another history. Segments that the node no longer lists are not compared.
 */
export function historyNotes(slices: readonly SliceRecord[], now: Boundaries): readonly string[] {
  const changed = slices.filter(({ fromBlock, toBlock, segmentIds }) => {
    const ids = sliceSegmentIds(now, { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) });
    const isComparable = segmentIds !== null && segmentIds.length > 0 && ids.length === segmentIds.length;
    return isComparable && ids.join() !== segmentIds.join();
  });
  const unknown = now.kind === 'rule' ? [] : slices.filter(({ segmentIds }) => segmentIds === null);
  return [
    ...mixedHistoryNotes(slices, now),
    ...slices.filter(({ differsFrom }) => differsFrom !== null).map(refetchedNote),
    ...noteForSlices(unknown, unknownNote),
    ...noteForSlices(changed, changedNote),
  ];
}

/** The segments of all slices may not be one chain, though each slice is. */
function mixedHistoryNotes(slices: readonly SliceRecord[], now: Boundaries): readonly string[] {
  const [first, last] = [slices[0], slices.at(-1)];
  if (now.kind === 'rule' || first === undefined || last === undefined) return [];
  const broken = breaksText(breaksInRange(now.breaks, { from: BigInt(first.fromBlock), to: BigInt(last.toBlock) }));
  return broken === undefined ? [] : [`${broken}. Together the slices may mix two histories`];
}

/** For an export after which the node did not list its segments. */
export const UNKNOWN_CHANGE_NOTE =
  'it is unknown whether the history of the node changed during the export, as the node did not list its segments at the end';

function noteForSlices(slices: readonly SliceRecord[], note: (which: string) => string): readonly string[] {
  const [first] = slices;
  if (first === undefined) return [];
  return [note(slices.length === 1 ? first.file : `${slices.length} slices (the first is ${first.file})`)];
}

const changedNote = (which: string): string =>
  `the history of the node changed during the export: it now lists other segments than for ${which}. Each slice is sound, but together they may mix two histories`;

const unknownNote = (which: string): string =>
  `the segments of ${which} were not recorded, because a run ended too early: a change of the history cannot be detected there`;

const refetchedNote = ({ file, differsFrom }: SliceRecord): string =>
  `${file} was downloaded again with different content (SHA-256 before: ${differsFrom}): the history of the node changed, or it is another node`;

/** More notes are only counted. */
const MAX_NOTES = 20;

/** The first notes on slices, and the number of the others. */
export function limitSliceNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [...notes.slice(0, MAX_NOTES), `${notes.length - MAX_NOTES} more notes on slices are not shown`];
}
