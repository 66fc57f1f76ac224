import type { Client } from '../api/client.ts';
import { type FetchedNames, fetchDirectory } from './fetch-directory.ts';
import { type NamesOf, readKept, writeKept } from './kept-directory.ts';
import { type KeptKeys, keepKeys } from './kept-keys.ts';
import { mergedNames } from './merged-names.ts';

/** What is known of a chain's names. */
export interface KnownNames {
  readonly names: FetchedNames;
  /** The node should be asked. */
  readonly isOld: boolean;
}

/** Whose names, and the folder to keep them in; null where nothing is kept. */
export interface NamesPlace extends NamesOf {
  readonly folder: string | null;
}

const NONE = { markets: new Map(), assets: new Map(), validators: new Map() };

/** The names that were kept from another run. */
export async function keptNames({ folder, ...of }: NamesPlace, nowMs: number): Promise<KnownNames> {
  const kept = folder === null ? undefined : await readKept(folder, of);
  if (kept === undefined) return { names: {}, isOld: true };
  const ageMs = nowMs - kept.keptAtMs;
  return { names: kept.names, isOld: ageMs < 0 || ageMs > FRESH_MS };
}

/** The names that the node says, which are kept for other runs. Throws when it is aborted, and then alone. */
export async function askNames(
  client: Pick<Client, 'get'>,
  { folder, ...of }: NamesPlace,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<KnownNames> {
  const names = await fetchDirectory(client, signal);
  if (folder !== null && Object.keys(names).length > 0) {
    const before = (await readKept(folder, of))?.names ?? NONE;
    const isWhole = 'markets' in names && 'assets' in names && 'validators' in names;
    await writeKept(folder, of, { names: mergedNames(before, names), keptAtMs: isWhole ? nowMs : 0 });
    await keepKeys(folder, of.node, keysIn(names));
  }
  return { names, isOld: false };
}

/** The ids that a shell may complete. */
const keysIn = (names: FetchedNames): KeptKeys =>
  Object.fromEntries(Object.entries(names).map(([list, entries]) => [list, [...entries.keys()]]));

const FRESH_MS = 24 * 3_600_000;
