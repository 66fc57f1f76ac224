import { type ChainPoint, parseChainPoint, splitRangeText } from '../insight/chain-point.ts';
import type { Range } from '../insight/range.ts';

/** A range as typed. */
export type NamedRange =
  /** The newest segments, by number. */
  | { readonly kind: 'last'; readonly segments: number }
  /** All segments of the node. */
  | { readonly kind: 'all' }
  | { readonly kind: 'period'; readonly word: PeriodWord }
  /** Each end as typed: a height, a date or an epoch. */
  | { readonly kind: 'between'; readonly from: string; readonly to: string };

export type PeriodWord = (typeof PERIOD_WORDS)[number];

const PERIOD_WORDS = ['last-week', 'last-month', 'this-month'] as const;

/** The forms of a range, for messages. The export command and the wizard accept the same. */
export const RANGE_FORMS = 'last 3 (segments), last-week, last-month, this-month, all, or FIRST..LAST (e20..e25)';

/** Words that are a complete range. */
export const RANGE_WORDS: readonly string[] = [...PERIOD_WORDS, 'all'];

/** Parses a range; undefined when the text is not one. A single day or epoch is a range of its own. */
export function parseTypedRange(text: string): NamedRange | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  if (words === 'all') return { kind: 'all' };
  const period = PERIOD_WORDS.find(word => word === words.replace(' ', '-'));
  if (period !== undefined) return { kind: 'period', word: period };
  const count = /^last (\d{1,6})(?: segments?)?$/.exec(words)?.[1];
  if (count !== undefined) return Number(count) === 0 ? undefined : { kind: 'last', segments: Number(count) };
  const ends = splitRangeText(text);
  if (ends === undefined || !isRangeEndText(ends.from) || !isRangeEndText(ends.to)) return undefined;
  return ends.from === ends.to && isHeight(ends.from) ? undefined : { kind: 'between', ...ends };
}

/** Whether a text is a block height. */
export const isHeight = (text: string): boolean => parseChainPoint(text)?.kind === 'block';

/** Whether a text is a height, a date or an epoch. */
export const isRangeEndText = (text: string): boolean => isHeight(text) || parseNamedRangeEnd(text) !== undefined;

/** First and last day of a period, UTC, inclusive; `to` is null while the period lasts. Weeks begin on Monday. */
export function periodDays(word: PeriodWord, nowMs: number): { readonly from: string; readonly to: string | null } {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (word) {
    case 'this-month':
      return { from: day(Date.UTC(year, month, 1)), to: null };
    case 'last-month':
      return { from: day(Date.UTC(year, month - 1, 1)), to: day(Date.UTC(year, month, 0)) };
    case 'last-week': {
      const monday = now.getUTCDate() - ((now.getUTCDay() + 6) % 7);
      return { from: day(Date.UTC(year, month, monday - 7)), to: day(Date.UTC(year, month, monday - 1)) };
    }
  }
}

const day = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** A place in the chain, given as an epoch or a time instead of a height. */
export type NamedRangeEnd = Exclude<ChainPoint, { readonly kind: 'block' }>;

/** A typed place does not exist on this chain. The message gives the reason and the remedy. */
export class RangeEndError extends Error {
  override readonly name = 'RangeEndError';
  /** Whether it is before or after the chain, if that is the problem. */
  readonly lies: 'before' | 'after' | null;

  /** The end of the range that is wrong, if known. */
  readonly bound: 'from' | 'to' | null;

  constructor(message: string, lies: RangeEndError['lies'] = null, bound: RangeEndError['bound'] = null) {
    super(message);
    this.lies = lies;
    this.bound = bound;
  }
}

/** The node tells no times or epochs, so that no place can be found on it. */
export class NoTimesError extends RangeEndError {}

/** Parses a place that is not a height. */
export function parseNamedRangeEnd(text: string): NamedRangeEnd | undefined {
  const place = parseChainPoint(text);
  return place === undefined || place.kind === 'block' ? undefined : place;
}

/** Epochs, both included: `20..25`, `e20..e25` or a single one; a number is an epoch. Undefined for anything else. */
export function parseEpochRange(text: string): Range | undefined {
  const ends = splitRangeText(text);
  const [from, to] = [ends?.from, ends?.to].map(end => {
    const point = parseChainPoint(end ?? '');
    return point?.kind === 'block' ? point.height : point?.kind === 'epoch' ? BigInt(point.seq) : undefined;
  });
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The forms of a place, short enough to stand next to a field. */
export const RANGE_END_FORMS = 'a height, a date (2026-10-01 12:00, UTC) or an epoch (e41)';
