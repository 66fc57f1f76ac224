import * as v from 'valibot';
import { isJsonArray, isJsonObject, type Json, jsonText } from '../api/json.ts';

// Field schemas that accept anything a node of any version sends: a missing member and null are empty, a number is its
// digits. They never fail, so one odd row cannot break a page.

/** Text, or a number with every digit; '' if missing. */
export const text = v.optional(
  v.pipe(
    v.unknown(),
    v.transform(value => jsonText(asJson(value))),
  ),
  '',
);

/** Any value, untouched. */
export const json = v.optional(v.pipe(v.unknown(), v.transform(asJson)), null);

/** A list of such items; anything else is []. */
export const listOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(value => asArray(value)),
      v.array(item),
    ),
    [],
  );

/** An object with the given members; anything else is an object without them. */
export const object = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(value => asObject(value)),
      v.object(entries),
    ),
    {},
  );

/** A member whose presence identifies the variant. */
export const variant = <const Item extends v.GenericSchema>(item: Item) => v.optional(v.nullable(item), null);

// The record was parsed from JSON, and missing members already have their default.
function asJson(value: unknown): Json {
  return value as Json;
}

function asArray(value: unknown): readonly Json[] {
  const given = asJson(value);
  return isJsonArray(given) ? given : [];
}

function asObject(value: unknown): object {
  const given = asJson(value);
  return isJsonObject(given) ? given : {};
}
