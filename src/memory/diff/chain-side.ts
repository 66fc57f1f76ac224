import { momentText } from '../../base/text/time.ts';
import type { SnapshotHeader, SnapshotInfo, Snapshots } from '../snapshots/index.ts';
import type { Side } from './side.ts';

/** A side as read, with its origin. */
export interface ChainSide extends Side, Omit<SnapshotHeader, 'endedMs'> {
  /** Of a snapshot; null for a node. */
  readonly snapshot: number | null;
  readonly blockHeight: SnapshotHeader['blockHeight'];
}

/** All lists of a snapshot; undefined if it was removed in the meantime. Throws SnapshotError. */
export function readSnapshotSide(
  opened: Snapshots,
  info: SnapshotInfo,
  isWanted: (list: string) => boolean = () => true,
): ChainSide | undefined {
  const names = opened.lists(info.id).filter(({ list }) => !BY_MARKET_OR_EPOCH.has(list) || isWanted(list));
  const lists = names.flatMap(name => opened.list(info.id, name) ?? []);
  if (lists.length < names.length || opened.withId(info.id) === undefined) return undefined;
  const { id, node, takenMs, blockHeight, blockTimeNs, genesisTime } = info;
  return { chainId: opened.chainId, snapshot: id, node, takenMs, blockHeight, blockTimeNs, genesisTime, lists };
}

/** The others are needed for names, units and epochs, and are small. */
const BY_MARKET_OR_EPOCH: ReadonlySet<string> = new Set(['provisions', 'providers', 'fees']);

/** `snapshot 12, 2026-10-01 12:00:00 UTC, block 23531` */
export function describeSide({ snapshot, node, takenMs, blockHeight }: Omit<ChainSide, 'lists' | 'chainId'>): string {
  const name = snapshot === null ? node : `snapshot ${snapshot}`;
  return `${name}, ${momentText(takenMs)}${blockHeight === null ? '' : `, block ${blockHeight}`}`;
}
