import type { FilterValues } from './filter.ts';
import { KeptRows } from './kept-rows.ts';
import { MAX_PAGE_SIZE } from './page-request.ts';
import { Relatives } from './relatives.ts';
import type { Resource, Row, RunningTotal } from './resource.ts';
import type { RowList } from './row-list.ts';

/** All rows of a list that were loaded, over as many pages as it took. */
export interface WholeRows {
  readonly list: RowList;
  /** Rows of all parts of it, enough to see how its columns are written. */
  readonly sample: readonly Row[];
  /** The rows that may say more of this one than it does alone. */
  readonly around: (row: Row) => readonly Row[];
  /** Reads places one after the other, upwards. */
  readonly reader: () => (place: number) => Row | undefined;
  /** What all of them come to, where a column needs it and the list alone cannot say it; else ''. */
  readonly total: string;
}

const LARGEST_SAMPLE = 200;

/** Takes the rows of a list as they come. A list that fits on a page is kept as one; of a longer one, the JSON. */
export class WholeRowsMaker {
  readonly #kept = new KeptRows();
  readonly #relatives: Relatives | undefined;
  readonly #total: RunningTotal | undefined;
  #page: Row[] = [];
  #sample: Row[] = [];
  #stride = 1;

  constructor(resource: Resource, filters: FilterValues) {
    this.#relatives = Relatives.of(resource);
    this.#total = resource.inPassing().totalOf?.(filters);
  }

  get length(): number {
    return this.#kept.length;
  }

  /** Of all rows as they are kept. */
  get characters(): number {
    return this.#kept.characters;
  }

  /** Of a row as JSON, on average; 0 while there is none. */
  get charactersPerRow(): number {
    return this.length === 0 ? 0 : this.#kept.characters / this.length;
  }

  /** Can be left after each row. */
  *add(rows: readonly Row[]): Generator<number, void> {
    for (const row of rows) {
      const place = this.length;
      this.#kept.add(row);
      this.#relatives?.add(row, place);
      this.#total?.add(row);
      if (place < MAX_PAGE_SIZE) this.#page.push(row);
      else this.#page = [];
      if (place % this.#stride === 0) this.#addToSample(row);
      yield place;
    }
  }

  made(): WholeRows {
    const [kept, page, relatives] = [this.#kept, this.#page, this.#relatives];
    kept.end();
    if (kept.length <= MAX_PAGE_SIZE)
      return { list: page, sample: page, around: () => page, reader: () => place => page[place], total: '' };
    return {
      list: kept,
      sample: this.#sample,
      around: row => relatives?.around(row, kept) ?? [row],
      reader: () => kept.reader(),
      total: this.#total?.result() ?? '',
    };
  }

  // Evenly spread however long the list becomes: every second one goes when there are too many.
  #addToSample(row: Row): void {
    this.#sample.push(row);
    if (this.#sample.length < LARGEST_SAMPLE) return;
    this.#sample = this.#sample.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }
}
