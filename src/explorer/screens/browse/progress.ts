import { countOf } from '../../../chain/insight/count-of.ts';
import { loadedRows } from '../../../chain/resources/list-page.ts';
import { type Line, textLine } from '../../core/line.ts';
import type { NodeState } from '../../services/node/node.ts';
import type { Wait } from '../../services/wait.ts';
import { changesOfPage, changesText } from './list/changes.ts';
import type { ListContext } from './list-context.ts';
import type { BrowseState, PageMove } from './state.ts';

/** The current wait of the list; otherwise the problem with its rows, or their changes. */
export function listProgress(browser: BrowseState, { shared }: ListContext): string | Line | undefined {
  const loading = wholeProgress(browser, shared.node);
  if (loading !== undefined) return loading;
  const { page } = browser;
  const flaws = page?.flaws ?? [];
  if (flaws.length > 0) return textLine(flaws.join('; '), 'bad');
  const changes = changesOfPage(browser.changes, page);
  return changes === null ? undefined : textLine(changesText(changes), 'accent');
}

/** What the node, or this program, is busy with for the list. */
export function listWait(browser: BrowseState, { shared }: ListContext): Wait | undefined {
  const { whole, loading, inspector } = browser;
  const [text = '', hint] = wholeProgress(browser, shared.node)?.split('  ') ?? [];
  if (text !== '') return { key: `whole ${wholeRequestId(whole)}`, text, ...(hint !== undefined && { hint }) };
  if (loading !== null)
    return { key: `page ${loading.requestId}`, text: LOADING[loading.move], hint: 'Esc stops waiting' };
  const { meaning } = inspector ?? {};
  return meaning?.status === 'asked'
    ? { key: `meaning ${meaning.requestId}`, text: 'loading the explanation' }
    : undefined;
}

const LOADING: { readonly [move in PageMove]: string } = {
  first: 'loading the list',
  next: 'loading the next page',
  previous: 'loading the page before',
  last: 'loading the last page',
  reload: 'loading the list again',
};

function wholeRequestId(whole: BrowseState['whole']): number {
  if (whole === null) return 0;
  return whole.status === 'gathering' ? whole.requestId : (whole.arranging?.requestId ?? 0);
}

/** The current work on a whole list, and its progress; undefined if there is none. */
function wholeProgress({ whole, page }: BrowseState, { nowMs }: NodeState): string | undefined {
  if (whole === null || page === null) return undefined;
  if (whole.status === 'gathering') {
    const { rows, pages, waitUntilMs } = whole;
    const waitS = Math.ceil((waitUntilMs - nowMs) / 1000);
    const doing =
      waitUntilMs === 0 ? 'loading the whole list' : `too many requests, waiting ${Math.max(1, waitS)} s to continue`;
    return `${doing}: ${countOf(rows, 'row')}, page ${pages}  Esc cancels`;
  }
  const { arranging } = whole;
  if (arranging === null) return undefined;
  const among = countOf(loadedRows(page).length, 'row');
  return `${arranging.step === 'find' ? 'finding in' : 'sorting'} ${among}: ${Math.floor(arranging.done * 100)} %`;
}
