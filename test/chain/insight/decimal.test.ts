import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ColumnScale,
  columnScale,
  compareDecimals,
  plainDecimal,
  quotient,
  rounded,
  scaled,
} from '../../../src/chain/insight/decimal.ts';

const whole = fc.oneof(
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.nat(30).map(zeros => 10n ** BigInt(zeros)),
);

const fraction = fc.record({ digits: whole, places: fc.nat(25) });

const zeros = (count: number): bigint => 10n ** BigInt(count);

/** The text as a whole number of 10^-places; it has no more digits behind the point. */
function read(text: string | undefined, places: number): bigint {
  const [, sign = '', integer = '', behind = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? '') ?? [];
  expect(behind.length).toBeLessThanOrEqual(places);
  return BigInt(`${sign}${integer}${behind.padEnd(places, '0')}`);
}

const written = ({ digits, places }: { readonly digits: bigint; readonly places: number }): string =>
  scaled(String(digits), places) ?? '';

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Whether it is the nearest whole number to the fraction, and the even one of two. */
function isHalfEven(found: bigint, dividend: bigint, divisor: bigint): boolean {
  const off = 2n * magnitude(found * divisor - dividend);
  return off < magnitude(divisor) || (off === magnitude(divisor) && found % 2n === 0n);
}

const ODD = ['', ' ', '-', '+1', '1.0', '1e5', '0x1', '1 000', 'NaN', '١', '1\n', '\n1', 'null'];

describe('smallest units', () => {
  it('are scaled to whole ones with no digit lost and none too many', () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: -30, max: 30 }), (value, decimals) => {
        const text = scaled(String(value), decimals);
        expect(text).toMatch(/^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/);
        const places = Math.max(0, decimals);
        expect(read(text, places)).toBe(value * zeros(places - decimals));
      }),
    );
  });

  it.each([
    ['3905000000000000000000000', 18, '3905000'],
    ['1', 18, '0.000000000000000001'],
    ['-0', 2, '0'],
    ['-5', 0, '-5'],
    ['-5', 1, '-0.5'],
    ['0007', 2, '0.07'],
    ['12', -3, '12000'],
    ['0', -3, '0'],
  ])('%s of %i decimals are %s', (value, decimals, text) => expect(scaled(value, decimals)).toBe(text));

  it.each(ODD)('that are %j, no whole number, are none', text => expect(scaled(text, 2)).toBeUndefined());

  it.each([1.5, Number.NaN, Infinity, -Infinity, 301, -301, 1e9])(
    'of %d decimals, which nothing has, are none',
    decimals => expect(scaled('1', decimals)).toBeUndefined(),
  );

  it('of more than 300 digits are none: nobody has so many', () => {
    expect(scaled('9'.repeat(300), 300)).toBe(`0.${'9'.repeat(300)}`);
    expect(scaled('9'.repeat(301), 0)).toBeUndefined();
  });

  it('keep their order', () => {
    fc.assert(
      fc.property(whole, whole, fc.nat(30), (one, other, decimals) => {
        const order = compareDecimals(scaled(String(one), decimals) ?? '', scaled(String(other), decimals) ?? '');
        expect(Math.sign(order)).toBe(one < other ? -1 : one > other ? 1 : 0);
      }),
    );
  });
});

