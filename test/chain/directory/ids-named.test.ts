import { expect, it } from 'vitest';
import { NO_IDS } from '../../../src/base/settings/mine-file.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { idsByName } from '../../../src/chain/directory/ids-named.ts';
import { mineFrom } from '../../../src/chain/directory/mine.ts';

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

it('ids are sorted by name: mine first, then markets that are open, then those that are over, ids without a name last', () => {
  const ids = ['0f', '03', '01', '04', '0e', '02'];
  expect(idsByName(directory, 'market', ids)).toEqual(['02', '04', '01', '0f', '0e', '03']);
  const mine = mineFrom({ ...NO_IDS, markets: ['01', '0e'] });
  expect(idsByName({ ...directory, mine }, 'market', ids).slice(0, 3)).toEqual(['0e', '01', '02']);
  expect(idsByName(NO_NAMES, 'party', ['0b', '0a'])).toEqual(['0b', '0a']);
});
