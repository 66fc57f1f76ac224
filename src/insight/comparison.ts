import { compareDecimals, compareText, plainDecimal, scaled } from './decimal.ts';
import { readDuration } from './duration.ts';
import { type Kind, lookOf } from './kind.ts';
import { stretchOfTime } from './stretch-of-time.ts';

/** Where a value lies of what it is compared with: below it, on it, above it; undefined where it cannot be compared. */
export type WhereItLies = -1 | 0 | 1 | undefined;

/** What values of a column are compared with. */
export interface Comparison {
  readonly placeOf: (value: string) => WhereItLies;
  /** What a value that cannot be compared is not: `a number`. */
  readonly noun: string;
  /** The unit that a value has to be in; '' for any. */
  readonly unit: string;
  /** Whether values come one after the other, are the same or not, or both. */
  readonly tells: 'order' | 'sameness' | 'both';
}

/** The comparison that a text stands for in a column of this kind; undefined when it stands for none. */
export function comparisonWith(kind: Kind, wanted: string, nowMs: number): Comparison | undefined {
  const text = wanted.trim();
  if (typeof kind !== 'string') return byWord(kind, text);
  switch (kind) {
    case 'integer':
    case 'count':
    case 'ordinal':
      return byNumber(numberIn(text), plainDecimal);
    case 'amount':
      return byAmount(text);
    case 'factor':
      return byNumber(partIn(text), plainDecimal);
    case 'share':
      return byNumber(numberIn(text.replace(/\s*%$/, '')), plainDecimal);
    case 'seconds':
      return bySeconds(text);
    case 'time':
      return byTime(text, nowMs, value => (/^-?\d{1,20}$/.test(value) && value !== '0' ? BigInt(value) : undefined));
    case 'unix-time':
      return byTime(text, nowMs, value => (/^\d{1,11}$/.test(value) ? BigInt(value) * SECOND : undefined));
    case 'quantity':
    case 'json':
      return byMeasure(text);
    case 'boolean':
    case 'id':
    case 'address':
    case 'argument':
      return { ...byText(text), tells: 'sameness' };
    case 'text':
    case 'name':
      return byText(text);
  }
}

/** What can be written behind the name of a column of this kind. */
export function exampleOf(kind: Kind): string {
  if (typeof kind !== 'string') return `=${Object.keys(kind.tones)[0] ?? 'ACTIVE'}`;
  return EXAMPLES[kind];
}

const EXAMPLES: { readonly [kind in Extract<Kind, string>]: string } = {
  integer: '>10',
  count: '>10',
  ordinal: '>=41',
  amount: '>1000.5',
  factor: '>0.1%',
  share: '>=12.5',
  seconds: '>1h',
  time: '>2026-11-01',
  'unix-time': '>2026-11-01',
  quantity: '>24h',
  json: '>24h',
  boolean: '=true',
  id: '=8a2f01be',
  address: '=0x9aed158a',
  argument: '~word',
  text: '~word',
  name: '~word',
};

const SECOND = 1_000_000_000n;

/** `1 905 000.5` and `1_905_000.5` are as good as without. */
const numberIn = (text: string): string | undefined =>
  text.length > LONGEST ? undefined : plainDecimal(text.replace(/(?<=\d)[ _](?=\d)/g, ''));

// Of what is longer nobody compares the digits.
const LONGEST = 400;

/** A part of one, or what percent it is. */
function partIn(text: string): string | undefined {
  const percents = /^(.*?)\s*%$/.exec(text)?.[1];
  if (percents === undefined) return numberIn(text);
  const number = numberIn(percents);
  return number === undefined ? undefined : plainDecimal(`${number}e-2`);
}

function byNumber(
  wanted: string | undefined,
  read: (value: string) => string | undefined,
  noun = 'a number',
): Comparison | undefined {
  if (wanted === undefined) return undefined;
  return { placeOf: value => placeOf(read(value), wanted), noun, unit: '', tells: 'both' };
}

const placeOf = (value: string | undefined, wanted: string): WhereItLies =>
  value === undefined ? undefined : sign(compareDecimals(value, wanted));

