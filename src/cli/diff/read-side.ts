import type { Client } from '../../api/client.ts';
import { shownAddress } from '../../api/request.ts';
import type { Side } from '../../diff/side.ts';
import { momentText } from '../../export/range/named-range.ts';
import { readChain } from '../../record/read-chain.ts';
import type * as store from '../../snapshots/index.ts';
import { safeLine } from '../../text/safe-text.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';

/** One side as it was read, and what it is. */
export interface KnownSide extends Side {
  /** Of a snapshot; null for a node. */
  readonly snapshot: number | null;
  /** The address, without a login. */
  readonly node: string;
  readonly takenMs: number;
  readonly blockHeight: string | null;
  readonly blockTimeNs: string | null;
  readonly genesisTime: string | null;
}

/** A node that limits requests for longer is not waited for. */
const LONGEST_WAIT_MS = 60_000;

interface ReadOptions {
  readonly isWanted: (list: string) => boolean;
  /** Called as soon as the chain is known. What it throws ends the reading. */
  readonly onChain: (chainId: string) => void;
}

/** What a node shows now. Throws NodeError, or the reason of an aborted signal. */
export async function readNode(
  client: Client,
  { isWanted, onChain }: ReadOptions,
  { signal, stderr }: Pick<Context, 'signal' | 'stderr'>,
): Promise<KnownSide> {
  const node = shownAddress(client.base);
  try {
    const reading = await readChain(client, {
      ...{ signal, isWanted, onChain, nowMs: Date.now, longestWaitMs: LONGEST_WAIT_MS },
      onList: list => stderr.progress(`reading ${list} of ${node}`),
      onWait: (ms, why) => {
        stderr.progress('');
        void stderr.safe(safeLine(`note: ${why}: waiting ${Math.max(1, Math.ceil(ms / 1000))} s`));
      },
    });
    signal.throwIfAborted();
    return { ...reading, snapshot: null };
  } finally {
    stderr.progress('');
  }
}

/** All lists of a snapshot. Throws SnapshotError, or UsageError if the snapshot is removed meanwhile. */
export function readSnapshot(opened: store.Snapshots, info: store.SnapshotInfo, isWanted: (list: string) => boolean) {
  const names = opened.lists(info.id).filter(({ list }) => !BY_MARKET_OR_EPOCH.has(list) || isWanted(list));
  const lists = names.flatMap(name => opened.list(info.id, name) ?? []);
  if (lists.length < names.length || opened.withId(info.id) === undefined)
    throw new UsageError(`snapshot ${info.id} was removed while it was read. Choose another one.`);
  const { id, node, takenMs, blockHeight, blockTimeNs, genesisTime } = info;
  return {
    chainId: opened.chainId,
    snapshot: id,
    node,
    takenMs,
    blockHeight,
    blockTimeNs,
    genesisTime,
    lists,
  } satisfies KnownSide;
}

/** The others are needed for names, units and epochs, and are small. */
const BY_MARKET_OR_EPOCH: ReadonlySet<string> = new Set(['provisions', 'providers', 'fees']);

/** `snapshot 12, 2026-10-01 12:00:00 UTC, block 23531` */
export function sideText({ snapshot, node, takenMs, blockHeight }: KnownSide): string {
  const name = snapshot === null ? node : `snapshot ${snapshot}`;
  return `${name}, ${momentText(takenMs)}${blockHeight === null ? '' : `, block ${blockHeight}`}`;
}

/** The members that docs/diff.md names. */
export const sideJson = ({ snapshot, node, chainId, takenMs, blockHeight, lists }: KnownSide) => ({
  snapshot,
  node,
  chainId,
  takenAt: new Date(takenMs).toISOString(),
  blockHeight,
  unread: lists.flatMap(list =>
    list.kind === 'read'
      ? []
      : [{ list: list.list, scope: list.scope, problem: list.kind === 'unread' ? list.problem : 'damaged' }],
  ),
});
