/** `a, b and c`. */
export const joinWithAnd = (words: readonly string[]): string => joinWith('and', words);

/** `a, b or c`. */
export const joinWithOr = (words: readonly string[]): string => joinWith('or', words);

const joinWith = (conjunction: string, words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(part => part !== '').join(` ${conjunction} `);
