import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeeWeight, feeShareOf, fractionShown } from '../../src/insight/fee-share.ts';

const weight = (equityLikeShare: string, averageScore: string): FeeWeight => ({ equityLikeShare, averageScore });
const [large, small] = [weight('0.75', '0.2'), weight('0.25', '0.6')];

describe("the share of a market's fees", () => {
  it('is by equity-like share times score, and not by the share alone', () => {
    expect(feeShareOf(large, [large, small])).toEqual({ percent: '50.0' });
    expect(feeShareOf(small, [large, small])).toEqual({ percent: '50.0' });
    const tiny = weight('0.000001', '0.1');
    expect(feeShareOf(tiny, [weight('0.999999', '1'), tiny])).toEqual({ percent: '<0.1' });
  });

  it.each([
    ['others have a part of it who are not listed', [large], 'the listed equity-like shares add up to 75.00 %'],
    ['more is listed than there is', [large, large], 'the listed equity-like shares add up to 150.00 %'],
    ['nobody has a score', [weight('1', '0')], 'no provider on this market has a liquidity score'],
    ['a share is below 0', [weight('1', '1'), weight('-0.5', '1'), weight('0.5', '1')], 'cannot be read'],
    ['a score is above 1', [weight('1', '1.5')], 'cannot be read'],
    ['a score is missing', [weight('0.5', '1'), weight('0.5', '')], 'cannot be read'],
  ])('is not said where %s', (_, all, problem) => {
    const share = feeShareOf(all[0] ?? large, all);
    expect('problem' in share ? share.problem : share).toContain(problem);
  });

  it('is exact for thousands of providers, whose shares the node has rounded', () => {
    const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 100 })), {
      ...{ minLength: 1, maxLength: 300 },
    });
    fc.assert(
      fc.property(parts, sizes => {
        const together = sizes.reduce((sum, [size]) => sum + size, 0);
        const all = sizes.map(([size, score]) => weight((size / together).toFixed(16), String(score / 100)));
        const sum = sizes.reduce((total, [size, score]) => total + size * score, 0);
        for (const [index, [size, score]] of sizes.entries()) {
          const share = feeShareOf(all[index] ?? large, all);
          if (sum === 0) expect(share).toHaveProperty('problem');
          else if ('percent' in share && share.percent !== '<0.1')
            expect(Math.abs(Number(share.percent) - (100 * size * score) / sum)).toBeLessThan(0.0501);
          else expect((size * score) / sum).toBeLessThan(0.000501);
        }
      }),
      { numRuns: 30 },
    );
  });
});

it('a fraction of 1 is shown in per cent to a hundredth, and never as nothing where there is something', () => {
  const shown = ['0', '1', '.25', '0.6123456', '0.1', '1.0', '0.00001', '1.01', '-0.1', 'abc', ''].map(fractionShown);
  expect(shown.slice(0, 7)).toEqual(['0 %', '100 %', '25 %', '61.23 %', '10 %', '100 %', '<0.01 %']);
  expect(shown.slice(7)).toEqual([undefined, undefined, undefined, undefined]);
});
