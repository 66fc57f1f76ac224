/**
 * A JSON value as the node sent it, to the digit. A number that a JavaScript number cannot hold exactly, or would
 * print otherwise (9007199254740993, 1.0), is a raw-JSON object; `JSON.stringify` gives its digits back.
 */
export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };
export interface RawNumber {
  readonly rawJSON: string;
}

/** Parses JSON without losing a digit. Throws SyntaxError or RangeError (nested too deeply) on anything else. */
export function parseJson(text: string): Json {
  const value: unknown = MAYBE_INEXACT.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  return json(value);
}

/** Compact JSON text of a value, every number to the digit. */
export const printJson = (value: Json, indent?: number): string => JSON.stringify(value, null, indent);

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

export const isJsonArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isRawNumber = (value: Json | undefined): value is RawNumber => rawJson.isRawJSON(value);

/** A member of an object; undefined when the value is not an object or has no such member of its own. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A value as text: strings as they are, numbers to the digit, null and absence as nothing, the rest as JSON. */
export function jsonText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return isRawNumber(value) ? value.rawJSON : printJson(value);
}

// A bare number that may not survive: 16 digits or more, a fraction, an exponent, or minus zero. A match inside a
// string costs only time.
const MAYBE_INEXACT = /[:[,]\s*(?:-?(?:\d{16}|\d+[.eE])|-0)|^\s*-?\d/;

interface RawJson {
  isRawJSON(value: unknown): value is RawNumber;
  rawJSON(text: string): RawNumber;
}

// Source text access (ES2026, in Node since 21) is not in TypeScript's library yet.
const rawJson: RawJson & JSON = Object.assign(Object.create(JSON), {
  isRawJSON: Reflect.get(JSON, 'isRawJSON'),
  rawJSON: Reflect.get(JSON, 'rawJSON'),
});

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
  return rawJson.rawJSON(context.source);
}

// What JSON.parse returns is JSON; this is the one place that says so to the compiler.
function json(value: unknown): Json {
  return value as Json;
}
