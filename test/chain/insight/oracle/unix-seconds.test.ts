import { expect, it } from 'vitest';
import { roughPeriod } from '../../../../src/chain/insight/oracle/unix-seconds.ts';

it.each([
  [0n, '0 s'],
  [59n, '59 s'],
  [125n, '2 min 5 s'],
  [7_205n, '2 h'],
  [7_265n, '2 h 1 min'],
  [86_400n + 59n, '1 d'],
  [100n * 86_400n + 3_600n, '100 d 1 h'],
])('A rough duration of %d seconds is %s: no unit is skipped', (seconds, words) => {
  expect(roughPeriod(seconds)).toBe(words);
});
