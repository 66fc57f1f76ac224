import fc from 'fast-check';
import { expect } from 'vitest';
import { durationInWords, readDuration, secondsInWords, shortDuration } from '../../../../src/base/text/duration.ts';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import { clockTime, isDate, minuteText, relativeTime, timeAndAge, utcTime } from '../../../../src/base/text/time.ts';
import { accountPurpose } from '../../../../src/chain/insight/account-purpose.ts';
import {
  checksumAddress,
  isChecksumWrong,
  isMixedCase,
  loadAddressSpelling,
  spellAddress,
  spellAddresses,
} from '../../../../src/chain/insight/address.ts';
import { bar } from '../../../../src/chain/insight/bar.ts';
import { blocksBehindText } from '../../../../src/chain/insight/count-of.ts';
import { columnScale, toWholeUnits } from '../../../../src/chain/insight/decimal.ts';
import { bytesToHex, loadKeccak } from '../../../../src/chain/insight/keccak.ts';
import {
  KIND_FORMATS,
  type Kind,
  kindFormat,
  longText,
  shortText,
  statusKind,
  valueTone,
  wholeText,
} from '../../../../src/chain/insight/kind.ts';
import { archiveText, nodeLag } from '../../../../src/chain/insight/node-lag.ts';
import { anyBigint, anyHex, anyText, nowMs, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const keccak = fc.constant(await loadKeccak());

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

/** Any that a date can have. */
const anyTimeMs = fc.integer({ min: -8.64e15, max: 8.64e15 });

/** Of the modules about values of every list. */
export const VALUE_FEEDS: readonly Feed[] = [
  feed(nodeLag, [
    fc.record({ ageMs: fc.option(fc.integer()), behindCoreMs: fc.option(fc.integer()), isArchive: fc.boolean() }),
    fc.record({ ms: fc.nat(), isLive: fc.boolean() }),
  ]),
  feed(checksumAddress, [fc.oneof(anyText, anyHex), keccak]),
  feed(isChecksumWrong, [fc.oneof(anyText, anyHex), keccak]),
  feed(isMixedCase, [anyText]),
  feed(spellAddress, [fc.oneof(anyText, anyHex)], spelling),
  feed(loadAddressSpelling, [], { numRuns: 1 }),
  feed(spellAddresses, [fc.oneof(anyText, anyHex)], spelling),
  feed(accountPurpose, [anyText]),
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
  feed(readDuration, [
    fc.oneof(anyText, fc.constantFrom('2h', '1 h 30 min', '-2d', '1.5W')),
    fc.constantFrom('go', 'typed'),
  ]),
  feed(durationInWords, [anyBigint]),
  feed(loadKeccak, [], { numRuns: 1 }),
  feed(bytesToHex, [fc.uint8Array()]),
  { ...feed(looked, [kind, anyText, anyText, nowMs]), of: kindFormat },
  feed(statusKind, [anyText, tones]),
  feed(shortText, [kind, anyText, nowMs], drawn),
  feed(wholeText, [kind, anyText, nowMs], drawn),
  feed(longText, [kind, anyText, nowMs], drawn),
  feed(valueTone, [kind, anyText]),
  feed(utcTime, [anyText]),
  feed(clockTime, [anyText]),
  feed(minuteText, [anyTimeMs]),
  feed(archiveText, [fc.option(anyTimeMs)]),
  feed(isDate, [anyBigint]),
  feed(timeAndAge, [anyText, nowMs]),
  feed(relativeTime, [anyText, nowMs]),
  feed(shortDuration, [fc.double({ noNaN: true, noDefaultInfinity: true })]),
  feed(blocksBehindText, [fc.bigInt(), anyText]),
  feed(secondsInWords, [anyText]),
];
