import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { moveTo, withColumns } from '../model/inspector.ts';
import { type Layout, layoutOf } from '../model/layout.ts';
import type { Browser, Inspector, SessionState } from '../model/state.ts';
import { windowInTable } from '../model/table-lines.ts';
import { layersInRange } from './layers.ts';

/**
 * The state with every cursor on a line that is there and inside its window. Keys keep them so; an answer, a timer and
 * a new size may leave fewer lines than before under any of them.
 */
export function inRange(state: SessionState): SessionState {
  return layersInRange(listsInRange(state));
}

function listsInRange(state: SessionState): SessionState {
  const browsers = Object.values(state.browsers).map(browser => browserInRange(state, browser));
  const isSame = browsers.every(browser => state.browsers[browser.resource] === browser);
  if (isSame) return state;
  return { ...state, browsers: Object.fromEntries(browsers.map(browser => [browser.resource, browser])) };
}

function browserInRange(state: SessionState, browser: Browser): Browser {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  const layout = layoutOf({ ...state, tab: browser.resource });
  const { view } = browser;
  const { row, top } = windowInTable(resource, browser, layout.tableRows);
  const inspector = browser.inspector && inspectorInRange(resource, browser.inspector, layout);
  const isSame = row === view.row && top === view.top && inspector === browser.inspector;
  return isSame ? browser : { ...browser, view: { ...view, row, top }, inspector };
}

function inspectorInRange(resource: Resource, before: Inspector, layout: Layout): Inspector {
  const { inspectorRows, inspectorColumns } = layout;
  const inspector = before.columns === inspectorColumns ? before : withColumns(resource, before, inspectorColumns);
  const { cursor, top } = inspector;
  const kept = moveTo(inspector, cursor, resource, inspectorRows);
  return kept.cursor === cursor && kept.top === top ? inspector : kept;
}
