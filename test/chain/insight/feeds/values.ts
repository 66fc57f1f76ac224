import fc from 'fast-check';
import { expect } from 'vitest';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import { accountWords } from '../../../../src/chain/insight/account-words.ts';
import {
  checksumAddress,
  isChecksumWrong,
  isMixed,
  learnToSpell,
  spellAddress,
  spellAddresses,
} from '../../../../src/chain/insight/address.ts';
import { bar } from '../../../../src/chain/insight/bar.ts';
import { blocksApart } from '../../../../src/chain/insight/count-of.ts';
import { columnScale, scaled } from '../../../../src/chain/insight/decimal.ts';
import { duration, durationInWords, readDuration, secondsInWords } from '../../../../src/chain/insight/duration.ts';
import { hexOf, loadKeccak } from '../../../../src/chain/insight/keccak.ts';
import {
  type Kind,
  LOOKS,
  longText,
  lookOf,
  shortText,
  statusKind,
  toneOf,
  wholeText,
} from '../../../../src/chain/insight/kind.ts';
import { archiveText, lagOf } from '../../../../src/chain/insight/node-lag.ts';
import {
  clockTime,
  isDate,
  minuteText,
  relativeTime,
  timeAndAge,
  utcTime,
} from '../../../../src/chain/insight/time.ts';
import { anyBigint, anyHex, anyText, nowMs, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const keccak = fc.constant(await loadKeccak());

const spelling = {
  check: (spelt: string, [text]: readonly [string]): void => expect(spelt.toLowerCase()).toBe(text.toLowerCase()),
};

const isNamed = (kind: string): kind is keyof typeof LOOKS => Object.hasOwn(LOOKS, kind);
const tones = fc.dictionary(anyText, fc.constantFrom('good', 'pending', 'bad', 'quiet'));
const kind: fc.Arbitrary<Kind> = fc.oneof(
  { arbitrary: fc.constantFrom(...Object.keys(LOOKS).filter(isNamed)), weight: 17 },
  { arbitrary: fc.tuple(anyText, tones).map(([prefix, meant]) => statusKind(prefix, meant)), weight: 2 },
);

/** Every part of a look, by which two values are shown and put in order. */
function looked(of: Kind, one: string, other: string, now: number): readonly string[] {
  const { short, whole, long, compare, rank } = lookOf(of);
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

/** Any that a date can have. */
const anyTimeMs = fc.integer({ min: -8.64e15, max: 8.64e15 });

/** Of the modules about values of every list. */
export const VALUE_FEEDS: readonly Feed[] = [
  feed(lagOf, [
    fc.record({ ageMs: fc.option(fc.integer()), behindCoreMs: fc.option(fc.integer()), isArchive: fc.boolean() }),
    fc.record({ ms: fc.nat(), isLive: fc.boolean() }),
  ]),
  feed(checksumAddress, [fc.oneof(anyText, anyHex), keccak]),
  feed(isChecksumWrong, [fc.oneof(anyText, anyHex), keccak]),
  feed(isMixed, [anyText]),
  feed(spellAddress, [fc.oneof(anyText, anyHex)], spelling),
  feed(learnToSpell, [], { numRuns: 1 }),
  feed(spellAddresses, [fc.oneof(anyText, anyHex)], spelling),
  feed(accountWords, [anyText]),
  feed(bar, [anyBigint, anyBigint, fc.integer({ min: -5, max: 500 })], {
    check: (text, [, , cells]) => {
      expect(text).toMatch(/^\u2588*[\u2589-\u258f]?$/);
      expect(text.length).toBeLessThanOrEqual(Math.max(0, cells));
    },
  }),
  feed(columnScale, [some(anyText)], {
    check: (scale, [values]) => {
      for (const value of values) {
        const exact = scaled(value, scale.exponent);
        if (!scale.isRounded && exact !== undefined) expect(exact).toMatch(/^-?\d+(?:\.\d{1,3})?$/);
      }
    },
  }),
  feed(readDuration, [
    fc.oneof(anyText, fc.constantFrom('2h', '1 h 30 min', '-2d', '1.5W')),
    fc.constantFrom('go', 'typed'),
  ]),
  feed(durationInWords, [anyBigint]),
  feed(loadKeccak, [], { numRuns: 1 }),
  feed(hexOf, [fc.uint8Array()]),
  { ...feed(looked, [kind, anyText, anyText, nowMs]), of: lookOf },
  feed(statusKind, [anyText, tones]),
  feed(shortText, [kind, anyText, nowMs], drawn),
  feed(wholeText, [kind, anyText, nowMs], drawn),
  feed(longText, [kind, anyText, nowMs], drawn),
  feed(toneOf, [kind, anyText]),
  feed(utcTime, [anyText]),
  feed(clockTime, [anyText]),
  feed(minuteText, [anyTimeMs]),
  feed(archiveText, [fc.option(anyTimeMs)]),
  feed(isDate, [anyBigint]),
  feed(timeAndAge, [anyText, nowMs]),
  feed(relativeTime, [anyText, nowMs]),
  feed(duration, [fc.double({ noNaN: true, noDefaultInfinity: true })]),
  feed(blocksApart, [fc.bigInt(), anyText]),
  feed(secondsInWords, [anyText]),
];
