import type { Client } from '../../chain/api/client.ts';
import { NodeError } from '../../chain/api/errors.ts';
import { NO_NAMES } from '../../chain/directory/directory.ts';
import { fetchDirectory } from '../../chain/directory/fetch-directory.ts';
import { mergeNames } from '../../chain/directory/merge-names.ts';
import {
  type ExportNames,
  hasSavedNames,
  readNamesFile,
  saveNamesFile,
  slicesNamesPath,
} from '../../chain/directory/names-file.ts';
import type { Range } from '../../chain/insight/range.ts';
import { fetchEpochsOfRange } from '../../chain/range/epochs-of-range.ts';
import { surveyRange } from '../../chain/range/survey-range.ts';
import type { ChainRecord } from './chain-file.ts';

interface NamesOptions {
  readonly client: Client;
  /** Of the history. */
  readonly folder: string;
  readonly chainId: string;
  readonly range: Range | null;
  /** New slices are fetched too, or an earlier fetch was killed before it had their names. */
  readonly isNeeded: boolean;
  readonly signal: AbortSignal;
}

interface FetchedNames {
  readonly notes: readonly string[];
  readonly blockTimes: ChainRecord['blockTimes'];
}

/**
 * Saves the names and decimals of the chain, and the times of the epochs in the range, next to the tables. Also asks when the
 * range began and ended. Answers that the node refuses become notes: rows are useful without them.
 */
export async function fetchHistoryNames(options: NamesOptions): Promise<FetchedNames> {
  const { client, folder, chainId, range, isNeeded, signal } = options;
  const path = slicesNamesPath(folder);
  if (range === null || !isNeeded) return { notes: [], blockTimes: [] };
  const blocks = { fromBlock: range.from, toBlock: range.to };
  const there = readSaved(path);
  const [names, epochs, survey] = await Promise.all([
    fetchDirectory(client, signal).catch((error: unknown) => missing(error, signal)),
    fetchEpochsOfRange(client, blocks, signal, there?.epochs),
    surveyRange(client, blocks, signal),
  ]);
  const problem = await saveNamesFile(path, {
    chainId,
    names: mergeNames(NO_NAMES, names ?? {}),
    epochs: epochs.epochs,
  });
  const hasNone = names === undefined && !hasSavedNames(path);
  return {
    notes: [
      ...(problem === undefined ? [] : [`names were not saved in ${path}: ${problem}`]),
      ...(hasNone ? ['the node gave no names: answers need --node URL for names and decimals'] : []),
      ...(epochs.missing === null ? [] : [epochs.missing]),
    ],
    blockTimes:
      survey.kind === 'unknown'
        ? []
        : [
            { height: String(range.from), timeMs: Math.round(survey.from.timeMs) },
            { height: String(range.to), timeMs: Math.round(survey.to.timeMs) },
          ],
  };
}

function missing(error: unknown, signal: AbortSignal): undefined {
  signal.throwIfAborted();
  if (!(error instanceof NodeError)) throw error;
  return undefined;
}

/** An unusable file is reported when it is written. */
function readSaved(path: string): ExportNames | undefined {
  try {
    return readNamesFile(path);
  } catch {
    return undefined;
  }
}
