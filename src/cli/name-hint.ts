import { shellWord } from '../text/shell-word.ts';

/** Where a name stands in the place of an id: what looks for the id. Tables show names, and flags and keys are ids. */
export const nameHint = (typed: string): readonly string[] =>
  typed === '' || /^(?:0x)?[0-9a-f]+$/i.test(typed)
    ? []
    : [`an id is wanted: blockglass what ${shellWord(typed)} looks for the one behind a name`];
