import { expect, it } from 'vitest';
import { NO_MINE_IDS } from '../../../../../src/base/settings/mine-file.ts';
import { type Directory, NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { mineFromLists } from '../../../../../src/chain/directory/mine.ts';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import { openFilterBar, suggestions } from '../../../../../src/explorer/screens/browse/filters/filter-bar.ts';
import { hexId } from '../../../support/provision-pages.ts';

const [SEEN, NAMED, MINE, OTHER] = [hexId(1), hexId(2), hexId(3), hexId(4)];

const market = (code: string) => ({
  ...{ code, name: code, state: 'STATE_ACTIVE', asset: '', specs: [], decimalPlaces: 0, positionDecimalPlaces: 0 },
});

const directory: Directory = {
  ...NO_NAMES,
  markets: new Map([
    [NAMED, market('Beta')],
    [SEEN, market('Gamma')],
    [OTHER, market('Alpha')],
  ]),
  validators: new Map([['0f', { name: 'Ashgrove', ethereumAddress: '', publicKey: NAMED, status: '' }]]),
  mine: mineFromLists({ ...NO_MINE_IDS, parties: [MINE], markets: [MINE] }),
};

const valuesOf = (name: string) => {
  const field = liquidityProvisions.filters.findIndex(filter => filter.name === name);
  const bar = { ...openFilterBar(liquidityProvisions, {}), field };
  const seen = { market: [SEEN.toUpperCase()], party: [SEEN, OTHER] };
  return suggestions({ seen, directory }, liquidityProvisions, bar).values;
};

it('A filter field offers what is known by name, own IDs first, each ID once', () => {
  expect(valuesOf('marketId')).toEqual([MINE, OTHER, NAMED, SEEN.toUpperCase()]);
});

it('A filter field for parties offers own parties, then those of rows, and those of validators last', () => {
  expect(valuesOf('partyId')).toEqual([MINE, SEEN, OTHER, NAMED]);
});
