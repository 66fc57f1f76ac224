import { resourceById } from '../../resources/registry.ts';
import type { Row } from '../../resources/resource.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { selectedRow, visibleRows } from '../model/visible-rows.ts';
import { withBrowser } from './transitions.ts';

/**
 * The state with each selection on its record, and in its line of the screen, where the rows of its page were found or
 * sorted anew; on the first row where it is not among them any more.
 */
export function withRowsKept(before: SessionState, after: SessionState): SessionState {
  if (before.browsers === after.browsers) return after;
  return Object.values(after.browsers).reduce((kept, browser) => {
    const was = before.browsers[browser.resource];
    if (was === undefined || !isArrangedAnew(was, browser)) return kept;
    return withBrowser(kept, browser.resource, now => onSameRow(was, now));
  }, after);
}

const isArrangedAnew = (was: Browser, now: Browser): boolean =>
  now.whole?.status !== 'known' &&
  was.page === now.page &&
  was.view.row === now.view.row &&
  (was.find !== now.find || was.sort !== now.sort || was.names !== now.names);

function onSameRow(was: Browser, now: Browser): Browser {
  const resource = resourceById(now.resource);
  const row = resource && selectedRow(resource, was);
  return row === undefined ? now : onRow(now, row);
}

/** The page with this row selected, in the line of the screen that the selection was in. */
export function onRow(now: Browser, row: Row): Browser {
  const resource = resourceById(now.resource);
  if (resource === undefined) return now;
  const { view } = now;
  const place = visibleRows(resource, now).slice().indexOf(row);
  if (place === view.row) return now;
  const top = Math.max(0, place - (view.row - view.top));
  return { ...now, view: { ...now.view, row: Math.max(0, place), top: place < 0 ? 0 : top } };
}
