import { holdsWholeList, loadedRows } from '../../../../resources/list-page.ts';
import type { Resource } from '../../../../resources/resource.ts';
import type { RowList } from '../../../../resources/row-list.ts';
import type { Browser } from '../state.ts';
import { visibleRows } from './visible-rows.ts';

/** The rows that can be looked at without asking the node: those of the page, or of the whole list once it is loaded. */
export interface RowsAtHand {
  /** Those that match what is searched for, in the order they are shown in. */
  readonly rows: RowList;
  /** Loaded, whether they match or not. */
  readonly loaded: number;
  /** What is loaded is all that the list has with its filters, as far as the node says. */
  readonly isWhole: boolean;
}

export function rowsAtHand(resource: Resource, browser: Browser): RowsAtHand {
  const { page } = browser;
  if (page === null) return { rows: [], loaded: 0, isWhole: false };
  return { rows: visibleRows(resource, browser), loaded: loadedRows(page).length, isWhole: holdsWholeList(page) };
}
