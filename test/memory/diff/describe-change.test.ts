import { describe, expect, it } from 'vitest';
import { compareSides } from '../../../src/memory/diff/compare-sides.ts';
import { createDisplayContext, displayMembers } from '../../../src/memory/diff/describe-change.ts';
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
  const shown = createDisplayContext(before, after);
  return compareSides(before, after).changes.flatMap(change =>
    displayMembers(change, shown).map(({ path, from, to }) => `${path}: ${from} -> ${to}`),
  );
}

describe('Change of a stake', () => {
  it('The change of a stake is in units of the asset that the parameters of the same sides give', () => {
    expect(stakeWords('aa')).toEqual(['stakedTotal: 1.5 VEGA -> 2 VEGA']);
  });

  it('The change of a stake is shown as sent when the parameters give no listed asset', () => {
    expect(stakeWords('bb')).toEqual(['stakedTotal: 1 500 000 000 000 000 000 -> 2 000 000 000 000 000 000']);
  });
});
