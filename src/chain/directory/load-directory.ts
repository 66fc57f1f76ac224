import type { Client } from '../api/client.ts';
import { NodeError } from '../api/errors.ts';
import { shownAddress } from '../api/request.ts';
import { askChain } from './ask-chain.ts';
import { cachedNames, fetchNames } from './cached-names.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import { mergeNames } from './merge-names.ts';
import type { Mine } from './mine.ts';

interface DirectoryOptions {
  readonly signal: AbortSignal;
  /** Where names are cached; null for nowhere. */
  readonly folder: string | null;
  readonly nowMs: number;
  /** The user's own entities on a chain, if names are to mark them. */
  readonly mineOn?: ((chainId: string) => Mine) | undefined;
}

/**
 * The names of the node's chain, for a command that runs once: one request if they are cached, at most five if not. Names
 * that cannot be fetched stay unknown. Throws only when aborted.
 */
export async function loadDirectory(
  client: Pick<Client, 'base' | 'get'>,
  { signal, folder, nowMs, mineOn }: DirectoryOptions,
): Promise<Directory> {
  const chainId = await fetchChainId(client, signal);
  const mine = chainId === '' ? undefined : mineOn?.(chainId);
  const unnamed = { ...NO_NAMES, ...(mine !== undefined && { mine }) };
  const owner = { folder: chainId === '' ? null : folder, chainId, node: shownAddress(client.base) };
  const cached = await cachedNames(owner, nowMs);
  const known = mergeNames(unnamed, cached.names);
  if (!cached.isOld) return known;
  return mergeNames(known, (await fetchNames(client, owner, { nowMs, signal })).names);
}

/** The chain id; '' if the node does not give one. */
export async function fetchChainId(client: Pick<Client, 'get'>, signal: AbortSignal): Promise<string> {
  try {
    return (await askChain(client, ['name'], signal)).chainId ?? '';
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NodeError) return '';
    throw error;
  }
}

type ChainNames =
  | { readonly kind: 'names'; readonly directory: Directory }
  | { readonly kind: 'other-chain'; readonly chainId: string };

/**
 * The names of a chain from a node, or from the cache if the node cannot be reached. A fresh cache sends no request. ''
 * accepts any chain. Throws only when aborted.
 */
export async function loadChainNames(
  client: Pick<Client, 'base' | 'get'>,
  wanted: string,
  { folder, nowMs, signal }: { readonly folder: string | null; readonly nowMs: number; readonly signal: AbortSignal },
): Promise<ChainNames> {
  const node = shownAddress(client.base);
  const cached = await cachedNames({ folder: wanted === '' ? null : folder, chainId: wanted, node }, nowMs);
  const known = mergeNames(NO_NAMES, cached.names);
  if (!cached.isOld) return { kind: 'names', directory: known };
  const chainId = await fetchChainId(client, signal);
  if (chainId === '') return { kind: 'names', directory: known };
  if (wanted !== '' && chainId !== wanted) return { kind: 'other-chain', chainId };
  const fetched = await fetchNames(client, { folder, chainId, node }, { nowMs, signal });
  return { kind: 'names', directory: mergeNames(known, fetched.names) };
}
