declare const safe: unique symbol;

/** Text that may be written to a terminal: `sanitize` or `line` made it, nothing else can. */
export type SafeText = string & { readonly [safe]: true };

/**
 * Makes text from outside harmless and visible: control characters, line ends, escape introducers, bidi and
 * zero-width characters and lone surrogates become a mark each; printable text in any script stays as it is.
 */
export function sanitize(text: string): SafeText {
  if (PLAIN.test(text)) return trusted(text);
  return trusted(
    text
      .replace(PRESENTATION_SELECTOR, '')
      .replace(HIDDEN, mark)
      .replace(STACKED, '$1\ufffd')
      .replace(ORPHAN, '\u25cc$1'),
  );
}

/** A template whose literal part is the program's own and whose values are already safe. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  return trusted(String.raw({ raw: literals }, ...values));
}

/** A part of safe text, by UTF-16 position; half a surrogate pair is never left. */
export function sliceSafe(text: SafeText, from: number, to?: number): SafeText {
  return trusted(text.slice(from, to).toWellFormed());
}

export const repeatSafe = (text: SafeText, times: number): SafeText => trusted(text.repeat(Math.max(0, times)));

export const EMPTY: SafeText = trusted('');

/** What a person typed or pasted into a one-line field, without what such a field cannot hold. */
export const oneLine = (typed: string): string =>
  typed
    .replace(/[\r\n\t]+/g, ' ')
    .replace(HIDDEN, '')
    .trimStart();

const PLAIN = /^[\x20-\x7e]*$/;

// Text or emoji style of the character before: terminals disagree on the width, the base character says enough.
const PRESENTATION_SELECTOR = /(?<=[^\x00-\x7f])[\ufe0e\ufe0f]/g;

const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

// Four marks on a letter occur in real languages; more only smear over the neighbouring rows.
const STACKED = /(\p{M}{4})\p{M}+/gu;

// A combining mark with nothing before it would be drawn onto the cell to its left.
const ORPHAN = /^(\p{M})/u;

function mark(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

function trusted(text: string): SafeText {
  return text as SafeText;
}
