import { placeNamed } from './place-name.ts';

/** Both ends of a range, named at once. */
export type NamedRange =
  /** So many of the newest segments. */
  | { readonly kind: 'last'; readonly segments: number }
  /** Everything that the node keeps. */
  | { readonly kind: 'all' }
  | { readonly kind: 'period'; readonly word: PeriodWord }
  /** Each end as it was typed: a height, a date or an epoch. */
  | { readonly kind: 'between'; readonly from: string; readonly to: string };

export type PeriodWord = (typeof PERIOD_WORDS)[number];

const PERIOD_WORDS = ['last-week', 'last-month', 'this-month'] as const;

/** What names a range where no end is given by itself; the export command and the wizard take the same. */
export const RANGE_FORMS = 'last 3 (segments), last-week, last-month, this-month, all, or FIRST..LAST (e20..e25)';

/** Words that name a range as they stand. */
export const RANGE_WORDS: readonly string[] = [...PERIOD_WORDS, 'all'];

/** Reads a range that a text names; undefined when it names none. A day or an epoch alone is both of its ends. */
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

/** Whether a text can stand for one end of a range. */
export const isBound = (text: string): boolean => isHeight(text) || placeNamed(text) !== undefined;

/** The days of a period, UTC, both with it; without a last one it goes on. Weeks begin on Monday. */
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
