import { verbsOfScreen } from '../layers.ts';
import type { Verb } from './verb.ts';

/** `:view FILE`, of an export that lies on the disk. */
export const VIEW_VERB: Verb = {
  help: ['view FILE', 'look at an export on the disk: ZIP, folder of slices, Parquet'],
  read: (_, words) => {
    const isEvenIncomplete = words[0] === EVEN_INCOMPLETE;
    const path = words.slice(isEvenIncomplete ? 1 : 0).join(' ');
    if (path === '') return { problem: 'view what? a ZIP file, a folder of slices or of Parquet' };
    return { actions: [{ type: 'open-files', files: { paths: [path], isEvenIncomplete, question: null } }] };
  },
  complete: (_, words) => (words.length === 1 ? [EVEN_INCOMPLETE] : []),
};

const EVEN_INCOMPLETE = '--even-incomplete';

/** `:range e20..e25`, of the answer that is open on the export tab. */
export const RANGE_VERB: Verb = {
  help: ['range FIRST..LAST', 'the answer for another range: e20..e25, dates, all, asked'],
  read: (state, words) => {
    const verb = verbsOfScreen({ ...state, tab: 'export' }).range;
    if (verb === undefined) return { problem: 'no answer is open: a on an export asks it' };
    const outcome = verb.read(state, words);
    if ('problem' in outcome) return outcome;
    return { actions: [{ type: 'go-to-resource', resource: 'export' }, ...outcome.actions] };
  },
  complete: (_, words) => (words.length === 1 ? ['all', 'asked'] : []),
};
