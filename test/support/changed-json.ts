import fc from 'fast-check';
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from '../../src/chain/api/json.ts';
import { anyText } from './any-text.ts';
import { jsonText } from './json-texts.ts';

const DEEPEST = parseJson(`${'['.repeat(1000)}${']'.repeat(1000)}`);

/** What a node may send in any place. */
export const anyJson: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: anyText, weight: 12 },
  { arbitrary: jsonText.map(parseJson), weight: 6 },
  { arbitrary: fc.array(anyText, { maxLength: 3 }), weight: 2 },
  { arbitrary: fc.constantFrom(null, true, false, 0, -1, 1e308, [], {}, [null], [[]], [{}], DEEPEST), weight: 6 },
);

/** The names of the members that lead to a place. */
export type Way = readonly string[];

/** The way to every place in a value, but for the value itself. */
export const waysIn = (value: Json): readonly Way[] =>
  membersOf(value).flatMap(([name, item]) => [[name], ...waysIn(item).map(way => [name, ...way])]);

const membersOf = (value: Json): readonly (readonly [string, Json])[] =>
  isJsonArray(value) || isJsonObject(value) ? Object.entries(value) : [];

/** The value with something else in one place; as it is where there is no such place (any more). */
export function withAt(value: JsonObject, way: Way, put: Json): JsonObject {
  const changed = replaced(value, way, put);
  return isJsonObject(changed) ? changed : value;
}

function replaced(value: Json | undefined, [name, ...rest]: Way, put: Json): Json {
  if (name === undefined) return put;
  if (isJsonArray(value)) return value.map((item, at) => (String(at) === name ? replaced(item, rest, put) : item));
  return isJsonObject(value) ? { ...value, [name]: replaced(value[name], rest, put) } : (value ?? null);
}

/** The value with something else in a few places. */
export const changed = (value: JsonObject): fc.Arbitrary<JsonObject> =>
  fc
    .array(fc.tuple(fc.constantFrom<Way[]>([], ...waysIn(value)), anyJson), { maxLength: 4 })
    .map(changes => changes.reduce((made, [way, put]) => withAt(made, way, put), value));
