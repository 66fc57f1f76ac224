import { readdir } from 'node:fs/promises';
import type { Client } from '../../../chain/api/client.ts';
import { shownAddress } from '../../../chain/api/request.ts';
import type { Range } from '../../../chain/insight/range.ts';
import { exportFromFileName } from '../../../history/plan/export-plan.ts';
import {
  type ChainHistory,
  chooseHistory,
  describeHistory,
  listHistories,
  type StoredTable,
  sliceRange,
} from '../../../history/store/chain-history.ts';
import { countSegments, planFetch } from '../../../history/store/plan-fetch.ts';
import { tablesFor } from '../../../history/store/purposes.ts';
import type { FetchEstimate, HistoryOwner, StoredHistory, StoredRows } from './chain-history.ts';
import { parseFetchRange } from './fetch-range.ts';

/** The history on disk for the chain of a node. While the chain is not known: everything fetched from its address. */
export async function readStoredHistory(
  root: string | null,
  { chainId, address }: HistoryOwner,
): Promise<StoredHistory> {
  const { QUESTIONS, isEngineInstalled } = await import('../../../answers/index.ts');
  const offered = {
    hasEngine: isEngineInstalled(),
    questions: QUESTIONS.map(({ name, title, needsParty }) => ({ name, title, needsParty })),
  };
  const problems: string[] = root === null ? [NO_FOLDER] : [];
  const histories = root === null ? [] : await listHistories(root, problem => problems.push(problem));
  const chain = chainId === null || chainId === '' ? undefined : chainId;
  const found = chooseHistory(histories, { chain, node: address === '' ? undefined : address });
  const notes = [...problems, ...(found?.problems ?? []), ...otherChainNotes(histories, { chain, address })];
  if (found === undefined)
    return { folder: null, chainId: chain ?? '', description: '', tables: [], notes, ...offered };
  return {
    folder: found.folder,
    chainId: found.chainId,
    description: describeHistory(found),
    tables: await Promise.all(found.tables.map(storedRows)),
    notes,
    ...offered,
  };
}

const NO_FOLDER = 'there is no folder for histories: set HOME, XDG_DATA_HOME or --history';

async function storedRows({ table, folder, ranges, slices, rows, bytes, finished }: StoredTable): Promise<StoredRows> {
  const damaged = await damagedSlices(folder, ranges);
  return { table, folder, ranges, slices: slices.map(sliceRange), damaged, rows, bytes, finished };
}

/** The blocks of files that were set aside, and were not fetched again since. */
async function damagedSlices(folder: string, stored: readonly Range[]): Promise<readonly Range[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter(name => name.endsWith('.changed'))
    .flatMap(name => {
      const named = exportFromFileName(name);
      return named === undefined ? [] : [{ from: named.fromBlock, to: named.toBlock }];
    })
    .filter(({ from, to }) => stored.every(range => to < range.from || range.to < from));
}

/** The node is on another chain than it was when it was fetched from. */
function otherChainNotes(
  histories: readonly ChainHistory[],
  { chain, address }: { readonly chain: string | undefined; readonly address: string },
): readonly string[] {
  if (chain === undefined || histories.some(({ chainId, nodes }) => chainId === chain && isFrom(nodes, address)))
    return [];
  const others = histories.filter(({ chainId, nodes }) => chainId !== chain && isFrom(nodes, address));
  return others.map(
    ({ chainId }) => `this address served ${chainId} before; that history stays in a folder of its own`,
  );
}

const isFrom = (nodes: ChainHistory['nodes'], address: string): boolean => nodes.some(node => node.address === address);

/** What the node has in the range that is not on disk, for every table. Throws NodeError or DestinationError. */
export async function estimateFetch(
  { root, client, range }: { readonly root: string; readonly client: Client; readonly range: string },
  signal: AbortSignal,
): Promise<FetchEstimate> {
  const plan = await planFetch({ client, root, tables: tablesFor('all'), range: parseFetchRange(range), signal });
  const address = shownAddress(client.base);
  return {
    tables: plan.tables.map(({ table, missing, estimatedBytes }) => ({
      table,
      missingSegments: countSegments(missing),
      bytes: estimatedBytes,
    })),
    naming: plan.naming,
    bytesPerS: plan.history?.nodes.find(node => node.address === address)?.bytesPerS ?? null,
    problem: plan.problem?.text ?? null,
    notes: plan.notes,
  };
}
