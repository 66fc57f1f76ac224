import type { Column } from '../../resources/resource.ts';
import { nearest } from '../../text/nearest.ts';

/** Which of the words a misspelt one was meant to be, as a question. */
export function askIfMeant(typed: string, words: readonly string[]): string | undefined {
  const word = nearest(typed, words);
  return word === undefined ? undefined : `did you mean ${word}?`;
}

/** Said of a column that a list has not; a prompt has one line for it. */
export function noSuchColumn(columns: readonly Column[], name: string): string {
  const ids = columns.map(({ id }) => id);
  return `no column "${name}": ${askIfMeant(name, ids) ?? `there are ${ids.join(', ')}`}`;
}
