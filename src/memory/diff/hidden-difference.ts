/**
 * Two texts that differ where it cannot be seen, quoted, with what differs as code points: `"BTC\u{20}"`. Undefined if a
 * reader sees the difference.
 */
export function hiddenDifference(from: string, to: string): readonly [from: string, to: string] | undefined {
  if (from === to || !looksAlike(from, to)) return undefined;
  const [ones, others] = [[...from], [...to]];
  const start = ones.findIndex((character, index) => character !== others[index]);
  const first = start < 0 ? ones.length : start;
  const isSameLength = ones.length === others.length;
  const isMarked = (index: number, end: number, other: string | undefined, own: string): boolean =>
    isSameLength ? own !== other : index >= first && index < end;
  const end = commonEndLength(ones, others, first);
  const quoted = (own: readonly string[], beside: readonly string[], until: number): string =>
    `"${own.map((character, index) => (isMarked(index, until, beside[index], character) ? escapeNonAscii(character) : character)).join('')}"`;
  return [quoted(ones, others, ones.length - end), quoted(others, ones, others.length - end)];
}

/** Code points that both have at their ends. */
function commonEndLength(ones: readonly string[], others: readonly string[], start: number): number {
  let end = 0;
  while (end < Math.min(ones.length, others.length) - start && ones.at(-1 - end) === others.at(-1 - end)) end++;
  return end;
}

/** A letter of ASCII is readable unchanged. */
const escapeNonAscii = (character: string): string =>
  /^[!-~]$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;

function looksAlike(from: string, to: string): boolean {
  if (skeleton(from) === skeleton(to)) return true;
  const [ones, others] = [[...from.normalize('NFC')], [...to.normalize('NFC')]];
  return ones.length === others.length && ones.every((one, index) => isAlike(one, others[index] ?? ''));
}

/** Without invisible characters, in one normal form and case. */
const skeleton = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Of two scripts: every letter of another script may look like a Latin one. */
function isAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const [isLetter, isOther] = [one, other].map(character => /^\p{L}$/u.test(character));
  return isLetter === true && isOther === true && isLatin(one) !== isLatin(other);
}

const isLatin = (character: string): boolean => /^\p{Script=Latin}$/u.test(character);
