import { resourceById } from '../../../../resources/registry.ts';
import type { Row } from '../../../../resources/resource.ts';
import { select } from '../../../core/window.ts';
import { type ListContext, type ListStep, noticed } from '../list-context.ts';
import { panesOf } from '../panes.ts';
import type { Browser } from '../state.ts';
import { rowsAtHand } from './rows-at-hand.ts';
import { sameRow } from './same-row.ts';

/** A list that came in an order of its own: says which, and selects the row that was left for it. */
export function arrivedInOrder(list: Browser, left: Row | null, context: ListContext): ListStep {
  const { sort } = list;
  const resource = resourceById(list.resource);
  if (sort === null || resource === undefined) return { state: list };
  const { rows, isWhole } = rowsAtHand(resource, list);
  const all = rows.slice();
  const same = left === null ? undefined : sameRow(resource, left, all);
  const index = same === undefined ? -1 : all.indexOf(same);
  const window = index < 0 ? {} : select(list.view, index, all.length, panesOf(list, context).tableRows);
  const state = { ...list, seeking: null, view: { ...list.view, ...window } };
  if (all.length === 0 || context.shared.tab !== resource.id) return { state };
  const title = resource.columns.find(({ id }) => id === sort.column)?.title.toLowerCase() ?? '';
  const order = `${isWhole ? '' : `these ${all.length} alone `}by ${title}, largest first`;
  const place =
    left === null
      ? ''
      : index < 0
        ? '; the row you left is not here'
        : `; the row you left is ${index + 1} of ${all.length}`;
  return { state, messages: [noticed(`${order}${place}`)] };
}
