import fc from 'fast-check';
import { expect } from 'vitest';
import {
  compareDecimals,
  compareText,
  decimalRank,
  fitDigits,
  groupDigits,
  plainDecimal,
  roundDecimal,
  textRank,
  toWholeUnits,
} from '../../../../src/chain/insight/decimal.ts';
import { anyNumber, anyText } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const PLACES = 1100;

/** A written decimal number as a whole number of 10^-1100. */
function whole(text: string): bigint {
  const [, sign = '', integer = '', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  return BigInt(`${sign}${integer}${fraction.padEnd(PLACES, '0')}`);
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

const places = fc.oneof(fc.integer({ min: -320, max: 320 }), anyNumber);

/** Half a step away at most, and from the middle to the even one. */
function expectRounded(result: string, text: string, to: number): void {
  const step = 10n ** BigInt(PLACES - to);
  const [made, given] = [whole(result), whole(text)];
  const twice = 2n * magnitude(made - given);
  expect(made % step).toBe(0n);
  expect(twice < step || (twice === step && (made / step) % 2n === 0n)).toBe(true);
}

const inOrder = {
  check: (order: number, [left, right]: readonly [string, string]): void => {
    expect(Math.sign(compareDecimals(right, left)) + Math.sign(compareDecimals(left, right))).toBe(0);
    expect(Math.abs(order)).toBeLessThanOrEqual(1);
  },
};

// That it agrees with the order of two is asked of every kind.
const isNoNan = { check: (rank: number): void => expect(rank).not.toBeNaN() };

/** Of exact decimal text; what comes is held to what bigint makes of the same digits. */
export const DECIMAL_FEEDS: readonly Feed[] = [
  feed(groupDigits, [anyText], {
    check: (grouped, [text]) => expect(grouped.replace(/\D/g, '').endsWith(text.replace(/\D/g, ''))).toBe(true),
  }),
  feed(fitDigits, [anyText, places], {
    check: (shown, [, cells]) => {
      if (Number.isFinite(cells)) expect(shown.length).toBeLessThanOrEqual(Math.max(1, cells));
    },
  }),
  feed(toWholeUnits, [anyText, places], {
    check: (result, [value, decimals]) => {
      const isNumber = /^-?\d+$/.test(value) && value.length <= 300;
      expect(result !== undefined).toBe(isNumber && Number.isInteger(decimals) && Math.abs(decimals) <= 300);
      if (result === undefined) return;
      expect(result).toMatch(/^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/);
      expect(whole(result)).toBe(BigInt(value) * 10n ** BigInt(PLACES - decimals));
    },
  }),
  feed(roundDecimal, [anyText, places], {
    check: (result, [text, to]) => {
      if (result !== undefined) expectRounded(result, text, to);
    },
  }),
  feed(plainDecimal, [anyText], {
    check: plain => {
      if (plain !== undefined) expect(plain).toMatch(/^-?\d+(?:\.\d+)?$/);
    },
  }),
  feed(compareDecimals, [anyText, anyText], inOrder),
  feed(compareText, [anyText, anyText], inOrder),
  feed(decimalRank, [anyText], isNoNan),
  feed(textRank, [anyText], isNoNan),
];