describe('rounding', () => {
  it('is to the nearest, half to even, with all places written', () => {
    fc.assert(
      fc.property(fraction, fc.nat(12), (number, places) => {
        const text = rounded(written(number), places);
        expect(text).toMatch(places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`));
        expect(isHalfEven(read(text, places), number.digits * zeros(places), zeros(number.places))).toBe(true);
      }),
    );
  });

  it.each([
    ['0.5', 0, '0'],
    ['1.5', 0, '2'],
    ['-0.5', 0, '0'],
    ['-1.5', 0, '-2'],
    ['2.345', 2, '2.34'],
    ['2.355', 2, '2.36'],
    ['2.3450000000000000000000001', 2, '2.35'],
    ['-0.001', 2, '0.00'],
    ['9.999', 2, '10.00'],
    ['.5', 2, '0.50'],
    ['7', 2, '7.00'],
  ])('%s to %i places is %s', (text, places, found) => expect(rounded(text, places)).toBe(found));

  it.each(['', '-', '.', 'abc', '1,5', '1e5'])('refuses %j', text => expect(rounded(text, 2)).toBeUndefined());

  it.each([-1, 0.5, Number.NaN, Infinity, 301])('makes nothing to %d places', places => {
    expect(rounded('1', places)).toBeUndefined();
    expect(quotient('1', '3', places)).toBeUndefined();
  });
});

describe('a quotient', () => {
  it('is the nearest, half to even', () => {
    fc.assert(
      fc.property(fraction, fraction, fc.nat(12), (dividend, divisor, places) => {
        fc.pre(divisor.digits !== 0n);
        const text = quotient(written(dividend), written(divisor), places);
        const [above, below] = [dividend.digits * zeros(divisor.places), divisor.digits * zeros(dividend.places)];
        expect(isHalfEven(read(text, places), above * zeros(places), below)).toBe(true);
      }),
    );
  });

  it.each([
    ['1', '0'],
    ['1', '0.00'],
    ['x', '1'],
    ['1', 'x'],
  ])('of %s and %s is none', (dividend, divisor) => expect(quotient(dividend, divisor, 2)).toBeUndefined());
});

describe('a decimal as nodes accept it', () => {
  it.each([
    ['.5', '0.5'],
    ['5.', '5'],
    ['+1', '1'],
    ['1e-8', '0.00000001'],
    ['-1.50E+3', '-1500'],
    ['1e20', `1${'0'.repeat(20)}`],
    ['0e300', '0'],
    ['-0', '0'],
  ])('%s is %s', (text, plain) => expect(plainDecimal(text)).toBe(plain));

  it.each(['', '.', 'e5', '1e', '1e1000', '1e301', '1_0', '0x1', 'NaN', 'Infinity', ' 1', '1\n', '9'.repeat(301)])(
    'is not %j',
    text => expect(plainDecimal(text)).toBeUndefined(),
  );
});

/** An amount as a column of this scale has it. */
const inScale = (value: string, { exponent, places }: ColumnScale): string | undefined =>
  rounded(scaled(value, exponent) ?? '', places);

describe('amounts whose unit is not known', () => {
  it('are all written in one power of ten, and say whether digits are left out', () => {
    fc.assert(
      fc.property(fc.array(whole, { minLength: 1 }), values => {
        const scale = columnScale(values.map(String));
        const cells = values.map(value => inScale(String(value), scale));
        const unit = zeros(scale.exponent);
        for (const [index, value] of values.entries())
          expect(isHalfEven(read(cells[index], scale.places), value * zeros(scale.places), unit)).toBe(true);
        const isExact = values.every(
          (value, index) => read(cells[index], scale.places) * unit === value * zeros(scale.places),
        );
        expect(scale.isRounded).toBe(!isExact);
        const amounts = cells.filter((_, index) => values[index] !== 0n);
        const short = amounts.filter(cell => (cell?.replace('-', '').length ?? 0) <= 13);
        const withDigits = amounts.filter(cell => /[1-9]/.test(cell ?? ''));
        for (const some of [short, withDigits]) expect(2 * some.length).toBeGreaterThanOrEqual(amounts.length);
      }),
    );
  });

  it.each([
    [['1250000000000'], { exponent: 0, places: 0, isRounded: false }, '1250000000000'],
    [['12500000000000'], { exponent: 9, places: 0, isRounded: false }, '12500'],
    [['3905000000000000000000000', '0'], { exponent: 21, places: 0, isRounded: false }, '3905'],
    [
      ['3905000000000000000000000', '1', '2000000000000000000'],
      { exponent: 15, places: 3, isRounded: true },
      '3905000000.000',
    ],
    [['3905000000000000000000000', '1'], { exponent: 0, places: 0, isRounded: false }, '3905000000000000000000000'],
    [['junk', '', '5'], { exponent: 0, places: 0, isRounded: false }, undefined],
    [[], { exponent: 0, places: 0, isRounded: false }, undefined],
  ])('in %j have the scale %j', (values, scale, first) => {
    expect(columnScale(values)).toEqual(scale);
    expect(inScale(values[0] ?? '', scale)).toBe(first);
  });

  it('of arbitrary text throw nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...ODD, '9'.repeat(5000)))), values => {
        const scale = columnScale(values);
        for (const value of values) inScale(value, scale);
      }),
    );
  });
});
