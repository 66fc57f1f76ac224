import { describe, expect, it } from 'vitest';
import { shownMembers, shownWith } from '../../../src/memory/diff/change-words.ts';
import { changesBetween } from '../../../src/memory/diff/changes-between.ts';
import type { Side } from '../../../src/memory/diff/side.ts';
import { parameter, readList, side } from './sides.ts';

const asset = { id: 'aa', details: { symbol: 'VEGA', decimals: '18' } };

/** What the change of a stake says where the parameters name this asset. */
function stakeWords(rewardAsset: string): readonly string[] {
  const at = (stakedTotal: string): Side =>
    side(
      readList('parameters', [parameter('reward.asset', rewardAsset)]),
      readList('assets', [asset]),
      readList('validators', [{ id: '01', name: 'V', stakedTotal }]),
    );
  const [before, after] = [at('1500000000000000000'), at('2000000000000000000')];
  const shown = shownWith(before, after);
  return changesBetween(before, after).changes.flatMap(change =>
    shownMembers(change, shown).map(({ path, from, to }) => `${path}: ${from} -> ${to}`),
  );
}

describe('the change of a stake', () => {
  it('is in units of the asset that the parameters of the same sides name', () => {
    expect(stakeWords('aa')).toEqual(['stakedTotal: 1.5 VEGA -> 2 VEGA']);
  });

  it('is as it was sent where they name none that is listed', () => {
    expect(stakeWords('bb')).toEqual(['stakedTotal: 1 500 000 000 000 000 000 -> 2 000 000 000 000 000 000']);
  });
});
