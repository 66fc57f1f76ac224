import { resourceById } from '../../../resources/registry.ts';
import type { Row } from '../../../resources/resource.ts';
import { selectedRow, visibleRows } from './list/visible-rows.ts';
import type { Browser } from './state.ts';

/**
 * The list with its selection on the same record, and in its line of the screen, where the rows of its page were found or
 * sorted anew; on the first row where it is not among them any more.
 */
export function withRowKept(was: Browser, now: Browser): Browser {
  if (!isArrangedAnew(was, now)) return now;
  const resource = resourceById(now.resource);
  const row = resource && selectedRow(resource, was);
  return row === undefined ? now : onRow(now, row);
}

const isArrangedAnew = (was: Browser, now: Browser): boolean =>
  now.whole?.status !== 'known' &&
  was.page === now.page &&
  was.view.row === now.view.row &&
  (was.find !== now.find || was.sort !== now.sort || was.names !== now.names);

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
