import type { Stored } from '../../export/check/table-columns.ts';

/** What the values of a column need beyond its usual type. */
export type Need =
  | { readonly kind: 'usual' }
  /** Digits before and after the point of values that did not fit; 0 if unknown. */
  | { readonly kind: 'digits'; readonly whole: number; readonly fraction: number }
  | { readonly kind: 'text' };

export const USUAL: Need = { kind: 'usual' };
export const TEXT: Need = { kind: 'text' };

/** The digits of a DECIMAL in DuckDB and other engines with 128-bit decimals. */
const MOST_DIGITS = 38;
/** Whole units have no fraction. */
export const usualScale = (stored: Stored | null): number => (stored === 'whole' ? 0 : USUAL_SCALE);

const USUAL_SCALE = 18;

/** Both needs. A text column stays text, and digits only grow, so the order of files does not matter. */
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

/** The need of decimals with so many digits. */
export function digitsNeed(whole: number, fraction: number): Need {
  return bothNeeds({ kind: 'digits', whole, fraction }, { kind: 'digits', whole: 0, fraction: 0 });
}

/** The scale of a decimal column: the usual one if all values fit, otherwise the one that leaves most room. */
export function scaleOf(need: Need, usual: number): number {
  if (need.kind !== 'digits') return usual;
  if (need.fraction > USUAL_SCALE) return need.fraction;
  return Math.min(USUAL_SCALE, MOST_DIGITS - need.whole);
}

/** Whether a column may have decimals. */
export const isDecimal = (stored: Stored | null): boolean =>
  stored === 'numeric' || stored === 'whole' || stored === 'double';

/** The need of a decimal column that exists already, by its scale. */
export function needOfScale(scale: number, usual: number): Need {
  if (scale === usual) return USUAL;
  return scale > USUAL_SCALE ? digitsNeed(0, scale) : digitsNeed(MOST_DIGITS - scale, 0);
}
