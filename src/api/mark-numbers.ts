/**
 * The same JSON with every number that a JavaScript number would round or print otherwise put into an object of one
 * member, its digits as text. Goes from string to string, so that nothing inside one is taken for a number; what is no
 * JSON stays none.
 */
export function markNumbers(text: string, memberName: string): string {
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

/** Where the string that begins here ends; the end of the text when it does not. */
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

/** A number of JSON that is not what its value prints as. */
const isInexact = (digits: string): boolean => NUMBER.test(digits) && String(Number(digits)) !== digits;
