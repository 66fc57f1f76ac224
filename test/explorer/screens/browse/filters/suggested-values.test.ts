import { describe, expect, it } from 'vitest';
import { isJsonObject, parseJson } from '../../../../../src/chain/api/json.ts';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import { RESOURCES } from '../../../../../src/chain/resources/registry.ts';
import { initialState } from '../../../../../src/explorer/app/initial-state.ts';
import {
  cycleSuggestion,
  openFilterBar,
  suggestions,
} from '../../../../../src/explorer/screens/browse/filters/filter-bar.ts';
import { newList } from '../../../../../src/explorer/screens/browse/open-list.ts';
import { addSeenIds } from '../../../../../src/explorer/services/names/seen-ids.ts';
import { directoryWith, market } from '../../../../chain/directory/directories.ts';

const start = { screen: { columns: 80, rows: 24 }, tab: 'provisions', label: '', destination: '.', nowMs: 0 };

const row = (marketId: string) => {
  const record = parseJson(JSON.stringify({ marketId }));
  if (!isJsonObject(record)) throw new Error('no record');
  return record;
};

describe('Suggested values of a filter field', () => {
  it('The suggested values are the IDs of rows, the last seen first, and never what the filter would not take', () => {
    const state = initialState(start);
    const browser = newList(liquidityProvisions, {});
    const first = addSeenIds({}, liquidityProvisions, [row('aa'.repeat(32)), row('\u001b]8;;http://x\u0007link')]);
    const seen = addSeenIds(first, liquidityProvisions, [row('bb'.repeat(32))]);
    const bar = openFilterBar(liquidityProvisions, browser.filters);
    const once = cycleSuggestion({ ...state, seen }, liquidityProvisions, bar, 1);
    const twice = cycleSuggestion({ ...state, seen }, liquidityProvisions, once, 1);
    const thrice = cycleSuggestion({ ...state, seen }, liquidityProvisions, twice, 1);
    expect([once, twice, thrice].map(({ texts }) => texts[0]?.text)).toEqual([
      'bb'.repeat(32),
      'aa'.repeat(32),
      'aa'.repeat(32),
    ]);
  });

  it('The suggested values begin as typed, by ID or name, and going back past the first restores the typed text', () => {
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
      const fresh = openFilterBar(liquidityProvisions, browser.filters);
      return suggestions(state, liquidityProvisions, {
        ...fresh,
        texts: fresh.texts.with(0, { text, at: text.length }),
      });
    };
    expect(offered('et')).toEqual({ values: [eth], isNarrowed: true });
    expect(offered('C')).toEqual({ values: [other], isNarrowed: true });
    for (const text of ['', 'nothing', btc])
      expect(offered(text)).toEqual({ values: [btc, eth, other], isNarrowed: false });
    const fresh = openFilterBar(liquidityProvisions, browser.filters);
    const typed = { ...fresh, texts: fresh.texts.with(0, { text: 'ET', at: 2 }) };
    const taken = cycleSuggestion(state, liquidityProvisions, typed, 1);
    const more = cycleSuggestion(state, liquidityProvisions, taken, 1);
    const back = cycleSuggestion(state, liquidityProvisions, taken, -1);
    expect([taken, more, back].map(({ texts }) => texts[0]?.text)).toEqual([eth, eth, 'ET']);
  });

  it('The suggested values exist for each filter by ID, since a list shows that kind of ID', () => {
    const seen = new Set(RESOURCES.flatMap(({ columns }) => columns.map(({ entity }) => entity)));
    const filters = RESOURCES.flatMap(resource => resource.filters.filter(({ kind }) => kind === 'id'));
    for (const { name, entity } of filters) expect(entity !== undefined && seen.has(entity), name).toBe(true);
  });
});
