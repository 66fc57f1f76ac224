import type { Client } from '../api/client.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import { chainOf } from './directory-for.ts';
import { fetchDirectory } from './fetch-directory.ts';
import { mergedNames } from './merged-names.ts';
import { keepNamesFile, namesOfArchive, namesOfSlices } from './names-file.ts';

/** An export that has ended; of one that was not saved nothing is kept. */
export type EndedExport =
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'saved-slices'; readonly folder: string }
  | { readonly kind: 'not-complete' | 'failed' | 'stopped-slices' | 'cancelled' };

export interface NamesAsked {
  readonly table: string;
  /** Undefined where the node lists no history. */
  readonly chainId: string | undefined;
  /** What is known already, for what the node does not say now. */
  readonly known?: Omit<Directory, 'aliases'>;
  readonly signal: AbortSignal;
}

/**
 * Keeps the names and decimals of the chain beside an export, markets that were settled with them, so that it answers
 * without the node. Resolves with what has to be said where that did not work; never rejects.
 */
export async function keepExportNames(
  client: Pick<Client, 'get'>,
  ended: EndedExport,
  { table, chainId, known = NO_NAMES, signal: caller }: NamesAsked,
): Promise<string | undefined> {
  const path = pathFor(ended);
  if (path === undefined || NAMELESS.has(table)) return undefined;
  const signal = AbortSignal.any([caller, AbortSignal.timeout(LONGEST_MS)]);
  try {
    const chain = chainId ?? (await chainOf(client, signal));
    const names = mergedNames(known, await fetchDirectory(client, signal));
    const { markets, assets } = names;
    if (chain === '' || markets.size + assets.size === 0) return unkept('the node says none');
    const problem = await keepNamesFile(path, { chainId: chain, names });
    return problem === undefined ? undefined : unkept(`${path}: ${problem}`);
  } catch {
    return unkept(caller.aborted ? 'cancelled' : 'the node did not answer in time');
  }
}

/** Tables in which nothing has a name, and no amount. */
const NAMELESS: ReadonlySet<string> = new Set(['blocks', 'checkpoints']);

/** The export is there: nobody waits long for its names. */
const LONGEST_MS = 15_000;

function pathFor(ended: EndedExport): string | undefined {
  switch (ended.kind) {
    case 'saved':
      return namesOfArchive(ended.path);
    case 'saved-slices':
      return namesOfSlices(ended.folder);
    case 'not-complete':
    case 'failed':
    case 'stopped-slices':
    case 'cancelled':
      return undefined;
  }
}

const unkept = (why: string): string => `names and decimals for answers are not kept with it: ${why}`;
