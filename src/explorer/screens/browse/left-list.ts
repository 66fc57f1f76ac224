import { loadedRows } from '../../../resources/list-page.ts';
import type { LeftState } from '../../core/trail.ts';
import { asLoaded } from './list/pager.ts';
import type { Browser } from './state.ts';

/** A list as it is left: the very row, page and filters. What it was still waiting for is forgotten. */
export function leftList(left: Browser): LeftState<Browser> {
  const state: Browser = {
    ...asLoaded(left),
    whole: left.whole?.status === 'gathering' ? null : left.whole,
    loading: null,
    prefetching: null,
    seeking: null,
    filterBar: null,
    failure: left.page === null ? left.failure : null,
  };
  return { state, rows: rowsOf(state) };
}

const rowsOf = ({ page, behind, ahead }: Browser): number =>
  [page, ahead, ...behind].reduce((sum, held) => sum + (held ? loadedRows(held).length : 0), 0);

/** A list that is come back to: as it was left, with the columns that the person has given it since. */
export function returnedList(now: Browser, left: Browser): Browser {
  const { columnChoice, columnOrder, columnWidths, countedLast, lastRequest } = now;
  return { ...left, columnChoice, columnOrder, columnWidths, countedLast, lastRequest };
}
