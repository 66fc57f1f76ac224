import type { Client } from '../api/client.ts';
import { shownAddress } from '../api/request.ts';
import { cachedNames, fetchNames } from './cached-names.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import { chainOf } from './directory-for.ts';
import { mergedNames } from './merged-names.ts';

export type ChainNames =
  | { readonly kind: 'names'; readonly directory: Directory }
  | { readonly kind: 'other-chain'; readonly chainId: string };

/**
 * The names of a chain from a node, or from the cache if the node cannot be reached. A fresh cache sends no request. ''
 * accepts any chain. Throws only when aborted.
 */
export async function namesOfChain(
  client: Pick<Client, 'base' | 'get'>,
  wanted: string,
  { folder, nowMs, signal }: { readonly folder: string | null; readonly nowMs: number; readonly signal: AbortSignal },
): Promise<ChainNames> {
  const node = shownAddress(client.base);
  const cached = await cachedNames({ folder: wanted === '' ? null : folder, chainId: wanted, node }, nowMs);
  const known = mergedNames(NO_NAMES, cached.names);
  if (!cached.isOld) return { kind: 'names', directory: known };
  const chainId = await chainOf(client, signal);
  if (chainId === '') return { kind: 'names', directory: known };
  if (wanted !== '' && chainId !== wanted) return { kind: 'other-chain', chainId };
  const fetched = await fetchNames(client, { folder, chainId, node }, { nowMs, signal });
  return { kind: 'names', directory: mergedNames(known, fetched.names) };
}
