import type { SafeText } from '../../base/text/safe-text.ts';
import { isJsonArray, isJsonObject, type Json, jsonText } from '../api/json.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import { type Kind, kindFormat, longText } from '../insight/kind.ts';
import { sortValue } from './cell.ts';
import { clockColumn, clockText } from './clock-column.ts';
import { exactAmountText } from './line-text.ts';
import type { Column, Resource, Row, RowContext } from './resource.ts';
import { embeddedJson, isScalar } from './tree.ts';

/** The input of a search, in addition to the record. */
interface SearchContext {
  readonly among: RowContext;
  readonly directory: Directory;
  /** When the record arrived. */
  readonly nowMs: number;
  /** What the table shows in a column. */
  readonly cellText: (column: Column) => string;
}

/**
 * All searchable text of a record in lower case: every value, also inside embedded documents, the notes, and every form in
 * which the table or the inspector shows a value.
 */
export function searchableText(resource: Resource, row: Row, place: SearchContext): string {
  const { among, directory, nowMs, cellText } = place;
  const notes = resource.sections.flatMap(section => section.notes?.(row, among) ?? []);
  const cells = resource.columns.flatMap(column => {
    const raw = column.value(row);
    const onClock = clockColumn(column) === column ? '' : clockText(column, raw);
    const long = longText(column.kind, raw, nowMs);
    return [raw, cellText(column), sortValue(column, row, { directory, among }), long, onClock];
  });
  const about = resource.about?.(row) ?? '';
  return [
    ...allValues(row),
    ...notes,
    ...cells,
    about,
    ...memberTexts(resource, row, place),
    ...entityNames(resource, row, directory),
  ]
    .join('\n')
    .toLowerCase();
}

// Members without a column have a kind too: a time can also be found by its date.
function memberTexts(
  { kinds, units = {} }: Resource,
  row: Row,
  { nowMs, directory }: Pick<SearchContext, 'nowMs' | 'directory'>,
): readonly SafeText[] {
  const amounts = Object.entries(units).flatMap(([path, unit]) => {
    const counted = unit(row);
    return counted === undefined
      ? []
      : scalarsAt(row, path.split('.')).map(raw => exactAmountText(raw, counted, directory));
  });
  const others = wordedPaths(kinds).flatMap(({ path, kind }) =>
    scalarsAt(row, path).map(text => longText(kind, text, nowMs)),
  );
  return [...amounts, ...others];
}

interface WordedPath {
  readonly path: readonly string[];
  readonly kind: Kind;
}

/** The members that are shown differently from how they are sent. */
const wordedPaths = (kinds: Resource['kinds']): readonly WordedPath[] =>
  Object.entries(kinds)
    .filter(([, kind]) => kindFormat(kind).long !== kindFormat('text').long)
    .map(([path, kind]) => ({ path: path.split('.'), kind }));

// Ids without a column have names too.
const entityNames = ({ entities = {} }: Resource, row: Row, names: Directory): readonly string[] =>
  Object.entries(entities).flatMap(([path, entity]) =>
    scalarsAt(row, path.split('.')).flatMap(id => nameOf(names, entity, id) ?? []),
  );

function scalarsAt(value: Json | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return value !== undefined && isScalar(value) ? [jsonText(value)] : [];
  if (name === '*') return isJsonArray(value) ? value.flatMap(item => scalarsAt(item, rest)) : [];
  return isJsonObject(value) && Object.hasOwn(value, name) ? scalarsAt(value[name], rest) : [];
}

// Uses its own stack, since a node may nest records deeper than the call stack allows.
function allValues(row: Row): readonly string[] {
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
