import { countOf } from '../../../insight/count-of.ts';
import { loadedRows } from '../../../resources/list-page.ts';
import { type Line, textLine } from '../../core/line.ts';
import type { NodeState } from '../../services/node/node.ts';
import { changesOn, changesText } from './list/changes.ts';
import type { ListContext } from './list-context.ts';
import type { Browser } from './state.ts';

/** What the list waits for; else what is wrong with its rows, or what has changed in them. */
export function listProgress(browser: Browser, { shared }: ListContext): string | Line | undefined {
  const loading = wholeProgress(browser, shared.node);
  if (loading !== undefined) return loading;
  const { page } = browser;
  const flaws = page?.flaws ?? [];
  if (flaws.length > 0) return textLine(flaws.join('; '), 'bad');
  const changes = changesOn(browser.changes, page);
  return changes === null ? undefined : textLine(changesText(changes), 'accent');
}

/** What is done for a whole list, and how far it is; undefined while nothing is. */
function wholeProgress({ whole, page }: Browser, { nowMs }: NodeState): string | undefined {
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
