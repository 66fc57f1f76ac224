/**
 * The word a misspelt one probably means: the only one that begins with it, else the one with the fewest typing errors (a
 * letter added, missing or wrong, or two swapped), else the first that begins with it. Ignores case.
 */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  if (word === '' || word.length > LONGEST) return undefined;
  const begun = word.length < LEAST_BEGINNING ? [] : words.filter(one => one.toLowerCase().startsWith(word));
  const [only, ...others] = begun;
  if (only !== undefined && others.length === 0) return only;
  let best: { readonly word: string; readonly slips: number } | undefined;
  for (const one of words) {
    const most = Math.max(1, Math.floor(Math.max(word.length, one.length) / SLIPS_PER_LETTERS));
    // A one-letter word is one error away from every other.
    if (one.length > LONGEST || Math.abs(one.length - word.length) > most || Math.min(one.length, word.length) < 2)
      continue;
    const slips = slipsBetween(word, one.toLowerCase());
    if (slips <= most && (best === undefined || slips < best.slips)) best = { word: one, slips };
  }
  return best?.word ?? only;
}

/** What follows an unknown word: `; did you mean "list"?`, or nothing. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const word = nearest(typed, words);
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

const LONGEST = 64;
const LEAST_BEGINNING = 2;
const SLIPS_PER_LETTERS = 3;

/** The number of typing errors between two words (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;

/** A question for the word that a misspelt one was meant to be; undefined if none is near. */
export function askIfMeant(typed: string, words: readonly string[]): string | undefined {
  const word = nearest(typed, words);
  return word === undefined ? undefined : `did you mean ${word}?`;
}
