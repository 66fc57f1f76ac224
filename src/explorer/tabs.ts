import { RESOURCES } from '../chain/resources/registry.ts';

/** A place of the explorer. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** In the bar of tabs. */
  readonly short: string;
  /** The digit that leads there. */
  readonly key: string;
}

const OVERVIEW = { id: 'overview', title: 'Home', shortTitle: 'Home' };
const HISTORY = { id: 'history', title: 'History', shortTitle: 'History' };

/** The overview, a tab for each list in the registry's order, and the history behind the last. */
export const TABS: readonly Tab[] = [OVERVIEW, ...RESOURCES, HISTORY].map(({ id, title, shortTitle }, index) => ({
  id,
  title,
  short: shortTitle,
  key: String(index),
}));

export const TAB_IDS: readonly string[] = TABS.map(({ id }) => id);

/** The digit that leads to the history. */
export const HISTORY_KEY: string = TABS.find(({ id }) => id === HISTORY.id)?.key ?? '';
