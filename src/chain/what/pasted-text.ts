import { readTypedAddress, readTypedId } from '../../base/text/ids.ts';
import { normaliseTypedLine } from '../../base/text/safe-text.ts';
import { isoTime, readTime } from '../../base/text/time.ts';
import { hideLogin } from '../api/login.ts';

/** The possible meanings of a text, judged only by its form. */
export type PastedForm =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'time'; readonly timeNs: bigint }
  | { readonly kind: 'cursor'; readonly content: string; readonly bytes: string }
  | { readonly kind: 'name' }
  /** Longer than any name; no request is sent. */
  | { readonly kind: 'too-long' };

export interface Pasted {
  /** The value to look up: trimmed, without quotes and invisible characters. */
  readonly value: string;
  readonly form: PastedForm;
  /** What its form shows, in sentences. */
  readonly formNotes: readonly string[];
}

/** A cursor has a few hundred characters. Must be below 4,096, where a field cuts pasted text, to notice longer text. */
const MAX_VALUE_LENGTH = 4000;
const MAX_SHOWN_LENGTH = 40;

/** Reads pasted text, whatever it is. */
export function readPasted(text: string): Pasted {
  if (text.trim().length > MAX_VALUE_LENGTH) return tooLong(text.trim());
  // A node address may contain a password.
  const value = hideLogin(unquoted(normaliseTypedLine(text).trim()));
  const form = detectForm(value);
  return { value, form, formNotes: describeForm(value, form) };
}

function tooLong(text: string): Pasted {
  const begin = normaliseTypedLine(text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()).replace(/:\/\/.*/, '://');
  return {
    value: `${begin}\u2026`,
    form: { kind: 'too-long' },
    formNotes: [`more than ${MAX_VALUE_LENGTH} characters: too long to look up`],
  };
}

/** Whether it looks like something to look up, and not like a mistyped word. */
export const isWorthLookingUp = ({ value, form }: Pasted): boolean =>
  form.kind !== 'name' || /[./:_0-9]/.test(value) || /\p{Lu}.*\p{Lu}/u.test(value);

function unquoted(text: string): string {
  const inner = /^([\x22\x27\x60])(.*)\1,?$/.exec(text)?.[2] ?? /^<(.*)>$/.exec(text)?.[1];
  return inner === undefined || inner.trim() === '' ? text : unquoted(inner.trim());
}

function detectForm(value: string): PastedForm {
  const id = readTypedId(value);
  if (id !== undefined) return { kind: 'id', id };
  const address = readTypedAddress(value);
  if (address !== undefined && !/^\d+$/.test(value)) return { kind: 'address', address };
  // A nonce has up to 256 bits.
  const digits = /^0*(\d{1,78})$/.exec(value.replaceAll(/(?<=\d)[ _\u2009\u202f](?=\d{3}(?!\d))/g, ''))?.[1];
  if (digits !== undefined) return { kind: 'number', digits };
  const timeNs = readPastedTime(value);
  if (timeNs !== undefined) return { kind: 'time', timeNs };
  return readCursor(value) ?? { kind: 'name' };
}

// Only unambiguous dates; UTC if without a zone, as everywhere in a node.
function readPastedTime(value: string): bigint | undefined {
  const [, written = value, sign = '+', hours = '00', minutes = '00'] =
    /^(.*:\d\d(?:\.\d+)?) ?([-+])([01]\d|2[0-3]):?([0-5]\d)$/.exec(value) ?? [];
  const time = readTime(written);
  if (time === undefined || time.unit === 'month') return undefined;
  const offsetNs = (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000_000n;
  const ns = sign === '+' ? time.fromNs - offsetNs : time.fromNs + offsetNs;
  return /^\d{4}-/.test(isoTime(ns)) ? ns : undefined;
}

function readCursor(value: string): PastedForm | undefined {
  if (value.length < 8 || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64');
  // Ordinary words are valid base64 too, but do not decode to text.
  const content = bytes.toString('utf8');
  if (/^[\x20-\x7e]+$/.test(content)) return { kind: 'cursor', content, bytes: bytes.toString('hex') };
  return bytes.length === 32 ? { kind: 'cursor', content: '', bytes: bytes.toString('hex') } : undefined;
}

function describeForm(value: string, form: PastedForm): readonly string[] {
  switch (form.kind) {
    case 'id':
      return [
        '64 hex digits: an id, a public key, or the hash of a transaction or block',
        'a data node cannot look up a transaction by its hash; use a block explorer',
        'to find a provision by its id, open the provisions of its market or party and search with /',
      ];
    case 'address':
      return ['40 hex digits: an Ethereum address'];
    case 'number':
      return ['a number', ...unixTimes(form.digits)];
    case 'time':
      return [`a time: ${isoTime(form.timeNs)}, in Unix nanoseconds ${form.timeNs}`];
    case 'cursor':
      return form.content === ''
        ? [`base64 of 32 bytes: 0x${form.bytes}`]
        : [`base64 of: ${form.content}`, ...cursorLists(form.content)];
    case 'name':
      if (value === '') return ['nothing'];
      return [CONTENT_ID.test(value) ? 'an IPFS content id: history segments have one' : 'treated as a name'];
    case 'too-long':
      return [];
  }
}

const CONTENT_ID = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|bafy[a-z2-7]{50,})$/;

const NS_PER_MS = 1_000_000n;

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

/** The lists whose cursors have this content (node-behaviour.md section 3.3). */
function cursorLists(content: string): readonly string[] {
  const has = (...names: readonly string[]) =>
    names.every(name => content.includes(`"${name}":`)) && content.startsWith('{');
  if (has('Epoch', 'MarketID')) return ['looks like a cursor of paid fees; no deployed node accepts one'];
  if (has('vega_time', 'id')) return ['looks like a cursor of signer bundles'];
  if (has('vegaTime', 'id')) return ['looks like a cursor of provisions, oracle specs or markets'];
  if (has('id')) return ['looks like a cursor of assets or validators'];
  return /^[a-z][\w.]+\.[\w.]+$/i.test(content) ? ['looks like a cursor of network parameters'] : [];
}
