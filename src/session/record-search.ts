import { isJsonArray, isJsonObject, type Json, jsonText } from '../api/json.ts';
import { longText, shortText } from '../insight/kind.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { embeddedJson } from '../resources/tree.ts';
import { aroundIn } from './inspector.ts';
import type { LoadedPage } from './state.ts';

const searchable = new WeakMap<Row, string>();

/**
 * Everything of a record that a search looks at, in lower case: every value of every member, those inside documents
 * too, the notes beside them, and each column as it is written in the table and in a line of its own.
 */
export function searchText(resource: Resource, row: Row, page: LoadedPage): string {
  const known = searchable.get(row);
  if (known !== undefined) return known;
  const notes = resource.sections.flatMap(section => section.notes?.(row, aroundIn(page)) ?? []);
  const cells = resource.columns.flatMap(({ kind, value }) => {
    const raw = value(row);
    return [raw, shortText(kind, raw, page.receivedAtMs), longText(kind, raw, page.receivedAtMs)];
  });
  const text = [...valuesOf(row), ...notes, ...cells].join('\n').toLowerCase();
  searchable.set(row, text);
  return text;
}

// With a stack of its own: a node may nest records deeper than calls can go.
function valuesOf(row: Row): readonly string[] {
  const values: string[] = [];
  const left: Json[] = [row];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (isJsonArray(value)) for (const item of value) left.push(item);
    else if (isJsonObject(value)) for (const item of Object.values(value)) left.push(item);
    else {
      const text = jsonText(value);
      values.push(value === null ? 'null' : text);
      const document = typeof value === 'string' ? embeddedJson(value) : undefined;
      if (document !== undefined) left.push(document);
    }
  }
  return values;
}
