import { shortName } from '../../base/text/short-name.ts';
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

/** The parts of a segment by which it is linked to others (node-lists.md section 7.1). */
interface Linked {
  readonly fromHeight: bigint;
  readonly toHeight: bigint;
  readonly historySegmentId: string;
  readonly previousHistorySegmentId: string;
}

/**
 * Finds where segments, given oldest first, are not one chain: each names the one that ends right before it, and each range
 * has one id. What is before a gap, or before the oldest segment, is not listed, so any id or none may stand for it.
 */
export function chainBreaks(segments: readonly Linked[]): readonly ChainBreak[] {
  const named = segments.filter(({ historySegmentId }) => historySegmentId !== '');
  const byId = Map.groupBy(named, ({ historySegmentId }) => historySegmentId);
  const byEnd = Map.groupBy(named, ({ toHeight }) => toHeight);
  const byRange = Map.groupBy(named, rangeOf);
  return segments.flatMap(segment => {
    const found =
      otherId(segment, byRange.get(rangeOf(segment)) ?? []) ??
      sharedId(segment, byId.get(segment.historySegmentId) ?? []) ??
      wrongLink(segment, byEnd.get(segment.fromHeight - 1n) ?? [], byId.get(segment.previousHistorySegmentId) ?? []);
    return found === undefined ? [] : [{ at: segment.fromHeight, ...found }];
  });
}

/** Those between segments of a range. */
export const breaksWithin = (breaks: readonly ChainBreak[], { from, to }: Range): readonly ChainBreak[] =>
  breaks.filter(({ at, against }) => [at, against].every(block => from <= block && block <= to));

type Found = Omit<ChainBreak, 'at'>;

const rangeOf = ({ fromHeight, toHeight }: Linked): string => `${fromHeight} to ${toHeight}`;

function otherId(segment: Linked, alike: readonly Linked[]): Found | undefined {
  const [first] = alike;
  const { historySegmentId: id, fromHeight } = segment;
  if (first === undefined || id === '' || first.historySegmentId === id) return undefined;
  const both = `${shortName(first.historySegmentId)} and ${shortName(id)}`;
  return { against: fromHeight, reason: `blocks ${rangeOf(segment)} have two segments, ${both}` };
}

function sharedId(segment: Linked, sharing: readonly Linked[]): Found | undefined {
  const [first] = sharing;
  if (first === undefined || rangeOf(first) === rangeOf(segment)) return undefined;
  const blocks = `blocks ${rangeOf(first)} and for ${rangeOf(segment)}`;
  const reason = `segment ${shortName(segment.historySegmentId)} stands for ${blocks}`;
  return { against: first.fromHeight, reason };
}

function wrongLink(
  { historySegmentId: id, previousHistorySegmentId: link }: Linked,
  before: readonly Linked[],
  owners: readonly Linked[],
): Found | undefined {
  const [expected] = before;
  const [owner] = owners;
  if (before.some(({ historySegmentId }) => historySegmentId === link)) return undefined;
  if (expected !== undefined) {
    const name = shortName(expected.historySegmentId);
    const named =
      link === '' ? `none as the one before it, which is ${name}` : `${shortName(link)} before it, not ${name}`;
    return { against: expected.toHeight, reason: `its segment names ${named}` };
  }
  if (link === '' || owner === undefined) return undefined;
  const named = link === id ? 'itself' : `${shortName(link)}, which ends at block ${owner.toHeight},`;
  return { against: owner.toHeight, reason: `its segment names ${named} as the one before it` };
}

/** The breaks in one sentence, with the reason of the first; undefined if there are none. */
export function breaksText(breaks: readonly ChainBreak[]): string | undefined {
  const [first, ...others] = breaks;
  if (first === undefined) return undefined;
  const more = [...new Set(others.map(({ at }) => at))].filter(at => at !== first.at);
  const also =
    more.length === 0 ? '' : `; nor at ${more.length > MOST_NAMED ? `${more.length} other blocks` : more.join(', ')}`;
  return `the segments do not form one chain at block ${first.at}: ${first.reason}${also}`;
}

/** What the sentence means for a file with blocks of both sides. */
export const mixedNote = (broken: string): string => `${broken}. The file may mix two histories`;

const MOST_NAMED = 3;
