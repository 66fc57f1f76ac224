import * as v from 'valibot';
import type { JsonObject } from '../api/json.ts';

/** The rows of a page, decoded; the same list for the same page, so that what is made of it can be kept with it. */
export type Decoded<Fields> = readonly Fields[];

/** How rows are decoded. */
export interface Reading<Fields> {
  readonly fieldsOf: (row: JsonObject) => Fields;
  readonly fieldsOfAll: (rows: readonly JsonObject[]) => Decoded<Fields>;
}

/** Rows that are looked at again and again: each is decoded once. */
export function keptReading<Fields>(schema: v.GenericSchema<unknown, Fields>): Reading<Fields> {
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

/** Only the last row and the last rows are remembered: a memory of 200,000 that are looked at once costs more than it saves. */
export function passingReading<Fields>(schema: v.GenericSchema<unknown, Fields>): Reading<Fields> {
  let last: { readonly row: JsonObject; readonly fields: Fields } | undefined;
  const fieldsOf = (row: JsonObject): Fields => {
    if (last?.row !== row) last = { row, fields: v.parse(schema, row) };
    return last.fields;
  };
  let around: { readonly rows: readonly JsonObject[]; readonly all: Decoded<Fields> } | undefined;
  const fieldsOfAll = (rows: readonly JsonObject[]): Decoded<Fields> => {
    if (around?.rows !== rows) around = { rows, all: rows.map(row => v.parse(schema, row)) };
    return around.all;
  };
  return { fieldsOf, fieldsOfAll };
}
