import { MINUTE_MS } from '../../base/text/time.ts';
import { ARCHIVE_AGE_MS } from '../../chain/directory/chain-state.ts';
import type { SessionState } from '../core/state.ts';
import { isArchiveNode, isLagging, MAX_ANSWER_AGE_MS } from '../services/node/health.ts';
import type { NodeHeight, NodeState } from '../services/node/node.ts';
import type { Preferences } from '../services/preferences.ts';
import { isNodeChecked, shownDataTimeMs } from './open-screens.ts';

/** Whether to believe the screen. Ages in ms. */
export type Trust =
  /** A snapshot of that time is shown, and no node is asked. */
  | { readonly kind: 'moment'; readonly takenMs: number }
  /** Nothing was answered yet. */
  | { readonly kind: 'unknown' }
  /** The node cannot be reached since then. */
  | { readonly kind: 'offline'; readonly sinceMs: number | null }
  /** The screen shows an old answer. `isDue`: a newer one was requested and did not arrive. */
  | { readonly kind: 'stale'; readonly atMs: number; readonly ageMs: number; readonly isDue: boolean }
  /** The newest block is the last one of the chain. */
  | { readonly kind: 'archive'; readonly atMs: number; readonly blockMs: number; readonly agoMs: number }
  /** Its answers are of several chains (`isMixed`), or of nodes that are far apart. */
  | { readonly kind: 'doubtful'; readonly isMixed: boolean }
  /**
   * The newest block was so old when the node answered; below 0 when it lay ahead of this clock, null when it had no time.
   * `stalled`: its core is at the same block.
   */
  | {
      readonly kind: 'behind' | 'stalled' | 'current';
      readonly atMs: number;
      readonly ageMs: number | null;
      /** How long ago that was, to be shown; 0: recent. */
      readonly agoMs: number;
    };

/** After this time the header shows the age of the last answer, and later that it is stale. */
const RECENT_MS = 30_000;
const STALE_MS = 60_000;

/** Of a screen that asks the node itself, once a minute: the answer has half a minute to come. */
const SCREEN_STALE_MS = 90_000;

/** It grows in these steps until it is stale. */
const STEP_MS = 10_000;
interface Known {
  readonly node: NodeState;
  readonly preferences: Preferences;
}

const staleMs = ({ preferences }: Known, { isAskedByScreen = false }: TrustOptions): number =>
  isAskedByScreen && preferences.nodeCheck !== 'off' ? SCREEN_STALE_MS : STALE_MS;

interface TrustOptions {
  /** The screen that is shown finds out whether the node answers. */
  readonly isAskedByScreen?: boolean;
}

/** Rows that are shown again keep their age, however new the last answer is. */
function trustOf(known: Known, asOfMs: number | undefined, asked: TrustOptions = {}): Trust {
  const { node, preferences } = known;
  if (node.moment !== null) return { kind: 'moment', takenMs: node.moment.takenMs };
  const { answeredAtMs, silentSinceMs } = node.contact;
  if (node.status === 'failed' || silentSinceMs !== null) return { kind: 'offline', sinceMs: silentSinceMs };
  if (answeredAtMs === null) return { kind: 'unknown' };
  const rowsAtMs = asOfMs ?? answeredAtMs;
  const [rowsAgeMs, answerAgeMs] = [node.nowMs - rowsAtMs, node.nowMs - answeredAtMs];
  const isLate = answerAgeMs >= staleMs(known, asked);
  if (isLate || rowsAgeMs >= MAX_ANSWER_AGE_MS) {
    // What failed since is newer than the last answer.
    const atMs = Math.min(rowsAtMs, answeredAtMs);
    return { kind: 'stale', atMs, ageMs: node.nowMs - atMs, isDue: isLate && preferences.nodeCheck !== 'off' };
  }
  if (node.doubts.length > 0)
    return { kind: 'doubtful', isMixed: node.doubts.some(({ severity }) => severity === 'untrusted') };
  // The age of a block that was read long before does not describe now.
  const ageMs = isHeightOfAnswer(node.height, answeredAtMs) ? node.height.ageMs : null;
  const agoMs = answerAgeMs < RECENT_MS ? 0 : answerAgeMs - (answerAgeMs % STEP_MS);
  if (node.height?.ageMs != null && isArchiveNode(known))
    return { kind: 'archive', atMs: answeredAtMs, blockMs: node.height.readAtMs - node.height.ageMs, agoMs };
  // Whether so old a block is the last one is known when the core was asked.
  if (node.core === null && (ageMs ?? 0) >= ARCHIVE_AGE_MS)
    return { kind: 'current', atMs: answeredAtMs, ageMs: null, agoMs };
  return { kind: blockPace(known, ageMs), atMs: answeredAtMs, ageMs, agoMs };
}

function blockPace({ node, preferences }: Known, ageMs: number | null): 'behind' | 'stalled' | 'current' {
  if (!isLagging({ preferences }, ageMs)) return 'current';
  return (ageMs ?? 0) > 0 && node.core?.status?.behindBlocks === 0n ? 'stalled' : 'behind';
}

/** Whether the current content can be trusted. */
export const shownTrust = (state: SessionState): Trust =>
  trustOf(state, shownDataTimeMs(state), { isAskedByScreen: isNodeChecked(state) });

const isHeightOfAnswer = (height: NodeHeight | null, answeredAtMs: number): height is NodeHeight =>
  height !== null && answeredAtMs - height.readAtMs < STALE_MS;

/** The time until the header changes only by the clock; undefined if it does not change. */
export function nextTrustMs(
  known: Known & Pick<SessionState, 'times'>,
  asOfMs: number | undefined,
  asked: TrustOptions = {},
): number | undefined {
  const { nowMs, contact } = known.node;
  const trust = trustOf(known, asOfMs, asked);
  // A time of the clock does not grow.
  const isOfClock = known.times === 'clock';
  switch (trust.kind) {
    case 'moment':
    case 'unknown':
    case 'offline':
    case 'doubtful':
      return undefined;
    case 'stale':
      return isOfClock ? undefined : MINUTE_MS - (trust.ageMs % MINUTE_MS);
    case 'archive':
    case 'behind':
    case 'stalled':
    case 'current': {
      const ageMs = nowMs - (contact.answeredAtMs ?? nowMs);
      const rowsOldMs = (asOfMs ?? nowMs) + MAX_ANSWER_AGE_MS - nowMs;
      const next =
        ageMs < RECENT_MS ? RECENT_MS : isOfClock ? staleMs(known, asked) : ageMs - (ageMs % STEP_MS) + STEP_MS;
      return Math.min(next - ageMs, rowsOldMs);
    }
  }
}
