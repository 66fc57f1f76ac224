import { hash } from 'node:crypto';

/** A range of recorded history; the schema never changes within it. */
export interface DemoSegment {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly databaseVersion: number;
  readonly chainId: string;
  readonly historySegmentId: string;
  /** "" for the oldest. */
  readonly previousHistorySegmentId: string;
}

const SEGMENT_LENGTH = 1000;
/** How many blocks the history holds when the node starts. */
export const RECORDED_BLOCKS = 23_500;
/**
 * A protocol upgrade closes its segment early (export-behaviour.md section 2.3): v0.73.14 up to here, v0.74.10 after.
 */
const UPGRADE_HEIGHT = 14_500;
const SCHEMA_BEFORE_UPGRADE = 68;
const SCHEMA_AFTER_UPGRADE = 93;

/** The recorded history. The seed determines its ids, so it must name everything its rows depend on. */
export function recordedSegments(seed: string, chainId: string): readonly DemoSegment[] {
  const segments: DemoSegment[] = [];
  for (let recorded = 0; recorded < RECORDED_BLOCKS; recorded = segments.at(-1)?.toHeight ?? RECORDED_BLOCKS) {
    const fromHeight = recorded + 1;
    const full = fromHeight + SEGMENT_LENGTH - 1;
    const toHeight = fromHeight <= UPGRADE_HEIGHT && full > UPGRADE_HEIGHT ? UPGRADE_HEIGHT : full;
    segments.push(nextSegment(segments.at(-1), { seed, chainId, fromHeight, toHeight }));
  }
  return segments;
}

/** How segments are added while the node runs. */
interface Growth {
  readonly seed: string;
  readonly chainId: string;
  /** Blocks of each new segment. */
  readonly length: number;
}

/** The history after `count` new segments: for each one the oldest is removed. */
export function addSegments(count: number, recorded: readonly DemoSegment[], growth: Growth): readonly DemoSegment[] {
  const segments = [...recorded];
  for (let added = 0; added < count; added++) {
    const previous = segments.at(-1);
    const fromHeight = (previous?.toHeight ?? 0) + 1;
    segments.push(nextSegment(previous, { ...growth, fromHeight, toHeight: fromHeight + growth.length - 1 }));
  }
  return segments.slice(count);
}

interface NewSegment {
  readonly seed: string;
  readonly chainId: string;
  readonly fromHeight: number;
  readonly toHeight: number;
}

function nextSegment(
  previous: DemoSegment | undefined,
  { seed, chainId, fromHeight, toHeight }: NewSegment,
): DemoSegment {
  return {
    fromHeight,
    toHeight,
    databaseVersion: toHeight <= UPGRADE_HEIGHT ? SCHEMA_BEFORE_UPGRADE : SCHEMA_AFTER_UPGRADE,
    chainId,
    historySegmentId: contentId(`${seed}/segment/${toHeight}`),
    previousHistorySegmentId: previous?.historySegmentId ?? '',
  };
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** An IPFS content id of version 0: Qm and 44 letters of base 58. */
export function contentId(label: string): string {
  const bytes = hash('sha512', label, 'buffer').subarray(0, 44);
  return `Qm${[...bytes].map(byte => BASE58.charAt(byte % BASE58.length)).join('')}`;
}
