import { markNumbers } from './mark-numbers.ts';

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

/**
 * How deeply lists and objects may lie in each other. The deepest record of a node has some ten levels and a Go service
 * refuses to read more than 10,000; at 1,000 whatever walks a value by calling itself has its stack to spare.
 */
export const MOST_LEVELS = 1000;

/** JSON that nests deeper than MOST_LEVELS. */
export class NestingError extends RangeError {
  override readonly name = 'NestingError';

  constructor() {
    super(`lists and objects lie in each other more than ${MOST_LEVELS} levels deep`);
  }
}

/** Parses JSON without losing a digit. Throws SyntaxError, or NestingError when it nests too deeply. */
export function parseJson(text: string): Json {
  const value = json(JSON.parse(LONE_NUMBER.test(text) || MAYBE_INEXACT.test(text) ? markNumbers(text, DIGITS) : text));
  if (isDeeper(value, MOST_LEVELS)) throw new NestingError();
  return value;
}

/** JSON text of a value, compact unless indented, every number to the digit. */
export function printJson(value: Json, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.includes(DIGITS) ? text.replace(MARKED, '$1') : text;
}

/** The same, indented and with a line end, in pieces: the text of a large record would take twice its memory whole. */
export function* indentedJson(value: Json): Generator<string> {
  let piece = '';
  for (const token of indentedTokens(value, '\n')) {
    piece += token;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n`;
}

const PIECE_CHARACTERS = 65_536;

/** More items than this are printed one by one, without looking into each. */
const LONG_LIST = 100;

function* indentedTokens(value: Json, lineEnd: string): Generator<string> {
  const inner = `${lineEnd}  `;
  if (isJsonArray(value) && value.length > 0) {
    for (const [index, item] of value.entries()) {
      yield `${index === 0 ? '[' : ','}${inner}`;
      if (value.length > LONG_LIST) yield printJson(item, 2).replaceAll('\n', inner);
      else yield* indentedTokens(item, inner);
    }
    yield `${lineEnd}]`;
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    let before = '{';
    for (const name in value) {
      const item = value[name];
      if (item === undefined) continue;
      yield `${before}${inner}${JSON.stringify(name)}: `;
      yield* indentedTokens(item, inner);
      before = ',';
    }
    yield before === '{' ? '{}' : `${lineEnd}}`;
  } else yield printJson(value);
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

/**
 * A bare number that may not survive: 16 digits or more, a fraction, an exponent, minus zero. Deployed nodes send 64-bit
 * integers as strings: then there is none, and one look is all it costs. A match inside a string costs only time.
 */
const MAYBE_INEXACT = /[:[,]\s*(?:-?(?:\d{16}|\d+[.eE])|-0)/;

/** A number and nothing else. */
const LONE_NUMBER = /^\s*-?\d/;

const MARKED = new RegExp(`\\{\\s*"${DIGITS}":\\s*"([^"]*)"\\s*\\}`, 'g');

// Every value of every page passes here: `in` is four times as fast as Object.values, and what was parsed inherits
// nothing that it would find.
function isDeeper(value: Json, levels: number): boolean {
  if (isJsonArray(value)) {
    if (levels === 0) return true;
    for (const item of value) if (typeof item === 'object' && item !== null && isDeeper(item, levels - 1)) return true;
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return !isRawNumber(value);
  for (const name in value) {
    const item = value[name];
    if (typeof item === 'object' && item !== null && isDeeper(item, levels - 1)) return true;
  }
  return false;
}

// What JSON.parse returns is JSON; this is the one place that says so to the compiler.
function json(value: unknown): Json {
  return value as Json;
}
