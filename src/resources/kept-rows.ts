import { isJsonArray, parseJson, printJson } from '../api/json.ts';
import { RowPacker } from './packed-rows.ts';
import type { Row } from './resource.ts';
import type { RowList } from './row-list.ts';

/** A chunk is full with so many rows, or so many characters. */
const CHUNK_ROWS = 64;
const CHUNK_CHARACTERS = 32_768;

/** The bracket before the first row, or the comma before another. */
const BETWEEN = 1;

/** Rows that were looked at last stay the same objects: what was made of them is kept with them. */
const MOST_READ = 2000;

/** Packed rows as JSON, outside of the heap, where nothing has to walk through them. */
interface Chunk {
  readonly first: number;
  readonly bytes: Buffer;
  /** Where each row ends: in an order of their own rows are read alone. */
  readonly ends: Uint32Array;
}

/** Rows of a list too long for objects: they are read where they are looked at. Added at the end. */
export class KeptRows implements RowList {
  readonly #chunks: Chunk[] = [];
  readonly #packer = new RowPacker();
  readonly #read = new Map<number, Row>();
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #length = 0;
  #characters = 0;

  get length(): number {
    return this.#length;
  }

  /** Of all rows as they are kept. */
  get characters(): number {
    return this.#characters;
  }

  add(row: Row): void {
    const text = printJson(this.#packer.pack(row));
    this.#waiting.push(text);
    this.#waitingCharacters += text.length;
    this.#characters += text.length;
    this.#length++;
    if (this.#waiting.length >= CHUNK_ROWS || this.#waitingCharacters >= CHUNK_CHARACTERS) this.#close();
  }

  /** No row follows. */
  end(): void {
    if (this.#waiting.length > 0) this.#close();
  }

  readonly at = (place: number): Row | undefined => {
    const row = this.inPassing(place);
    if (row === undefined) return undefined;
    // The one that was looked at longest ago is the first that goes.
    this.#read.delete(place);
    this.#read.set(place, row);
    const [oldest] = this.#read.size > MOST_READ ? this.#read.keys() : [];
    if (oldest !== undefined) this.#read.delete(oldest);
    return row;
  };

  readonly inPassing = (place: number): Row | undefined => this.#read.get(place) ?? this.#rowAt(place);

  readonly slice = (from = 0, to = this.#length): readonly Row[] => {
    const rows: Row[] = [];
    for (let place = from; place < Math.min(to, this.#length); place++) {
      const row = this.at(place);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  };

  /** Reads places one after the other, upwards, without keeping what was read. */
  reader(): (place: number) => Row | undefined {
    let number = -1;
    let first = 0;
    let rows: readonly Row[] = [];
    return place => {
      while (place >= first + rows.length) {
        const chunk = this.#chunks[++number];
        if (chunk === undefined) return undefined;
        // What lies before the place is passed by unread.
        if (place >= (this.#chunks[number + 1]?.first ?? this.#length)) continue;
        first = chunk.first;
        rows = this.#rowsOf(chunk);
      }
      return rows[place - first];
    };
  }

  #close(): void {
    const bytes = Buffer.from(`[${this.#waiting.join(',')}]`);
    const ends = new Uint32Array(this.#waiting.length);
    let end = 0;
    for (const [index, text] of this.#waiting.entries()) {
      end += BETWEEN + Buffer.byteLength(text);
      ends[index] = end;
    }
    this.#chunks.push({ first: this.#length - this.#waiting.length, bytes, ends });
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  #rowAt(place: number): Row | undefined {
    const chunk = this.#chunks[this.#chunkOf(place)];
    const index = place - (chunk?.first ?? 0);
    const end = chunk?.ends[index];
    if (chunk === undefined || end === undefined) return undefined;
    const start = BETWEEN + (chunk.ends[index - 1] ?? 0);
    return this.#packer.unpack(parseJson(chunk.bytes.toString('utf8', start, end)));
  }

  /** The last chunk that begins at the place or before it; -1 where none does. */
  #chunkOf(place: number): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#chunks[middle]?.first ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #rowsOf({ bytes }: Chunk): readonly Row[] {
    const rows = parseJson(bytes.toString());
    return isJsonArray(rows) ? rows.map(row => this.#packer.unpack(row)).filter(row => row !== undefined) : [];
  }
}
