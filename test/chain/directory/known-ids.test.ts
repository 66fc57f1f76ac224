import { expect, it } from 'vitest';
import { NO_MINE_IDS } from '../../../src/base/settings/mine-file.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { sortIdsByName } from '../../../src/chain/directory/known-ids.ts';
import { mineFromLists } from '../../../src/chain/directory/mine.ts';

const market = (code: string, state = 'STATE_ACTIVE') => ({
  ...{ code, name: code, state, asset: '', specs: [], decimalPlaces: 0, positionDecimalPlaces: 0 },
});

const directory: Directory = {
  ...NO_NAMES,
  markets: new Map([
    ['01', market('Zeta')],
    ['02', market('alpha')],
    ['03', market('Beta', 'STATE_SETTLED')],
    ['04', market('Gamma')],
  ]),
};

it('IDs are sorted by name: own IDs first, then open markets, then closed ones, IDs without a name last', () => {
  const ids = ['0f', '03', '01', '04', '0e', '02'];
  expect(sortIdsByName(directory, 'market', ids)).toEqual(['02', '04', '01', '0f', '0e', '03']);
  const mine = mineFromLists({ ...NO_MINE_IDS, markets: ['01', '0e'] });
  expect(sortIdsByName({ ...directory, mine }, 'market', ids).slice(0, 3)).toEqual(['0e', '01', '02']);
  expect(sortIdsByName(NO_NAMES, 'party', ['0b', '0a'])).toEqual(['0b', '0a']);
});
