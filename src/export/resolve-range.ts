import type { Bound, Boundaries } from './boundaries.ts';
import type { Asker } from './epoch.ts';
import { type AskedEnd, askedTime, type Located, locate } from './locate.ts';
import { type NamedPlace, PlaceError, placeNamed } from './place-name.ts';
import { isHeight, type NamedRange, type PeriodWord, periodDays } from './range-name.ts';
import { keptRanges, snapOutward } from './snap-outward.ts';

/** One end of a range, and how it was found: null where it was given as a height. */
export interface FoundBound {
  readonly height: bigint;
  readonly note: string | null;
  /** What was asked for, where that is not the whole of the segments. */
  readonly asked: AskedEnd | null;
}

/** Where a named range begins and ends. */
export type FoundRange = { readonly [bound in Bound]: FoundBound };

export interface Ground {
  readonly asker: Asker;
  readonly boundaries: Boundaries;
  /** Of this machine's clock: what last month is. */
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/**
 * The ends of a named range. What was named is inside, as far as the node keeps it: what is missing of it is said.
 * Heights stand as they were given, on a boundary or not. Throws NodeError, or PlaceError when there is no such range.
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
      if (isReversed(range))
        throw new PlaceError(`${range.from} lies behind ${range.to}: the first end of a range is the earlier one`);
      return { from: await foundBound('from', range.from, ground), to: await foundBound('to', range.to, ground) };
  }
}

/** Moved outwards, ends the wrong way round may be a range: of the segment in which one epoch ends and the next begins. */
function isReversed({ from, to }: Extract<NamedRange, { readonly kind: 'between' }>): boolean {
  const [first, last] = [placeNamed(from), placeNamed(to)];
  if (first?.kind === 'epoch' && last?.kind === 'epoch') return BigInt(first.id) > BigInt(last.id);
  return first?.kind === 'time' && last?.kind === 'time' && first.timeMs > endOf(last);
}

// Within a day its hours come in any order: the day is meant whole.
const endOf = ({ timeMs, lengthMs }: Extract<NamedPlace, { readonly kind: 'time' }>): number => timeMs + lengthMs - 1;

/** Where one end lies that is a height, a date or an epoch. */
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
  if (moved.kind === 'outside') throw new PlaceError(moved.problem);
  return { height: moved.height, note: moved.note, asked: located.asked };
}

function listed(boundaries: Boundaries) {
  if (boundaries.kind === 'rule')
    throw new PlaceError('this node does not list its segments, so nobody knows which it keeps: give heights');
  const [oldest, newest] = [boundaries.segments[0], boundaries.segments.at(-1)];
  if (oldest === undefined || newest === undefined) throw new PlaceError(keptRanges(boundaries));
  return { ...boundaries, oldest, newest };
}

function newestSegments(boundaries: Boundaries, wanted: number): FoundRange {
  const { segments, newest } = listed(boundaries);
  const first = segments.at(-Math.min(wanted, segments.length)) ?? newest;
  const note =
    wanted > segments.length
      ? `the node keeps ${segments.length} segments, not ${wanted}: this is all of them, from block ${first.fromHeight} on`
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
      `${span}, and the newest block that the node keeps is ${newest.toHeight}: nothing of it is kept yet`,
    );
  const ends = days.to === null ? 'after' : await located(days.to, 'to', ground);
  if (ends === 'before') throw new PlaceError(`${span}: it ends before the first time that this node can tell`);
  if (ends !== 'after' && ends.height < oldest.fromHeight)
    throw new PlaceError(
      `${span}, and the oldest block that the node keeps is ${oldest.fromHeight}: nothing of it is kept`,
    );
  const from =
    begins === 'before' || begins.height < oldest.fromHeight
      ? {
          height: oldest.fromHeight,
          note: whatIsBefore(oldest.fromHeight),
          asked: askedDay(days.from, 'from', oldest.fromHeight),
        }
      : snapped('from', begins, ground.boundaries);
  const to =
    ends === 'after' || ends.height > newest.toHeight
      ? {
          ...{ height: newest.toHeight, note: `what comes after block ${newest.toHeight} is in no segment yet` },
          asked: days.to === null ? null : askedDay(days.to, 'to', newest.toHeight),
        }
      : snapped('to', ends, ground.boundaries);
  return { from: { ...from, note: `${span}; ${from.note}` }, to };
}

/** Of a day with no block that the node keeps: the name it is found by again is that of the block in its place. */
function askedDay(text: string, bound: Bound, height: bigint): AskedEnd | null {
  const place = placeNamed(text);
  return place?.kind === 'time' ? { ...askedTime(place, bound), name: String(height) } : null;
}

const whatIsBefore = (oldest: bigint): string =>
  oldest === 1n ? 'the chain began with block 1' : `what lies before block ${oldest} is not kept`;

/** The block of a day, or on which side of the chain it lies. */
async function located(text: string, bound: Bound, { asker, signal }: Ground): Promise<Located | 'before' | 'after'> {
  try {
    return await locate(asker, text, bound, signal);
  } catch (error) {
    if (error instanceof PlaceError && error.lies !== null) return error.lies;
    throw error;
  }
}

/** What a sentence about a range that cannot be has behind it. */
export const withKept = (error: PlaceError, boundaries: Boundaries): string =>
  error.message.includes('the node keeps') ? error.message : `${error.message}; ${keptRanges(boundaries)}`;
