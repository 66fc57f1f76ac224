import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../api/json.ts';
import type { Row } from './resource.ts';

/** So many different texts of a member are written once and numbered; more are written out. */
const MOST_TEXTS = 2000;

/** So many of all members together, and so many shapes: a list of rows none of which is like another is written out. */
const MOST_TEXTS_OF_ALL = 100_000;
const MOST_SHAPES = 2000;

/** Objects in objects, as deep as this, are written without the names of their members. */
const DEEPEST = 2;

/** Members that objects have in common. */
interface Shape {
  readonly number: number;
  readonly names: readonly string[];
  /** How many texts of each member are numbered. */
  readonly texts: number[];
}

/**
 * Writes rows in a third of their size and reads them again: the names of their members stand in a list of shapes, texts
 * that come again in a list of texts. An object is its shape's number and its values; a text is itself or its number;
 * anything else is behind NOT_PACKED.
 */
export class RowPacker {
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
    if (count === MOST_TEXTS || this.#texts.length === MOST_TEXTS_OF_ALL) return text;
    const known = this.#numberOf.get(text);
    if (known !== undefined) return known;
    texts[index] = count + 1;
    const number = this.#texts.push(text) - 1;
    this.#numberOf.set(text, number);
    return number;
  }

  // Rows of a list are alike: most have the shape of the one before.
  #shape(names: readonly string[]): Shape | undefined {
    const { names: last } = this.#last;
    if (last.length === names.length && this.#last.number >= 0 && names.every((name, index) => name === last[index]))
      return this.#last;
    const key = JSON.stringify(names);
    const known = this.#shapeOf.get(key);
    if (known === undefined && this.#shapes.length === MOST_SHAPES) return undefined;
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
