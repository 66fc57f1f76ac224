import type { Stored } from '../tables/table-schema.ts';

/** What values of a column ask for beyond its usual type. */
export type Need =
  | { readonly kind: 'usual' }
  /** Digits before and behind the point of values that did not fit so far; 0 where none is known. */
  | { readonly kind: 'digits'; readonly whole: number; readonly fraction: number }
  | { readonly kind: 'text' };

export const USUAL: Need = { kind: 'usual' };
export const TEXT: Need = { kind: 'text' };

/** Digits of a DECIMAL, in DuckDB and in every engine that knows Arrow's 128 bits. */
const MOST_DIGITS = 38;
const USUAL_SCALE = 18;

/** What fulfils both. A column that became text stays so, and digits only grow: no order of files changes the end. */
export function bothNeeds(one: Need, other: Need): Need {
  if (one.kind === 'usual') return other;
  if (other.kind === 'usual') return one;
  if (one.kind === 'text' || other.kind === 'text') return TEXT;
  const digits = {
    kind: 'digits' as const,
    whole: Math.max(one.whole, other.whole),
    fraction: Math.max(one.fraction, other.fraction),
  };
  return digits.whole + digits.fraction > MOST_DIGITS ? TEXT : digits;
}

/** What decimals of so many digits need. */
export function digitsNeed(whole: number, fraction: number): Need {
  return bothNeeds({ kind: 'digits', whole, fraction }, { kind: 'digits', whole: 0, fraction: 0 });
}

/** The scale of a column of decimals: the usual one where that holds all, else what leaves the point most room. */
export function scaleOf(need: Need): number {
  if (need.kind !== 'digits') return USUAL_SCALE;
  if (need.fraction > USUAL_SCALE) return need.fraction;
  return Math.min(USUAL_SCALE, MOST_DIGITS - need.whole);
}

/** Whether a column may have decimals. */
export const isDecimal = (stored: Stored | null): boolean => stored === 'numeric' || stored === 'double';

/** The need that leads to the scale which a column of decimals was given before. */
export function needBehindScale(scale: number): Need {
  if (scale === USUAL_SCALE) return USUAL;
  return scale > USUAL_SCALE ? digitsNeed(0, scale) : digitsNeed(MOST_DIGITS - scale, 0);
}
