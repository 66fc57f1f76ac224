import fc from 'fast-check';
import { expect } from 'vitest';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import { spellAddress, spellAddresses } from '../../../../src/chain/insight/address.ts';
import { bar } from '../../../../src/chain/insight/bar.ts';
import { columnScale, toWholeUnits } from '../../../../src/chain/insight/decimal.ts';
import {
  KIND_FORMATS,
  type Kind,
  kindFormat,
  longText,
  shortText,
  statusKind,
  wholeText,
} from '../../../../src/chain/insight/kind.ts';
import { anyBigint, anyHex, anyText, nowMs, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const spelling = {
  check: (spelt: string, [text]: readonly [string]): void => expect(spelt.toLowerCase()).toBe(text.toLowerCase()),
};

const isNamed = (kind: string): kind is keyof typeof KIND_FORMATS => Object.hasOwn(KIND_FORMATS, kind);
const tones = fc.dictionary(anyText, fc.constantFrom('good', 'pending', 'bad', 'quiet'));
const kind: fc.Arbitrary<Kind> = fc.oneof(
  { arbitrary: fc.constantFrom(...Object.keys(KIND_FORMATS).filter(isNamed)), weight: 17 },
  { arbitrary: fc.tuple(anyText, tones).map(([prefix, meant]) => statusKind(prefix, meant)), weight: 2 },
);

/** Every part of a look, by which two values are shown and put in order. */
function looked(of: Kind, one: string, other: string, now: number): readonly string[] {
  const { short, whole, long, compare, rank } = kindFormat(of);
  expect(compare(one, other) + compare(other, one)).toBe(0);
  const [less, more] = compare(one, other) < 0 ? [one, other] : [other, one];
  expect(rank(less)).toBeLessThanOrEqual(rank(more));
  // What is no time of this century or the next thousands stays as it came.
  if (of === 'unix-time' && !/^\d{1,11}$/.test(one)) expect(short(one, now)).toBe(one);
  return [short(one, now), whole?.(one) ?? '', long(one, now)];
}

const drawn = {
  check: (text: string): void => expect(sanitize(text)).toBe(text),
};

/** Of the modules about values of every list. */
export const VALUE_FEEDS: readonly Feed[] = [
  feed(spellAddress, [fc.oneof(anyText, anyHex)], spelling),
  feed(spellAddresses, [fc.oneof(anyText, anyHex)], spelling),
  feed(bar, [anyBigint, anyBigint, fc.integer({ min: -5, max: 500 })], {
    check: (text, [, , cells]) => {
      expect(text).toMatch(/^━*╸?$/);
      expect(text.length).toBeLessThanOrEqual(Math.max(0, cells));
    },
  }),
  feed(columnScale, [some(anyText)], {
    check: (scale, [values]) => {
      for (const value of values) {
        const exact = toWholeUnits(value, scale.exponent);
        if (!scale.isRounded && exact !== undefined) expect(exact).toMatch(/^-?\d+(?:\.\d{1,3})?$/);
      }
    },
  }),
  { ...feed(looked, [kind, anyText, anyText, nowMs]), of: kindFormat },
  feed(shortText, [kind, anyText, nowMs], drawn),
  feed(wholeText, [kind, anyText, nowMs], drawn),
  feed(longText, [kind, anyText, nowMs], drawn),
];
