import { titledColumns } from '../../resources/columns.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Column } from '../../resources/resource.ts';
import type { FrequencyView } from './frequency.ts';
import type { Browser, SessionState } from './state.ts';
import { shownColumns } from './visible-rows.ts';

/** The column that is counted, with the title that it has under the filters of the list. */
export function countedColumn(state: SessionState, { resource, column }: FrequencyView): Column | undefined {
  const descriptor = resourceById(resource);
  const filters = state.browsers[resource]?.page?.request.filters ?? {};
  return descriptor && titledColumns(descriptor, filters).find(({ id }) => id === column);
}

/** The columns that can be counted, those that are shown first and the one that was counted last before them. */
export function countableColumns(state: SessionState, browser: Browser): readonly Column[] {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [];
  const shown = shownColumns(resource, browser);
  const ids = new Set(shown.map(({ id }) => id));
  const others = titledColumns(resource, browser.page?.request.filters ?? {}).filter(({ id }) => !ids.has(id));
  const last = state.countedLast[browser.resource];
  const all = [...shown, ...others];
  return [...all.filter(({ id }) => id === last), ...all.filter(({ id }) => id !== last)];
}
