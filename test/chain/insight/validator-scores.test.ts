import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  powerShare,
  type ScoredValidator,
  stakeChange,
  totalPower,
  zeroScoreReason,
} from '../../../src/chain/insight/validator-scores.ts';

const validator = (votingPower: string, multisigScore = '1', isConsensus = true): ScoredValidator => ({
  ...{ votingPower, multisigScore, isConsensus },
});

describe('Share of voting power', () => {
  it('The share is of all validators if all are listed: about 10,000 in total, each rounded', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 }), stakes => {
        const staked = stakes.reduce((sum, stake) => sum + stake, 0);
        const powers = stakes.map(stake => Math.max(1, Math.floor((10_000 * stake) / staked)));
        const all = totalPower(powers.map(power => validator(String(power))));
        const together = powers.reduce((sum, power) => sum + power, 0);
        for (const power of powers) {
          const share = powerShare(String(power), all);
          expect(share?.isOfAll).toBe(true);
          const percent = (100 * power) / together;
          if (share?.percent === '<0.1') expect(percent).toBeLessThan(0.0501);
          else expect(Math.abs(Number(share?.percent) - percent)).toBeLessThan(0.0501);
        }
      }),
    );
  });

  it('The share is approximate if validators are missing, and left out if powers do not add up or are unreadable', () => {
    expect(powerShare('2500', totalPower([validator('2500')]))).toEqual({ percent: '25.0', isOfAll: false });
    expect(powerShare('2500', totalPower([]))).toEqual({ percent: '25.0', isOfAll: false });
    for (const others of [['90000'], ['x'], ['-1'], ['']])
      expect(powerShare('2500', totalPower(['2500', ...others].map(power => validator(power))))).toBe(undefined);
    expect(powerShare('', totalPower([validator('10000')]))).toBe(undefined);
  });
});

describe('Reason for a multisig score of 0', () => {
  const [zero, one] = [validator('1', '0'), validator('1', '1')];
  it.each([
    ['all of the consensus have it', zero, [zero, zero], { kind: 'all', count: 2 }],
    ['one that stands by has another', zero, [zero, validator('0', '1', false)], { kind: 'all', count: 1 }],
    ['another has a score', zero, [zero, one], { kind: 'not-a-signer' }],
    ['it is none', one, [one, zero], undefined],
    ['it does not count', validator('0', '0', false), [zero], undefined],
    ['that of another is not sent', zero, [zero, validator('1', '')], undefined],
    ['that of another is no number', zero, [zero, validator('1', 'none')], undefined],
    ['nobody is listed', zero, [], undefined],
  ])('The reason for a multisig score of 0 is found where %s', (_, own, all, why) =>
    expect(zeroScoreReason(own, all)).toEqual(why),
  );
});

it('A change of stake is given as a share of the current stake', () => {
  const change = (pending: string, staked = '1000') => stakeChange(pending, staked);
  expect(['125', '-125', '1000', '0', '-0', '00', '', 'x', '1.5'].map(text => change(text))).toEqual([
    ...['+12.5 %', '-12.5 %', '+100 %', '', '', '', '', '', ''],
  ]);
  expect([change('1', '1000000'), change('-1', '1000000')]).toEqual(['+<0.1 %', '-<0.1 %']);
  expect([change('5', '0'), change('-5', '0'), change('5', 'x')]).toEqual(['more', 'less', 'more']);
});
