import { safeLine } from '../../base/text/safe-text.ts';
import type { Client } from '../../chain/api/client.ts';
import { shownAddress } from '../../chain/api/request.ts';
import { type ChainSide, readSnapshotSide } from '../../memory/diff/chain-side.ts';
import { readChain } from '../../memory/record/read-chain.ts';
import type * as store from '../../memory/snapshots/index.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';

interface ReadOptions {
  readonly isWanted: (list: string) => boolean;
  /** Called as soon as the chain is known. If it throws, the reading ends. */
  readonly onChain: (chainId: string) => void;
}

/** What a node shows now. Throws NodeError, or the reason of an aborted signal. */
export async function readNode(
  client: Client,
  { isWanted, onChain }: ReadOptions,
  { signal, stderr }: Pick<Context, 'signal' | 'stderr'>,
): Promise<ChainSide> {
  const node = shownAddress(client.base);
  try {
    const reading = await readChain(client, {
      ...{ signal, isWanted, onChain, nowMs: Date.now },
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

/** All lists of a snapshot. Throws SnapshotError, or UsageError if the snapshot is removed in the meantime. */
export function readSnapshot(opened: store.Snapshots, info: store.SnapshotInfo, isWanted: (list: string) => boolean) {
  const side = readSnapshotSide(opened, info, isWanted);
  if (side !== undefined) return side;
  throw new UsageError(`snapshot ${info.id} was deleted while it was being read. Choose another one.`);
}

/** The members that docs/guides/diff.md names. */
export const sideJson = ({ snapshot, node, chainId, takenMs, blockHeight, lists }: ChainSide) => ({
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
