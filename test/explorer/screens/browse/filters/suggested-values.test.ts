import { describe, expect, it } from 'vitest';
import { isJsonObject, parseJson } from '../../../../../src/chain/api/json.ts';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import { RESOURCES } from '../../../../../src/chain/resources/registry.ts';
import { initialState } from '../../../../../src/explorer/app/initial.ts';
import {
  openedFilterBar,
  suggest,
  suggestions,
} from '../../../../../src/explorer/screens/browse/filters/filter-bar.ts';
import { newList } from '../../../../../src/explorer/screens/browse/open-list.ts';
import { withSeen } from '../../../../../src/explorer/services/names/seen-ids.ts';
import { directoryWith, market } from '../../../../chain/directory/directories.ts';

const start = { screen: { columns: 80, rows: 24 }, tab: 'provisions', label: '', destination: '.', nowMs: 0 };

const row = (marketId: string) => {
  const record = parseJson(JSON.stringify({ marketId }));
  if (!isJsonObject(record)) throw new Error('no record');
  return record;
};

describe('values offered in a filter field', () => {
  it('are the ids of rows, the last seen first, and never what the filter would not take', () => {
    const state = initialState(start);
    const browser = newList(liquidityProvisions, {});
    const first = withSeen({}, liquidityProvisions, [row('aa'.repeat(32)), row('\u001b]8;;http://x\u0007link')]);
    const seen = withSeen(first, liquidityProvisions, [row('bb'.repeat(32))]);
    const bar = openedFilterBar(liquidityProvisions, browser.filters);
    const once = suggest({ ...state, seen }, liquidityProvisions, bar, 1);
    const twice = suggest({ ...state, seen }, liquidityProvisions, once, 1);
    const thrice = suggest({ ...state, seen }, liquidityProvisions, twice, 1);
    expect([once, twice, thrice].map(({ texts }) => texts[0]?.text)).toEqual([
      'bb'.repeat(32),
      'aa'.repeat(32),
      'aa'.repeat(32),
    ]);
  });

  it('are those alone that begin as typed or whose names do, and going back past the first leaves what was typed', () => {
    const [btc, eth, other] = ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)];
    const directory = directoryWith({
      markets: [
        [btc, market({ code: 'BTC' })],
        [eth, market({ code: 'ETH' })],
      ],
    });
    const state = { ...initialState(start), directory, seen: { market: [other, btc] } };
    const browser = newList(liquidityProvisions, {});
    const offered = (text: string) => {
      const fresh = openedFilterBar(liquidityProvisions, browser.filters);
      return suggestions(state, liquidityProvisions, {
        ...fresh,
        texts: fresh.texts.with(0, { text, at: text.length }),
      });
    };
    expect(offered('et')).toEqual({ values: [eth], isNarrowed: true });
    expect(offered('C')).toEqual({ values: [other], isNarrowed: true });
    for (const text of ['', 'nothing', btc])
      expect(offered(text)).toEqual({ values: [btc, eth, other], isNarrowed: false });
    const fresh = openedFilterBar(liquidityProvisions, browser.filters);
    const typed = { ...fresh, texts: fresh.texts.with(0, { text: 'ET', at: 2 }) };
    const taken = suggest(state, liquidityProvisions, typed, 1);
    const more = suggest(state, liquidityProvisions, taken, 1);
    const back = suggest(state, liquidityProvisions, taken, -1);
    expect([taken, more, back].map(({ texts }) => texts[0]?.text)).toEqual([eth, eth, 'ET']);
  });

  it('are there for each filter by the id of a thing that a list shows', () => {
    const seen = new Set(RESOURCES.flatMap(({ columns }) => columns.map(({ entity }) => entity)));
    const filters = RESOURCES.flatMap(resource => resource.filters.filter(({ kind }) => kind === 'id'));
    for (const { name, entity } of filters) expect(entity !== undefined && seen.has(entity), name).toBe(true);
  });
});
