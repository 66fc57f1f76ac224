import { resourceById } from '../../src/resources/registry.ts';
import { lineCount } from '../../src/session/inspector.ts';
import { isTooSmall } from '../../src/session/layout.ts';
import { menuItems } from '../../src/session/menu.ts';
import type { Browser, SessionState } from '../../src/session/state.ts';
import { visibleRows } from '../../src/session/visible-rows.ts';
import { tagOf } from './random-world.ts';

/** What is false in a state of the explorer, whatever keys led there; empty when nothing is. */
export function falseIn(state: SessionState): readonly string[] {
  return [...Object.values(state.browsers).flatMap(falseInBrowser), ...falseInOverlay(state), ...falseInJob(state)];
}

function falseInBrowser(browser: Browser): readonly string[] {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [`there is no resource ${browser.resource}`];
  const { page, view, inspector, draft, loading, failure } = browser;
  const found: string[] = [];
  const rows = visibleRows(resource, browser).length;
  if (!isIndex(view.row, rows)) found.push(`row ${view.row} of ${rows} is selected`);
  if (view.top < 0 || view.top > view.row) found.push(`the window begins at ${view.top}, below row ${view.row}`);
  if (inspector !== null && !isIndex(inspector.cursor, lineCount(resource, inspector)))
    found.push(`line ${inspector.cursor} of ${lineCount(resource, inspector)} of the record has the cursor`);
  if (draft !== null && !isIndex(draft.field, resource.filters.length))
    found.push(`filter ${draft.field} has the focus`);
  if (draft !== null && draft.texts.length !== resource.filters.length) found.push('the filter bar has other fields');
  if (page === null) return found.map(what => `${browser.resource}: ${what}`);
  const tag = tagOf(page.request);
  if (page.rows.some(row => row.askedFor !== tag)) found.push(`its rows were asked for by something else than ${tag}`);
  const shown = tagOf({
    ...page.request,
    filters: browser.filters,
    size: browser.pageSize,
    newestFirst: browser.newestFirst,
  });
  if (loading === null && failure === null && shown !== tag)
    found.push(`the rows are those of ${tag}, the line above them says ${shown}`);
  return found.map(what => `${browser.resource}: ${what}`);
}

function falseInOverlay(state: SessionState): readonly string[] {
  const { overlay } = state;
  if (overlay?.kind === 'value' && overlay.top < 0) return [`the value begins at line ${overlay.top}`];
  if (overlay?.kind !== 'menu') return [];
  const items = menuItems(state, overlay).length;
  return isIndex(overlay.cursor, items) ? [] : [`item ${overlay.cursor} of ${items} of the menu has the cursor`];
}

function falseInJob({ job, wizard }: SessionState): readonly string[] {
  if (wizard.step === 'progress' && job?.status !== 'running') return ['the progress of no export is shown'];
  if (wizard.step === 'result' && job?.status !== 'ended') return ['the result of no export is shown'];
  return [];
}

/** One line for what decides how a state is drawn: for the words of a finding. */
export function sketchOf(state: SessionState): string {
  const { screen, tab, overlay, wizard } = state;
  const size = `${screen.columns}x${screen.rows}${isTooSmall(screen) ? ', too small' : ''}`;
  return `tab ${tab}, ${size}, overlay ${overlay?.kind ?? 'none'}, wizard ${wizard.step}`;
}

// The cursor of an empty list stands at 0.
const isIndex = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < Math.max(1, count);
