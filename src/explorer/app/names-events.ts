import { aliasesById } from '../../chain/directory/aliases.ts';
import { type Directory, NO_NAMES } from '../../chain/directory/directory.ts';
import { mergedNames } from '../../chain/directory/merged-names.ts';
import type { SessionState } from '../core/state.ts';
import { isNamingDue, isRetryDue, type NamesEvent, NO_NAMING, namingAfter } from '../services/names/names.ts';
import type { Preferences } from '../services/preferences.ts';
import { tellRoots } from './layers.ts';

/** Takes note of names; what is explained on the screen is explained anew with them, and stays till then. */
export function directoryKnown(state: SessionState, { from, names, isOld, atMs }: NamesEvent): SessionState {
  const directory = mergedNames(state.directory, names);
  const known = withDirectory(state, directory);
  if (from === 'node') return { ...known, naming: namingAfter(state.naming, names, atMs) };
  const read = { ...known, naming: { ...NO_NAMING, from: null } };
  return isOld ? { ...read, naming: { ...NO_NAMING, from: 'node' } } : namingAgain(read, {}, atMs);
}

/** The state with other names; what is explained on the screen is explained anew with them. */
export const withDirectory = (state: SessionState, directory: Directory): SessionState =>
  withOtherNames(state, directory, false);

/**
 * Takes note of the chain. Names of another one are forgotten at once, wherever they stand: a false name is worse than
 * none. A node that does not say which it is now is taken to be on the one that it said.
 */
export function chainKnown(state: SessionState, said: string): SessionState {
  const before = state.node.chainId ?? '';
  const chainId = said === '' ? before : said;
  const known = { ...state, node: { ...state.node, chainId } };
  if (before === '' || chainId === before) return known;
  const directory = { ...NO_NAMES, aliases: state.directory.aliases };
  const nameless = { ...known, naming: NO_NAMING, mine: { ...state.mine, readFor: null } };
  return withOtherNames(nameless, directory, true);
}

function withOtherNames(state: SessionState, directory: Directory, isOtherChain: boolean): SessionState {
  const { directory: before } = state;
  if (directory === before) return state;
  return tellRoots({ ...state, directory }, () => ({ type: 'names', before, isOtherChain }));
}

/** Asks the node for names again when ids were seen that should have some, and whose they are: it may be another chain. */
export function namingAgain(state: SessionState, seenBefore: SessionState['seen'], nowMs: number): SessionState {
  return isNamingDue(state, seenBefore, nowMs) ? askingForNames(state) : state;
}

/** Asks the node for the names that it could not give, once it answers. */
export const namingRetried = (state: SessionState, nowMs: number, isByHand = false): SessionState =>
  isRetryDue(state, nowMs, isByHand) ? askingForNames(state) : state;

const askingForNames = (state: SessionState): SessionState => ({
  ...state,
  node: { ...state.node, isChainDoubted: true },
  naming: { ...state.naming, from: 'node' },
});

/** The directory with the words of the user alone for their ids. */
export const withAliases = (directory: Directory, { aliases }: Preferences): Directory => ({
  ...directory,
  aliases: aliasesById(aliases),
});
