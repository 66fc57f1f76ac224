import { isArchive, NO_CHAIN_NAME } from '../../../chain/directory/chain-state.ts';
import { blocksBehindText } from '../../../chain/insight/count-of.ts';
import { lagLimit, type Preferences } from '../preferences.ts';
import type { NodeState } from './node.ts';

/** An older answer no longer reflects the state of the chain. */
export const MAX_ANSWER_AGE_MS = 5 * 60_000;

interface NodeContext {
  readonly node: NodeState;
  readonly preferences: Preferences;
}

/** How far a data node is behind its core, from one of its answers. */
interface CoreHealth {
  readonly text: string;
  /** Further behind than the person lets pass, or the core itself follows the chain no more. */
  readonly isBad: boolean;
  /** It has every block of a core that follows the chain. */
  readonly isInSync: boolean;
  readonly atMs: number;
}

/** Undefined if this is unknown or out of date. */
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

// If the core follows the chain, "in sync" without "core" would repeat the header's statement about the newest block.
const coreDistance = (behindBlocks: bigint, isFollowing: boolean): string =>
  isFollowing && behindBlocks === 0n ? 'core in sync' : blocksBehindText(behindBlocks, isFollowing ? 'core' : 'it');

/** The build that answers, else that of its core, marked as such; '' where neither is known. */
export function shownVersion({ node: { build, core } }: NodeContext): string {
  if (build.version !== '') return build.version;
  const version = core?.status?.version ?? '';
  return version === '' || build.isDoubted ? '' : `core ${version}`;
}

/** The newest block of the node is the last one of its chain, unless the user states that the chain continues. */
export const isArchiveNode = (known: NodeContext): boolean => chainEndedAtMs(known) !== undefined;

/** When the chain of an archive ended: times that are relative to now on other chains are relative to this moment. */
export function chainEndedAtMs({ node: { height, core, hasMoved }, preferences }: NodeContext): number | undefined {
  if (height === null || height.ageMs === null || core === null || lagLimit(preferences).isLive) return undefined;
  const { ageMs, readAtMs } = height;
  const timeMs = readAtMs - ageMs;
  const block = { height: null, timeMs, atMs: readAtMs, hasMoved };
  return isArchive({ block, core: core.status }) ? timeMs : undefined;
}

/** Why the user's own records on a chain are unknown. */
export const noChainReason = ({ chainId }: Pick<NodeState, 'chainId'>): string =>
  chainId === '' ? NO_CHAIN_NAME : 'waiting for the node to report its chain id';

/** Whether the age of this block means that the node lags, that the chain has stopped, or that a clock is wrong. */
export function isLagging({ preferences }: Pick<NodeContext, 'preferences'>, ageMs: number | null): boolean {
  return Math.abs(ageMs ?? 0) > lagLimit(preferences).ms;
}
