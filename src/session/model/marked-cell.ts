import { resourceById } from '../../resources/registry.ts';
import { columnLayout, ownColumnId } from './column-layout.ts';
import { layoutOf } from './layout.ts';
import type { SessionState } from './state.ts';

/** Id of the column whose cell is marked, as long as the screen shows it: keys never begin with a cell nobody sees. */
export function markedColumn(state: SessionState): string | null {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || !browser?.page || browser.inspector !== null || browser.cellColumn === null)
    return null;
  const { fitted } = columnLayout(resource, browser, browser.page, layoutOf(state).tableColumns);
  return fitted.some(({ column }) => ownColumnId(column.id) === browser.cellColumn) ? browser.cellColumn : null;
}
