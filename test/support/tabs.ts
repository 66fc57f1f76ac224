import { TABS } from '../../src/explorer/tabs.ts';

function tab(id: string) {
  const found = TABS.find(candidate => candidate.id === id);
  if (found === undefined) throw new Error(`there is no tab ${id}`);
  return found;
}

/** The digit that leads to a tab. */
export const tabKey = (id: string): string => tab(id).key;

/** How the bar of tabs shows the one that is open: `[Params]`. */
export const openTab = (id: string): string => `[${tab(id).short}]`;
