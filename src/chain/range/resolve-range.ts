import type { Bound } from '../insight/chain-point.ts';
import type { NodeRequester } from './epoch.ts';
import { type LocatedBlock, locateBlock, type RequestedEnd, requestedEnd } from './locate-block.ts';
import {
  isHeight,
  type NamedRange,
  type PeriodWord,
  parseNamedRangeEnd,
  periodDays,
  RangeEndError,
} from './parse-range.ts';
import { isEmptyRange, rangeEnd } from './range-end.ts';
import { type Boundaries, nearestBoundaries } from './segment-boundaries.ts';

/** One end of a range. */
interface ResolvedBound {
  readonly height: bigint;
  /** How it was found, for the user; null when it was given as a height. */
  readonly note: string | null;
  /** The requested end, if the request is not for whole segments. */
  readonly asked: RequestedEnd | null;
}

/** First and last block of a range. */
export type ResolvedRange = { readonly [bound in Bound]: ResolvedBound };

export interface ResolveContext {
  readonly asker: NodeRequester;
  readonly boundaries: Boundaries;
  /** The clock of this machine, which decides what "last month" is. */
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/**
 * Finds both ends of a range. Places move outwards to segment boundaries, so that the whole range is inside; missing
 * blocks are noted. Heights stay as given, on a boundary or not. Throws NodeError, or RangeEndError for an impossible range.
 */
export async function resolveRange(range: NamedRange, ground: ResolveContext): Promise<ResolvedRange> {
  switch (range.kind) {
    case 'last':
      return newestSegments(ground.boundaries, range.segments);
    case 'all':
      return allSegments(ground.boundaries);
    case 'period':
      return resolvePeriod(range.word, ground);
    case 'between':
      if (isReversed(range)) throw new RangeEndError(`${range.from} is after ${range.to}: put the earlier end first`);
      return { from: await resolveBound('from', range.from, ground), to: await resolveBound('to', range.to, ground) };
  }
}

/** Checked on the typed text: moved outwards to segments, even reversed ends could look like a valid range. */
function isReversed({ from, to }: Extract<NamedRange, { readonly kind: 'between' }>): boolean {
  const [first, last] = [parseNamedRangeEnd(from), parseNamedRangeEnd(to)];
  if (first === undefined || last === undefined) return false;
  const unasked = () => undefined;
  return isEmptyRange({ from: rangeEnd(first, 'from', unasked), until: rangeEnd(last, 'to', unasked) });
}

/** Finds one end: a height, a date or an epoch. */
async function resolveBound(bound: Bound, text: string, ground: ResolveContext): Promise<ResolvedBound> {
  if (isHeight(text)) return { height: BigInt(text), note: null, asked: null };
  try {
    return snapToSegment(bound, await locateBlock(ground.asker, text, bound, ground.signal), ground.boundaries);
  } catch (error) {
    throw error instanceof RangeEndError ? new RangeEndError(error.message, error.lies, bound) : error;
  }
}

function snapToSegment(bound: Bound, located: LocatedBlock, boundaries: Boundaries): ResolvedBound {
  const moved = snapOutward(boundaries, bound, located);
  if (moved.kind === 'outside') {
    const newest = boundaries.kind === 'listed' ? boundaries.segments.at(-1) : undefined;
    throw new RangeEndError(moved.problem, newest !== undefined && located.height > newest.toHeight ? 'after' : null);
  }
  return { height: moved.height, note: moved.note, asked: located.asked };
}

function requireListedSegments(boundaries: Boundaries) {
  if (boundaries.kind === 'rule')
    throw new RangeEndError('this node does not list its segments. Enter the range as block heights.');
  const [oldest, newest] = [boundaries.segments[0], boundaries.segments.at(-1)];
  if (oldest === undefined || newest === undefined) throw new RangeEndError(availableRanges(boundaries));
  return { ...boundaries, oldest, newest };
}

function newestSegments(boundaries: Boundaries, wanted: number): ResolvedRange {
  const { segments, newest } = requireListedSegments(boundaries);
  const first = segments.at(-Math.min(wanted, segments.length)) ?? newest;
  const note =
    wanted > segments.length
      ? `the node has only ${segments.length} segments: all, from block ${first.fromHeight}`
      : `the ${wanted === 1 ? 'newest segment begins' : `${wanted} newest segments begin`} with block ${first.fromHeight}`;
  return {
    from: { height: first.fromHeight, note, asked: null },
    to: { height: newest.toHeight, note: null, asked: null },
  };
}

function allSegments(boundaries: Boundaries): ResolvedRange {
  const { oldest, newest, segments } = requireListedSegments(boundaries);
  const note = `all ${segments.length} segments that the node keeps`;
  return {
    from: { height: oldest.fromHeight, note, asked: null },
    to: { height: newest.toHeight, note: null, asked: null },
  };
}

async function resolvePeriod(word: PeriodWord, ground: ResolveContext): Promise<ResolvedRange> {
  const { oldest, newest } = requireListedSegments(ground.boundaries);
  const days = periodDays(word, ground.nowMs);
  const name = word.replace('-', ' ');
  const span = `${name} is ${days.from} to ${days.to ?? 'now'}, UTC`;
  const begins = await locateDay(days.from, 'from', ground);
  if (begins === 'after' || (begins !== 'before' && begins.height > newest.toHeight))
    throw new RangeEndError(
      `${span}, but the newest block that the node keeps is ${newest.toHeight}: choose an earlier range`,
    );
  const ends = days.to === null ? 'after' : await locateDay(days.to, 'to', ground);
  if (ends === 'before') throw new RangeEndError(`${span}: it ends before the oldest epoch that this node knows`);
  if (ends !== 'after' && ends.height < oldest.fromHeight)
    throw new RangeEndError(
      `${span}, but the oldest block that the node keeps is ${oldest.fromHeight}: choose a later range`,
    );
  const from =
    begins === 'before' || begins.height < oldest.fromHeight
      ? {
          height: oldest.fromHeight,
          note: missingStartNote(oldest.fromHeight),
          asked: requestedDay(days.from, 'from', oldest.fromHeight),
        }
      : snapToSegment('from', begins, ground.boundaries);
  const to =
    ends === 'after' || ends.height > newest.toHeight
      ? {
          ...{ height: newest.toHeight, note: `blocks after ${newest.toHeight} are in no segment yet` },
          asked: days.to === null ? null : requestedDay(days.to, 'to', newest.toHeight),
        }
      : snapToSegment('to', ends, ground.boundaries);
  return { from: { ...from, note: `${span}; ${from.note}` }, to };
}

/** A day without a block on this node. It is recorded under the height that replaces it. */
function requestedDay(text: string, bound: Bound, height: bigint): RequestedEnd | null {
  const place = parseNamedRangeEnd(text);
  return place?.kind === 'time' ? { ...requestedEnd(place, bound), name: String(height) } : null;
}

const missingStartNote = (oldest: bigint): string =>
  oldest === 1n ? 'the chain began with block 1' : `blocks before ${oldest} are missing`;

/** The block of a day, or the side of the chain that the day is on. */
async function locateDay(
  text: string,
  bound: Bound,
  { asker, signal }: ResolveContext,
): Promise<LocatedBlock | 'before' | 'after'> {
  try {
    return await locateBlock(asker, text, bound, signal);
  } catch (error) {
    if (error instanceof RangeEndError && error.lies !== null) return error.lies;
    throw error;
  }
}

/** The message of an error, with the ranges that can be exported. */
export const addAvailableRanges = (error: RangeEndError, boundaries: Boundaries): string =>
  error.message.includes('the node keeps') ? error.message : `${error.message}; ${availableRanges(boundaries)}`;

/** A bound moved to a segment boundary, or the reason why it cannot be. */
type SnapResult =
  | { readonly kind: 'snapped'; readonly height: bigint; readonly note: string }
  | { readonly kind: 'outside'; readonly problem: string };

/**
 * Moves a bound outwards to the boundary of its segment, because exports consist of whole segments. The requested range
 * stays inside. A block that is in no segment is refused.
 */
export function snapOutward(
  boundaries: Boundaries,
  bound: Bound,
  { height, note }: Omit<LocatedBlock, 'asked'>,
): SnapResult {
  const segment = findSegmentOfBlock(boundaries, height);
  if (segment === undefined)
    return {
      kind: 'outside',
      problem: `${note}, which no segment of this node contains; ${availableRanges(boundaries)}`,
    };
  const edge = bound === 'from' ? segment.fromHeight : segment.toHeight;
  const verb = bound === 'from' ? 'begins' : 'ends';
  const where = edge === height ? `where its segment ${verb}` : `in the segment that ${verb} with ${edge}`;
  return { kind: 'snapped', height: edge, note: `${note}, ${where}` };
}

/** The ranges that can be exported, for messages: `the node keeps 1 to 23500`. */
export function availableRanges(boundaries: Boundaries): string {
  if (boundaries.kind === 'rule') return 'segments of 1000 blocks begin at 1, 1001, ...';
  const spans = boundaries.spans.map(({ from, to }) => `${from} to ${to}`);
  if (spans.length === 0) return 'the node keeps no history';
  const more = spans.length - MAX_LISTED_SPANS;
  const shown = more > 0 ? [...spans.slice(0, MAX_LISTED_SPANS), `and ${more} more spans`] : spans;
  return `the node keeps ${shown.join(', ')}`;
}

// Usually there are one or two; a node that lost parts of its history may have very many.
const MAX_LISTED_SPANS = 6;

function findSegmentOfBlock(boundaries: Boundaries, height: bigint) {
  if (boundaries.kind === 'listed')
    return boundaries.segments.find(({ fromHeight, toHeight }) => fromHeight <= height && height <= toHeight);
  const from = nearestBoundaries(boundaries, 'from', height);
  const to = nearestBoundaries(boundaries, 'to', height);
  const fromHeight = from.isExact ? height : from.below;
  const toHeight = to.isExact ? height : to.above;
  return fromHeight === null || toHeight === null ? undefined : { fromHeight, toHeight };
}
