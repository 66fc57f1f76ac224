import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { TABLE_SCHEMAS } from '../tables/columns.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { FETCH_FLAG, storedNeeds } from './fetch-first.ts';
import { CONNECTION_FLAGS, type Flag, type ParsedFlags } from './flags.ts';
import { findNeeded, refuseHistoryFlags } from './open-exports.ts';
import { PREFERENCE_FLAGS } from './preference-flags.ts';
import { findHistory, HISTORY_FLAGS } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

/** In addition to those of the explorer. */
export const VIEW_FLAGS: readonly Flag[] = [
  {
    name: 'even-incomplete',
    kind: 'switch',
    group: 'History on disk',
    about: 'also open an incomplete export, marked on the screen',
  },
  FETCH_FLAG,
  ...HISTORY_FLAGS,
];

/** On a terminal, the explorer runs instead of this command. */
export const view: Command = {
  group: 'Read exports',
  form: '[file or folder] [table]',
  about:
    'open the history on disk, or a given export, as tables: to scroll, sort, search and count. It contacts no node without --fetch. Esc ends it, or opens the explorer if you gave a node',
  examples: ['view', 'view rewards.zip rewards'],
  flags: [...VIEW_FLAGS, ...PREFERENCE_FLAGS],
  uses: CONNECTION_FLAGS,
  run: async given => {
    const { path } = readViewWords(given);
    const what = path === undefined ? '' : ` to read ${path}`;
    throw new UsageError(`view needs a terminal. Use blockglass query or answer${what} here.`);
  },
};

/** What the explorer opens with. Throws UsageError, or AnswerError if tables cannot be opened here. */
export async function whatToView(given: ParsedFlags, context: Context) {
  const { path: named, table } = readViewWords(given);
  if (named !== undefined) {
    if (given.has('fetch')) refuseHistoryFlags(given);
    await requireThere(named);
  }
  const path = named ?? (await findViewed(table, { given, context })).folder;
  const { selectExports, requireEngine } = await import('../answers/index.ts');
  await selectExports([path]);
  requireEngine();
  const isEvenIncomplete = given.has('even-incomplete');
  const files = { paths: [path], isEvenIncomplete, question: null, ...(table !== undefined && { table }) };
  return { files, isNodeUnasked: !given.has('demo') && !given.has('node') };
}

async function findViewed(table: string | undefined, line: { given: ParsedFlags; context: Context }) {
  if (!line.given.has('fetch')) return findHistory(line);
  const needs = table === undefined ? await storedNeeds(line) : { tables: [table] };
  return (await findNeeded(needs, line)).history;
}

async function requireThere(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new UsageError(`no file or folder "${path}"`);
}

/** The history, if no path is given; `view rewards` opens its table of that name, unless there is such a file. */
function readViewWords({ words }: ParsedFlags): {
  readonly path: string | undefined;
  readonly table: string | undefined;
} {
  const [first, second, ...others] = words;
  if (others.length > 0)
    throw new UsageError(`unexpected argument "${others[0]}". Usage: blockglass view [file or folder] [table]`);
  const isTable = first !== undefined && second === undefined && TABLE_SCHEMAS.has(first) && !existsSync(first);
  return isTable ? { path: undefined, table: first } : { path: first, table: second };
}
