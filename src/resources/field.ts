import * as v from 'valibot';
import { isJsonArray, isJsonObject, type Json, jsonText } from '../api/json.ts';

// Field schemas that accept whatever a node of any version sends: a missing key and null read as nothing, a number
// as its digits. They never fail, so one odd row cannot take a page away.

/** Text, or a number to the digit; nothing reads as ''. */
export const text = v.optional(
  v.pipe(
    v.unknown(),
    v.transform(value => jsonText(asJson(value))),
  ),
  '',
);

/** Any value, untouched. */
export const json = v.optional(v.pipe(v.unknown(), v.transform(asJson)), null);

/** A list of the given; nothing and anything else reads as []. */
export const listOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(value => asArray(value)),
      v.array(item),
    ),
    [],
  );

/** An object with the given members; nothing and anything else reads as one without them. */
export const object = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(value => asObject(value)),
      v.object(entries),
    ),
    {},
  );

/** A member that tells by its presence which variant this is. */
export const variant = <const Item extends v.GenericSchema>(item: Item) => v.optional(v.nullable(item), null);

// Members of a record, which was parsed from JSON; what is missing has its default by now.
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
