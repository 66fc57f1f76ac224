/**
 * The word a misspelt one probably means: the only one that begins with it, else the one with the fewest typing errors (a
 * letter added, missing or wrong, or two swapped), else the first that begins with it. Ignores case.
 */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  if (word === '' || word.length > MAX_WORD_LENGTH) return undefined;
  const begun = word.length < MIN_PREFIX_LENGTH ? [] : words.filter(one => one.toLowerCase().startsWith(word));
  const [only, ...others] = begun;
  if (only !== undefined && others.length === 0) return only;
  let best: { readonly word: string; readonly slips: number } | undefined;
  for (const one of words) {
    const most = Math.max(1, Math.floor(Math.max(word.length, one.length) / LETTERS_PER_TYPO));
    // A one-letter word is one error away from every other.
    if (
      one.length > MAX_WORD_LENGTH ||
      Math.abs(one.length - word.length) > most ||
      Math.min(one.length, word.length) < 2
    )
      continue;
    const slips = countTypos(word, one.toLowerCase());
    if (slips <= most && (best === undefined || slips < best.slips)) best = { word: one, slips };
  }
  return best?.word ?? only;
}

/** The suffix for an unknown word: `; did you mean "list"?`, or nothing. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const word = nearestWord(typed, words);
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

const MAX_WORD_LENGTH = 64;
const MIN_PREFIX_LENGTH = 2;
const LETTERS_PER_TYPO = 3;

/** The number of typing errors between two words (optimal string alignment). */
export function countTypos(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          cellOrInfinity(last, j) + 1,
          cellOrInfinity(row, j - 1) + 1,
          cellOrInfinity(last, j - 1) + (isSame ? 0 : 1),
          isSwapped ? cellOrInfinity(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return cellOrInfinity(last, b.length);
}

const cellOrInfinity = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;

/** A question for the word that a misspelt one was meant to be; undefined if none is near. */
export function didYouMeanQuestion(typed: string, words: readonly string[]): string | undefined {
  const word = nearestWord(typed, words);
  return word === undefined ? undefined : `did you mean ${word}?`;
}
