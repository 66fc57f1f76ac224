import type { NodeState } from '../../explorer/services/node/node.ts';
import { countOf, countText } from '../../insight/count-of.ts';
import type { Browser, LoadedPage } from '../../session/model/state.ts';
import { arrangementOf, loadedRows } from '../../session/model/whole.ts';

/** What is done for a whole list, and how far it is; undefined while nothing is. */
export function progressText({ whole, page }: Browser, { nowMs }: NodeState): string | undefined {
  if (whole === null || page === null) return undefined;
  if (whole.status === 'gathering') {
    const { rows, pages, waitUntilMs } = whole;
    const waitS = Math.ceil((waitUntilMs - nowMs) / 1000);
    const doing =
      waitUntilMs === 0 ? 'loading the whole list' : `too many requests, waiting ${Math.max(1, waitS)} s to go on`;
    return `${doing}: ${countOf(rows, 'row')}, page ${pages}  Esc cancels`;
  }
  const { arranging } = whole;
  if (arranging === null) return undefined;
  const among = countOf(loadedRows(page).length, 'row');
  return `${arranging.step === 'find' ? 'finding in' : 'sorting'} ${among}: ${Math.floor(arranging.done * 100)} %`;
}

/** How the place in a whole list goes on: `1-18` of how many, and what was sorted. Nothing is said of rows that were not loaded. */
export function wholeListText(browser: Browser, page: LoadedPage, shown: number): string {
  const { find, sort } = arrangementOf(browser);
  const total = countText(loadedRows(page).length);
  const isWhole = page.flaws.length === 0;
  const found = find === '' ? `of ${total}` : `of ${countText(shown)} found among ${total}`;
  if (isWhole) return `${found}, whole list${sort === null ? '' : `  sorted: all ${total}`}`;
  return `${found}, not all of it${sort === null ? '' : `  sorted: these ${total} rows only`}`;
}
