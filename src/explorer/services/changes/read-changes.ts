import { join } from 'node:path';
import type { Client } from '../../../api/client.ts';
import { type ChainSide, snapshotSide } from '../../../diff/chain-side.ts';
import { shownWith } from '../../../diff/change-words.ts';
import { changesBetween } from '../../../diff/changes-between.ts';
import { readChain } from '../../../record/read-chain.ts';
import type { ChangesQuery, FoundChanges, KnownMoment } from './changes.ts';

interface ReadOptions {
  readonly client: Client;
  /** Where the program keeps what it stores; null for nowhere. */
  readonly stateFolder: string | null;
  readonly nowMs: () => number;
  readonly onList: (list: string) => void;
  readonly signal: AbortSignal;
}

/** A node that limits requests for longer is not waited for. */
const LONGEST_WAIT_MS = 60_000;

/** Compares a stored snapshot with what the node shows now. Throws NodeError, SnapshotError, or the reason of an abort. */
export async function readChanges(query: ChangesQuery, options: ReadOptions): Promise<FoundChanges> {
  const stored = await storedSide(query, options.stateFolder);
  if ('why' in stored) return { kind: 'none', why: stored.why };
  const { side, isLater } = stored;
  const { client, nowMs, onList, signal } = options;
  const reading = await readChain(client, {
    ...{ signal, nowMs, onList, longestWaitMs: LONGEST_WAIT_MS },
    onWait: () => {},
    onChain: () => {},
  });
  if (reading.chainId !== query.chainId)
    return { kind: 'none', why: `The node is now of another chain, ${reading.chainId}.` };
  const now: ChainSide = { ...reading, snapshot: null };
  return {
    ...{ kind: 'found', before: momentOf(side), after: momentOf(now), isLater },
    found: changesBetween(side, now, { isAll: query.isAll }),
    shown: shownWith(side, now),
  };
}

const momentOf = ({ snapshot, node, takenMs, blockHeight, blockTimeNs, genesisTime }: ChainSide): KnownMoment => ({
  ...{ snapshot, node, takenMs, blockHeight, blockTimeNs, genesisTime },
});

type Stored = { readonly side: ChainSide; readonly isLater: boolean } | { readonly why: string };

const HOW = 'Store one with blockglass record --once, or let blockglass record run.';

async function storedSide({ chainId, sinceMs }: ChangesQuery, stateFolder: string | null): Promise<Stored> {
  if (stateFolder === null) return { why: 'There is no folder for snapshots. Set HOME or XDG_STATE_HOME.' };
  const { chainFiles, openSnapshots } = await import('../../../snapshots/index.ts');
  const file = chainFiles(join(stateFolder, 'snapshots')).find(one => one.chainId === chainId);
  if (file === undefined) return { why: `There is no snapshot of this chain yet. ${HOW}` };
  const opened = openSnapshots(file.path);
  try {
    const until = opened.at(sinceMs);
    const info = until ?? opened.after(0);
    const side = info === undefined ? undefined : snapshotSide(opened, info);
    if (side === undefined) return { why: `There is no snapshot of this chain yet. ${HOW}` };
    return { side, isLater: until === undefined };
  } finally {
    opened.close();
  }
}
