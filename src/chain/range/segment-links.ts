import { shortenName } from '../../base/text/shorten-name.ts';
import type { Range } from '../insight/range.ts';

/** Where segments do not follow from one another, and why. */
export interface ChainBreak {
  /** First block of the segment that does not follow. */
  readonly at: bigint;
  /** A block of the segment that it contradicts. */
  readonly against: bigint;
  /** It may hold words of the node: sanitise it. */
  readonly reason: string;
}

/** The parts of a segment by which it is linked to others (node-behaviour.md section 7.1). */
interface LinkedSegment {
  readonly fromHeight: bigint;
  readonly toHeight: bigint;
  readonly historySegmentId: string;
  readonly previousHistorySegmentId: string;
}

/**
 * Finds where segments, given oldest first, are not one chain: each must refer to the one that ends right before it, and
 * each range must have one id. Segments before a gap, or before the oldest one, are not listed, so any id, or none, is
 * accepted for them.
 */
export function findChainBreaks(segments: readonly LinkedSegment[]): readonly ChainBreak[] {
  const named = segments.filter(({ historySegmentId }) => historySegmentId !== '');
  const byId = Map.groupBy(named, ({ historySegmentId }) => historySegmentId);
  const byEnd = Map.groupBy(named, ({ toHeight }) => toHeight);
  const byRange = Map.groupBy(named, segmentRangeText);
  return segments.flatMap(segment => {
    const found =
      differentIdBreak(segment, byRange.get(segmentRangeText(segment)) ?? []) ??
      sharedIdBreak(segment, byId.get(segment.historySegmentId) ?? []) ??
      wrongLinkBreak(
        segment,
        byEnd.get(segment.fromHeight - 1n) ?? [],
        byId.get(segment.previousHistorySegmentId) ?? [],
      );
    return found === undefined ? [] : [{ at: segment.fromHeight, ...found }];
  });
}

/** Those between segments of a range. */
export const breaksInRange = (breaks: readonly ChainBreak[], { from, to }: Range): readonly ChainBreak[] =>
  breaks.filter(({ at, against }) => [at, against].every(block => from <= block && block <= to));

type BreakReason = Omit<ChainBreak, 'at'>;

const segmentRangeText = ({ fromHeight, toHeight }: LinkedSegment): string => `${fromHeight} to ${toHeight}`;

function differentIdBreak(segment: LinkedSegment, alike: readonly LinkedSegment[]): BreakReason | undefined {
  const [first] = alike;
  const { historySegmentId: id, fromHeight } = segment;
  if (first === undefined || id === '' || first.historySegmentId === id) return undefined;
  const both = `${shortenName(first.historySegmentId)} and ${shortenName(id)}`;
  return { against: fromHeight, reason: `blocks ${segmentRangeText(segment)} have two segments, ${both}` };
}

function sharedIdBreak(segment: LinkedSegment, sharing: readonly LinkedSegment[]): BreakReason | undefined {
  const [first] = sharing;
  if (first === undefined || segmentRangeText(first) === segmentRangeText(segment)) return undefined;
  const blocks = `blocks ${segmentRangeText(first)} and for ${segmentRangeText(segment)}`;
  const reason = `segment ${shortenName(segment.historySegmentId)} stands for ${blocks}`;
  return { against: first.fromHeight, reason };
}

function wrongLinkBreak(
  { historySegmentId: id, previousHistorySegmentId: link }: LinkedSegment,
  before: readonly LinkedSegment[],
  owners: readonly LinkedSegment[],
): BreakReason | undefined {
  const [expected] = before;
  const [owner] = owners;
  if (before.some(({ historySegmentId }) => historySegmentId === link)) return undefined;
  if (expected !== undefined) {
    const name = shortenName(expected.historySegmentId);
    const named =
      link === '' ? `none as the one before it, which is ${name}` : `${shortenName(link)} before it, not ${name}`;
    return { against: expected.toHeight, reason: `its segment names ${named}` };
  }
  if (link === '' || owner === undefined) return undefined;
  const named = link === id ? 'itself' : `${shortenName(link)}, which ends at block ${owner.toHeight},`;
  return { against: owner.toHeight, reason: `its segment names ${named} as the one before it` };
}

/** The breaks in one sentence, with the reason of the first; undefined if there are none. */
export function breaksText(breaks: readonly ChainBreak[]): string | undefined {
  const [first, ...others] = breaks;
  if (first === undefined) return undefined;
  const more = [...new Set(others.map(({ at }) => at))].filter(at => at !== first.at);
  const also =
    more.length === 0
      ? ''
      : `; nor at ${more.length > MAX_LISTED_HEIGHTS ? `${more.length} other blocks` : more.join(', ')}`;
  return `the segments do not form one chain at block ${first.at}: ${first.reason}${also}`;
}

/** What the sentence means for a file with blocks of both sides. */
export const mixedHistoriesNote = (broken: string): string => `${broken}. The file may mix two histories`;

const MAX_LISTED_HEIGHTS = 3;
