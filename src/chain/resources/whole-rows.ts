import type { FilterValues } from './filter.ts';
import { PackedRowList } from './packed-rows.ts';
import { MAX_PAGE_SIZE } from './page-request.ts';
import type { Resource, Row, RunningTotal } from './resource.ts';
import type { RowList } from './row-list.ts';

/** All loaded rows of a list, over all pages. */
export interface WholeRows {
  readonly list: RowList;
  /** Rows spread over the list, enough to decide how its columns are written. */
  readonly sample: readonly Row[];
  /** The rows that add information to this one, such as other versions of the same record. */
  readonly around: (row: Row) => readonly Row[];
  /** Reads positions in ascending order. */
  readonly reader: () => (position: number) => Row | undefined;
  /** The total of all rows, if a column needs it and the list is too long to add up again; else ''. */
  readonly total: string;
}

const MAX_SAMPLE_ROWS = 200;

/** Collects the rows of a list. A list that fits on a page stays an array; a longer one is packed as JSON. */
export class WholeRowsBuilder {
  readonly #packed = new PackedRowList();
  readonly #relatives: Relatives | undefined;
  readonly #total: RunningTotal | undefined;
  #page: Row[] = [];
  #sample: Row[] = [];
  #stride = 1;

  constructor(resource: Resource, filters: FilterValues) {
    this.#relatives = Relatives.of(resource);
    this.#total = resource.uncached().totalOf?.(filters);
  }

  get length(): number {
    return this.#packed.length;
  }

  /** Of all rows in stored form. */
  get characters(): number {
    return this.#packed.characters;
  }

  /** Average length of a row as JSON; 0 while there is none. */
  get charactersPerRow(): number {
    return this.length === 0 ? 0 : this.#packed.characters / this.length;
  }

  /** Can pause after each row. */
  *add(rows: readonly Row[]): Generator<number, void> {
    for (const row of rows) {
      const position = this.length;
      this.#packed.add(row);
      this.#relatives?.add(row, position);
      this.#total?.add(row);
      if (position < MAX_PAGE_SIZE) this.#page.push(row);
      else this.#page = [];
      if (position % this.#stride === 0) this.#addToSample(row);
      yield position;
    }
  }

  made(): WholeRows {
    const [packed, page, relatives] = [this.#packed, this.#page, this.#relatives];
    packed.end();
    if (packed.length <= MAX_PAGE_SIZE)
      return { list: page, sample: page, around: () => page, reader: () => position => page[position], total: '' };
    return {
      list: packed,
      sample: this.#sample,
      around: row => relatives?.around(row, packed) ?? [row],
      reader: () => packed.reader(),
      total: this.#total?.result() ?? '',
    };
  }

  // Stays evenly spread: every second row is dropped when there are too many.
  #addToSample(row: Row): void {
    this.#sample.push(row);
    if (this.#sample.length < MAX_SAMPLE_ROWS) return;
    this.#sample = this.#sample.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }
}

const BUCKETS = 2 ** 18;
const MASK = BUCKETS - 1;

/** Results cached before starting over. */
const MAX_CACHED_KEYS = 500;

/** Candidates examined per lookup, so that a list of equal rows is not read from end to end. */
const MAX_CANDIDATES = 500;

/** Finds the related rows of a row in a long list by a hash of their shared key, without storing the key. */
class Relatives {
  readonly #kinOf: (row: Row) => string;
  readonly #last = new Int32Array(BUCKETS).fill(-1);
  readonly #byKey = new Map<string, readonly Row[]>();
  #before = new Int32Array(BUCKETS);
  #hashes = new Int32Array(BUCKETS);

  private constructor(kinOf: (row: Row) => string) {
    this.#kinOf = kinOf;
  }

  /** Undefined for a list without related rows. */
  static of({ kinOf }: Resource): Relatives | undefined {
    return kinOf && new Relatives(kinOf);
  }

  add(row: Row, position: number): void {
    if (position >= this.#before.length) {
      this.#before = grown(this.#before);
      this.#hashes = grown(this.#hashes);
    }
    const hash = hashKey(this.#kinOf(row));
    this.#hashes[position] = hash;
    this.#before[position] = this.#last[hash & MASK] ?? -1;
    this.#last[hash & MASK] = position;
  }

  /** The rows related to this one, in their order; the same array for each related row. */
  around(row: Row, rows: RowList): readonly Row[] {
    const key = this.#kinOf(row);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const positions = this.#positionsOf(hashKey(key));
    // Most rows are unrelated, which the hash is enough to show.
    if (positions.length < 2) return [row];
    const found = positions
      .map(position => rows.at(position))
      .filter(other => other !== undefined && this.#kinOf(other) === key)
      .filter(other => other !== undefined);
    if (this.#byKey.size >= MAX_CACHED_KEYS) this.#byKey.clear();
    this.#byKey.set(key, found);
    return found;
  }

  #positionsOf(hash: number): readonly number[] {
    const positions: number[] = [];
    let left = MAX_CANDIDATES;
    for (
      let position = this.#last[hash & MASK] ?? -1;
      position >= 0 && left > 0;
      position = this.#before[position] ?? -1
    ) {
      left--;
      if (this.#hashes[position] === hash) positions.push(position);
    }
    return positions.reverse();
  }
}

function grown(positions: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(positions.length * 2);
  larger.set(positions);
  return larger;
}

/** FNV-1a. */
function hashKey(key: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash;
}
