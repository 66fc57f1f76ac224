import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { putFile } from '../../base/disk/put-file.ts';
import { snapshotsFolder } from '../../base/settings/state-folder.ts';
import { DAY_MS } from '../../chain/insight/time.ts';
import type { SnapshotInfo, Snapshots } from '../snapshots/index.ts';
import { snapshotSide } from './chain-side.ts';
import { changesBetween } from './changes-between.ts';
import { blocksBefore } from './side.ts';

/** What has changed between stored snapshots. */
export interface RecentChanges {
  /** Null if there is none, or it is the newest. */
  readonly sinceYesterday: ChangedSince | null;
  /** Null if you never looked, or it says the same. */
  readonly sinceLooked: ChangedSince | null;
  /** When the newest snapshot was taken. */
  readonly untilMs: number;
}

export interface ChangedSince {
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
 * What has changed in the stored snapshots since the last one of yesterday, and since you last looked. It asks the node
 * nothing. Null without two snapshots. Throws SnapshotError.
 */
export async function recentChanges(folder: string, options: RecentOptions): Promise<RecentChanges | null> {
  const { openChainNamed } = await import('../snapshots/index.ts');
  const opened = openChainNamed(snapshotsFolder(folder), options.chainId);
  if (opened === undefined) return null;
  try {
    await options.onRecorded?.();
    return recentIn(opened, options);
  } finally {
    opened.close();
  }
}

function recentIn(opened: Snapshots, { chainId, nowMs, looked: times }: RecentOptions): RecentChanges | null {
  const newest = opened.at(nowMs) ?? opened.newest();
  if (newest === undefined) return null;
  const yesterday = opened.at(nowMs - (nowMs % DAY_MS) - 1);
  const lookedMs = times.get(chainId);
  const looked = lookedMs === undefined ? undefined : opened.at(lookedMs);
  const since = (before: SnapshotInfo | undefined): ChangedSince | null =>
    before === undefined || before.id === newest.id ? null : changedSince(opened, before, newest);
  const sinceYesterday = since(yesterday);
  const sinceLooked = looked?.id === yesterday?.id ? null : since(looked);
  if (sinceYesterday === null && sinceLooked === null) return null;
  return { sinceYesterday, sinceLooked, untilMs: newest.takenMs };
}

/** Lists by market and epoch are left to the screen of the changes: there may be very many. */
const LISTS: ReadonlySet<string> = new Set(['parameters', 'bundles', 'oracles', 'markets', 'assets', 'validators']);

function changedSince(opened: Snapshots, before: SnapshotInfo, newest: SnapshotInfo): ChangedSince | null {
  const [a, b] = [before, newest].map(info => snapshotSide(opened, info, () => false));
  // A node that went back, or another one that is behind, says nothing of what has changed.
  if (a === undefined || b === undefined || blocksBefore(a, b) !== undefined) return null;
  const { changes, compared } = changesBetween(a, b, { wanted: list => LISTS.has(list) });
  if (compared === 0) return null;
  const byList = [...Map.groupBy(changes, ({ resource }) => resource)];
  return { takenMs: before.takenMs, compared, counts: byList.map(([list, some]) => [list, some.length]) };
}

/** When the overview of each chain was shown last. A file that cannot be read counts as none. */
export function lookedAt(folder: string): ReadonlyMap<string, number> {
  try {
    const saved: unknown = JSON.parse(readFileSync(join(folder, LOOKED_FILE), 'utf8'));
    if (typeof saved !== 'object' || saved === null) return new Map();
    return new Map(
      Object.entries(saved).flatMap(([chain, ms]) => (Number.isSafeInteger(ms) ? [[chain, Number(ms)]] : [])),
    );
  } catch {
    return new Map();
  }
}

/** Notes that the overview of this chain is shown now. The chains looked at longest ago are forgotten. */
export async function noteLooked(folder: string, chainId: string, nowMs: number): Promise<void> {
  if (chainId.length > LONGEST_ID) return;
  const others = [...lookedAt(folder)].filter(([chain]) => chain !== chainId);
  const kept = [...others, [chainId, nowMs] as const].slice(-MOST_CHAINS);
  makeFolder(folder);
  await putFile(join(folder, LOOKED_FILE), `${JSON.stringify(Object.fromEntries(kept))}\n`);
}

/** Beside the folder of snapshots. */
const LOOKED_FILE = 'looked.json';
const LONGEST_ID = 200;
const MOST_CHAINS = 100;
