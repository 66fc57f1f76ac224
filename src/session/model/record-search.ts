import { isJsonArray, isJsonObject, type Json, jsonText } from '../../api/json.ts';
import { type Directory, nameOf } from '../../directory/directory.ts';
import { longText, lookOf } from '../../insight/kind.ts';
import { sortValue } from '../../resources/cell.ts';
import { countedText } from '../../resources/line-text.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { embeddedJson, isScalar } from '../../resources/tree.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { amongIn, cellText } from './cell-text.ts';
import { aroundIn } from './inspector.ts';
import type { LoadedPage } from './state.ts';

const searchable = new WeakMap<Row, { readonly names: Directory; readonly text: string }>();

/**
 * Everything of a record that a search looks at, in lower case: every value of every member, those inside documents
 * too, the notes beside them, and whatever is written in another way in the table or in the inspector.
 */
export function searchText(resource: Resource, row: Row, page: LoadedPage, names: Directory): string {
  const known = searchable.get(row);
  if (known?.names === names) return known.text;
  const notes = resource.sections.flatMap(section => section.notes?.(row, aroundIn(page)) ?? []);
  const cells = resource.columns.flatMap(column => {
    const raw = column.value(row);
    return [
      raw,
      cellText(column, row, page, names),
      sortValue(column, row, { directory: names, among: amongIn(page) }),
      longText(column.kind, raw, page.receivedAtMs),
    ];
  });
  const about = resource.about?.(row) ?? '';
  const text = [
    ...valuesOf(row),
    ...notes,
    ...cells,
    about,
    ...linesOf(resource, row, { nowMs: page.receivedAtMs, names }),
    ...namesOf(resource, row, names),
  ]
    .join('\n')
    .toLowerCase();
  searchable.set(row, { names, text });
  return text;
}

// Members that no column shows have a kind too: a time is also its date.
function linesOf({ kinds, units = {} }: Resource, row: Row, { nowMs, names }: Shown): readonly SafeText[] {
  const amounts = Object.entries(units).flatMap(([path, unit]) => {
    const counted = unit(row);
    return counted === undefined ? [] : scalarsAt(row, path.split('.')).map(raw => countedText(raw, counted, names));
  });
  const others = Object.entries(kinds).flatMap(([path, kind]) =>
    lookOf(kind).long === lookOf('text').long
      ? []
      : scalarsAt(row, path.split('.')).map(text => longText(kind, text, nowMs)),
  );
  return [...amounts, ...others];
}

interface Shown {
  readonly nowMs: number;
  readonly names: Directory;
}

// Ids that no column shows have names too.
const namesOf = ({ entities = {} }: Resource, row: Row, names: Directory): readonly string[] =>
  Object.entries(entities).flatMap(([path, entity]) =>
    scalarsAt(row, path.split('.')).flatMap(id => nameOf(names, entity, id) ?? []),
  );

function scalarsAt(value: Json | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return value !== undefined && isScalar(value) ? [jsonText(value)] : [];
  if (name === '*') return isJsonArray(value) ? value.flatMap(item => scalarsAt(item, rest)) : [];
  return isJsonObject(value) && Object.hasOwn(value, name) ? scalarsAt(value[name], rest) : [];
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
