/** A range as it was typed. */
export type NamedRange =
  /** The newest segments, by number. */
  | { readonly kind: 'last'; readonly segments: number }
  /** All segments of the node. */
  | { readonly kind: 'all' }
  | { readonly kind: 'period'; readonly word: PeriodWord }
  /** Each end as it was typed: a height, a date or an epoch. */
  | { readonly kind: 'between'; readonly from: string; readonly to: string };

export type PeriodWord = (typeof PERIOD_WORDS)[number];

const PERIOD_WORDS = ['last-week', 'last-month', 'this-month'] as const;

/** The forms of a range, for messages. The export command and the wizard accept the same. */
export const RANGE_FORMS = 'last 3 (segments), last-week, last-month, this-month, all, or FIRST..LAST (e20..e25)';

/** Words that name a range on their own. */
export const RANGE_WORDS: readonly string[] = [...PERIOD_WORDS, 'all'];

/** Parses a range; undefined when the text is not one. A single day or epoch is a range of its own. */
export function rangeNamed(text: string): NamedRange | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  if (words === 'all') return { kind: 'all' };
  const period = PERIOD_WORDS.find(word => word === words.replace(' ', '-'));
  if (period !== undefined) return { kind: 'period', word: period };
  const count = /^last (\d{1,6})(?: segments?)?$/.exec(words)?.[1];
  if (count !== undefined) return Number(count) === 0 ? undefined : { kind: 'last', segments: Number(count) };
  const [from = '', to = from, ...rest] = text.trim().split('..');
  if (rest.length > 0 || ![from, to].every(isBound)) return undefined;
  return from === to && isHeight(from) ? undefined : { kind: 'between', from: from.trim(), to: to.trim() };
}

/** Whether a text is a block height. */
export const isHeight = (text: string): boolean => /^\d{1,18}$/.test(text.trim());

/** Whether a text is a height, a date or an epoch. */
export const isBound = (text: string): boolean => isHeight(text) || placeNamed(text) !== undefined;

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

/** A place in the chain, given as an epoch, day or time instead of a height. */
export type NamedPlace =
  | { readonly kind: 'epoch'; readonly id: string }
  /** A whole day, minute or second from `timeMs` on, UTC. */
  | { readonly kind: 'time'; readonly timeMs: number; readonly lengthMs: number };

/** The length of a day. */
export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** A named place does not exist on this chain. The message says why and what to do. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
  /** Whether it is before or after the chain, if that is the problem. */
  readonly lies: 'before' | 'after' | null;

  /** The end of the range that is wrong, if known. */
  readonly bound: 'from' | 'to' | null;

  constructor(message: string, lies: PlaceError['lies'] = null, bound: PlaceError['bound'] = null) {
    super(message);
    this.lies = lies;
    this.bound = bound;
  }
}

/** Parses `e41`, `epoch 41`, `2026-10-01` or `2026-10-01 12:00` (UTC); undefined for anything else. */
export function placeNamed(text: string): NamedPlace | undefined {
  const id = /^(?:e|epoch)\s*0*(\d{1,18})$/i.exec(text.trim())?.[1];
  if (id !== undefined) return id === '0' ? undefined : { kind: 'epoch', id };
  const time = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?(?:Z| UTC)?$/.exec(text.trim());
  if (time === null) return undefined;
  const [, day = '', minute = '00:00', seconds = ':00'] = time;
  const written = `${day}T${minute}${seconds}.000Z`;
  const timeMs = Date.parse(written);
  // Date.parse reads 30 February as 2 March: a date that prints differently does not exist.
  const isThere = !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === written;
  const lengthMs = time[2] === undefined ? DAY_MS : time[3] === undefined ? MINUTE_MS : SECOND_MS;
  return isThere ? { kind: 'time', timeMs, lengthMs } : undefined;
}

/** The forms of a place, short enough to stand next to a field. */
export const PLACE_FORMS = 'a height, a date (2026-10-01 12:00, UTC) or an epoch (e41)';

/** Prints a time (Unix milliseconds) to the second: `2026-10-01 12:00:00 UTC`. */
export const momentText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
