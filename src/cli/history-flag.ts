import { historyRoot, historyRootProblem, temporaryHistoryRoot } from '../history/store/history-root.ts';
import type { Connection, Context, Target } from './context.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const HISTORY_FLAG: Flag = {
  name: 'history',
  kind: 'text',
  group: 'History on disk',
  value: 'DIR',
  about:
    'the folder with the histories of all chains (the setting history, else blockglass/history in the data folder)',
  isDestination: true,
};

/** The folder with the histories of all chains: of the flag, the profile of the node, the settings, or the environment. */
export async function chosenHistoryRoot(
  given: ParsedFlags,
  { env, settings }: Pick<Context, 'env' | 'settings'>,
  node?: Pick<Target, 'history'>,
): Promise<string> {
  const named = given.text('history');
  if (named?.trim() === '') throw new UsageError('--history is empty. Give a folder, or leave --history out.');
  const root = historyRoot(env, named ?? node?.history ?? (await settings()).history);
  if (root === null) throw new UsageError('no home folder for the history. Set HOME, or use --history DIR.');
  const problem = historyRootProblem(root);
  if (problem !== undefined) throw new UsageError(`${problem}. Choose another folder with --history DIR.`);
  return root;
}

/** The same for this node. The embedded node has a new chain each time, so its history ends with the process. */
export async function historyRootFor(
  given: ParsedFlags,
  context: Pick<Context, 'env' | 'settings'>,
  node: Pick<Connection, 'history' | 'isEmbedded'>,
): Promise<string> {
  return node.isEmbedded && !given.has('history') ? temporaryHistoryRoot() : chosenHistoryRoot(given, context, node);
}
