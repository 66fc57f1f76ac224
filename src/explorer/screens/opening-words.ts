import type { OpeningVerb } from '../core/screen.ts';
import { EARNED_VERB } from './earned/verb.ts';
import { EXPORT_VERBS } from './export/verbs.ts';
import { NODE_VERB, NODES_VERB } from './nodes/verbs.ts';
import { STATEMENT_VERB } from './statement/verb.ts';

/** Words that the command line always takes, and that open a screen. */
export const OPENING_WORDS: { readonly [word: string]: OpeningVerb } = {
  earned: EARNED_VERB,
  ...EXPORT_VERBS,
  node: NODE_VERB,
  statement: STATEMENT_VERB,
  status: NODES_VERB,
};
