import { TABLES, tableNamed } from '../../export/plan/tables.ts';
import { EXPORT_FLAGS, exportNamed } from '../../export/plan/typed-export.ts';
import { RANGE_WORDS } from '../../export/range/named-range.ts';
import type { SessionState } from '../model/state.ts';
import { chosenTable } from '../model/wizard.ts';
import type { Verb } from './verb.ts';

/** An export by its words, up to the review: nothing is exported without its Enter. */
export const EXPORT_VERB: Verb = {
  help: ['export TABLE RANGE', 'to its review: ledger e20..e25; a preset; last-month'],
  read: ({ wizard }, words) => {
    if (words.length === 0) return { actions: [{ type: 'go-to-resource', resource: 'export' }] };
    const named = exportNamed(words.join(' '), wizard.presets ?? {});
    return 'problem' in named ? named : { actions: [{ type: 'fill-export', choice: named }] };
  },
  complete,
};

function complete(state: SessionState, words: readonly string[]): readonly string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (typed.startsWith('--')) return EXPORT_FLAGS.filter(flag => !before.includes(flag));
  const presets = Object.keys(state.wizard.presets ?? {});
  switch (before.at(-1)) {
    case '--table':
      return tablesFirst(state);
    case '--preset':
      return presets;
    case '--range':
      return RANGE_WORDS;
    case '--last':
    case '--from':
    case '--to':
    case '--out':
    case '--slice':
      return [];
  }
  const listed = /^.*,/.exec(typed)?.[0];
  if (listed !== undefined) return moreTables(listed);
  const isOf = (word: string): boolean => presets.includes(word) || word.split(',').some(part => isTable(part));
  if (!before.some(isOf)) return [...presets, ...tablesFirst(state), ...(before.length === 0 ? RANGE_WORDS : [])];
  return before.length === 1 ? [...RANGE_WORDS, `${before.join(' ')} last 3`] : [];
}

const isTable = (word: string): boolean => tableNamed(word) !== undefined;

/** The one that is chosen now first. */
function tablesFirst({ wizard }: SessionState): readonly string[] {
  const chosen = chosenTable(wizard)?.id;
  const ids = TABLES.map(({ id }) => id);
  return chosen === undefined ? ids : [chosen, ...ids.filter(id => id !== chosen)];
}

const moreTables = (listed: string): readonly string[] =>
  TABLES.map(({ id }) => id)
    .filter(id => !listed.split(',').includes(id))
    .map(id => `${listed}${id}`);
