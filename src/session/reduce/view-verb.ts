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
