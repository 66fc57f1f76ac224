import type { Entity } from '../directory/entity.ts';
import { shellWord } from '../text/shell-word.ts';

/** How to find the id behind a name, for what has names: parties have none, but the user's own. */
export const nameHint = (typed: string, entity?: Entity): readonly string[] =>
  typed === '' || entity === 'party' || /^(?:0x)?[0-9a-f]+$/i.test(typed)
    ? []
    : [`to find an ID by its name: blockglass what ${shellWord(typed)}`];
