import { secondsInWords } from '../../base/text/duration.ts';
import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { relativeTime, timeAndAge, utcTime } from '../../base/text/time.ts';
import { spellAddress } from './address.ts';
import { compareDecimals, compareText, decimalRank, fitDigits, groupDigits, percent, textRank } from './decimal.ts';
import { decodeBase64Word } from './oracle/abi.ts';

/** The kind of a value. Only this file decides how each kind looks, aligns, sorts and is cut. */
export type Kind = NamedKind | StatusKind;

type NamedKind =
  | 'id'
  | 'address'
  | 'text'
  | 'name'
  | 'integer'
  | 'ordinal'
  | 'amount'
  | 'quantity'
  | 'factor'
  | 'share'
  | 'time'
  | 'unix-time'
  | 'seconds'
  | 'boolean'
  | 'count'
  | 'argument'
  | 'json';

/** Meaning of a cell that may be drawn in a colour in addition to its text. */
export type Tone = 'good' | 'pending' | 'bad' | 'quiet';

/** An enum of the node, shown without its common prefix. */
interface StatusKind extends KindFormat {
  /** `STATUS_` of `STATUS_ACTIVE`. */
  readonly prefix: string;
  readonly tones: { readonly [state: string]: Tone };
}

interface KindFormat extends Order {
  readonly align: 'left' | 'right';
  /** Where a value is cut to fit: in the middle (ids) or at the end. */
  readonly cut: 'middle' | 'end';
  /** Cells needed to recognise a value; 0: the whole value. */
  readonly enough: number;
  /** Short, and never cut to make room for others. */
  readonly isWord?: true;
  /** For a table cell; times are relative to `nowMs`. */
  readonly short: (value: string, nowMs: number) => string;
  /** A number in at most `cells` cells, fewer than its short form: never cut so that it looks like another number. */
  readonly within?: (value: string, cells: number) => string;
  /** The short form with nothing left out, if that is different. */
  readonly whole?: (value: string) => string;
  /** For a line of its own. */
  readonly long: (value: string, nowMs: number) => string;
}

/** How values are sorted; both must agree. */
interface Order {
  readonly compare: (left: string, right: string) => number;
  /** A sort key, computed once per value; `compare` decides the few ties. */
  readonly rank: (value: string) => number;
}

const BY_TEXT: Order = { compare: compareText, rank: textRank };
const BY_NUMBER: Order = { compare: compareDecimals, rank: decimalRank };

const same = (value: string): string => value;
const plain: KindFormat = { align: 'left', cut: 'end', enough: 0, short: same, long: same, ...BY_TEXT };
const number: KindFormat = {
  ...plain,
  align: 'right',
  short: groupDigits,
  within: fitDigits,
  long: groupDigits,
  ...BY_NUMBER,
};

export const KIND_FORMATS = {
  id: { ...plain, cut: 'middle', enough: 10 },
  address: { ...plain, cut: 'middle', enough: 12, short: spellAddress, long: spellAddress },
  text: plain,
  name: { ...plain, cut: 'middle', enough: 24 },
  integer: number,
  // How many there are of something. Only counts and amounts may be added up.
  count: number,
  // A number that identifies something (an epoch, a version, a nonce) is copied and pasted, so its digits stay together.
  ordinal: { ...plain, align: 'right', ...BY_NUMBER },
  amount: { ...number, short: shortAmount, whole: groupDigits },
  // Text of a number with its unit.
  quantity: { ...plain, align: 'right', enough: 16 },
  factor: {
    ...number,
    short: percent,
    within: (value, cells) => `${fitDigits(percent(value).replace(PERCENT, ''), cells - 2)} %`,
    long: value => (percent(value) === value ? value : `${value}  (${percent(value)})`),
  },
  // Already in percent; the row has the two numbers.
  share: {
    ...number,
    short: inPercent,
    within: (value, cells) => `${fitDigits(value, cells - 2)} %`,
    long: inPercent,
  },
  time: {
    ...plain,
    align: 'right',
    short: relativeTime,
    long: (value, nowMs) => (/^0?$/.test(value) ? value : timeAndAge(value, nowMs)),
    ...BY_NUMBER,
  },
  'unix-time': {
    ...plain,
    align: 'right',
    short: (value, nowMs) => (/^\d{1,11}$/.test(value) ? relativeTime(`${value}000000000`, nowMs) : value),
    long: value => (/^\d{9,11}$/.test(value) ? `${value}  (${utcTime(`${value}000000000`)})` : value),
    ...BY_NUMBER,
  },
  seconds: {
    ...plain,
    ...BY_NUMBER,
    align: 'right',
    short: secondsInWords,
    long: value => (/^\d+$/.test(value) ? `${value} s  (${secondsInWords(value)})` : value),
  },
  boolean: { ...plain, isWord: true },
  argument: {
    ...plain,
    long: value => {
      const word = decodeBase64Word(value);
      return word === undefined ? value : `${value}  (${word})`;
    },
  },
  json: { ...plain, short: value => value.replace(/\s+/g, ' ') },
} satisfies { readonly [kind in NamedKind]: KindFormat };

