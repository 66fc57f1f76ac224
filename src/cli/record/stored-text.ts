import { momentText } from '../../base/text/time.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import type { NewSnapshot, SnapshotInfo } from '../../memory/snapshots/index.ts';

/** A snapshot that was just stored. */
export interface StoredSnapshot {
  readonly chainId: string;
  readonly path: string;
  readonly info: SnapshotInfo;
  readonly lists: NewSnapshot['lists'];
  /** Snapshots that were too old and are removed. */
  readonly removed: number;
  /** Blocks that it is behind the snapshot before; null if it is not. */
  readonly behind: bigint | null;
}

/** `snapshot 12 of demo-chain-1, 2026-10-01 12:00:00 UTC, block 23531: 421 records in 41 lists, 3 changed` */
export function storedText({ chainId, info, removed, behind }: StoredSnapshot): string {
  const { id, takenMs, blockHeight, records, listsRead, changed } = info;
  const block = blockHeight === null ? '' : `, block ${blockHeight}`;
  const pruned = removed === 0 ? '' : `, ${countOf(removed, 'old snapshot')} removed`;
  // Every record of the first one is new.
  const isNew =
    id === 1
      ? 'all new'
      : behind === null
        ? `${countText(changed)} changed`
        : `${countOf(behind, 'block')} behind the snapshot before`;
  return `snapshot ${id} of ${chainId}, ${momentText(takenMs)}${block}: ${countOf(records, 'record')} in ${countOf(listsRead, 'list')}, ${isNew}${pruned}`;
}

/** Lists that could not be read, one sentence for each reason. */
export function unreadListsText({ lists }: Pick<StoredSnapshot, 'lists'>): readonly string[] {
  const unread = lists.filter(list => list.kind === 'unread');
  return [...Map.groupBy(unread, ({ problem }) => problem)].map(([problem, same]) => {
    const names = [...new Set(same.map(({ list }) => list))].join(', ');
    return `${countOf(same.length, 'list')} could not be read (${names}): ${problem}`;
  });
}

export const storedJson = ({ chainId, path, info, lists, removed, behind }: StoredSnapshot) => ({
  ...snapshotJson(info),
  chainId,
  file: path,
  unread: lists.flatMap(reading =>
    reading.kind === 'unread' ? [{ list: reading.list, scope: reading.scope, problem: reading.problem }] : [],
  ),
  removed,
  blocksBehind: behind === null ? null : String(behind),
});

/** The members that docs/guides/record.md names. */
export const snapshotJson = (info: SnapshotInfo) => ({
  id: info.id,
  takenAt: new Date(info.takenMs).toISOString(),
  endedAt: new Date(info.endedMs).toISOString(),
  node: info.node,
  blockHeight: info.blockHeight,
  blockTimeNs: info.blockTimeNs,
  genesisTime: info.genesisTime,
  records: info.records,
  changed: info.changed,
  listsRead: info.listsRead,
  listsUnread: info.listsUnread,
});
