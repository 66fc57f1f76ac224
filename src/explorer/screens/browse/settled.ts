import { resourceById } from '../../../resources/registry.ts';
import type { Resource } from '../../../resources/resource.ts';
import { afterChange } from './after-change.ts';
import { windowInTable } from './list/table-lines.ts';
import type { ListContext } from './list-context.ts';
import { type Panes, panesOf } from './panes.ts';
import { moveTo, withColumns } from './record/inspector.ts';
import type { Browser, Inspector } from './state.ts';

/**
 * The list as it stands in its room, with every cursor on a line that is there and inside its window. Keys keep them so;
 * an answer, a timer and a new size may leave fewer lines than before under any of them.
 */
export function settledList(list: Browser, context: ListContext): Browser {
  const { times, directory } = context.shared;
  const { columns } = context.area;
  const isSame = list.times === times && list.laidOutIn === columns;
  return inRange(isSame ? list : afterChange(list, { ...list, times, laidOutIn: columns }, directory), context);
}

function inRange(list: Browser, context: ListContext): Browser {
  const resource = resourceById(list.resource);
  if (resource === undefined) return list;
  const panes = panesOf(list, context);
  const { view } = list;
  const { row, top } = windowInTable(resource, list, panes.tableRows);
  const inspector = list.inspector && inspectorInRange(resource, list.inspector, panes);
  const isSame = row === view.row && top === view.top && inspector === list.inspector;
  return isSame ? list : { ...list, view: { ...view, row, top }, inspector };
}

function inspectorInRange(resource: Resource, before: Inspector, panes: Panes): Inspector {
  const { inspectorRows, inspectorColumns } = panes;
  const inspector = before.columns === inspectorColumns ? before : withColumns(resource, before, inspectorColumns);
  const { cursor, top } = inspector;
  const kept = moveTo(inspector, cursor, resource, inspectorRows);
  return kept.cursor === cursor && kept.top === top ? inspector : kept;
}
