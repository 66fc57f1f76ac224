import { expect, it } from 'vitest';
import { fitSentence } from '../../../../src/explorer/screens/statement/lines.ts';

const TOTAL = 'total 0.012 WBTC in 10 epochs, 14.7 % of 0.081; largest 0.0036 in epoch 37';

it('A statement total on one line loses its last parts before one of its numbers is cut', () => {
  expect(fitSentence(TOTAL, 80)).toBe(TOTAL);
  for (const cells of [48, 60, 71])
    expect(fitSentence(TOTAL, cells)).toBe('total 0.012 WBTC in 10 epochs, 14.7 % of 0.081');
  expect(fitSentence(TOTAL, 20)).toBe('total 0.012 WBTC in…');
});
