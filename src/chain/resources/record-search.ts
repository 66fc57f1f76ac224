import { sanitize } from '../../base/text/safe-text.ts';
import { truncateEnd } from '../../base/text/width.ts';
import type { Directory } from '../directory/directory.ts';
import type { Arrangement } from './arrangement.ts';
import { cellText, rowContext } from './cell-text.ts';
import { columnsTitledFor } from './columns.ts';
import type { ListPage } from './list-page.ts';
import { holdsMine } from './mine-rows.ts';
import type { Resource, Row } from './resource.ts';
import { searchableText } from './searchable-text.ts';
import { countedValue } from './tally.ts';

const searchable = new WeakMap<Row, { readonly names: Directory; readonly text: string }>();

/** The text of one loaded row for a search: computed once per set of names. */
export function searchText(resource: Resource, row: Row, page: ListPage, names: Directory): string {
  const known = searchable.get(row);
  if (known?.names === names) return known.text;
  const text = buildSearchText(resource, row, page, names);
  searchable.set(row, { names, text });
  return text;
}

/** Searched for instead of a text: rows that have something of the user's. No text can be typed that is like it. */
export const FIND_MINE = '\u0000mine';

/** The same, computed again. */
export const buildSearchText = (resource: Resource, row: Row, page: ListPage, names: Directory): string =>
  searchableText(resource, row, {
    among: rowContext(page, row),
    directory: names,
    nowMs: page.receivedAtMs,
    cellText: column => cellText(column, row, page, names),
  });

/** A value of a column, as rows are counted under it. */
export interface ColumnValue {
  readonly column: string;
  readonly value: string;
  /** What an amount is of; '' for everything else. */
  readonly of: string;
}

interface Search {
  /** FIND_MINE too; '' for any row. */
  readonly text: string;
  /** Rows have all of these as well. */
  readonly values: readonly ColumnValue[];
}

// No text can be typed that begins like it. A part a line: JSON breaks none.
const VALUES = '\u0000values';

/** The same search, limited to the rows counted under the value. */
export function searchWithin(find: string, value: ColumnValue): string {
  const { text, values } = readSearch(find);
  const all = values.some(other => isSameValue(other, value)) ? values : [...values, value];
  const parts = [text, ...all.flatMap(({ column, value: held, of }) => [column, held, of])];
  return [VALUES, ...parts.map(part => JSON.stringify(part))].join('\n');
}

export function readSearch(find: string): Search {
  const [start, ...lines] = find.split('\n');
  if (start !== VALUES) return { text: find, values: [] };
  const [text = '', ...parts] = lines.map(part => String(JSON.parse(part)));
  const values: ColumnValue[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    const [column = '', value = '', of = ''] = parts.slice(at, at + 3);
    values.push({ column, value, of });
  }
  return { text, values };
}

const isSameValue = (one: ColumnValue, other: ColumnValue): boolean =>
  one.column === other.column && one.value === other.value && one.of === other.of;

/** Whether the results of a search are contained in the results of another search. */
export function isNarrowerSearch(find: string, than: string): boolean {
  const [search, other] = [readSearch(find), readSearch(than)];
  const isText = other.text === '' || search.text === other.text || isNarrowerText(search.text, other.text);
  return isText && other.values.every(value => search.values.some(mine => isSameValue(mine, value)));
}

const isNarrowerText = (text: string, than: string): boolean =>
  text !== FIND_MINE && text.toLowerCase().includes(than.toLowerCase());

/** Whether a row of the page is found. */
export function rowSearch(
  resource: Resource,
  page: ListPage,
  { find, names }: Pick<Arrangement, 'find' | 'names'>,
  textOf: typeof searchText,
): (row: Row) => boolean {
  const { text, values } = readSearch(find);
  const wanted = text.toLowerCase();
  const columns = columnsTitledFor(resource, page.request.filters);
  const tests = values.map(sought => {
    const column = columns.find(({ id }) => id === sought.column);
    return (row: Row): boolean => {
      const counted = column && countedValue(column, row, { directory: names, among: rowContext(page, row) });
      return counted?.value === sought.value && counted.of === sought.of;
    };
  });
  const hasText = (row: Row): boolean =>
    text === FIND_MINE ? holdsMine(resource, row, names) : textOf(resource, row, page, names).includes(wanted);
  return row => (text === '' || hasText(row)) && tests.every(test => test(row));
}

/** For people: `find "abc"`, `yours`, `signatures 5`. */
export function searchLabel(find: string, cells: number): string {
  const { text, values } = readSearch(find);
  const shown = (words: string): string => truncateEnd(sanitize(words), cells);
  const texts = text === '' ? [] : [text === FIND_MINE ? 'yours' : `find "${shown(text)}"`];
  return [...texts, ...values.map(({ column, value }) => `${column} ${value === '' ? '(none)' : shown(value)}`)].join(
    ', ',
  );
}
