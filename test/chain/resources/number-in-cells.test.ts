import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeText } from '../../../src/base/text/safe-text.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { fitDigits } from '../../../src/chain/insight/decimal.ts';
import { amountForm, amountInForm } from '../../../src/chain/resources/amount-column.ts';
import { cellText } from '../../../src/chain/resources/cell-text.ts';
import type { Column } from '../../../src/chain/resources/resource.ts';
import { loaded, pageOf } from '../../explorer/support/provision-pages.ts';

describe('Number in a narrow cell', () => {
  const LONG = '340282366920938463463374607431768211455';

  it.each([
    ['amount', LONG, 20, '3.402823669… x 10^38'],
    ['amount', `-${LONG}`, 20, '-3.40282366… x 10^38'],
    ['integer', '1234567', 8, '…'],
    ['factor', '0.00123456789012345678901234567', 20, '0.123456789012345… %'],
    ['share', '33.33333333333333333333333', 12, '33.333333… %'],
  ] as const)(
    'A number of the kind %s is not cut to look like another: %s in %d cells',
    (kind, value, cells, shown) => {
      const column: Column = { id: 'a', title: 'A', kind, value: ({ a }) => String(a) };
      const page = loaded(pageOf([{ a: value }, { a: '7' }]));
      expect(cellText(column, page.rows[0] ?? {}, page, NO_NAMES, { cells })).toBe(shown);
      expect(cellText(column, page.rows[0] ?? {}, page, NO_NAMES)).toBe(
        cellText(column, page.rows[0] ?? {}, page, NO_NAMES, { cells: 100 }),
      );
    },
  );

  it('A number keeps the word for its unit if the heading does not give the unit', () => {
    const unit = { symbol: safeText`HUSD`, decimals: 2 };
    const form = amountForm(
      [
        { value: '100', unit },
        { value: LONG, unit: undefined },
      ],
      false,
    );
    expect(amountInForm({ value: LONG, unit: undefined }, form, 20)).toBe('3.40282… x 10^38 raw');
    expect(amountInForm({ value: LONG, unit }, { ...form, unit: null }, 20)).toBe('3.4028… x 10^36 HUSD');
  });

  it('A number does not lose its power of ten', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
        fc.integer({ min: 1, max: 90 }),
        (number, cells) => {
          const text = fitDigits(String(number), cells);
          expect(text.length).toBeLessThanOrEqual(Math.max(1, cells));
          const [, digits = '', power = '0'] = /^(-?\d\.?\d*)… x 10\^(\d+)$/.exec(text) ?? [];
          const means = digits === '' ? text.replaceAll(' ', '') : String(number);
          if (text !== '…') expect(means).toBe(String(number));
          if (digits !== '') {
            const [whole = '', fraction = ''] = digits.split('.');
            expect(String(number).startsWith(`${whole}${fraction}`)).toBe(true);
            expect(String(number).replace('-', '').length - 1).toBe(Number(power));
          }
        },
      ),
    );
  });
});
