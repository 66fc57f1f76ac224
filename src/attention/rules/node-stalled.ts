import { shortDuration } from '../../base/text/duration.ts';
import { isFarBack, WENT_BACK_REASON } from '../../chain/directory/chain-watch.ts';
import { createFinding, type MemoryRuleResult, unknownFinding } from './rule.ts';

export const NODE_STALLED = { id: 'node-stalled', about: 'newest block not moving' } as const;

export interface HeightMemory {
  /** The highest block that was seen. */
  readonly height: string;
  /** When it was seen first, by this clock. */
  readonly movedMs: number;
  /** It was found to be stalled, and no higher block has been seen since. */
  readonly isStalled: boolean;
  /** The chain was live when observed: its newest block was new, or a later one came. Then no age makes it an archive. */
  readonly isLive: boolean;
  /** The start time of its chain, as reported by the core. */
  readonly genesisTime?: string | undefined;
}

interface Stalling {
  readonly genesisTime: string | null;
  readonly nowMs: number;
  readonly stalledAfterMs: number;
  /** Why the height is not known; used if it is null. */
  readonly why: string;
  /** By its age, the newest block is the last one of the chain. */
  readonly isArchive: boolean;
}

/**
 * Compares the newest block of the node with the highest one seen. Only a higher block is progress: a node that answers
 * again, or from further back, is still stalled.
 */
export function compareHeight(
  height: bigint | null,
  before: HeightMemory | null,
  { nowMs, stalledAfterMs, why, isArchive, genesisTime }: Stalling,
): MemoryRuleResult<HeightMemory> {
  if (height === null)
    return { findings: [unknownFinding(`whether new blocks arrive is not known: ${why}`)], memory: before };
  const highest = before === null ? null : BigInt(before.height);
  const known = genesisTime ?? before?.genesisTime;
  const ofChain = known === undefined ? {} : { genesisTime: known };
  const isLive = highest !== null || !isArchive;
  const moved = { height: String(height), movedMs: nowMs, isStalled: false, isLive, ...ofChain };
  if (before === null || highest === null) return { findings: [], memory: moved };
  if (before.genesisTime !== undefined && known !== before.genesisTime) {
    const again = `the chain was started again: its genesis is ${known}, was ${before.genesisTime}`;
    return { findings: [createFinding('warning', again)], memory: moved };
  }
  if (height > highest) return { findings: [], memory: moved };
  const back = isFarBack(height, highest)
    ? [createFinding('warning', `the newest block went back from ${highest} to ${height}: ${WENT_BACK_REASON}`)]
    : [];
  if (isArchive && !before.isLive) return { findings: back, memory: before };
  // A clock that was set back would delay the alarm by as much.
  const movedMs = Math.min(before.movedMs, nowMs);
  const stillMs = nowMs - movedMs;
  const isLong = stillMs >= stalledAfterMs;
  // Only a higher block ends it, not a clock that was set back.
  const isStalled = isLong || before.isStalled;
  const memory = { ...before, movedMs, isStalled, ...ofChain };
  if (!isStalled) return { findings: back, memory };
  const where =
    height === highest ? `block ${height} is the newest` : `block ${highest} was seen, now ${height} is the newest`;
  return {
    findings: [
      createFinding(
        'critical',
        `no new block${isLong ? ` for ${shortDuration(stillMs)}` : ''}: ${where}${isArchive ? ENDED : ''}`,
      ),
    ],
    memory,
  };
}

/** For a chain that was live when first observed. */
const ENDED = '. If the chain has ended, accept that with --accept';
