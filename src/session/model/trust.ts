import { LAG_SECONDS } from '../../settings/preferences.ts';
import type { Failure } from './failure.ts';
import type { Browser, NodeHeight, SessionState } from './state.ts';

/** Whether to believe the screen. Ages in ms. */
export type Trust =
  /** Nothing was answered yet. */
  | { readonly kind: 'unknown' }
  /** The node answers no more; what is shown came at this time, if anything did. */
  | { readonly kind: 'offline'; readonly atMs: number | null }
  /** What is shown is an answer from long ago. */
  | { readonly kind: 'old'; readonly atMs: number; readonly ageMs: number }
  /** The newest block was so old when the node answered; below 0 when it lay ahead of this clock, null when it had no time. */
  | { readonly kind: 'behind' | 'current'; readonly atMs: number; readonly ageMs: number | null };

/** An answer older than this is no picture of the chain any more. */
export const OLD_MS = 5 * 60_000;

const MINUTE_MS = 60_000;

export function trustOf(state: SessionState): Trust {
  const { node } = state;
  const browser = state.browsers[state.tab];
  const atMs = shownAtMs(browser, node.height);
  const failure = state.tab === 'export' ? state.wizard.failure : browser?.failure;
  if (node.status === 'failed' || isUnreachable(failure)) return { kind: 'offline', atMs };
  if (atMs === null) return { kind: 'unknown' };
  const answerAgeMs = node.nowMs - atMs;
  if (answerAgeMs >= OLD_MS) return { kind: 'old', atMs, ageMs: answerAgeMs };
  if (node.height === null) return { kind: 'current', atMs, ageMs: null };
  const { ageMs, readAtMs } = node.height;
  return { kind: isLagging(state, ageMs) ? 'behind' : 'current', atMs: readAtMs, ageMs };
}

/** Whether a block of this age says that the node lags, that the chain stands still, or that a clock is wrong. */
export function isLagging({ preferences }: Pick<SessionState, 'preferences'>, ageMs: number | null): boolean {
  const { maxLagSeconds = LAG_SECONDS.usual } = preferences;
  return Math.abs(ageMs ?? 0) > maxLagSeconds * 1000;
}

/** How long it takes until an answer is old, or a minute older; undefined while there is none. */
export function nextAgeMs(state: SessionState): number | undefined {
  const atMs = shownAtMs(state.browsers[state.tab], state.node.height);
  if (atMs === null) return undefined;
  const ageMs = state.node.nowMs - atMs;
  return ageMs < OLD_MS ? OLD_MS - ageMs : MINUTE_MS - (ageMs % MINUTE_MS);
}

// Rows that are shown again are as old as they are, however new the last answer is.
const shownAtMs = (browser: Browser | undefined, height: NodeHeight | null): number | null =>
  browser?.page?.receivedAtMs ?? height?.readAtMs ?? null;

const isUnreachable = (failure: Failure | null | undefined): boolean =>
  failure?.kind === 'network' || failure?.kind === 'timeout';
