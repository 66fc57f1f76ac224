import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ColumnScale,
  columnScale,
  compareDecimals,
  plainDecimal,
  quotient,
  roundDecimal,
  toWholeUnits,
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
  toWholeUnits(String(digits), places) ?? '';

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Whether it is the nearest whole number to the fraction, and the even one of two. */
function isHalfEven(found: bigint, dividend: bigint, divisor: bigint): boolean {
  const off = 2n * magnitude(found * divisor - dividend);
  return off < magnitude(divisor) || (off === magnitude(divisor) && found % 2n === 0n);
}

const ODD = ['', ' ', '-', '+1', '1.0', '1e5', '0x1', '1 000', 'NaN', '١', '1\n', '\n1', 'null'];

describe('Smallest units of an asset', () => {
  it('Smallest units are scaled to whole ones with no digit lost and none added', () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: -30, max: 30 }), (value, decimals) => {
        const text = toWholeUnits(String(value), decimals);
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
  ])('Smallest units %s with %i decimals become %s', (value, decimals, text) =>
    expect(toWholeUnits(value, decimals)).toBe(text),
  );

  it.each(ODD)('Smallest units %j that are not a whole number are refused', text =>
    expect(toWholeUnits(text, 2)).toBeUndefined(),
  );

  it.each([1.5, Number.NaN, Infinity, -Infinity, 301, -301, 1e9])(
    'Smallest units with %d decimals, which no asset has, are refused',
    decimals => expect(toWholeUnits('1', decimals)).toBeUndefined(),
  );

  it('Smallest units with more than 300 digits are refused, because nobody has so many', () => {
    expect(toWholeUnits('9'.repeat(300), 300)).toBe(`0.${'9'.repeat(300)}`);
    expect(toWholeUnits('9'.repeat(301), 0)).toBeUndefined();
  });

  it('Smallest units keep their order', () => {
    fc.assert(
      fc.property(whole, whole, fc.nat(30), (one, other, decimals) => {
        const order = compareDecimals(
          toWholeUnits(String(one), decimals) ?? '',
          toWholeUnits(String(other), decimals) ?? '',
        );
        expect(Math.sign(order)).toBe(one < other ? -1 : one > other ? 1 : 0);
      }),
    );
  });
});

describe('Rounding of decimals', () => {
  it('Rounding is to the nearest, half to even, with all decimal places written', () => {
    fc.assert(
      fc.property(fraction, fc.nat(12), (number, places) => {
        const text = roundDecimal(written(number), places);
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
  ])('Rounding %s to %i places gives %s', (text, places, found) => expect(roundDecimal(text, places)).toBe(found));

  it.each(['', '-', '.', 'abc', '1,5', '1e5'])('Rounding refuses %j', text =>
    expect(roundDecimal(text, 2)).toBeUndefined(),
  );

  it.each([-1, 0.5, Number.NaN, Infinity, 301])('Rounding to %d places gives nothing', places => {
    expect(roundDecimal('1', places)).toBeUndefined();
    expect(quotient('1', '3', places)).toBeUndefined();
  });
});

describe('Decimal quotient', () => {
  it('A quotient is the nearest decimal, half to even', () => {
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
  ])('A quotient of %s and %s is not defined', (dividend, divisor) =>
    expect(quotient(dividend, divisor, 2)).toBeUndefined(),
  );
});

describe('Decimal syntax of nodes', () => {
  it.each([
    ['.5', '0.5'],
    ['5.', '5'],
    ['+1', '1'],
    ['1e-8', '0.00000001'],
    ['-1.50E+3', '-1500'],
    ['1e20', `1${'0'.repeat(20)}`],
    ['0e300', '0'],
    ['-0', '0'],
  ])('The decimal %s is read as %s', (text, plain) => expect(plainDecimal(text)).toBe(plain));

  it.each(['', '.', 'e5', '1e', '1e1000', '1e301', '1_0', '0x1', 'NaN', 'Infinity', ' 1', '1\n', '9'.repeat(301)])(
    'The text %j is not a decimal',
    text => expect(plainDecimal(text)).toBeUndefined(),
  );
});

/** An amount as a column of this scale has it. */
const inScale = (value: string, { exponent, places }: ColumnScale): string | undefined =>
  roundDecimal(toWholeUnits(value, exponent) ?? '', places);

describe('Amounts with unknown units', () => {
  it('Amounts with unknown units are all written in one power of ten, and say if digits are left out', () => {
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
  ])('Amounts with unknown units of %j have the scale %j', (values, scale, first) => {
    expect(columnScale(values)).toEqual(scale);
    expect(inScale(values[0] ?? '', scale)).toBe(first);
  });

  it('Amounts with unknown units of arbitrary text throw nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...ODD, '9'.repeat(5000)))), values => {
        const scale = columnScale(values);
        for (const value of values) inScale(value, scale);
      }),
    );
  });
});
