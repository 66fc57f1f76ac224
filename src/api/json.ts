/**
 * A JSON value as the node sent it, to the digit. A number that a JavaScript number cannot hold exactly, or would
 * print otherwise (9007199254740993, 1.0), is a RawNumber; `printJson` gives its digits back.
 */
export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

// The one member of a raw number. No node can know the name, so none can send one that is not a number.
const DIGITS = `digits ${Math.random().toString(36).slice(2)}`;

/** A number as its text. */
export type RawNumber = { readonly [DIGITS]: string };

/** Parses JSON without losing a digit. Throws SyntaxError or RangeError (nested too deeply) on anything else. */
export function parseJson(text: string): Json {
  if (!LONE_NUMBER.test(text) && (!BARE_NUMBER.test(text) || !MAYBE_INEXACT.test(text))) return json(JSON.parse(text));
  // Where long integers are members of objects, as 64-bit fields are, marking them in the text is three times as fast
  // as being called back for every value.
  if (!NOT_ONLY_MEMBERS.test(text)) return json(JSON.parse(text.replace(MEMBER, `":{"${DIGITS}":"$1"}`)));
  return json(JSON.parse(text, keepDigits));
}

/** JSON text of a value, compact unless indented, every number to the digit. */
export function printJson(value: Json, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.includes(DIGITS) ? text.replace(MARKED, '$1') : text;
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

export const isJsonArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isRawNumber = (value: Json | undefined): value is RawNumber =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, DIGITS);

/** A member of an object; undefined when the value is not an object or has no such member of its own. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A value as text: strings as they are, numbers to the digit, null and absence as nothing, the rest as JSON. */
export function jsonText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : printJson(value);
}

// Deployed nodes send 64-bit integers as strings: then no bare number is there and one cheap look is all it costs. A
// match inside a string costs only time.
const BARE_NUMBER = /[:[,]\s*-?\d/;

const LONE_NUMBER = /^\s*-?\d/;

/** A bare number that may not survive: 16 digits or more, a fraction, an exponent, minus zero. */
const MAYBE_INEXACT = /[:[,]\s*(?:-?(?:\d{16}|\d+[.eE])|-0)/;

/** Such a number elsewhere than as a member of an object, or where a quote before a colon may be inside a string. */
const NOT_ONLY_MEMBERS = /[[,]\s*-?\d{16}|[:[,]\s*(?:-?\d+[.eE]|-0)|\\":\s*-?\d{16}|^\s*-?\d/;

const MEMBER = /":\s*(-?\d{16,})(?=[\s,}])/g;

const MARKED = new RegExp(`\\{\\s*"${DIGITS}":\\s*"([^"]*)"\\s*\\}`, 'g');

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
  return { [DIGITS]: context.source };
}

// What JSON.parse returns is JSON; this is the one place that says so to the compiler.
function json(value: unknown): Json {
  return value as Json;
}
