import { expect, it } from 'vitest';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { findIds, similarNames } from '../../../src/chain/directory/find-ids.ts';

const [A, B, C, D] = ['8a2f', '8a30', '77aa', 'c0de'].map(start => start.padEnd(64, '0'));

const market = (code: string, name = code) => ({
  ...{ code, name, state: 'STATE_ACTIVE', asset: '', specs: [], decimalPlaces: 0, positionDecimalPlaces: 0 },
});

const directory: Directory = {
  ...NO_NAMES,
  markets: new Map([
    [A ?? '', market('BTC/USDT', 'Bitcoin')],
    [B ?? '', market('BTC/USDT', 'Bitcoin once more')],
    [C ?? '', market('ETH/USDT', 'Ether \u00a0 / Tether')],
    [D ?? '', market('8a2f..0000', '@mine')],
  ]),
  aliases: new Map([[C ?? '', 'mine']]),
};

it.each([
  ['what a table shows', 'BTC/USDT 8a2f', [A]],
  ['a code of two', 'btc/usdt', [A, B]],
  ['a name of one', 'bitcoin', [A]],
  ['a name with other blanks', 'Ether / Tether', [C]],
  ['an alias', 'mine', [C]],
  ['an alias with its sign, which no name of the chain has', '@MINE', [C]],
  ['the ends of an id, which no name of the chain can pass for', '8a2f..0000', [A]],
  ['the beginning of an id', '77aa', [C]],
  ['the beginning of two', '8a', []],
  ['nothing', '', []],
  ['no name', 'DOGE', []],
])('`idsCalled` finds a market by %s', (_, text, ids) => expect(findIds(directory, 'market', text)).toEqual(ids));

it('`idsCalled` finds only entities of the wanted kind for a name', () => {
  expect(findIds(directory, 'asset', 'Bitcoin')).toEqual([]);
  expect(findIds(directory, 'market', 'BTC/USDT', { isId: id => id === B })).toEqual([B]);
});

it('A name that nothing has leads to similar names', () => {
  expect(similarNames(directory, 'market', 'btc/usdx')).toEqual(['BTC/USDT']);
  expect(similarNames(directory, 'market', 'once')).toEqual(['Bitcoin once more']);
  expect(similarNames(directory, 'market', 'zzzzzz')).toEqual([]);
});
