import { join } from 'node:path';
import { withLock } from '../../base/disk/file-lock.ts';
import type { Client } from '../../chain/api/client.ts';
import { shownAddress } from '../../chain/api/request.ts';
import { hasSavedNames, slicesNamesPath } from '../../chain/directory/names-file.ts';
import type { Range } from '../../chain/insight/range.ts';
import { createFolder } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { type ChainRecord, readChainRecord, writeChainRecord } from './chain-file.ts';
import { listHistories } from './chain-history.ts';
import { OtherHistoryError } from './other-history-error.ts';
import type { FetchPlan } from './plan-fetch.ts';
import { conflictText, matchHistory } from './same-history.ts';

/**
 * Opens the folder of the planned history, or makes it. Another program may have made one since: it is compared again. Throws
 * OtherHistoryError or DestinationError.
 */
export async function claimFolder(plan: FetchPlan, client: Client, nowMs: number): Promise<string> {
  const { root, chainId, genesisTime, boundaries } = plan;
  await createFolder(root, 0o700);
  return await withLock(
    join(root, 'chains'),
    async () => {
      const segments = boundaries.kind === 'rule' ? [] : boundaries.segments;
      // Only another program can have made one since, where the plan found none.
      const histories = (await listHistories(root)).filter(
        ({ folder }) => plan.history === undefined || folder === plan.history.folder,
      );
      const match = matchHistory(histories, { chainId, genesisTime, segments });
      if (match.kind === 'conflict') throw new OtherHistoryError(conflictText(match));
      const folder = match.kind === 'found' ? match.history.folder : plan.folder;
      const known = readChainRecord(folder);
      const fresh = {
        format: 1 as const,
        chainId,
        genesisTime,
        sliceSegments: plan.sliceSegments,
        nodes: [],
        blockTimes: [],
        named: null,
      };
      if (match.kind === 'none' && known !== undefined)
        throw new DestinationError(
          `${folder} was created by another program in the meantime: run the same command again`,
        );
      await createFolder(folder);
      const record = { ...(known ?? fresh), genesisTime: known?.genesisTime ?? genesisTime };
      await writeChainRecord(folder, recordNode(record, { address: shownAddress(client.base), nowMs }));
      return folder;
    },
    CLAIM_WAIT_MS,
  );
}

const CLAIM_WAIT_MS = 10_000;

interface RecordedFetch {
  readonly node: FetchedNode;
  readonly blockTimes: ChainRecord['blockTimes'];
  /** The blocks whose names are saved. */
  readonly named: Range | null;
}

/** Notes in the record of a chain what a fetch has learned. */
export const recordFetch = (folder: string, { node, blockTimes, named }: RecordedFetch): Promise<void> =>
  changeChainRecord(folder, record => ({
    ...recordNode(record, node),
    blockTimes: mergeBlockTimes(record.blockTimes, blockTimes),
    named: mergeNamed(record.named, named),
  }));

async function changeChainRecord(folder: string, change: (record: ChainRecord) => ChainRecord): Promise<void> {
  await withLock(
    join(folder, 'chain.json'),
    async () => {
      const record = readChainRecord(folder);
      if (record !== undefined) await writeChainRecord(folder, change(record));
    },
    CLAIM_WAIT_MS,
  );
}

interface FetchedNode {
  readonly address: string;
  /** Undefined when this fetch measured none. */
  readonly rate?: number | null | undefined;
  readonly nowMs: number;
}

/** The newest node is the last one. */
function recordNode(record: ChainRecord, { address, rate, nowMs }: FetchedNode): ChainRecord {
  const before = record.nodes.find(node => node.address === address);
  const node = { address, lastFetched: new Date(nowMs).toISOString(), bytesPerS: rate ?? before?.bytesPerS ?? null };
  return { ...record, nodes: [...record.nodes.filter(other => other.address !== address), node].slice(-MAX_NODES) };
}

const MAX_NODES = 100;

/** Whether the names and epochs of these blocks are saved. */
export const areNamesSaved = (folder: string, range: Range | null): boolean => {
  if (!hasSavedNames(slicesNamesPath(folder))) return false;
  const named = readChainRecord(folder)?.named ?? null;
  return range === null || (named !== null && BigInt(named.from) <= range.from && range.to <= BigInt(named.to));
};

/** Both together where they meet; otherwise the newer one, and the other is fetched again when it is needed. */
function mergeNamed(before: ChainRecord['named'], now: Range | null): ChainRecord['named'] {
  if (now === null) return before;
  const [from, to] = before === null ? [now.from, now.to] : [BigInt(before.from), BigInt(before.to)];
  if (now.from > to + 1n || from > now.to + 1n) return { from: String(now.from), to: String(now.to) };
  return { from: String(from < now.from ? from : now.from), to: String(to > now.to ? to : now.to) };
}

function mergeBlockTimes(before: ChainRecord['blockTimes'], now: ChainRecord['blockTimes']): ChainRecord['blockTimes'] {
  const all = new Map([...before, ...now].map(known => [known.height, known]));
  return [...all.values()]
    .toSorted((one, other) => (BigInt(one.height) < BigInt(other.height) ? -1 : 1))
    .slice(-MAX_TIMES);
}

const MAX_TIMES = 10_000;
