import type { SavedList, SavedView } from './saved-view.ts';

/**
 * The view to save when another explorer may have saved one since this one read it: what this one did not change stays as
 * it is now. The tab is that of the explorer that is closed last.
 */
export function mergeView(mine: SavedView, before: SavedView, now: SavedView): SavedView {
  const names = new Set([...Object.keys(mine.lists ?? {}), ...Object.keys(now.lists ?? {})]);
  const lists = [...names].flatMap(name => {
    const list = mergeList(savedList(mine, name), savedList(before, name), savedList(now, name));
    return Object.keys(list).length === 0 ? [] : [[name, list] as const];
  });
  return {
    ...(mine.tab !== undefined && { tab: mine.tab }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
  };
}

const savedList = ({ lists = {} }: SavedView, name: string): SavedList =>
  (Object.hasOwn(lists, name) ? lists[name] : undefined) ?? {};

function mergeList(mine: SavedList, before: SavedList, now: SavedList): SavedList {
  const merged: { -readonly [member in keyof SavedList]: SavedList[member] } = {};
  const take = <Member extends keyof SavedList>(member: Member): void => {
    const { [member]: value } = isSame(mine[member], before[member]) ? now : mine;
    if (value !== undefined) merged[member] = value;
  };
  for (const member of MEMBERS) take(member);
  return merged;
}

const MEMBERS = ['filters', 'sort', 'newestFirst', 'pageSize', 'columns'] as const;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
