import { expect, it } from 'vitest';
import { inOneLine } from '../../../../src/explorer/screens/statement/lines.ts';

const TOTAL = 'total 0.012 WBTC in 10 payments, 14.7 % of 0.081; longest bar 0.0036 in epoch 37';

it('a total that has one line loses what is said last before a number of it is cut', () => {
  expect(inOneLine(TOTAL, 80)).toBe(TOTAL);
  for (const cells of [48, 60, 79])
    expect(inOneLine(TOTAL, cells)).toBe('total 0.012 WBTC in 10 payments, 14.7 % of 0.081');
  expect(inOneLine(TOTAL, 20)).toBe('total 0.012 WBTC in…');
});
