import type { ArrangedRows, Arrangement } from '../../../../chain/resources/arrangement.ts';
import { loadedRows } from '../../../../chain/resources/list-page.ts';
import type { Resource, Row } from '../../../../chain/resources/resource.ts';
import type { RowList } from '../../../../chain/resources/row-list.ts';
import type { WholeRows } from '../../../../chain/resources/whole-rows.ts';
import { inSamePlace } from '../../../core/window.ts';
import type { BrowseState, LoadedPage } from '../state.ts';

/** How the rows on the screen were found and sorted; for a whole list, this may be an earlier choice. */
export const arrangementOf = ({ whole, find, sort, names }: BrowseState): Arrangement =>
  whole?.status === 'known' ? whole.arranged : { find, sort, names };

/** Without a search and an order names make no difference. */
export const isSameArrangement = (one: Arrangement, other: Arrangement): boolean =>
  one.find === other.find &&
  one.sort?.column === other.sort?.column &&
  one.sort?.isDescending === other.sort?.isDescending &&
  (one.names === other.names || (one.find === '' && one.sort === null));

/** The list in pages again; pending work on the whole list is dropped. */
export function toPagedList(browser: BrowseState): BrowseState {
  const { whole } = browser;
  if (whole === null) return browser;
  if (whole.status === 'gathering') return { ...browser, whole: null };
  return { ...browser, ...whole.left, whole: null, spokenOf: null };
}

/** The list with all its rows; the selection is unchanged. */
export function toWholeList(
  resource: Resource,
  browser: BrowseState,
  { rows, problem, atMs }: { readonly rows: WholeRows; readonly problem: string | null; readonly atMs: number },
  selected: Row | undefined,
): BrowseState {
  const { page, behind, ahead, view, names } = browser;
  if (page === null) return browser;
  const shown: LoadedPage = {
    rows: rows.sample,
    whole: rows,
    cursors: [],
    startCursor: '',
    endCursor: '',
    hasNextPage: false,
    hasPreviousPage: false,
    flaws: problem === null ? [] : [problem],
    request: { ...page.request, position: { kind: 'first' } },
    number: 1,
    offset: 0,
    receivedAtMs: atMs,
    isNextRefused: false,
    view,
  };
  const row = placeNear(
    resource,
    rows.list,
    selected,
    (page.offset ?? 0) + (selected ? page.rows.indexOf(selected) : 0),
  );
  return {
    ...browser,
    page: shown,
    behind: [],
    ahead: null,
    prefetching: null,
    spokenOf: null,
    view: { ...view, ...inSamePlace(view, row) },
    whole: {
      status: 'known',
      left: { page, behind, ahead, view },
      leftRow: selected ?? null,
      arranged: { find: '', sort: null, names, places: null },
      arranging: null,
    },
  };
}

/** The number of rows that may have been inserted before it since it was read. */
const MAX_ROWS_INSERTED = 100;

/** Where a row lies in a list that was read again, about where it lay before; 0 where it does not. */
function placeNear({ keyOf }: Resource, rows: RowList, row: Row | undefined, place: number): number {
  if (row === undefined) return 0;
  const key = keyOf(row);
  for (let distance = 0; distance <= MAX_ROWS_INSERTED; distance++)
    for (const near of [place + distance, place - distance]) {
      const other = near < 0 ? undefined : rows.at(near);
      if (other !== undefined && keyOf(other) === key) return near;
    }
  return 0;
}

/** The rows shown of a whole list, by their index in the arrangement. */
export function arrangedRows(page: LoadedPage, arranged: ArrangedRows): RowList {
  const list = loadedRows(page);
  return arranged.places === null ? list : rowsByPlace(list, arranged.places);
}

function rowsByPlace(list: RowList, places: Uint32Array): RowList {
  const at = (index: number): Row | undefined => {
    const place = places[index];
    return place === undefined ? undefined : list.at(place);
  };
  return {
    length: places.length,
    at,
    uncachedAt: index => {
      const place = places[index];
      return place === undefined ? undefined : (list.uncachedAt ?? list.at).call(list, place);
    },
    slice: (from = 0, to = places.length) =>
      [...places.subarray(from, to)].map(place => list.at(place)).filter(row => row !== undefined),
  };
}
