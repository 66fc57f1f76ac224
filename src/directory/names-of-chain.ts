import type { Client } from '../api/client.ts';
import { shownAddress } from '../api/request.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import { chainOf } from './directory-for.ts';
import { askNames, keptNames } from './known-names.ts';
import { mergedNames } from './merged-names.ts';

export type ChainNames =
  | { readonly kind: 'names'; readonly directory: Directory }
  | { readonly kind: 'other-chain'; readonly chainId: string };

/**
 * What a node says of a chain, or has said before where it cannot be reached now: nothing is asked while that is fresh. ''
 * takes any chain. Throws when it is aborted, and then alone.
 */
export async function namesOfChain(
  client: Pick<Client, 'base' | 'get'>,
  wanted: string,
  { folder, nowMs, signal }: { readonly folder: string | null; readonly nowMs: number; readonly signal: AbortSignal },
): Promise<ChainNames> {
  const node = shownAddress(client.base);
  const before = await keptNames({ folder: wanted === '' ? null : folder, chainId: wanted, node }, nowMs);
  const known = mergedNames(NO_NAMES, before.names);
  if (!before.isOld) return { kind: 'names', directory: known };
  const chainId = await chainOf(client, signal);
  if (chainId === '') return { kind: 'names', directory: known };
  if (wanted !== '' && chainId !== wanted) return { kind: 'other-chain', chainId };
  const asked = await askNames(client, { folder, chainId, node }, { nowMs, signal });
  return { kind: 'names', directory: mergedNames(known, asked.names) };
}
