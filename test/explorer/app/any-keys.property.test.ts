import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../src/chain/resources/page-request.ts';
import type { BrowseState } from '../../../src/explorer/screens/browse/state.ts';
import { runs } from '../../support/runs.ts';
import { outOfRange } from '../support/cursor-rules.ts';
import { listsOf } from '../support/layers.ts';
import { pressAtRandom } from '../support/random-session.ts';

const SEEDS = Array.from({ length: runs(4, 12) }, (_, index) => index + 1);
const INPUTS = 500;

/** The requests of lists that were waited for, not fetched ahead: the last one of each. */
class Wanted {
  readonly #last = new Map<string, PageRequest>();

  note(browser: BrowseState): void {
    if (browser.loading !== null) this.#last.set(browser.resource, browser.loading.request);
  }

  /** The request of what stands on the screen: rows on their way, the failure, or the rows. */
  shown(browser: BrowseState): PageRequest | undefined {
    if (browser.loading !== null) return browser.loading.request;
    return browser.failure === null ? browser.page?.request : this.#last.get(browser.resource);
  }
}

describe('Lists after random keys', () => {
  it.each(SEEDS)('The filters and the sort order in the bar are those of what is shown (seed %i)', async seed => {
    const wanted = new Wanted();
    await pressAtRandom(seed, INPUTS, ({ session, after }) => {
      for (const browser of Object.values(listsOf(session.state()))) {
        wanted.note(browser);
        const request = wanted.shown(browser);
        if (request === undefined) continue;
        const { filters, newestFirst } = request;
        expect({ filters: browser.filters, newestFirst: browser.newestFirst }, after).toEqual({ filters, newestFirst });
      }
    });
  });

  it.each(SEEDS)('The cursor is always on something that exists, inside its window (seed %i)', async seed => {
    await pressAtRandom(seed, INPUTS, ({ session, after }) => {
      expect(outOfRange(session.state()), after).toEqual([]);
    });
  });
});
