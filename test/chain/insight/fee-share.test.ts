import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeFeeShares,
  type FeeShare,
  type FeeWeight,
  fractionAsPercent,
} from '../../../src/chain/insight/fee-share.ts';

const weight = (equityLikeShare: string, averageScore: string, feePenalty = '0'): FeeWeight => ({
  ...{ equityLikeShare, averageScore, feePenalty },
});
const said = (share: FeeShare | undefined): string | undefined =>
  share !== undefined && 'problem' in share ? share.problem : share?.percent;
/** The shares of all, before penalties. */
const beforePenalties = (all: readonly FeeWeight[], equityPart = '1') =>
  computeFeeShares(all, equityPart).map(shares => said(shares.before));
const afterPenalties = (all: readonly FeeWeight[], equityPart = '1') =>
  computeFeeShares(all, equityPart).map(shares => said(shares.after));
const [large, small] = [weight('0.75', '0.2'), weight('0.25', '0.6')];

describe("Share of a market's fees", () => {
  it('A fee share is equity-like share times score, and not only the share', () => {
    expect(beforePenalties([large, small])).toEqual(['50.0', '50.0']);
    expect(computeFeeShares([large, small], '1')[0]?.before).toEqual({
      numerator: '1',
      denominator: '2',
      percent: '50.0',
    });
    expect(beforePenalties([weight('0.999999', '1'), weight('0.000001', '0.1')])).toEqual(['100.0', '<0.1']);
  });

  it('A fee share is in part only the score if the chain says so', () => {
    const all = [weight('0.75', '0.2'), weight('0.25', '0.2')];
    expect(beforePenalties(all)).toEqual(['75.0', '25.0']);
    expect(beforePenalties(all, '0.5')).toEqual(['62.5', '37.5']);
    expect(beforePenalties(all, '0')).toEqual(['50.0', '50.0']);
    expect(computeFeeShares(all, '0.5')[0]?.before).toMatchObject({ numerator: '5', denominator: '8' });
  });

  it('A fee share is what penalties leave, and providers without a penalty get what is withheld', () => {
    expect(afterPenalties([large, small])).toEqual(['50.0', '50.0']);
    expect(afterPenalties([weight('0.5', '1', '0.5'), weight('0.5', '1')])).toEqual(['33.3', '66.7']);
    expect(afterPenalties([weight('0.5', '1', '1'), weight('0.5', '1', '0.99')])).toEqual(['0.0', '100.0']);
    const full = weight('0.5', '1', '1');
    expect(afterPenalties([full, full])[0]).toBe('the last epoch withheld all fees of every provider');
    expect(beforePenalties([full, full])).toEqual(['50.0', '50.0']);
    const unsaid = 'the last fee penalty of 1 provider is not known';
    expect(afterPenalties([weight('0.5', '1', ''), weight('0.5', '1')])).toEqual([unsaid, unsaid]);
    expect(afterPenalties([weight('0.5', '0', ''), weight('0.5', '1')])).toEqual(['0.0', '100.0']);
  });

  it.each([
    ['others have a part of it who are not listed', [large], 'the listed equity-like shares add up to 75.00 %'],
    ['more is listed than there is', [large, large], 'the listed equity-like shares add up to 150.00 %'],
    ['nobody has a score', [weight('1', '0')], 'no provider on this market has a liquidity score'],
    ['a share is below 0', [weight('1', '1'), weight('-0.5', '1'), weight('0.5', '1')], 'cannot be read'],
    ['a score is above 1', [weight('1', '1.5')], 'cannot be read'],
    ['a score is missing', [weight('0.5', '1'), weight('0.5', '')], 'cannot be read'],
  ])('A fee share is not given when %s', (_, all, problem) => {
    expect(beforePenalties(all)[0]).toContain(problem);
    expect(afterPenalties(all)[0]).toContain(problem);
  });

  it.each(['', '1.5', '-1', 'half'])('A fee share is not given when "%s" is shared by equity-like share', part => {
    expect(beforePenalties([large, small], part)[0]).toBe('the node does not report how fees are shared');
  });

  it('A fee share is exact for thousands of providers whose shares the node has rounded', () => {
    const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 100 })), {
      ...{ minLength: 1, maxLength: 300 },
    });
    fc.assert(
      fc.property(parts, sizes => {
        const together = sizes.reduce((sum, [size]) => sum + size, 0);
        const all = sizes.map(([size, score]) => weight((size / together).toFixed(16), String(score / 100)));
        const sum = sizes.reduce((total, [size, score]) => total + size * score, 0);
        const shares = beforePenalties(all);
        for (const [index, [size, score]] of sizes.entries()) {
          const percent = shares[index] ?? '';
          if (sum === 0) expect(percent).toContain('no provider');
          else if (percent === '<0.1') expect((size * score) / sum).toBeLessThan(0.000501);
          else expect(Math.abs(Number(percent) - (100 * size * score) / sum)).toBeLessThan(0.0501);
        }
      }),
      { numRuns: 30 },
    );
  });
});

it('A fraction of 1 is shown in percent to a hundredth, and never as zero when it is not zero', () => {
  const shown = ['0', '1', '.25', '0.6123456', '0.1', '1.0', '0.00001', '1.01', '-0.1', 'abc', ''].map(
    fractionAsPercent,
  );
  expect(shown.slice(0, 7)).toEqual(['0 %', '100 %', '25 %', '61.23 %', '10 %', '100 %', '<0.01 %']);
  expect(shown.slice(7)).toEqual([undefined, undefined, undefined, undefined]);
});
