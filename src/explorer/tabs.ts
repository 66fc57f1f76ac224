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
const EXPORT = { id: 'export', title: 'Export', shortTitle: 'Export' };

/** The overview, a tab for each list in the registry's order, and the export behind the last. */
export const TABS: readonly Tab[] = [OVERVIEW, ...RESOURCES, EXPORT].map(({ id, title, shortTitle }, index) => ({
  id,
  title,
  short: shortTitle,
  key: String(index),
}));

export const TAB_IDS: readonly string[] = TABS.map(({ id }) => id);

/** The digit that leads to the export. */
export const EXPORT_KEY: string = TABS.find(({ id }) => id === EXPORT.id)?.key ?? '';
