import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson, printJson } from '../api/json.ts';
import type { Row } from './resource.ts';
import type { RowList } from './row-list.ts';

/** A chunk is full with this many rows or characters. */
const CHUNK_ROWS = 64;
const CHUNK_CHARACTERS = 32_768;

/** The bracket before the first row, or the comma before another. */
const BETWEEN = 1;

/** Recently read rows stay the same objects, so that results cached by row survive. */
const MAX_CACHED_ROWS = 2000;

/** Packed rows as JSON in a buffer, which the garbage collector does not scan. */
interface Chunk {
  readonly first: number;
  readonly bytes: Buffer;
  /** Where each row ends, so that rows can be read in any order. */
  readonly ends: Uint32Array;
}

/** Rows of a list too long for objects: packed, and decoded when read. Rows are added at the end. */
export class PackedRowList implements RowList {
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

  /** Of all rows in stored form. */
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

  readonly at = (position: number): Row | undefined => {
    const row = this.uncachedAt(position);
    if (row === undefined) return undefined;
    // The least recently read row goes first.
    this.#read.delete(position);
    this.#read.set(position, row);
    const [oldest] = this.#read.size > MAX_CACHED_ROWS ? this.#read.keys() : [];
    if (oldest !== undefined) this.#read.delete(oldest);
    return row;
  };

  readonly uncachedAt = (position: number): Row | undefined => this.#read.get(position) ?? this.#rowAt(position);

  readonly slice = (from = 0, to = this.#length): readonly Row[] => {
    const rows: Row[] = [];
    for (let position = from; position < Math.min(to, this.#length); position++) {
      const row = this.at(position);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  };

  /** Reads positions in ascending order, without caching. */
  reader(): (position: number) => Row | undefined {
    let number = -1;
    let first = 0;
    let rows: readonly Row[] = [];
    return position => {
      while (position >= first + rows.length) {
        const chunk = this.#chunks[++number];
        if (chunk === undefined) return undefined;
        // Chunks before the position are skipped.
        if (position >= (this.#chunks[number + 1]?.first ?? this.#length)) continue;
        first = chunk.first;
        rows = this.#rowsOf(chunk);
      }
      return rows[position - first];
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

  #rowAt(position: number): Row | undefined {
    const chunk = this.#chunks[this.#chunkOf(position)];
    const index = position - (chunk?.first ?? 0);
    const end = chunk?.ends[index];
    if (chunk === undefined || end === undefined) return undefined;
    const start = BETWEEN + (chunk.ends[index - 1] ?? 0);
    return this.#packer.unpack(parseJson(chunk.bytes.toString('utf8', start, end)));
  }

  /** The last chunk that begins at the position or before; -1 if none. */
  #chunkOf(position: number): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#chunks[middle]?.first ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #rowsOf({ bytes }: Chunk): readonly Row[] {
    const rows = parseJson(bytes.toString());
    return isJsonArray(rows) ? rows.map(row => this.#packer.unpack(row)).filter(row => row !== undefined) : [];
  }
}

/** Distinct texts of one member that are numbered; further ones are written out. */
const MAX_TEXTS_PER_MEMBER = 2000;

/** The same for all members together, and for shapes: a list without repetition is written out. */
const MAX_TEXTS_IN_TOTAL = 100_000;
const MAX_SHAPES = 2000;

/** Objects are written without member names down to this depth. */
const DEEPEST = 2;

/** The member names that objects share. */
interface Shape {
  readonly number: number;
  readonly names: readonly string[];
  /** How many texts of each member are numbered so far. */
  readonly texts: number[];
}

/**
 * Packs rows to a third of their size. Member names are stored once per shape, repeated texts once in a list: an object
 * becomes its shape's number and its values, a text becomes itself or its number, anything else follows NOT_PACKED.
 */
class RowPacker {
  readonly #shapes: Shape[] = [];
  readonly #shapeOf = new Map<string, Shape>();
  readonly #texts: string[] = [];
  readonly #numberOf = new Map<string, number>();
  #last: Shape = { number: -1, names: [], texts: [] };

  pack = (row: Row): Json => this.#packObject(row, 1);

  unpack = (packed: Json): Row | undefined => {
    const row = this.#unpack(packed);
    return isJsonObject(row) ? row : undefined;
  };

  #packObject(object: JsonObject, depth: number): Json {
    const shape = this.#shape(Object.keys(object));
    if (shape === undefined) return [NOT_PACKED, object];
    const packed: Json[] = [shape.number];
    for (const [index, name] of shape.names.entries())
      packed.push(this.#packValue(object[name] ?? null, { shape, index, depth }));
    return packed;
  }

  #packValue(value: Json, { shape, index, depth }: { shape: Shape; index: number; depth: number }): Json {
    if (typeof value === 'string') return this.#packText(value, shape, index);
    if (depth < DEEPEST && isJsonObject(value)) return this.#packObject(value, depth + 1);
    return [NOT_PACKED, value];
  }

  #packText(text: string, { texts }: Shape, index: number): Json {
    const count = texts[index] ?? 0;
    if (count === MAX_TEXTS_PER_MEMBER || this.#texts.length === MAX_TEXTS_IN_TOTAL) return text;
    const known = this.#numberOf.get(text);
    if (known !== undefined) return known;
    texts[index] = count + 1;
    const number = this.#texts.push(text) - 1;
    this.#numberOf.set(text, number);
    return number;
  }

  // Most rows of a list have the shape of the row before.
  #shape(names: readonly string[]): Shape | undefined {
    const { names: last } = this.#last;
    if (last.length === names.length && this.#last.number >= 0 && names.every((name, index) => name === last[index]))
      return this.#last;
    const key = JSON.stringify(names);
    const known = this.#shapeOf.get(key);
    if (known === undefined && this.#shapes.length === MAX_SHAPES) return undefined;
    const shape = known ?? { number: this.#shapes.length, names, texts: names.map(() => 0) };
    if (shape.number === this.#shapes.length) {
      this.#shapes.push(shape);
      this.#shapeOf.set(key, shape);
    }
    this.#last = shape;
    return shape;
  }

  #unpack(packed: Json): Json {
    if (typeof packed === 'string') return packed;
    if (typeof packed === 'number') return this.#texts[packed] ?? '';
    if (!isJsonArray(packed)) return null;
    const [number, ...values] = packed;
    if (number === NOT_PACKED) return values[0] ?? null;
    const names = typeof number === 'number' ? (this.#shapes[number]?.names ?? []) : [];
    return Object.fromEntries(names.map((name, index) => [name, this.#unpack(values[index] ?? null)]));
  }
}

const NOT_PACKED = -1;
