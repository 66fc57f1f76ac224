import type { Client } from '../../../chain/api/client.ts';
import { type ChainSide, readSnapshotSide } from '../../../memory/diff/chain-side.ts';
import { compareSides } from '../../../memory/diff/compare-sides.ts';
import { createDisplayContext } from '../../../memory/diff/describe-change.ts';
import { createDemoSnapshots } from '../../../memory/record/demo-past.ts';
import { type ChainReading, readChain } from '../../../memory/record/read-chain.ts';
import type { Snapshots } from '../../../memory/snapshots/index.ts';
import type { ChangesQuery, FoundChanges, KnownMoment } from './changes.ts';
import { noSnapshots, openStoredChain } from './stored-chain.ts';

interface ReadOptions {
  readonly client: Client;
  /** It is the demo, which has a past without a record. */
  readonly isDemo: boolean;
  /** Folder for the program's stored state; null for none. */
  readonly stateFolder: string | null;
  readonly nowMs: () => number;
  readonly onList: (list: string) => void;
  readonly signal: AbortSignal;
}

/** Compares a stored snapshot with what the node shows now. Throws NodeError, SnapshotError, or the reason of an abort. */
export async function readChanges(query: ChangesQuery, options: ReadOptions): Promise<FoundChanges> {
  if (query.chainId === '')
    return { kind: 'none', why: 'Snapshots need the chain id of the node, and this node does not report one.' };
  const stored = await storedSide(query, options.stateFolder);
  if ('why' in stored && !options.isDemo) return { kind: 'none', why: stored.why };
  const { client, nowMs, onList, signal } = options;
  const reading = await readChain(client, { signal, nowMs, onList });
  if (reading.chainId !== query.chainId)
    return { kind: 'none', why: `The node is now of another chain, ${reading.chainId}.` };
  signal.throwIfAborted();
  const isMissing = 'why' in stored || stored.isLater;
  const known = isMissing && options.isDemo ? await demoSide(query, reading, options) : stored;
  if ('why' in known) return { kind: 'none', why: known.why };
  const { side, isLater } = known;
  const now: ChainSide = { ...reading, snapshot: null };
  return {
    ...{ kind: 'found', before: momentOfSide(side), after: momentOfSide(now), isLater },
    found: compareSides(side, now, { isAll: query.isAll }),
    shown: createDisplayContext(side, now),
  };
}

const momentOfSide = ({ snapshot, node, takenMs, blockHeight, blockTimeNs, genesisTime }: ChainSide): KnownMoment => ({
  ...{ snapshot, node, takenMs, blockHeight, blockTimeNs, genesisTime },
});

type StoredSide = { readonly side: ChainSide; readonly isLater: boolean } | { readonly why: string };

async function demoSide(
  query: ChangesQuery,
  reading: ChainReading,
  { client, signal }: ReadOptions,
): Promise<StoredSide> {
  const opened = await createDemoSnapshots(client, reading, signal);
  try {
    return findStoredSide(opened, query) ?? { why: 'The demo has no past.' };
  } finally {
    opened.close();
  }
}

/** The last snapshot until then, or the first one after. */
function findStoredSide(
  opened: Snapshots,
  { sinceMs }: ChangesQuery,
): Exclude<StoredSide, { readonly why: string }> | undefined {
  const until = opened.at(sinceMs);
  const info = until ?? opened.after(0);
  const side = info === undefined ? undefined : readSnapshotSide(opened, info);
  return side === undefined ? undefined : { side, isLater: until === undefined };
}

async function storedSide(query: ChangesQuery, stateFolder: string | null): Promise<StoredSide> {
  const opened = await openStoredChain(stateFolder, query);
  if ('why' in opened) return opened;
  try {
    const found = findStoredSide(opened, query);
    if (found === undefined) return { why: noSnapshots(query.recordCommand) };
    if (found.side.takenMs === query.nowMs)
      return { why: `Snapshot ${found.side.snapshot} is the oldest: there is nothing older to compare it with.` };
    return found;
  } finally {
    opened.close();
  }
}
