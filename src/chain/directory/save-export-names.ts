import type { Client } from '../api/client.ts';
import { type Directory, NO_NAMES } from './directory.ts';
import type { EpochTimes, ExportRange, SavedWitness } from './export-range.ts';
import { fetchDirectory } from './fetch-directory.ts';
import { fetchChainId } from './load-directory.ts';
import { mergeNames } from './merge-names.ts';
import { archiveNamesPath, saveNamesFile, slicesNamesPath } from './names-file.ts';

/** How an export ended; names are saved only with one that was saved. */
export type ExportOutcome =
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'saved-slices'; readonly folder: string }
  | { readonly kind: 'not-complete' | 'failed' | 'stopped-slices' | 'cancelled' };

export interface ExportNamesOptions {
  readonly table: string;
  /** Undefined if the node lists no history. */
  readonly chainId: string | undefined;
  /** The requested ranges and the times of their epochs, saved with the names. */
  readonly ranges?: readonly ExportRange[];
  readonly epochs?: readonly EpochTimes[];
  /** What other nodes named as its segments. */
  readonly witnesses?: readonly SavedWitness[];
  /** Names known already, used if the node does not answer now. */
  readonly known?: Omit<Directory, 'aliases'>;
  readonly signal: AbortSignal;
  /** How long to wait for the node; 3 s by default. */
  readonly longestMs?: number;
}

/**
 * Saves the names and decimals of the chain next to an export, including settled markets, so that questions about it need
 * no node. Resolves with a message if that failed; never rejects.
 */
export async function saveExportNames(
  client: Pick<Client, 'get'>,
  ended: ExportOutcome,
  options: ExportNamesOptions,
): Promise<string | undefined> {
  const {
    table,
    chainId,
    known = NO_NAMES,
    signal: caller,
    longestMs = MAX_FETCH_MS,
    ranges = [],
    epochs = [],
    witnesses = [],
  } = options;
  const path = namesFilePath(ended);
  if (path === undefined || !hasNamesFile(table)) return undefined;
  const signal = AbortSignal.any([caller, AbortSignal.timeout(longestMs)]);
  try {
    const chain = chainId ?? (await fetchChainId(client, signal));
    const fetched = await fetchDirectory(client, signal).catch(() => undefined);
    const late = caller.aborted ? 'cancelled' : `the node did not answer within ${longestMs / 1000} s`;
    const names = mergeNames(known, fetched ?? {});
    const hasNone = names.markets.size + names.assets.size === 0;
    // The range is saved even if the node gave no names.
    const problem =
      chain === '' || (hasNone && ranges.length + witnesses.length === 0)
        ? undefined
        : await saveNamesFile(path, { chainId: chain, names, ranges, epochs, witnesses });
    if (chain === '' || hasNone) return notSaved(fetched === undefined ? late : 'the node lists none');
    if (problem !== undefined) return notSaved(`${path}: ${problem}`);
    return fetched === undefined ? `names known earlier were saved with it: ${late}` : undefined;
  } catch {
    return notSaved(caller.aborted ? 'cancelled' : 'the node did not report a chain id');
  }
}

/** Whether a table has ids or amounts with names. */
export const hasNamesFile = (table: string): boolean => !NAMELESS.has(table);

const NAMELESS: ReadonlySet<string> = new Set(['blocks', 'checkpoints']);

/** The export is finished, so its names must not take long. */
const MAX_FETCH_MS = 3000;

function namesFilePath(ended: ExportOutcome): string | undefined {
  switch (ended.kind) {
    case 'saved':
      return archiveNamesPath(ended.path);
    case 'saved-slices':
      return slicesNamesPath(ended.folder);
    case 'not-complete':
    case 'failed':
    case 'stopped-slices':
    case 'cancelled':
      return undefined;
  }
}

/** The consequence comes first, since a screen may cut the reason. */
const notSaved = (why: string): string => `answers from it need --node URL: no names were saved with it (${why})`;
