import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { readOrdinaryFile, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { replaceFileContent } from '../../base/disk/replace-file-content.ts';
import { anyJson } from '../../base/text/any-json.ts';
import type { Directory } from './directory.ts';
import {
  type EpochTimes,
  type ExportRange,
  mergeEpochs,
  mergeRanges,
  RANGE_ENTRIES,
  type SavedWitness,
} from './export-range.ts';
import { MAX_DECIMAL_PLACES, MAX_ENTRIES, MAX_SPECS_PER_MARKET, MAX_TEXT_LENGTH } from './fetch-directory.ts';
import { mergeNames } from './merge-names.ts';

/** What an export itself does not hold: names, decimals of assets, and the requested range. */
export interface ExportNames {
  readonly chainId: string;
  readonly names: Omit<Directory, 'aliases'>;
  /** Empty for exports made before ranges were saved. */
  readonly ranges: readonly ExportRange[];
  readonly epochs: readonly EpochTimes[];
  /** Of the last run that asked other nodes. */
  readonly witnesses: readonly SavedWitness[];
}

/** The names file of an archive. */
export const archiveNamesPath = (archive: string): string => `${archive.replace(/\.zip$/i, '')}.names.json`;

/** The names file of a folder of slices. */
export const slicesNamesPath = (folder: string): string => join(folder, 'names.json');

/** The names file of a Parquet folder: engines skip files that begin with an underscore. */
export const parquetNamesPath = (folder: string): string => join(folder, '_names.json');

/** Undefined if the file does not exist. Throws an error that describes the problem. */
export function readNamesFile(path: string): ExportNames | undefined {
  const text = readOrdinaryFile(path, MAX_FILE_BYTES);
  if (text === undefined) return undefined;
  const { output, success } = v.safeParse(FILE, anyJson(text));
  if (!success) throw new Error('it is not a names file');
  const { chainId, markets, assets, validators, ranges, epochs, witnesses } = output;
  const names = { markets: new Map(markets), assets: new Map(assets), validators: new Map(validators) };
  return { chainId, names, ranges, epochs, witnesses };
}

/** Whether a names file with names exists; an unusable one counts, so that it is not overwritten. */
export function hasSavedNames(path: string): boolean {
  try {
    const there = readNamesFile(path);
    return there !== undefined && there.names.markets.size + there.names.assets.size > 0;
  } catch {
    return true;
  }
}

/**
 * Saves names next to an export, merged with those already there for the same chain. Resolves with the reason if it did
 * not: the file is for another chain, is not a names file, or cannot be written.
 */
export async function saveNamesFile(
  path: string,
  now: Pick<ExportNames, 'chainId' | 'names'> & Partial<ExportNames>,
): Promise<string | undefined> {
  const { chainId } = now;
  try {
    const there = readNamesFile(path);
    if (there !== undefined && there.chainId !== chainId) return `the file there is for chain ${there.chainId}`;
    const { markets, assets, validators } = there === undefined ? now.names : joined(there.names, now.names);
    const witnesses = now.witnesses?.length ? now.witnesses : (there?.witnesses ?? []);
    const content = {
      ...{ format: FORMAT, chainId, markets: [...markets], assets: [...assets], validators: [...validators] },
      ranges: mergeRanges(there?.ranges ?? [], now.ranges ?? []),
      epochs: mergeEpochs(there?.epochs ?? [], now.epochs ?? []),
      ...(witnesses.length > 0 && { witnesses }),
    };
    const text = `${JSON.stringify(content)}\n`;
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) return 'too many names';
    await replaceFileContent(path, text);
    return undefined;
  } catch (error) {
    return systemErrorReason(error);
  }
}

/**
 * Adds the requested range to an existing names file of the same chain; any other file is left unchanged. Resolves with
 * whether it was new. Throws if it cannot be written.
 */
export async function saveRange(
  path: string,
  { chainId, ranges, epochs, witnesses = [] }: Omit<ExportNames, 'names' | 'witnesses'> & Partial<ExportNames>,
): Promise<boolean> {
  const there = usableNames(path);
  if (there?.chainId !== chainId) return false;
  const isKnown = ranges.every(range => there.ranges.some(known => isDeepStrictEqual(known, range)));
  if (isKnown && witnesses.length === 0) return false;
  const problem = await saveNamesFile(path, { ...there, ranges, epochs, witnesses });
  if (problem !== undefined) throw new Error(`${path}: ${problem}`);
  return !isKnown;
}

function usableNames(path: string): ExportNames | undefined {
  try {
    return readNamesFile(path);
  } catch {
    return undefined;
  }
}

/** Names of both, the newer ones first: old names still belong to old accounts. */
function joined(there: ExportNames['names'], now: ExportNames['names']): ExportNames['names'] {
  const both = {
    markets: new Map([...there.markets, ...now.markets]),
    assets: new Map([...there.assets, ...now.assets]),
    validators: new Map([...there.validators, ...now.validators]),
  };
  const fits = v.safeParse(v.strictObject(NAME_ENTRIES), {
    markets: [...both.markets],
    assets: [...both.assets],
    validators: [...both.validators],
  });
  return fits.success ? both : mergeNames(there, now);
}

const FORMAT = 1;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH));
const places = v.nullable(
  v.pipe(v.number(), v.integer(), v.minValue(-MAX_DECIMAL_PLACES), v.maxValue(MAX_DECIMAL_PLACES)),
);
const decimals = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_DECIMAL_PLACES)));
const use = v.picklist(['settlement', 'termination', 'schedule', 'mark-price', 'internal-composite-price']);

const market = v.strictObject({
  code: text,
  name: text,
  state: text,
  decimalPlaces: places,
  positionDecimalPlaces: places,
  asset: text,
  specs: v.pipe(
    v.array(v.strictObject({ use, specId: text, definition: v.exactOptional(text) })),
    v.maxLength(MAX_SPECS_PER_MARKET),
  ),
});
const asset = v.strictObject({ symbol: text, name: text, status: text, decimals, quantum: text });
const validator = v.strictObject({ name: text, ethereumAddress: text, publicKey: text, status: text });

const entriesSchema = <const Entry extends v.GenericSchema>(entry: Entry) =>
  v.pipe(v.array(v.strictTuple([text, entry])), v.maxLength(MAX_ENTRIES));

/** The names of a chain as files hold them: entries by id. */
export const NAME_ENTRIES = {
  markets: entriesSchema(market),
  assets: entriesSchema(asset),
  validators: entriesSchema(validator),
} as const;

const FILE = v.strictObject({ format: v.literal(FORMAT), chainId: v.string(), ...NAME_ENTRIES, ...RANGE_ENTRIES });
