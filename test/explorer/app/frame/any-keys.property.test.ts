import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, jsonText } from '../../../../src/chain/api/json.ts';
import { unsetWord, valueWord } from '../../../../src/chain/resources/filter.ts';
import { RESOURCES } from '../../../../src/chain/resources/registry.ts';
import { isTooSmall } from '../../../../src/explorer/core/area.ts';
import { topLayer } from '../../../../src/explorer/core/layer.ts';
import { visibleRows } from '../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { runs } from '../../../support/runs.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { listOf } from '../../support/layers.ts';
import { pressAtRandom } from '../../support/random-session.ts';

const SEEDS = Array.from({ length: runs(2, 6) }, (_, index) => index + 1);
const INPUTS = 250;

/** Every value in the record, one by one. */
function leaves(value: Json): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(leaves);
  return isJsonObject(value) ? Object.values(value).flatMap(leaves) : [jsonText(value)];
}

describe('Screen after random keys', () => {
  const compared = { filters: 0, footers: 0 };

  it.each(SEEDS)('The bar shows the filters of what is shown (seed %i)', async seed => {
    await pressAtRandom(seed, INPUTS, ({ session, after }) => {
      const state = session.state();
      const browser = listOf(state);
      const resource = RESOURCES.find(({ id }) => id === state.tab);
      if (browser === undefined || resource === undefined || state.screen.columns < 110) return;
      if (topLayer(state)?.isRoot !== true) return;
      // What the end of the line has cut names nothing.
      const bar = plain(paintedLines(state)[2] ?? '').replace(/\S*…$/, '');
      const request = browser.loading?.request ?? (browser.failure === null ? browser.page?.request : undefined);
      if (request === undefined) return;
      compared.filters += resource.filters.length;
      for (const filter of resource.filters) {
        const { name, title } = filter;
        const [value] = request.filters[name] ?? [];
        const named = new RegExp(`\u2500 ${title}:? (\\S+) `).exec(bar)?.[1];
        // One that is not in force, or always, may give way to what is.
        const unset = unsetWord(filter, browser.filters).split(' ')[0];
        const isUsual = value !== undefined && resource.usualFilters?.[name]?.[0] === value;
        const worded = value === undefined ? undefined : valueWord(filter, value).slice(0, 4);
        if (value === undefined) expect([undefined, unset], `${bar} ${after}`).toContain(named);
        else if (isUsual) expect([undefined, worded], `${bar} ${after}`).toContain(named?.slice(0, 4));
        else expect(named?.slice(0, 4), `${bar} ${after}`).toBe(worded);
      }
    });
  });

  it.each(SEEDS)(
    'The screen shows a sort as long as it applies, and counts what a search found (seed %i)',
    async seed => {
      await pressAtRandom(seed, INPUTS, ({ session, after }) => {
        const state = session.state();
        const browser = listOf(state);
        if (browser === undefined || browser.page === null || isTooSmall(state.screen)) return;
        if (topLayer(state)?.isRoot !== true) return;
        compared.footers++;
        const footer = plain(paintedLines(state).at(-1) ?? '');
        expect(/, sorted|sorted: these \d+ rows only/.test(footer), `${footer} ${after}`).toBe(browser.sort !== null);
        expect(footer.includes(' found'), `${footer} ${after}`).toBe(browser.find !== '');
      });
    },
  );

  it.each(SEEDS)('The search finds each row that has the text in any value (seed %i)', async seed => {
    await pressAtRandom(seed, INPUTS, ({ session, after }) => {
      const state = session.state();
      const browser = listOf(state);
      const resource = RESOURCES.find(({ id }) => id === state.tab);
      if (!browser?.page || resource === undefined) return;
      const found = visibleRows(resource, browser);
      const wanted = browser.find.toLowerCase();
      for (const row of browser.page.rows)
        if (leaves(row).some(value => value.toLowerCase().includes(wanted))) expect(found, after).toContain(row);
    });
  });

  it('The random keys reach a list often enough', () => {
    expect(compared.filters).toBeGreaterThan(10 * SEEDS.length);
    expect(compared.footers).toBeGreaterThan(10 * SEEDS.length);
  });
});
