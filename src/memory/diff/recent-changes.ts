import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { replaceFileContent } from '../../base/disk/replace-file-content.ts';
import { snapshotsFolder } from '../../base/settings/state-folder.ts';
import { DAY_MS } from '../../base/text/time.ts';
import type { SnapshotInfo, Snapshots } from '../snapshots/index.ts';
import { readSnapshotSide } from './chain-side.ts';
import { compareSides } from './compare-sides.ts';
import { countBlocksBehind } from './side.ts';

/** Changes between stored snapshots. */
export interface RecentChanges {
  /** Null if there is none, or it is the newest. */
  readonly sinceYesterday: ChangeCounts | null;
  /** Null if you never looked, or the counts are the same. */
  readonly sinceLooked: ChangeCounts | null;
  /** When the newest snapshot was taken. */
  readonly untilMs: number;
}

export interface ChangeCounts {
  readonly takenMs: number;
  /** Lists that were compared. */
  readonly compared: number;
  readonly counts: readonly (readonly [list: string, records: number])[];
}

interface RecentOptions {
  readonly chainId: string;
  readonly nowMs: number;
  /** When the overview of each chain was shown in an earlier run. */
  readonly looked: ReadonlyMap<string, number>;
  /** Called if the chain has snapshots at all. */
  readonly onRecorded?: () => Promise<void>;
}

/**
 * Changes in the stored snapshots since the last one of yesterday, and since you last looked. Sends no request to the
 * node. Null without two snapshots. Throws SnapshotError.
 */
export async function findRecentChanges(folder: string, options: RecentOptions): Promise<RecentChanges | null> {
  const { openChainSnapshots } = await import('../snapshots/index.ts');
  const opened = openChainSnapshots(snapshotsFolder(folder), options.chainId);
  if (opened === undefined) return null;
  try {
    await options.onRecorded?.();
    return recentChangesIn(opened, options);
  } finally {
    opened.close();
  }
}

function recentChangesIn(opened: Snapshots, { chainId, nowMs, looked: times }: RecentOptions): RecentChanges | null {
  const newest = opened.at(nowMs) ?? opened.newest();
  if (newest === undefined) return null;
  const yesterday = opened.at(nowMs - (nowMs % DAY_MS) - 1);
  const lookedMs = times.get(chainId);
  const looked = lookedMs === undefined ? undefined : opened.at(lookedMs);
  const since = (before: SnapshotInfo | undefined): ChangeCounts | null =>
    before === undefined || before.id === newest.id ? null : countChangesSince(opened, before, newest);
  const sinceYesterday = since(yesterday);
  const sinceLooked = looked?.id === yesterday?.id ? null : since(looked);
  if (sinceYesterday === null && sinceLooked === null) return null;
  return { sinceYesterday, sinceLooked, untilMs: newest.takenMs };
}

/** Lists by market and epoch are left to the screen of the changes: there may be very many. */
const LISTS: ReadonlySet<string> = new Set(['parameters', 'bundles', 'oracles', 'markets', 'assets', 'validators']);

function countChangesSince(opened: Snapshots, before: SnapshotInfo, newest: SnapshotInfo): ChangeCounts | null {
  const [a, b] = [before, newest].map(info => readSnapshotSide(opened, info, () => false));
  // A node that went back, or another one that is behind, is not evidence of changes.
  if (a === undefined || b === undefined || countBlocksBehind(a, b) !== undefined) return null;
  const { changes, compared } = compareSides(a, b, { wanted: list => LISTS.has(list) });
  if (compared === 0) return null;
  const byList = [...Map.groupBy(changes, ({ resource }) => resource)];
  return { takenMs: before.takenMs, compared, counts: byList.map(([list, some]) => [list, some.length]) };
}

/** When the overview of each chain was shown last. A file that cannot be read counts as none. */
export function readLastViewed(folder: string): ReadonlyMap<string, number> {
  try {
    const saved: unknown = JSON.parse(readFileSync(join(folder, LAST_VIEWED_FILE), 'utf8'));
    if (typeof saved !== 'object' || saved === null) return new Map();
    return new Map(
      Object.entries(saved).flatMap(([chain, ms]) => (Number.isSafeInteger(ms) ? [[chain, Number(ms)]] : [])),
    );
  } catch {
    return new Map();
  }
}

/** Notes that the overview of this chain is shown now. The chains looked at longest ago are forgotten. */
export async function recordView(folder: string, chainId: string, nowMs: number): Promise<void> {
  if (chainId.length > MAX_CHAIN_ID_LENGTH) return;
  const others = [...readLastViewed(folder)].filter(([chain]) => chain !== chainId);
  const kept = [...others, [chainId, nowMs] as const].slice(-MAX_REMEMBERED_CHAINS);
  makeFolder(folder);
  await replaceFileContent(join(folder, LAST_VIEWED_FILE), `${JSON.stringify(Object.fromEntries(kept))}\n`);
}

/** Next to the folder of snapshots. */
const LAST_VIEWED_FILE = 'looked.json';
const MAX_CHAIN_ID_LENGTH = 200;
const MAX_REMEMBERED_CHAINS = 100;