const FORMAT_BY_KIND: { readonly [kind in NamedKind]: KindFormat } = KIND_FORMATS;

export const kindFormat = (kind: Kind): KindFormat => (typeof kind === 'string' ? FORMAT_BY_KIND[kind] : kind);

/** The kind of an enum whose values begin with `prefix`; `tones` and `words` for people by value without the prefix. */
export const statusKind = (
  prefix: string,
  tones: StatusKind['tones'] = {},
  words: ReadonlyMap<string, string> = new Map(),
): Kind => ({
  ...plain,
  isWord: true,
  short: value => {
    const state = value.startsWith(prefix) ? value.slice(prefix.length) : value;
    return words.get(state) ?? state;
  },
  prefix,
  tones,
});

export const shortText = (kind: Kind, value: string, nowMs: number): SafeText =>
  value.length > MAX_CELL_LENGTH
    ? safeText`${sanitize(kindFormat(kind).short(value.slice(0, MAX_CELL_LENGTH), nowMs))}\u2026`
    : sanitize(kindFormat(kind).short(value, nowMs));

/** The short form with every character of the value. */
export function wholeText(kind: Kind, value: string, nowMs: number): SafeText {
  const { short, whole } = kindFormat(kind);
  return sanitize(whole === undefined ? short(value, nowMs) : whole(value));
}

export const longText = (kind: Kind, value: string, nowMs: number): SafeText =>
  sanitize(kindFormat(kind).long(value, nowMs));

export function valueTone(kind: Kind, value: string): Tone | undefined {
  if (typeof kind === 'string') return value === '' ? 'quiet' : undefined;
  const { prefix, tones } = kind;
  const state = value.startsWith(prefix) ? value.slice(prefix.length) : '';
  return Object.hasOwn(tones, state) ? tones[state] : undefined;
}

const PERCENT = / %$/;

function inPercent(value: string): string {
  return /\d/.test(value) ? `${value} %` : value;
}

// No terminal is wider, and a value may have megabytes.
const MAX_CELL_LENGTH = 1024;

// Longer amounts would leave no room for other columns; the inspector has all the digits.
const MAX_AMOUNT_LENGTH = 24;

// Omitted digits are marked, as in every cut cell.
function shortAmount(value: string): string {
  if (/^-[1-9]/.test(value)) return `-${shortAmount(value.slice(1))}`;
  if (value.length <= MAX_AMOUNT_LENGTH || !/^[1-9]\d+$/.test(value)) return groupDigits(value);
  const digits = value.slice(1, 7);
  const isExact = /^0*$/.test(value.slice(7));
  const fraction = isExact ? digits.replace(/0+$/, '') : `${digits}\u2026`;
  return `${value[0]}${fraction === '' ? '' : `.${fraction}`} x 10^${value.length - 1}`;
}
