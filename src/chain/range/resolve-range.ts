import { type Bound, type Boundaries, nearestBoundaries } from './boundaries.ts';
import type { Asker } from './epoch.ts';
import { type AskedEnd, askedTime, type Located, locate } from './locate.ts';
import { isHeight, type NamedRange, type PeriodWord, PlaceError, periodDays, placeNamed } from './named-range.ts';

/** One end of a range. */
interface FoundBound {
  readonly height: bigint;
  /** How it was found, for the user; null when it was given as a height. */
  readonly note: string | null;
  /** What was requested, if that is not the whole segments. */
  readonly asked: AskedEnd | null;
}

/** First and last block of a range. */
export type FoundRange = { readonly [bound in Bound]: FoundBound };

/** What is needed to resolve a range. */
export interface Ground {
  readonly asker: Asker;
  readonly boundaries: Boundaries;
  /** The clock of this machine, which decides what "last month" is. */
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/**
 * Finds both ends of a range. Places move outwards to segment boundaries, so that the whole range is inside; missing
 * blocks are noted. Heights stay as given, on a boundary or not. Throws NodeError, or PlaceError for an impossible range.
 */
export async function resolveRange(range: NamedRange, ground: Ground): Promise<FoundRange> {
  switch (range.kind) {
    case 'last':
      return newestSegments(ground.boundaries, range.segments);
    case 'all':
      return everything(ground.boundaries);
    case 'period':
      return period(range.word, ground);
    case 'between':
      if (isReversed(range)) throw new PlaceError(`${range.from} is after ${range.to}: put the earlier end first`);
      return { from: await foundBound('from', range.from, ground), to: await foundBound('to', range.to, ground) };
  }
}

/** Checked on the typed text: moved outwards to segments, even reversed ends could look like a valid range. */
function isReversed({ from, to }: Extract<NamedRange, { readonly kind: 'between' }>): boolean {
  const [first, last] = [placeNamed(from), placeNamed(to)];
  if (first?.kind === 'epoch' && last?.kind === 'epoch') return BigInt(first.seq) > BigInt(last.seq);
  // A day includes all its hours, so `2026-10-01 12:00..2026-10-01` is not reversed.
  return first?.kind === 'time' && last?.kind === 'time' && first.fromNs >= last.untilNs;
}

/** Finds one end: a height, a date or an epoch. */
async function foundBound(bound: Bound, text: string, ground: Ground): Promise<FoundBound> {
  if (isHeight(text)) return { height: BigInt(text), note: null, asked: null };
  try {
    return snapped(bound, await locate(ground.asker, text, bound, ground.signal), ground.boundaries);
  } catch (error) {
    throw error instanceof PlaceError ? new PlaceError(error.message, error.lies, bound) : error;
  }
}

function snapped(bound: Bound, located: Located, boundaries: Boundaries): FoundBound {
  const moved = snapOutward(boundaries, bound, located);
  if (moved.kind === 'outside') {
    const newest = boundaries.kind === 'listed' ? boundaries.segments.at(-1) : undefined;
    throw new PlaceError(moved.problem, newest !== undefined && located.height > newest.toHeight ? 'after' : null);
  }
  return { height: moved.height, note: moved.note, asked: located.asked };
}

function listed(boundaries: Boundaries) {
  if (boundaries.kind === 'rule')
    throw new PlaceError('this node does not list its segments. Enter the range as block heights.');
  const [oldest, newest] = [boundaries.segments[0], boundaries.segments.at(-1)];
  if (oldest === undefined || newest === undefined) throw new PlaceError(availableRanges(boundaries));
  return { ...boundaries, oldest, newest };
}

function newestSegments(boundaries: Boundaries, wanted: number): FoundRange {
  const { segments, newest } = listed(boundaries);
  const first = segments.at(-Math.min(wanted, segments.length)) ?? newest;
  const note =
    wanted > segments.length
      ? `the node has only ${segments.length} segments: all of them, from block ${first.fromHeight}`
      : `the ${wanted === 1 ? 'newest segment begins' : `${wanted} newest segments begin`} with block ${first.fromHeight}`;
  return {
    from: { height: first.fromHeight, note, asked: null },
    to: { height: newest.toHeight, note: null, asked: null },
  };
}

function everything(boundaries: Boundaries): FoundRange {
  const { oldest, newest, segments } = listed(boundaries);
  const note = `all ${segments.length} segments that the node keeps`;
  return {
    from: { height: oldest.fromHeight, note, asked: null },
    to: { height: newest.toHeight, note: null, asked: null },
  };
}

async function period(word: PeriodWord, ground: Ground): Promise<FoundRange> {
  const { oldest, newest } = listed(ground.boundaries);
  const days = periodDays(word, ground.nowMs);
  const name = word.replace('-', ' ');
  const span = `${name} is ${days.from} to ${days.to ?? 'now'}, UTC`;
  const begins = await located(days.from, 'from', ground);
  if (begins === 'after' || (begins !== 'before' && begins.height > newest.toHeight))
    throw new PlaceError(
      `${span}, but the newest block that the node keeps is ${newest.toHeight}: choose an earlier range`,
    );
  const ends = days.to === null ? 'after' : await located(days.to, 'to', ground);
  if (ends === 'before') throw new PlaceError(`${span}: it ends before the oldest epoch that this node knows`);
  if (ends !== 'after' && ends.height < oldest.fromHeight)
    throw new PlaceError(
      `${span}, but the oldest block that the node keeps is ${oldest.fromHeight}: choose a later range`,
    );
  const from =
    begins === 'before' || begins.height < oldest.fromHeight
      ? {
          height: oldest.fromHeight,
          note: noteBefore(oldest.fromHeight),
          asked: askedDay(days.from, 'from', oldest.fromHeight),
        }
      : snapped('from', begins, ground.boundaries);
  const to =
    ends === 'after' || ends.height > newest.toHeight
      ? {
          ...{ height: newest.toHeight, note: `blocks after ${newest.toHeight} are in no segment yet` },
          asked: days.to === null ? null : askedDay(days.to, 'to', newest.toHeight),
        }
      : snapped('to', ends, ground.boundaries);
  return { from: { ...from, note: `${span}; ${from.note}` }, to };
}

/** A day without a block on this node. It is recorded under the height that replaces it. */
function askedDay(text: string, bound: Bound, height: bigint): AskedEnd | null {
  const place = placeNamed(text);
  return place?.kind === 'time' ? { ...askedTime(place, bound), name: String(height) } : null;
}

const noteBefore = (oldest: bigint): string =>
  oldest === 1n ? 'the chain began with block 1' : `blocks before ${oldest} are missing`;

/** The block of a day, or the side of the chain that the day is on. */
async function located(text: string, bound: Bound, { asker, signal }: Ground): Promise<Located | 'before' | 'after'> {
  try {
    return await locate(asker, text, bound, signal);
  } catch (error) {
    if (error instanceof PlaceError && error.lies !== null) return error.lies;
    throw error;
  }
}

/** The message of an error, with the ranges that can be exported. */
export const withAvailable = (error: PlaceError, boundaries: Boundaries): string =>
  error.message.includes('the node keeps') ? error.message : `${error.message}; ${availableRanges(boundaries)}`;

/** A bound moved to a segment boundary, or the reason why it cannot be. */
type Snapped =
  | { readonly kind: 'snapped'; readonly height: bigint; readonly note: string }
  | { readonly kind: 'outside'; readonly problem: string };

/**
 * Moves a bound outwards to the boundary of its segment, because exports consist of whole segments. The requested range
 * stays inside. A block that is in no segment is refused.
 */
export function snapOutward(boundaries: Boundaries, bound: Bound, { height, note }: Omit<Located, 'asked'>): Snapped {
  const segment = segmentHolding(boundaries, height);
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
  const more = spans.length - MOST_SPANS;
  const shown = more > 0 ? [...spans.slice(0, MOST_SPANS), `and ${more} more spans`] : spans;
  return `the node keeps ${shown.join(', ')}`;
}

// Usually there are one or two; a node that lost parts of its history may have very many.
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
