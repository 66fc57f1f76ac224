import { hideLogin } from '../api/login.ts';
import { oneLine } from '../text/safe-text.ts';

/** What a text can be by its form alone. */
export type PastedForm =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'cursor'; readonly content: string; readonly bytes: string }
  | { readonly kind: 'name' }
  /** Longer than anything that has a name; nothing is asked about it. */
  | { readonly kind: 'too-long' };

export interface Pasted {
  /** As it is looked for: trimmed, without quotes and without what no terminal shows. */
  readonly value: string;
  readonly form: PastedForm;
  /** What its form says, in sentences. */
  readonly says: readonly string[];
}

/** A cursor has a few hundred characters. A field cuts what is pasted at 4,096: it must be seen here that it was longer. */
export const LONGEST_VALUE = 4000;
const LONGEST_SHOWN = 40;

/** Reads what somebody pasted, whatever it is. */
export function readPasted(text: string): Pasted {
  if (text.trim().length > LONGEST_VALUE) return tooLong(text.trim());
  // The address of a node may have a password in it.
  const value = hideLogin(unquoted(oneLine(text).trim()));
  const form = formOf(value);
  return { value, form, says: saysOf(value, form) };
}

function tooLong(text: string): Pasted {
  const begin = oneLine(text.slice(0, LONGEST_SHOWN).toWellFormed()).replace(/:\/\/.*/, '://');
  return {
    value: `${begin}\u2026`,
    form: { kind: 'too-long' },
    says: [`more than ${LONGEST_VALUE} characters: too long to be looked for`],
  };
}

/** Whether it looks like something to be asked about, and not like a word mistyped. */
export const isWorthAsking = ({ value, form }: Pasted): boolean =>
  form.kind !== 'name' || /[./:_0-9]/.test(value) || /\p{Lu}.*\p{Lu}/u.test(value);

function unquoted(text: string): string {
  const inner = /^([\x22\x27\x60])(.*)\1,?$/.exec(text)?.[2] ?? /^<(.*)>$/.exec(text)?.[1];
  return inner === undefined || inner.trim() === '' ? text : unquoted(inner.trim());
}

function formOf(value: string): PastedForm {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(value)?.[1];
  if (hex !== undefined) return { kind: 'id', id: hex.toLowerCase() };
  const address = /^(?:0x)?([0-9a-f]{40})$/i.exec(value)?.[1];
  if (address !== undefined && !/^\d+$/.test(value)) return { kind: 'address', address: `0x${address.toLowerCase()}` };
  // A nonce has up to 256 bits.
  const digits = /^0*(\d{1,78})$/.exec(value.replaceAll(/(?<=\d)[ _\u2009\u202f](?=\d{3}(?!\d))/g, ''))?.[1];
  if (digits !== undefined) return { kind: 'number', digits };
  const timeMs = timeOf(value);
  if (timeMs !== undefined) return { kind: 'time', timeMs };
  return cursorOf(value) ?? { kind: 'name' };
}

// A form of the calendar that needs no guessing; without a zone it is UTC, as everything of a node.
function timeOf(value: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/.exec(
    value,
  );
  if (match === null) return undefined;
  const [, day = '', minute = '00:00', seconds = ':00', zone = 'Z'] = match;
  const timeMs = Date.parse(`${day}T${minute}${seconds.slice(0, 7)}${zone === 'UTC' ? 'Z' : zone}`);
  const isThere = new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day);
  if (Number.isNaN(timeMs) || !isThere) return undefined;
  return /^\d{4}-/.test(new Date(timeMs).toISOString()) ? timeMs : undefined;
}

function cursorOf(value: string): PastedForm | undefined {
  if (value.length < 8 || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64');
  // Words are base64 too: what they would stand for is no text.
  const content = bytes.toString('utf8');
  if (/^[\x20-\x7e]+$/.test(content)) return { kind: 'cursor', content, bytes: bytes.toString('hex') };
  return bytes.length === 32 ? { kind: 'cursor', content: '', bytes: bytes.toString('hex') } : undefined;
}

function saysOf(value: string, form: PastedForm): readonly string[] {
  switch (form.kind) {
    case 'id':
      return [
        '64 hex digits: an id, a public key, or the hash of a transaction or block',
        'a transaction cannot be looked up by its hash at a data node: that takes a block explorer',
      ];
    case 'address':
      return ['40 hex digits: an Ethereum address'];
    case 'number':
      return ['a number', ...unixTimes(form.digits)];
    case 'time':
      return [timeSays(value, form.timeMs)];
    case 'cursor':
      return form.content === ''
        ? [`base64 of 32 bytes: 0x${form.bytes}`]
        : [`base64 of: ${form.content}`, ...cursorLists(form.content)];
    case 'name':
      return value === '' ? ['nothing'] : ['taken for a name'];
    case 'too-long':
      return [];
  }
}

function timeSays(value: string, timeMs: number): string {
  const belowMs = (/\.(\d+)/.exec(value)?.[1] ?? '').padEnd(9, '0').slice(3);
  const ns = BigInt(timeMs) * NS_PER_MS + BigInt(belowMs);
  return `a time: ${isoTime(ns)}, in Unix nanoseconds ${ns}`;
}

const NS_PER_MS = 1_000_000n;

/** To the millisecond, and further where there is anything. */
function isoTime(ns: bigint): string {
  const belowMs = ((ns % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  const digits = String(belowMs).padStart(6, '0').replace(/0+$/, '');
  return new Date(Number((ns - belowMs) / NS_PER_MS)).toISOString().replace('Z', `${digits}Z`);
}

const UNITS = [
  ['seconds', 9, 10, 1_000_000_000n],
  ['milliseconds', 12, 13, NS_PER_MS],
  ['nanoseconds', 18, 19, 1n],
] as const;

function unixTimes(digits: string): readonly string[] {
  return UNITS.flatMap(([unit, least, most, ns]) =>
    digits.length < least || digits.length > most ? [] : [`Unix time in ${unit}: ${isoTime(BigInt(digits) * ns)}`],
  );
}

/** The lists whose cursors have such a content (node-behaviour.md section 3.3). */
function cursorLists(content: string): readonly string[] {
  const has = (...names: readonly string[]) =>
    names.every(name => content.includes(`"${name}":`)) && content.startsWith('{');
  if (has('Epoch', 'MarketID')) return ['cursors of paid fees look so; no deployed node takes one'];
  if (has('vega_time', 'id')) return ['cursors of signer bundles look so'];
  if (has('vegaTime', 'id')) return ['cursors of provisions, oracle specs and markets look so'];
  if (has('id')) return ['cursors of assets and validators look so'];
  return /^[a-z][\w.]+\.[\w.]+$/i.test(content) ? ['cursors of network parameters look so'] : [];
}
