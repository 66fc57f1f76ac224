import * as v from 'valibot';
import type { JsonObject } from '../api/json.ts';

/** The decoded rows of a page; the same array for the same page, so that results can be cached by it. */
export type Decoded<Fields> = readonly Fields[];

/** How rows are decoded. */
export interface Reading<Fields> {
  readonly fieldsOf: (row: JsonObject) => Fields;
  readonly fieldsOfAll: (rows: readonly JsonObject[]) => Decoded<Fields>;
}

/** For rows that are read repeatedly: each is decoded once. */
export function cachedReading<Fields>(schema: v.GenericSchema<unknown, Fields>): Reading<Fields> {
  const decoded = new WeakMap<JsonObject, Fields>();
  const fieldsOf = (row: JsonObject): Fields => {
    const known = decoded.get(row);
    if (known !== undefined) return known;
    const fields = v.parse(schema, row);
    decoded.set(row, fields);
    return fields;
  };
  const decodedRows = new WeakMap<readonly JsonObject[], Decoded<Fields>>();
  const fieldsOfAll = (rows: readonly JsonObject[]): Decoded<Fields> => {
    const all = decodedRows.get(rows) ?? rows.map(fieldsOf);
    decodedRows.set(rows, all);
    return all;
  };
  return { fieldsOf, fieldsOfAll };
}

/** For rows that are read once: only the last row and the last page are cached, since caching 200,000 rows costs more than it saves. */
export function uncachedReading<Fields>(schema: v.GenericSchema<unknown, Fields>): Reading<Fields> {
  let last: { readonly row: JsonObject; readonly fields: Fields } | undefined;
  const fieldsOf = (row: JsonObject): Fields => {
    if (last?.row !== row) last = { row, fields: v.parse(schema, row) };
    return last.fields;
  };
  let page: { readonly rows: readonly JsonObject[]; readonly all: Decoded<Fields> } | undefined;
  const fieldsOfAll = (rows: readonly JsonObject[]): Decoded<Fields> => {
    if (page?.rows !== rows) page = { rows, all: rows.map(row => v.parse(schema, row)) };
    return page.all;
  };
  return { fieldsOf, fieldsOfAll };
}
