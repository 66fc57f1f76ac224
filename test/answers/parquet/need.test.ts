import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bothNeeds,
  digitsNeed,
  type Need,
  needOfScale,
  scaleOf,
  TEXT,
  USUAL,
} from '../../../src/answers/parquet/need.ts';

const digits = fc.tuple(fc.integer({ min: 0, max: 45 }), fc.integer({ min: 0, max: 45 }));

/** As a conversion learns: only values that do not fit into the column so far are reported. */
function learnt(values: readonly (readonly [whole: number, fraction: number])[]): Need {
  let need: Need = USUAL;
  const fits = ([whole, fraction]: readonly [number, number]) =>
    need.kind === 'text' || (fraction <= scaleOf(need, 18) && whole <= 38 - scaleOf(need, 18));
  for (
    let misfit = values.find(value => !fits(value));
    misfit !== undefined;
    misfit = values.find(value => !fits(value))
  )
    need = bothNeeds(need, digitsNeed(...misfit));
  return need;
}

test('whatever the order of values, the column ends up the same, and with it all values fit', () => {
  fc.assert(
    fc.property(fc.array(digits, { maxLength: 8 }), values => {
      const need = learnt(values);
      const [whole, fraction] = [0, 1].map(index => Math.max(0, ...values.map(value => value[index] ?? 0)));
      expect(need.kind === 'text').toBe((whole ?? 0) + (fraction ?? 0) > 38);
      const again = learnt(values.toReversed());
      expect([again.kind === 'text', scaleOf(again, 18)]).toEqual([need.kind === 'text', scaleOf(need, 18)]);
    }),
    { numRuns: 500 },
  );
});

test('what an earlier run found out of a column is read off its scale', () => {
  for (let scale = 0; scale <= 38; scale++) expect(scaleOf(needOfScale(scale, 18), 18)).toBe(scale);
  expect(bothNeeds(needOfScale(30, 18), digitsNeed(9, 0))).toEqual(TEXT);
  expect(scaleOf(bothNeeds(needOfScale(30, 18), digitsNeed(8, 0)), 18)).toBe(30);
});
