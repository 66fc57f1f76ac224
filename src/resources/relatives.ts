import type { Resource, Row } from './resource.ts';
import type { RowList } from './row-list.ts';

const BUCKETS = 2 ** 18;
const MASK = BUCKETS - 1;

/** Of so many it is kept which rows they are; then anew. */
const MOST_KEYS = 500;

/** Rows that are looked at for one: a list whose rows have all the same in common must not be read from end to end. */
const MOST_LOOKED_AT = 500;

/** The kin of a row among many rows, found without holding what they have in common: by a hash of it, and what lies there is looked at. */
export class Relatives {
  readonly #kinOf: (row: Row) => string;
  readonly #last = new Int32Array(BUCKETS).fill(-1);
  readonly #byKey = new Map<string, readonly Row[]>();
  #before = new Int32Array(BUCKETS);
  #hashes = new Int32Array(BUCKETS);

  private constructor(kinOf: (row: Row) => string) {
    this.#kinOf = kinOf;
  }

  /** Undefined for a list of which no row says anything of another. */
  static of({ kinOf }: Resource): Relatives | undefined {
    return kinOf && new Relatives(kinOf);
  }

  add(row: Row, place: number): void {
    if (place >= this.#before.length) {
      this.#before = grown(this.#before);
      this.#hashes = grown(this.#hashes);
    }
    const hash = hashOf(this.#kinOf(row));
    this.#hashes[place] = hash;
    this.#before[place] = this.#last[hash & MASK] ?? -1;
    this.#last[hash & MASK] = place;
  }

  /** The rows that have it in common with this one, in their order; the same list for each of them. */
  around(row: Row, rows: RowList): readonly Row[] {
    const key = this.#kinOf(row);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const places = this.#placesOf(hashOf(key));
    // Most rows are alone, and nothing has to be read to know it.
    if (places.length < 2) return [row];
    const found = places
      .map(place => rows.at(place))
      .filter(other => other !== undefined && this.#kinOf(other) === key)
      .filter(other => other !== undefined);
    if (this.#byKey.size >= MOST_KEYS) this.#byKey.clear();
    this.#byKey.set(key, found);
    return found;
  }

  #placesOf(hash: number): readonly number[] {
    const places: number[] = [];
    let left = MOST_LOOKED_AT;
    for (let place = this.#last[hash & MASK] ?? -1; place >= 0 && left > 0; place = this.#before[place] ?? -1) {
      left--;
      if (this.#hashes[place] === hash) places.push(place);
    }
    return places.reverse();
  }
}

function grown(places: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(places.length * 2);
  larger.set(places);
  return larger;
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash;
}
