import { minuteText } from '../../base/text/time.ts';

/** How far a node is behind, by the time of its newest block. */
export type Lag =
  /** It does not report the time of its newest block. */
  | { readonly kind: 'unknown' }
  /** Its newest block is from the future: one of two clocks is wrong. */
  | { readonly kind: 'ahead'; readonly ms: number }
  | { readonly kind: 'behind'; readonly ms: number; readonly by: 'clock' | 'core' }
  /** The chain has ended: its newest block is the last one, and nothing is behind it. */
  | { readonly kind: 'archive' }
  | { readonly kind: 'current' };

/** What a node is whose chain has ended. */
export const archiveText = (blockTimeMs: number | null): string =>
  `archive${blockTimeMs === null ? '' : `, newest block ${minuteText(blockTimeMs)}`}`;

/** From when on a node counts as behind. */
export interface LagLimit {
  readonly ms: number;
  /** It was given for this node, which declares the node live: whatever its block age, it is not an archive. */
  readonly isLive: boolean;
}

interface BlockTimes {
  /** Age of its newest block by this clock, in ms; null if it is not known. */
  readonly ageMs: number | null;
  /** How far it is behind its core in chain time, in ms. */
  readonly behindCoreMs: number | null;
  /** By the known state of its chain. */
  readonly isArchive: boolean;
}

export function nodeLag({ ageMs, behindCoreMs, isArchive }: BlockTimes, { ms: maxLagMs, isLive }: LagLimit): Lag {
  if (ageMs === null) return { kind: 'unknown' };
  if (isArchive && !isLive) return { kind: 'archive' };
  if (ageMs < -maxLagMs) return { kind: 'ahead', ms: -ageMs };
  const ms = Math.max(ageMs, behindCoreMs ?? 0);
  return ms <= maxLagMs ? { kind: 'current' } : { kind: 'behind', ms, by: ageMs >= ms ? 'clock' : 'core' };
}
