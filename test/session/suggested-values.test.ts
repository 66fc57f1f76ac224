import { describe, expect, it } from 'vitest';
import { isJsonObject, parseJson } from '../../src/api/json.ts';
import { liquidityProvisions } from '../../src/resources/liquidity-provisions.ts';
import { RESOURCES } from '../../src/resources/registry.ts';
import { newDraft, remember, suggest } from '../../src/session/model/filters.ts';
import { initialState } from '../../src/session/model/initial.ts';

const start = { screen: { columns: 80, rows: 24 }, tab: 'provisions', label: '', destination: '.', nowMs: 0 };

const row = (marketId: string) => {
  const record = parseJson(JSON.stringify({ marketId }));
  if (!isJsonObject(record)) throw new Error('no record');
  return record;
};

describe('values offered in a filter field', () => {
  it('are the ids of rows, the last seen first, and never what the filter would not take', () => {
    const state = initialState(start);
    const browser = state.browsers.provisions;
    if (browser === undefined) throw new Error('no such tab');
    const first = remember({}, liquidityProvisions, [row('aa'.repeat(32)), row('\u001b]8;;http://x\u0007link')]);
    const seen = remember(first, liquidityProvisions, [row('bb'.repeat(32))]);
    const draft = newDraft(liquidityProvisions, browser);
    const once = suggest({ ...state, seen }, liquidityProvisions, draft, 1);
    const twice = suggest({ ...state, seen }, liquidityProvisions, once, 1);
    const thrice = suggest({ ...state, seen }, liquidityProvisions, twice, 1);
    expect([once, twice, thrice].map(({ texts }) => texts[0])).toEqual([
      'bb'.repeat(32),
      'aa'.repeat(32),
      'aa'.repeat(32),
    ]);
  });

  it('are there for each filter by the id of a thing that a list shows', () => {
    const seen = new Set(RESOURCES.flatMap(({ columns }) => columns.map(({ entity }) => entity)));
    const filters = RESOURCES.flatMap(resource => resource.filters.filter(({ kind }) => kind === 'id'));
    for (const { name, entity } of filters) expect(entity !== undefined && seen.has(entity), name).toBe(true);
  });
});
