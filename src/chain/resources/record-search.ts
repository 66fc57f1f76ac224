import type { Directory } from '../directory/directory.ts';
import { cellText, rowContext } from './cell-text.ts';
import type { ListPage } from './list-page.ts';
import type { Resource, Row } from './resource.ts';
import { searchableText } from './searchable-text.ts';

const searchable = new WeakMap<Row, { readonly names: Directory; readonly text: string }>();

/** What a search in the loaded rows looks at, of one of them: worked out once for the names. */
export function searchText(resource: Resource, row: Row, page: ListPage, names: Directory): string {
  const known = searchable.get(row);
  if (known?.names === names) return known.text;
  const text = buildSearchText(resource, row, page, names);
  searchable.set(row, { names, text });
  return text;
}

/** Searched for instead of a text: rows that have something of the user's. No text can be typed that is like it. */
export const FIND_MINE = '\u0000mine';

/** The same, made anew. */
export const buildSearchText = (resource: Resource, row: Row, page: ListPage, names: Directory): string =>
  searchableText(resource, row, {
    among: rowContext(page, row),
    directory: names,
    nowMs: page.receivedAtMs,
    cellText: column => cellText(column, row, page, names),
  });
