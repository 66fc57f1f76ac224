import { readDuration } from '../../base/text/duration.ts';
import { readTime } from '../../base/text/time.ts';
import { compareDecimals, compareText, plainDecimal, toWholeUnits } from './decimal.ts';
import { type Kind, kindFormat } from './kind.ts';

/** Whether a value is below, equal to or above the wanted one; undefined if it cannot be compared. */
type Ordering = -1 | 0 | 1 | undefined;

/** How values of a column are compared with a wanted one. */
export interface Comparison {
  readonly placeOf: (value: string) => Ordering;
  /** What a value must be to be compared: `a number`. */
  readonly noun: string;
  /** The unit a value must have; '' for any. */
  readonly unit: string;
  /** Whether values can be ordered, tested for equality, or both. */
  readonly supports: 'order' | 'sameness' | 'both';
}

/** How to compare a column of this kind with a text; undefined if the text cannot be compared. */
export function createComparison(kind: Kind, wanted: string, nowMs: number): Comparison | undefined {
  const text = wanted.trim();
  if (typeof kind !== 'string') return byWord(kind, text);
  switch (kind) {
    case 'integer':
    case 'count':
    case 'ordinal':
      return byNumber(readNumber(text), plainDecimal);
    case 'amount':
      return byAmount(text);
    case 'factor':
      return byNumber(readFraction(text), plainDecimal);
    case 'share':
      return byNumber(readNumber(text.replace(/\s*%$/, '')), plainDecimal);
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
      return { ...byText(text), supports: 'sameness' };
    case 'text':
    case 'name':
      return byText(text);
  }
}

/** An example of the text that can follow the name of a column of this kind. */
export function exampleValue(kind: Kind): string {
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

/** Accepts `1 905 000.5` and `1_905_000.5` too. */
const readNumber = (text: string): string | undefined =>
  text.length > MAX_NUMBER_LENGTH ? undefined : plainDecimal(text.replace(/(?<=\d)[ _](?=\d)/g, ''));

// Longer numbers are not worth comparing.
const MAX_NUMBER_LENGTH = 400;

/** A fraction of 1, also written as a percentage. */
function readFraction(text: string): string | undefined {
  const percents = /^(.*?)\s*%$/.exec(text)?.[1];
  if (percents === undefined) return readNumber(text);
  const number = readNumber(percents);
  return number === undefined ? undefined : plainDecimal(`${number}e-2`);
}

function byNumber(
  wanted: string | undefined,
  read: (value: string) => string | undefined,
  noun = 'a number',
): Comparison | undefined {
  if (wanted === undefined) return undefined;
  return { placeOf: value => compareToWanted(read(value), wanted), noun, unit: '', supports: 'both' };
}

const compareToWanted = (value: string | undefined, wanted: string): Ordering =>
  value === undefined ? undefined : sign(compareDecimals(value, wanted));

const sign = (order: number): -1 | 0 | 1 => (order < 0 ? -1 : order > 0 ? 1 : 0);

/** A number, optionally with the symbol of its unit. */
function byAmount(text: string): Comparison | undefined {
  const [, digits = '', unit = ''] = AMOUNT.exec(text) ?? [];
  const comparison = byNumber(readNumber(digits), plainDecimal, 'an amount in a known unit');
  return comparison && { ...comparison, unit };
}

const AMOUNT = /^([-+]?[\d .e_]*\d)\s*([^\d\s.,_].*)?$/su;

function bySeconds(text: string): Comparison | undefined {
  const ns = readDuration(text, 'typed');
  return byNumber(
    ns === undefined ? readNumber(text) : toWholeUnits(String(ns), 9),
    plainDecimal,
    'a number of seconds',
  );
}

/** By date, by the node's nanoseconds, or by age: an older time has a greater age. */
function byTime(text: string, nowMs: number, read: (value: string) => bigint | undefined): Comparison | undefined {
  const range = /^\d{16,20}$/.test(text) ? { fromNs: BigInt(text), untilNs: BigInt(text) + 1n } : readTime(text);
  const noun = 'a time';
  if (range !== undefined) {
    const place = (ns: bigint): Ordering => (ns < range.fromNs ? -1 : ns < range.untilNs ? 0 : 1);
    return { placeOf: value => ifRead(read(value), place), noun, unit: '', supports: 'both' };
  }
  const age = readDuration(text.replace(/\s+ago$/, ''), 'typed');
  if (age === undefined) return undefined;
  const then = BigInt(Math.floor(nowMs)) * 1_000_000n - age;
  const place = (ns: bigint): Ordering => (ns > then ? -1 : ns < then ? 1 : 0);
  return { placeOf: value => ifRead(read(value), place), noun, unit: '', supports: 'order' };
}

const ifRead = (value: bigint | undefined, place: (value: bigint) => Ordering): Ordering =>
  value === undefined ? undefined : place(value);

/** A column may mix quantities: durations are compared with durations, numbers with numbers of the same unit. */
function byMeasure(text: string): Comparison | undefined {
  const ns = readDuration(text, 'typed');
  if (ns !== undefined) {
    const place = (value: bigint): Ordering => (value < ns ? -1 : value > ns ? 1 : 0);
    return {
      placeOf: value => ifRead(readDuration(value, 'typed'), place),
      noun: 'a duration',
      unit: '',
      supports: 'both',
    };
  }
  const wanted = readMeasure(text);
  if (wanted === undefined) return { ...byText(text), supports: 'sameness' };
  const place = (value: string): Ordering => {
    const measure = readDuration(value, 'typed') === undefined ? readMeasure(value) : undefined;
    const isAlike = measure !== undefined && (wanted.unit === '' || measure.unit === wanted.unit);
    return isAlike ? compareToWanted(measure.number, wanted.number) : undefined;
  };
  const noun = wanted.unit === '' ? 'a number' : `a number of ${wanted.unit}`;
  return { placeOf: place, noun, unit: '', supports: 'both' };
}

function readMeasure(text: string): { readonly number: string; readonly unit: string } | undefined {
  const [, digits = '', unit = ''] = text.length > MAX_NUMBER_LENGTH ? [] : (AMOUNT.exec(text.trim()) ?? []);
  const number = readNumber(digits);
  return number === undefined ? undefined : { number, unit };
}

// Ids and words match in either case.
const byText = (text: string): Comparison => {
  const wanted = text.toLowerCase();
  return {
    placeOf: value => sign(compareText(value.toLowerCase(), wanted)),
    noun: 'a text',
    unit: '',
    supports: 'both',
  };
};

function byWord(kind: Exclude<Kind, string>, text: string): Comparison {
  const wordOf = (value: string): string => kindFormat(kind).short(value.toUpperCase(), 0);
  const wanted = wordOf(text);
  const place = (value: string): Ordering => sign(compareText(wordOf(value), wanted));
  return { placeOf: place, noun: 'a word', unit: '', supports: 'sameness' };
}
