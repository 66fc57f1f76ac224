import type { Resource, Row } from '../../resources/resource.ts';
import { layoutOf } from '../model/layout.ts';
import { rowsAtHand } from '../model/rows-at-hand.ts';
import { sameRow } from '../model/same-row.ts';
import type { SessionState } from '../model/state.ts';
import { select } from '../model/window.ts';
import { withBrowser, withNotice } from './transitions.ts';

/** A list that came in an order of its own: says which, and selects the row that was left for it. */
export function arriveInOrder(state: SessionState, resource: Resource, left: Row | null): SessionState {
  const browser = state.browsers[resource.id];
  if (browser?.sort == null) return state;
  const { rows, isWhole } = rowsAtHand(resource, browser);
  const all = rows.slice();
  const same = left === null ? undefined : sameRow(resource, left, all);
  const index = same === undefined ? -1 : all.indexOf(same);
  const window = index < 0 ? {} : select(browser.view, index, all.length, layoutOf(state).tableRows);
  const arrived = withBrowser(state, resource.id, shown => ({
    ...shown,
    seeking: null,
    view: { ...shown.view, ...window },
  }));
  if (all.length === 0 || state.tab !== resource.id) return arrived;
  const title = resource.columns.find(({ id }) => id === browser.sort?.column)?.title.toLowerCase() ?? '';
  const order = `${isWhole ? '' : `these ${all.length} alone `}by ${title}, largest first`;
  const place =
    left === null
      ? ''
      : index < 0
        ? '; the row you left is not here'
        : `; the row you left is ${index + 1} of ${all.length}`;
  return withNotice(arrived, `${order}${place}`);
}
