import { hash } from 'node:crypto';

/** A stretch of recorded history; the schema never changes inside one. */
export interface Segment {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly databaseVersion: number;
  readonly chainId: string;
  readonly historySegmentId: string;
  /** "" for the oldest. */
  readonly previousHistorySegmentId: string;
}

const segmentLength = 1000;
const segmentCount = 24;
/** A protocol upgrade closes its segment early (export facts 2.3): v0.73.14 up to here, v0.74.10 after. */
const upgradeHeight = 14_500;
const schemaBeforeUpgrade = 68;
const schemaAfterUpgrade = 93;

export function segmentsOf(seed: string, chainId: string): readonly Segment[] {
  const segments: Segment[] = [];
  while (segments.length < segmentCount) {
    const previous = segments.at(-1);
    const fromHeight = (previous?.toHeight ?? 0) + 1;
    const full = fromHeight + segmentLength - 1;
    const toHeight = fromHeight <= upgradeHeight && full > upgradeHeight ? upgradeHeight : full;
    segments.push({
      fromHeight,
      toHeight,
      databaseVersion: toHeight <= upgradeHeight ? schemaBeforeUpgrade : schemaAfterUpgrade,
      chainId,
      historySegmentId: contentId(`${seed}/segment/${toHeight}`),
      previousHistorySegmentId: previous?.historySegmentId ?? '',
    });
  }
  return segments;
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** An IPFS content id of version 0: Qm and 44 letters of base 58. */
function contentId(label: string): string {
  const bytes = hash('sha512', label, 'buffer').subarray(0, 44);
  return `Qm${[...bytes].map(byte => base58.charAt(byte % base58.length)).join('')}`;
}
