import { aliasesById } from '../../chain/directory/aliases.ts';
import { type Directory, NO_NAMES } from '../../chain/directory/directory.ts';
import { mergeNames } from '../../chain/directory/merge-names.ts';
import type { SessionState } from '../core/state.ts';
import {
  isNamesRequestDue,
  isRetryDue,
  type NamesEvent,
  NO_NAMES_REQUEST,
  namesRequestAfter,
} from '../services/names/names.ts';
import type { Preferences } from '../services/preferences.ts';
import { notifyRoots } from './layers.ts';

/** Adds names; explanations on the screen are made again with them, and stay until then. */
export function receiveDirectory(state: SessionState, { from, names, isOld, atMs }: NamesEvent): SessionState {
  const directory = mergeNames(state.directory, names);
  const known = withDirectory(state, directory);
  if (from === 'node') return { ...known, naming: namesRequestAfter(state.naming, names, atMs) };
  const read = { ...known, naming: { ...NO_NAMES_REQUEST, from: null } };
  return isOld ? { ...read, naming: { ...NO_NAMES_REQUEST, from: 'node' } } : requestNewNames(read, {}, atMs);
}

/** The state with other names; explanations on the screen are made again with them. */
export const withDirectory = (state: SessionState, directory: Directory): SessionState =>
  replaceDirectory(state, directory, false);

/**
 * Records the chain. Names of another chain are forgotten at once, everywhere: a false name is worse than none. A node
 * that does not report its chain now is assumed to be on the last one it reported.
 */
export function receiveChainId(state: SessionState, said: string): SessionState {
  const before = state.node.chainId ?? '';
  const chainId = said === '' ? before : said;
  const known = { ...state, node: { ...state.node, chainId } };
  if (before === '' || chainId === before) return known;
  const directory = { ...NO_NAMES, aliases: state.directory.aliases };
  const nameless = { ...known, naming: NO_NAMES_REQUEST, mine: { ...state.mine, readFor: null } };
  return replaceDirectory(nameless, directory, true);
}

function replaceDirectory(state: SessionState, directory: Directory, isOtherChain: boolean): SessionState {
  const { directory: before } = state;
  if (directory === before) return state;
  return notifyRoots({ ...state, directory }, () => ({ type: 'names', before, isOtherChain }));
}

/** Asks the node for names again when ids were seen that should have some, and whose they are: it may be another chain. */
export function requestNewNames(state: SessionState, seenBefore: SessionState['seen'], nowMs: number): SessionState {
  return isNamesRequestDue(state, seenBefore, nowMs) ? requestNames(state) : state;
}

/** Asks the node for the names that it could not give, once it answers. */
export const retryNames = (state: SessionState, nowMs: number, isByHand = false): SessionState =>
  isRetryDue(state, nowMs, isByHand) ? requestNames(state) : state;

const requestNames = (state: SessionState): SessionState => ({
  ...state,
  node: { ...state.node, isChainDoubted: true },
  naming: { ...state.naming, from: 'node' },
});

/** The directory with only the user's own words for their ids. */
export const withAliases = (directory: Directory, { aliases }: Preferences): Directory => ({
  ...directory,
  aliases: aliasesById(aliases),
});
