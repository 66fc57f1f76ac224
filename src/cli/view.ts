import { stat } from 'node:fs/promises';
import type { Command } from './command.ts';
import { CONNECTION_FLAGS, type Flag, type ParsedFlags } from './flags.ts';
import { PREFERENCE_FLAGS } from './preference-flags.ts';
import { UsageError } from './usage-error.ts';

/** In addition to those of the explorer. */
export const VIEW_FLAGS: readonly Flag[] = [
  { name: 'even-incomplete', kind: 'switch', about: 'also open an incomplete export; the screen says so' },
];

/** On a terminal, the explorer runs instead of this command. */
export const view: Command = {
  group: 'Read exports',
  form: '<file or folder> [table]',
  about:
    'open an export on disk as a table: to scroll, sort, search and count in a ZIP file, a folder of slices or of Parquet. It contacts no node. Esc ends it, or opens the explorer if you gave a node',
  examples: ['view rewards.zip', 'view rewards.zip rewards'],
  flags: [...VIEW_FLAGS, ...PREFERENCE_FLAGS],
  uses: CONNECTION_FLAGS,
  run: async given => {
    const { path } = readViewWords(given);
    throw new UsageError(`view needs a terminal. Use blockglass query or answer to read ${path} here.`);
  },
};

/** What the explorer opens with. Throws UsageError, or AnswerError if tables cannot be opened here. */
export async function whatToView(given: ParsedFlags) {
  const { path, table } = readViewWords(given);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new UsageError(`there is no file or folder "${path}"`);
  const { selectExports, requireEngine } = await import('../answers/index.ts');
  await selectExports([path]);
  requireEngine();
  const isEvenIncomplete = given.has('even-incomplete');
  const files = { paths: [path], isEvenIncomplete, question: null, ...(table !== undefined && { table }) };
  return { files, isNodeUnasked: !given.has('demo') && !given.has('node') };
}

function readViewWords({ words }: ParsedFlags): { readonly path: string; readonly table: string | undefined } {
  const [path, table, ...others] = words;
  if (path === undefined || path === '')
    throw new UsageError(
      'missing argument <file or folder>: a ZIP file, a folder of slices or of Parquet. Usage: blockglass view <file or folder> [table]',
    );
  if (others.length > 0)
    throw new UsageError(`unexpected argument "${others[0]}". Usage: blockglass view <file or folder> [table]`);
  return { path, table };
}
