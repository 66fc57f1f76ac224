import { resourceById } from '../../../../resources/registry.ts';
import { type ListPlace, panesOf } from '../panes.ts';
import type { Browser } from '../state.ts';
import { columnLayout, ownColumnId } from './column-layout.ts';

/** Id of the column whose cell is marked, as long as the screen shows it: keys never begin with a cell nobody sees. */
export function markedColumn(list: Browser, place: ListPlace): string | null {
  const resource = resourceById(list.resource);
  const { page, inspector, cellColumn } = list;
  if (resource === undefined || page === null || inspector !== null || cellColumn === null) return null;
  const { fitted } = columnLayout(resource, list, page, panesOf(list, place).tableColumns);
  return fitted.some(({ column }) => ownColumnId(column.id) === cellColumn) ? cellColumn : null;
}
