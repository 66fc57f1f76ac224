declare const safe: unique symbol;

/** Text that is safe to write to a terminal; only this file creates it. */
export type SafeText = string & { readonly [safe]: true };

/**
 * Makes outside text harmless and visible: each control character, line end, escape introducer, bidi or zero-width
 * character and lone surrogate becomes a mark; printable text in any script is not changed.
 */
export function sanitize(text: string): SafeText {
  if (PLAIN.test(text)) return markAsSafe(text);
  return markAsSafe(
    text
      .replace(PRESENTATION_SELECTOR, '')
      .replace(HIDDEN, mark)
      .replace(STACKED, '$1\ufffd')
      .replace(ORPHAN, '\u25cc$&'),
  );
}

/** A template of the program's own text and values that are already safe. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  // By hand: String.raw, which does the same, takes four times as long, and every text on the screen comes through here.
  let text = literals[0] ?? '';
  for (let index = 0; index < values.length; index++) text += `${values[index]}${literals[index + 1]}`;
  return markAsSafe(text);
}

/** A line of sanitised text, with a line end. */
export const safeLine = (text: string): SafeText => safeText`${sanitize(text)}\n`;

/** Several lines of the program's own text; each is sanitised all the same. */
export const safeLines = (text: string): SafeText => joinSafe(text.split('\n').map(sanitize), safeText`\n`);

/**
 * JSON text of the same value, without control sequences and invisible characters. Line ends
 * stay: inside strings JSON has them escaped already.
 */
export const safeJson = (json: string): SafeText => markAsSafe(json.replace(HIDDEN_IN_JSON, escapeCharacters));

export const joinSafe = (parts: readonly SafeText[], separator: SafeText = EMPTY): SafeText =>
  markAsSafe(parts.join(separator));

/** A part of safe text by UTF-16 position; never leaves half a surrogate pair. */
export function sliceSafe(text: SafeText, from: number, to?: number): SafeText {
  return markAsSafe(text.slice(from, to).toWellFormed());
}

export const repeatSafe = (text: SafeText, times: number): SafeText => markAsSafe(text.repeat(Math.max(0, times)));

export const trimEndSafe = (text: SafeText): SafeText => markAsSafe(text.trimEnd());

export const EMPTY: SafeText = markAsSafe('');

/** Typed or pasted text without what a one-line field cannot hold. */
export const normaliseTypedLine = (typed: string): string =>
  typed
    .replace(/[\r\n\t]+/g, ' ')
    .replace(HIDDEN, '')
    .trimStart();

const PLAIN = /^[\x20-\x7e]*$/;

// Selects text or emoji style: terminals disagree on the width, and the base character is enough.
const PRESENTATION_SELECTOR = /(?<=[^\x00-\x7f])[\ufe0e\ufe0f]|[\ufe0e\ufe0f](?=\u20e3)/g;

// All characters that Unicode calls Other (controls, format characters, half surrogate pairs, private use, noncharacters,
// and unassigned ones without a known width), characters not drawn by default, and line ends.
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

// The same, and marks that would be drawn over the quote before them or over neighbouring rows.
const HIDDEN_IN_JSON = /[^\P{C}\n]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?<=")\p{M}|(?<=\p{M}{4})\p{M}/gu;

// Real languages use up to four marks on a letter; more would be drawn over neighbouring rows.
const STACKED = /(\p{M}{4})\p{M}+/gu;

// A combining mark with nothing before it would be drawn onto the cell to its left, as would a vowel or a final of Hangul
// behind anything else.
const ORPHAN = /^\p{M}|(?<![\u25cc\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb])[\u1160-\u11ff\ud7b0-\ud7fb]/gu;

function mark(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

const escapeCharacters = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

function markAsSafe(text: string): SafeText {
  return text as SafeText;
}
