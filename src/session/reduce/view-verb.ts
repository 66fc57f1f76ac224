import { placeNamed } from '../../export/range/named-range.ts';
import type { Verb } from './verb.ts';

/** `:view FILE`, of an export that lies on the disk. */
export const VIEW_VERB: Verb = {
  help: ['view FILE', 'look at an export on the disk: ZIP, folder of slices, Parquet'],
  read: (_, words) => {
    const isEvenIncomplete = words[0] === EVEN_INCOMPLETE;
    const path = words.slice(isEvenIncomplete ? 1 : 0).join(' ');
    if (path === '') return { problem: 'view what? a ZIP file, a folder of slices or of Parquet' };
    const files = { paths: [path], isEvenIncomplete, question: null };
    return { actions: [{ type: 'in-viewer', choice: { kind: 'open', files } }] };
  },
  complete: (_, words) => (words.length === 1 ? [EVEN_INCOMPLETE] : []),
};

const EVEN_INCOMPLETE = '--even-incomplete';

/** `:range e20..e25`, of an answer that is looked at. */
export const RANGE_VERB: Verb = {
  help: ['range FIRST..LAST', 'the answer for another range: e20..e25, dates, all, asked'],
  read: ({ viewer }, words) => {
    const text = words.join(' ').trim();
    if ((viewer?.asked.question ?? null) === null) return { problem: 'no answer is open: a on an export asks it' };
    const [from = '', to = from, ...others] = text.split('..').map(end => end.trim());
    const isRange = others.length === 0 && [from, to].every(end => placeNamed(end) !== undefined);
    if (text !== 'all' && text !== 'asked' && !isRange)
      return { problem: 'which range? e20..e25, 2026-10-01..2026-10-31, all, or asked' };
    const range = text === 'asked' ? '' : text === 'all' ? 'all' : `${from}..${to}`;
    return { actions: [{ type: 'in-viewer', choice: { kind: 'ask-again', range } }] };
  },
  complete: (_, words) => (words.length === 1 ? ['all', 'asked'] : []),
};
