import type { Client } from '../api/client.ts';
import { NodeError } from '../api/errors.ts';
import { jsonText, member } from '../api/json.ts';
import { shownAddress } from '../api/request.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import { askNames, keptNames } from './known-names.ts';
import { mergedNames } from './merged-names.ts';

interface Circumstances {
  readonly signal: AbortSignal;
  /** Where names are kept; null for nowhere. */
  readonly folder: string | null;
  readonly nowMs: number;
}

/**
 * The names of the node's chain, for one look: one request where they were kept, four at most. Whatever cannot be had is
 * not known. Throws when it is aborted, and then alone.
 */
export async function directoryFor(
  client: Pick<Client, 'base' | 'get'>,
  { signal, folder, nowMs }: Circumstances,
): Promise<Directory> {
  const chainId = await chainOf(client, signal);
  const place = { folder: chainId === '' ? null : folder, chainId, node: shownAddress(client.base) };
  const kept = await keptNames(place, nowMs);
  const known = mergedNames(NO_NAMES, kept.names);
  if (!kept.isOld) return known;
  return mergedNames(known, (await askNames(client, place, { nowMs, signal })).names);
}

/** The name of the chain; "" where the node does not say. */
export async function chainOf(client: Pick<Client, 'get'>, signal: AbortSignal): Promise<string> {
  try {
    const { json } = await client.get({ path: 'statistics', query: [] }, signal);
    return jsonText(member(member(json, 'statistics'), 'chainId'));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NodeError) return '';
    throw error;
  }
}
