/**
 * A JSON value exactly as the node sent it. A number that JavaScript would round or print differently
 * (9007199254740993, 1.0) is a RawNumber; `printJson` prints its original digits.
 */
export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

// The only member of a RawNumber. The name is random, so that no node can send an object that looks like one.
const DIGITS = `digits ${Math.random().toString(36).slice(2)}`;

/** A number as its text. */
type RawNumber = { readonly [DIGITS]: string };

/**
 * Deepest nesting that is accepted. Records of a node have about ten levels; 1,000 leaves recursive functions enough
 * stack.
 */
const MAX_NESTING_LEVELS = 1000;

/** JSON nested deeper than MAX_NESTING_LEVELS. */
export class NestingError extends RangeError {
  override readonly name = 'NestingError';

  constructor() {
    super(`lists and objects are nested more than ${MAX_NESTING_LEVELS} levels deep`);
  }
}

/** Parses JSON without losing a digit. Throws SyntaxError, or NestingError when it is nested too deeply. */
export function parseJson(text: string): Json {
  const value = json(JSON.parse(LONE_NUMBER.test(text) || MAYBE_INEXACT.test(text) ? markNumbers(text, DIGITS) : text));
  if (isDeeper(value, MAX_NESTING_LEVELS)) throw new NestingError();
  return value;
}

/** Prints a value as JSON, compact unless indented, every number with its original digits. */
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

/** A value as text: strings unchanged, numbers exactly, null and undefined as '', the rest as JSON. */
export function jsonText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : printJson(value);
}

/**
 * Finds a number that JSON.parse may change: 16 digits or more, a fraction, an exponent, minus zero. Most answers have
 * none and need no marking. A match inside a string only costs time.
 */
const MAYBE_INEXACT = /[:[,]\s*(?:-?(?:\d{16}|\d+[.eE])|-0)/;

/** A text that is only a number. */
const LONE_NUMBER = /^\s*-?\d/;

const MARKED = new RegExp(`\\{\\s*"${DIGITS}":\\s*"([^"]*)"\\s*\\}`, 'g');

// This runs on every page. `in` is four times as fast as Object.values, and parsed objects inherit nothing enumerable.
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

// JSON.parse returns JSON; this is the only place that asserts it.
function json(value: unknown): Json {
  return value as Json;
}

/**
 * Wraps every number that JavaScript would round or print differently in an object with its digits as text. It moves from
 * string to string, so that digits inside a string are not changed. Invalid JSON stays invalid.
 */
function markNumbers(text: string, memberName: string): string {
  const hasEscapes = text.includes('\\');
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const opening = text.indexOf('"', at);
    const end = opening < 0 ? text.length : opening;
    while (at < end) {
      if (!isNumberPart(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const from = at;
      while (at < end && isNumberPart(text.charCodeAt(at))) at++;
      const digits = text.slice(from, at);
      if (!isInexact(digits)) continue;
      parts.push(text.slice(copied, from), `{"${memberName}":"${digits}"}`);
      copied = at;
    }
    if (opening < 0) break;
    at = closingQuote(text, opening + 1, hasEscapes) + 1;
  }
  return parts.join('') + text.slice(copied);
}

/** Where the string that starts here ends; the end of the text when it is not closed. */
function closingQuote(text: string, from: number, hasEscapes: boolean): number {
  let at = text.indexOf('"', from);
  while (hasEscapes && at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

/** Whether the quote has an odd number of backslashes before it. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}

const BACKSLASH = 0x5c;

/** A digit, or one of `+ - . E e`. */
const isNumberPart = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e || code === 0x2b || code === 0x45 || code === 0x65;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a JSON number prints differently after parsing. */
const isInexact = (digits: string): boolean => NUMBER.test(digits) && String(Number(digits)) !== digits;
