import { expect, it } from 'vitest';
import { NO_IDS } from '../../../../../src/base/settings/mine-file.ts';
import { type Directory, NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { mineFrom } from '../../../../../src/chain/directory/mine.ts';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import { openedFilterBar, suggestions } from '../../../../../src/explorer/screens/browse/filters/filter-bar.ts';
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
  mine: mineFrom({ ...NO_IDS, parties: [MINE], markets: [MINE] }),
};

const valuesOf = (name: string) => {
  const field = liquidityProvisions.filters.findIndex(filter => filter.name === name);
  const bar = { ...openedFilterBar(liquidityProvisions, {}), field };
  const seen = { market: [SEEN.toUpperCase()], party: [SEEN, OTHER] };
  return suggestions({ seen, directory }, liquidityProvisions, bar).values;
};

it('a field offers what is known by name, mine first, each id once', () => {
  expect(valuesOf('marketId')).toEqual([MINE, OTHER, NAMED, SEEN.toUpperCase()]);
});

it('a field of parties offers mine, then those of rows, and those of validators last', () => {
  expect(valuesOf('partyId')).toEqual([MINE, SEEN, OTHER, NAMED]);
});