const sign = (order: number): -1 | 0 | 1 => (order < 0 ? -1 : order > 0 ? 1 : 0);

/** Digits, and the symbol of the unit that they are meant in. */
function byAmount(text: string): Comparison | undefined {
  const [, digits = '', unit = ''] = AMOUNT.exec(text) ?? [];
  const comparison = byNumber(numberIn(digits), plainDecimal, 'an amount in a unit that is known');
  return comparison && { ...comparison, unit };
}

const AMOUNT = /^([-+]?[\d .e_]*\d)\s*([^\d\s.,_].*)?$/su;

function bySeconds(text: string): Comparison | undefined {
  const ns = readDuration(text, 'typed');
  return byNumber(ns === undefined ? numberIn(text) : scaled(String(ns), 9), plainDecimal, 'a number of seconds');
}

/** By the calendar, as digits of the node's, or by its age: what is older has more of it. */
function byTime(text: string, nowMs: number, read: (value: string) => bigint | undefined): Comparison | undefined {
  const stretch = /^\d{16,20}$/.test(text) ? { fromNs: BigInt(text), untilNs: BigInt(text) + 1n } : stretchOfTime(text);
  const noun = 'a time';
  if (stretch !== undefined) {
    const place = (ns: bigint): WhereItLies => (ns < stretch.fromNs ? -1 : ns < stretch.untilNs ? 0 : 1);
    return { placeOf: value => ifRead(read(value), place), noun, unit: '', tells: 'both' };
  }
  const age = readDuration(text.replace(/\s+ago$/, ''), 'typed');
  if (age === undefined) return undefined;
  const then = BigInt(Math.floor(nowMs)) * 1_000_000n - age;
  const place = (ns: bigint): WhereItLies => (ns > then ? -1 : ns < then ? 1 : 0);
  return { placeOf: value => ifRead(read(value), place), noun, unit: '', tells: 'order' };
}

const ifRead = (value: bigint | undefined, place: (value: bigint) => WhereItLies): WhereItLies =>
  value === undefined ? undefined : place(value);

/** Values of one column that are numbers of different things: lengths of time with each other, numbers in their unit. */
function byMeasure(text: string): Comparison | undefined {
  const ns = readDuration(text, 'typed');
  if (ns !== undefined) {
    const place = (value: bigint): WhereItLies => (value < ns ? -1 : value > ns ? 1 : 0);
    return {
      placeOf: value => ifRead(readDuration(value, 'typed'), place),
      noun: 'a duration',
      unit: '',
      tells: 'both',
    };
  }
  const wanted = measureIn(text);
  if (wanted === undefined) return { ...byText(text), tells: 'sameness' };
  const place = (value: string): WhereItLies => {
    const measure = readDuration(value, 'typed') === undefined ? measureIn(value) : undefined;
    const isAlike = measure !== undefined && (wanted.unit === '' || measure.unit === wanted.unit);
    return isAlike ? placeOf(measure.number, wanted.number) : undefined;
  };
  const noun = wanted.unit === '' ? 'a number' : `a number of ${wanted.unit}`;
  return { placeOf: place, noun, unit: '', tells: 'both' };
}

function measureIn(text: string): { readonly number: string; readonly unit: string } | undefined {
  const [, digits = '', unit = ''] = text.length > LONGEST ? [] : (AMOUNT.exec(text.trim()) ?? []);
  const number = numberIn(digits);
  return number === undefined ? undefined : { number, unit };
}

// An id and a word are the same in either case.
const byText = (text: string): Comparison => {
  const wanted = text.toLowerCase();
  return { placeOf: value => sign(compareText(value.toLowerCase(), wanted)), noun: 'a text', unit: '', tells: 'both' };
};

function byWord(kind: Exclude<Kind, string>, text: string): Comparison {
  const wordOf = (value: string): string => lookOf(kind).short(value.toUpperCase(), 0);
  const wanted = wordOf(text);
  const place = (value: string): WhereItLies => sign(compareText(wordOf(value), wanted));
  return { placeOf: place, noun: 'a word', unit: '', tells: 'sameness' };
}
