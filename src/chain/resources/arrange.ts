import { kindFormat } from '../insight/kind.ts';
import type { Arrangement, ArrangeProgress, ArrangeRequest } from './arrangement.ts';
import { sortValue } from './cell.ts';
import { rowContext } from './cell-text.ts';
import type { ListPage } from './list-page.ts';
import { buildSearchText, isNarrowerSearch, rowSearch } from './record-search.ts';
import type { Column, Row } from './resource.ts';
import { sortedPositions } from './sorted-rows.ts';

type Places = Uint32Array<ArrayBuffer>;

/** Positions of matching rows in the requested order; null: all, in list order. Can be stopped after each step. */
export function* arrange(question: ArrangeRequest): Generator<ArrangeProgress, Places | null> {
  const { wanted } = question;
  const resource = question.resource.uncached();
  const found = wanted.find === '' ? null : yield* find({ ...question, resource });
  const column = resource.columns.find(({ id }) => id === wanted.sort?.column);
  return column === undefined ? found : yield* sort(question, column, found);
}

function* find({ resource, page, wanted, before }: ArrangeRequest): Generator<ArrangeProgress, Places> {
  const isNarrower = before.find !== '' && before.names === wanted.names && isNarrowerSearch(wanted.find, before.find);
  const candidates = isNarrower && before.places !== null ? before.places.toSorted() : allPlaces(page);
  if (wanted.find === before.find && isNarrower) return candidates;
  const isFound = rowSearch(resource, page, wanted, buildSearchText);
  const read = page.whole.reader();
  const found = new Uint32Array(candidates.length);
  let count = 0;
  for (const [index, place] of candidates.entries()) {
    const row = read(place);
    if (row !== undefined && isFound(row)) found[count++] = place;
    yield { step: 'find', done: index / candidates.length };
  }
  return found.slice(0, count);
}

/** The sort key is computed once per row; rows with equal keys keep the order of the list. */
function* sort(
  { page, wanted }: ArrangeRequest,
  column: Column,
  found: Places | null,
): Generator<ArrangeProgress, Places> {
  const places = found ?? allPlaces(page);
  const { compare, rank } = kindFormat(column.kind);
  const read = page.whole.reader();
  const texts: string[] = [];
  const ranks = new Float64Array(places.length);
  for (const [index, place] of places.entries()) {
    const text = sortText(column, read(place), page, wanted);
    texts.push(text);
    ranks[index] = rank(text);
    yield { step: 'sort', done: (index / places.length) * READING };
  }
  const direction = wanted.sort?.isDescending === true ? -1 : 1;
  const order = yield* progressing(
    sortedPositions(indexes(places.length), (one, other) => {
      const difference = (ranks[one] ?? 0) - (ranks[other] ?? 0);
      // The difference of two infinite values is not a number.
      if (difference > 0 || difference < 0) return direction * difference;
      return direction * compare(texts[one] ?? '', texts[other] ?? '');
    }),
  );
  return order.map(index => places[index] ?? 0);
}

/** The share of the time spent on reading the sort keys. */
const READING = 0.8;

const sortText = (column: Column, row: Row | undefined, page: ListPage, { names }: Arrangement): string =>
  row === undefined ? '' : sortValue(column, row, { directory: names, among: rowContext(page, row) });

function* progressing<Result>(work: Generator<number, Result>): Generator<ArrangeProgress, Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield { step: 'sort', done: READING + step.value * (1 - READING) };
  }
}

const allPlaces = ({ whole }: ArrangeRequest['page']): Places => indexes(whole.list.length);

function indexes(count: number): Places {
  const places = new Uint32Array(count);
  for (let index = 0; index < count; index++) places[index] = index;
  return places;
}
