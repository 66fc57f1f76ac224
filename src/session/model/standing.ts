import { blocksApart } from '../../insight/count-of.ts';
import { LAG_SECONDS } from '../../settings/preferences.ts';
import type { SessionState } from './state.ts';
import { OLD_MS } from './trust.ts';

/** How a data node stands to its core, by one answer of it. */
export interface CoreStanding {
  readonly text: string;
  /** Further behind than the person lets pass, or the core itself follows the chain no more. */
  readonly isBad: boolean;
  readonly atMs: number;
}

/** Undefined where nothing is known of it, or not any more. */
export function coreStanding({ node: { core, nowMs }, preferences }: SessionState): CoreStanding | undefined {
  if (core?.told == null || nowMs - core.atMs >= OLD_MS) return undefined;
  const { state, behindBlocks, behindMs } = core.told;
  const { maxLagSeconds = LAG_SECONDS.usual } = preferences;
  const isFollowing = state === null || state === 'connected';
  const words = [
    ...(isFollowing ? [] : [`core is ${state}`]),
    ...(behindBlocks === null ? [] : [blocksApart(behindBlocks, isFollowing ? 'core' : 'it')]),
  ];
  if (words.length === 0) return undefined;
  const isBad = !isFollowing || (behindMs ?? 0) > maxLagSeconds * 1000;
  return { text: words.join(', '), isBad, atMs: core.atMs };
}

/** The build that answers, else that of the core behind it, said to be so; '' where neither is told. */
export function versionOf({ node: { build, core } }: SessionState): string {
  if (build.version !== '') return build.version;
  const version = core?.told?.version ?? '';
  return version === '' || build.isDoubted ? '' : `core ${version}`;
}
