import { dirname } from 'node:path';
import { safeLine } from '../base/text/safe-text.ts';
import { shownAddress } from '../chain/api/request.ts';
import {
  type ChainHistory,
  chooseHistory,
  findNamedFolder,
  lastFetched,
  listHistories,
} from '../history/store/chain-history.ts';
import { readChainFlag } from './chain-flag.ts';
import { type Context, chooseTarget, type Target } from './context.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { chosenHistoryRoot, HISTORY_FLAG } from './history-flag.ts';
import { UsageError } from './usage-error.ts';

/** Which history on disk is asked. */
export const HISTORY_FLAGS: readonly Flag[] = [
  {
    name: 'chain',
    kind: 'text',
    group: 'History on disk',
    value: 'ID',
    about: 'the history of this chain, where several were fetched',
  },
  HISTORY_FLAG,
];

interface CommandLine {
  readonly given: ParsedFlags;
  readonly context: Pick<Context, 'env' | 'settings' | 'stderr'>;
}

/**
 * The history on disk that the command line names: of a chain, of a node, else the only one. No node is contacted. Throws
 * UsageError if there is none.
 */
export async function findHistory({ given, context }: CommandLine): Promise<ChainHistory> {
  const { chosen, missingError } = await lookForHistory({ given, context });
  if (chosen !== undefined) return chosen;
  throw await missingError();
}

/** As findHistory, to delete it: where several histories have its chain id, it has to be named by its folder. */
export async function findOnlyHistory({ given, context }: CommandLine): Promise<ChainHistory> {
  const history = await findHistory({ given, context });
  const histories = await listHistories(dirname(history.folder));
  const same = histories.filter(({ chainId }) => chainId === history.chainId);
  if (same.length < 2 || findNamedFolder(histories, readChainFlag(given)) !== undefined) return history;
  throw severalHistoriesError(same);
}

/** As findHistory; without one, what to tell the user. */
export async function lookForHistory({ given, context }: CommandLine) {
  const target = await chooseTarget(given, context);
  const chain = readChainFlag(given);
  const { chosen, histories } = await chooseStored({ given, context }, { chain, target });
  const missingError = async (): Promise<UsageError> => {
    const { gatherExports, isExport } = await import('../answers/index.ts');
    const here = await gatherExports(['.']).catch(() => undefined);
    const hasExports = here?.found.some(isExport) === true;
    const node = isNodeNamed({ given, context }) ? target : undefined;
    return noHistoryError(histories, { chain, node, hasExports });
  };
  return { chosen, missingError, isNodeKnown: target.isUnnamed !== true };
}

interface Choice {
  readonly chain: string | undefined;
  readonly target: Target;
}

async function chooseStored({ given, context }: CommandLine, { chain, target }: Choice) {
  // Each start of the embedded node is another chain, whose history ended with it.
  const isGone = target.kind === 'demo' && target.isUnnamed !== true && !given.has('history');
  if (isGone) return { chosen: undefined, histories: [] };
  const root = await chosenHistoryRoot(given, context, target);
  const histories = await listHistories(root, problem => void context.stderr.safe(safeLine(`note: ${problem}`)));
  const chosen =
    chooseHistory(histories, { chain, node: namedAddress(target) }) ??
    // A node of the settings need not be meant where there is only one history.
    (isNodeNamed({ given, context }) ? undefined : chooseHistory(histories, { chain }));
  return { chosen, histories };
}

const isNodeNamed = ({ given, context }: CommandLine): boolean =>
  given.has('node') || (context.env.BLOCKGLASS_NODE ?? '') !== '';

const namedAddress = ({ kind, address, isUnnamed }: Target): string | undefined =>
  kind === 'demo' || isUnnamed ? undefined : shownAddress(new URL(address));

interface NamedHistory {
  readonly chain: string | undefined;
  readonly node: Target | undefined;
  /** The current folder has exports. */
  readonly hasExports: boolean;
}

function noHistoryError(histories: readonly ChainHistory[], { chain, node, hasExports }: NamedHistory): UsageError {
  const chains = [...new Set(histories.map(({ chainId }) => chainId))];
  const files = hasExports
    ? 'This folder has exports. To use them, add . at the end of the command.'
    : 'To use exports, pass a file or a folder; . is the current folder.';
  const fitting = histories.filter(({ chainId }) => chain === undefined || chainId === chain);
  if (fitting.length > 1 && (chain !== undefined || node === undefined)) {
    if (new Set(fitting.map(({ chainId }) => chainId)).size < fitting.length)
      return severalHistoriesError(fitting, [files]);
    return new UsageError(`the history of ${histories.length} chains is on disk: ${chains.join(', ')}`, [
      'Choose one: --chain ID.',
      files,
    ]);
  }
  const address = node && namedAddress(node);
  const of = chain !== undefined ? ` of chain ${chain}` : address !== undefined ? ` of ${address}` : '';
  const there = chains.length === 0 ? [] : [`There is history of ${chains.join(', ')}: --chain ID.`];
  return new UsageError(`no history${of} on disk`, [...there, 'Fetch it first: blockglass fetch --node URL.', files]);
}

/** Histories that only their folders tell apart: a chain that was started again keeps its id. */
function severalHistoriesError(histories: readonly ChainHistory[], hints: readonly string[] = []): UsageError {
  const ids = [...new Set(histories.map(({ chainId }) => chainId))];
  const lines = histories.map(history => {
    const started = history.genesisTime === null ? '' : `started ${history.genesisTime}, `;
    return `--chain ${history.folder}   (${started}fetched ${lastFetched(history).slice(0, 19)})`;
  });
  const of = ids.length === 1 ? `${histories.length} histories of ${ids[0]}` : `${histories.length} histories`;
  return new UsageError(`${of} are on disk. Choose one`, [...lines, ...hints]);
}
