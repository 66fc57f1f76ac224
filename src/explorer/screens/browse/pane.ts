import type { Browser } from './state.ts';

/** Which part of a list has the keys; a bar that opened by itself takes no letters yet. */
export type Pane = 'list' | 'record' | 'filters' | 'offered-filters';

export function paneOf({ filterBar, inspector }: Pick<Browser, 'filterBar' | 'inspector'>): Pane {
  if (filterBar !== null) return filterBar.isOffered ? 'offered-filters' : 'filters';
  return inspector === null ? 'list' : 'record';
}
