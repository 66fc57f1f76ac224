import { oneLine } from '../text/safe-text.ts';

/** What a text can be by its form alone. */
export type PastedForm =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'cursor'; readonly content: string; readonly bytes: string }
  | { readonly kind: 'name' };

export interface Pasted {
  /** As it is looked for: trimmed, without quotes and without what no terminal shows. */
  readonly value: string;
  readonly form: PastedForm;
  /** What its form says, in sentences. */
  readonly says: readonly string[];
}

/** Nothing that a node names is longer; a cursor has a few hundred characters. */
export const LONGEST_VALUE = 4096;

/** Reads what somebody pasted, whatever it is. */
export function readPasted(text: string): Pasted {
  const value = unquoted(oneLine(text.slice(0, LONGEST_VALUE)).trim());
  const form = formOf(value);
  return { value, form, says: saysOf(value, form) };
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
  const digits = /^0*(\d{1,40})$/.exec(value.replaceAll(/(?<=\d)[ _\u2009\u202f](?=\d{3}(?!\d))/g, ''))?.[1];
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
  return Number.isNaN(timeMs) || !isThere ? undefined : timeMs;
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
      return [`a time: ${new Date(form.timeMs).toISOString()}, in Unix nanoseconds ${form.timeMs}000000`];
    case 'cursor':
      return form.content === ''
        ? [`base64 of 32 bytes: 0x${form.bytes}`]
        : [`base64 of: ${form.content}`, ...cursorLists(form.content)];
    case 'name':
      return value === '' ? ['nothing'] : ['a name'];
  }
}

const UNITS = [
  ['seconds', 9, 10, 1000n, 1n],
  ['milliseconds', 12, 13, 1n, 1n],
  ['nanoseconds', 18, 19, 1n, 1_000_000n],
] as const;

function unixTimes(digits: string): readonly string[] {
  return UNITS.flatMap(([unit, least, most, times, by]) =>
    digits.length < least || digits.length > most
      ? []
      : [`Unix time in ${unit}: ${new Date(Number((BigInt(digits) * times) / by)).toISOString()}`],
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
