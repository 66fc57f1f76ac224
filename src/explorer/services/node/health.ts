import { isArchive, NO_CHAIN_NAME } from '../../../chain/directory/chain-state.ts';
import { blocksBehindText } from '../../../chain/insight/count-of.ts';
import { lagLimit, type Preferences } from '../preferences.ts';
import type { NodeState } from './node.ts';

/** An answer older than this is no picture of the chain any more. */
export const MAX_ANSWER_AGE_MS = 5 * 60_000;

interface NodeContext {
  readonly node: NodeState;
  readonly preferences: Preferences;
}

/** How a data node stands to its core, by one answer of it. */
export interface CoreHealth {
  readonly text: string;
  /** Further behind than the person lets pass, or the core itself follows the chain no more. */
  readonly isBad: boolean;
  /** It has every block of a core that follows the chain. */
  readonly isInSync: boolean;
  readonly atMs: number;
}

/** Undefined where nothing is known of it, or not any more. */
export function coreHealth({ node: { core, nowMs }, preferences }: NodeContext): CoreHealth | undefined {
  if (core?.status == null || nowMs - core.atMs >= MAX_ANSWER_AGE_MS) return undefined;
  const { state, behindBlocks, behindMs } = core.status;
  const isFollowing = state === null || state === 'connected';
  const words = [
    ...(isFollowing ? [] : [`core is ${state}`]),
    ...(behindBlocks === null ? [] : [coreDistance(behindBlocks, isFollowing)]),
  ];
  if (words.length === 0) return undefined;
  const isBad = !isFollowing || (behindMs ?? 0) > lagLimit(preferences).ms;
  return { text: words.join(', '), isBad, isInSync: isFollowing && behindBlocks === 0n, atMs: core.atMs };
}

// Where the core follows, "in sync" alone would say again what the header says of the newest block.
const coreDistance = (behindBlocks: bigint, isFollowing: boolean): string =>
  isFollowing && behindBlocks === 0n ? 'core in sync' : blocksBehindText(behindBlocks, isFollowing ? 'core' : 'it');

/** The build that answers, else that of its core, marked as such; '' where neither is known. */
export function shownVersion({ node: { build, core } }: NodeContext): string {
  if (build.version !== '') return build.version;
  const version = core?.status?.version ?? '';
  return version === '' || build.isDoubted ? '' : `core ${version}`;
}

/** The newest block of the node is the last one of its chain, unless the person says that the chain goes on. */
export const isArchiveNode = (known: NodeContext): boolean => chainEndedAtMs(known) !== undefined;

/** When the chain of an archive ended: what is counted from now on another chain counts from then. */
export function chainEndedAtMs({ node: { height, core, hasMoved }, preferences }: NodeContext): number | undefined {
  if (height === null || height.ageMs === null || core === null || lagLimit(preferences).isLive) return undefined;
  const { ageMs, readAtMs } = height;
  const timeMs = readAtMs - ageMs;
  const block = { height: null, timeMs, atMs: readAtMs, hasMoved };
  return isArchive({ block, core: core.status }) ? timeMs : undefined;
}

/** Why what is the user's on a chain cannot be said. */
export const noChainReason = ({ chainId }: Pick<NodeState, 'chainId'>): string =>
  chainId === '' ? NO_CHAIN_NAME : 'waiting for the node to report its chain id';

/** Whether a block of this age says that the node lags, that the chain stands still, or that a clock is wrong. */
export function isLagging({ preferences }: Pick<NodeContext, 'preferences'>, ageMs: number | null): boolean {
  return Math.abs(ageMs ?? 0) > lagLimit(preferences).ms;
}
