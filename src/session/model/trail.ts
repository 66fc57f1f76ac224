import { asLoaded } from './pager.ts';
import type { Browser, SessionState } from './state.ts';
import { loadedRows } from './whole.ts';

const MOST_PLACES = 20;

/** Rows that the places hold together; the last one is kept however many it has. */
const MOST_ROWS = 25_000;

/** Remembers a list as it is left: the very row, page and filters. What it was still waiting for is forgotten. */
export function withPlace(trail: SessionState['trail'], left: Browser): SessionState['trail'] {
  const place: Browser = {
    ...asLoaded(left),
    whole: left.whole?.status === 'gathering' ? null : left.whole,
    loading: null,
    prefetching: null,
    seeking: null,
    draft: null,
    failure: left.page === null ? left.failure : null,
  };
  return withinMemory([...trail, place].slice(-MOST_PLACES));
}

function withinMemory(places: readonly Browser[]): readonly Browser[] {
  let rows = 0;
  const first = places.findLastIndex((place, index) => {
    rows += rowsOf(place);
    return rows > MOST_ROWS && index < places.length - 1;
  });
  return places.slice(first + 1);
}

const rowsOf = ({ page, behind, ahead }: Browser): number =>
  [page, ahead, ...behind].reduce((sum, held) => sum + (held ? loadedRows(held).length : 0), 0);
