import type { Client } from '../api/client.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import { chainOf } from './directory-for.ts';
import type { EpochTimes, ExportRange } from './export-range.ts';
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
  /** What was asked for, and when its epochs were: kept beside the names. */
  readonly ranges?: readonly ExportRange[];
  readonly epochs?: readonly EpochTimes[];
  /** What is known already, for what the node does not say now. */
  readonly known?: Omit<Directory, 'aliases'>;
  readonly signal: AbortSignal;
  /** How long the node has for them: 3 s unless said. */
  readonly longestMs?: number;
}

/**
 * Keeps the names and decimals of the chain beside an export, markets that were settled with them, so that it answers
 * without the node. Resolves with what has to be said where that did not work; never rejects.
 */
export async function keepExportNames(
  client: Pick<Client, 'get'>,
  ended: EndedExport,
  asked: NamesAsked,
): Promise<string | undefined> {
  const { table, chainId, known = NO_NAMES, signal: caller, longestMs = LONGEST_MS, ranges = [], epochs = [] } = asked;
  const path = pathFor(ended);
  if (path === undefined || NAMELESS.has(table)) return undefined;
  const signal = AbortSignal.any([caller, AbortSignal.timeout(longestMs)]);
  try {
    const chain = chainId ?? (await chainOf(client, signal));
    const said = await fetchDirectory(client, signal).catch(() => undefined);
    const late = caller.aborted ? 'cancelled' : `the node did not answer within ${longestMs / 1000} s`;
    const names = mergedNames(known, said ?? {});
    const hasNone = names.markets.size + names.assets.size === 0;
    // The range is known whatever the node says.
    const problem =
      chain === '' || (hasNone && ranges.length === 0)
        ? undefined
        : await keepNamesFile(path, { chainId: chain, names, ranges, epochs });
    if (chain === '' || hasNone) return unkept(said === undefined ? late : 'the node says none');
    if (problem !== undefined) return unkept(`${path}: ${problem}`);
    return said === undefined ? `the names kept with it for answers are those known before: ${late}` : undefined;
  } catch {
    return unkept(caller.aborted ? 'cancelled' : 'the node did not say which chain it is of');
  }
}

/** Tables in which nothing has a name, and no amount. */
const NAMELESS: ReadonlySet<string> = new Set(['blocks', 'checkpoints']);

/** The export is there: nobody waits long for its names. */
const LONGEST_MS = 3000;

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

/** What that costs comes first: a screen may cut the reason. */
const unkept = (why: string): string =>
  `answers from it need --node URL, of a node that has the names: none are kept with it (${why})`;
