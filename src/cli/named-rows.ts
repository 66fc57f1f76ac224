import { isNaming } from '../resources/record-key.ts';
import type { Column, Resource, Row } from '../resources/resource.ts';
import { ambiguousKey } from './key-beginning.ts';

/** A record, the rows that it came with, and what has to be said of how it was found. */
interface NamedRow {
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly note: string;
}

/** Records that go by something else than their key, as tables show it: the code of a market, name and address of a validator. */
export class NamedRows {
  readonly #columns: readonly Column[];
  readonly #resource: Resource;
  readonly #name: string;
  readonly #keys = new Set<string>();
  #first: (Omit<NamedRow, 'note'> & { readonly title: string }) | undefined;

  constructor(resource: Resource, name: string) {
    this.#resource = resource;
    this.#name = name;
    this.#columns = resource.columns.filter(isNaming);
  }

  look(row: Row, rows: readonly Row[]): void {
    const wanted = this.#name.toLowerCase();
    const column = this.#columns.find(({ value }) => value(row).toLowerCase() === wanted);
    if (column === undefined) return;
    this.#first ??= { row, rows, title: column.title };
    this.#keys.add(this.#resource.keyOf(row));
  }

  /** Undefined where there is none; throws where there are several. */
  only(scope: string): NamedRow | undefined {
    if (this.#first === undefined) return undefined;
    if (this.#keys.size > 1) throw ambiguousKey(this.#name, scope, [...this.#keys], 'hold');
    const { row, rows, title } = this.#first;
    const { keyOf, singular } = this.#resource;
    return { row, rows, note: `${keyOf(row)} is the only ${singular} ${scope} whose ${title} is ${this.#name}` };
  }
}
