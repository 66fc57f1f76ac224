import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { readOrdinaryFile, reasonOf } from '../disk/ordinary-file.ts';
import { putFile } from '../disk/put-file.ts';
import type { Directory } from './directory.ts';
import { type EpochTimes, type ExportRange, joinedEpochs, joinedRanges, RANGES } from './export-range.ts';
import { mergedNames } from './merged-names.ts';
import { NAMES } from './names-schema.ts';

/** What goes with an export that it has not in itself: names, decimals of assets, and which range was asked for. */
export interface ExportNames {
  readonly chainId: string;
  readonly names: Omit<Directory, 'aliases'>;
  /** None beside an export that was made before they were kept. */
  readonly ranges: readonly ExportRange[];
  readonly epochs: readonly EpochTimes[];
}

/** Where the names of an archive are kept. */
export const namesOfArchive = (archive: string): string => `${archive.replace(/\.zip$/i, '')}.names.json`;

/** Where the names of a folder of slices are kept. */
export const namesOfSlices = (folder: string): string => join(folder, 'names.json');

/** Where the names of a folder of Parquet are kept: engines pass over what begins so. */
export const namesOfParquet = (folder: string): string => join(folder, '_names.json');

/** Undefined where there is no such file. Throws an error that says what is wrong with one. */
export function readNamesFile(path: string): ExportNames | undefined {
  const text = readOrdinaryFile(path, MOST_BYTES);
  if (text === undefined) return undefined;
  const { output, success } = v.safeParse(FILE, parsed(text));
  if (!success) throw new Error('it is no file of names');
  const { chainId, markets, assets, validators, ranges, epochs } = output;
  const names = { markets: new Map(markets), assets: new Map(assets), validators: new Map(validators) };
  return { chainId, names, ranges, epochs };
}

/** Whether a file of names lies there and names something; one that cannot be used is left as it is. */
export function hasKeptNames(path: string): boolean {
  try {
    const there = readNamesFile(path);
    return there !== undefined && there.names.markets.size + there.names.assets.size > 0;
  } catch {
    return true;
  }
}

/**
 * Keeps names beside an export, with those that lie there of the same chain. Resolves with why it did not: what lies there
 * is of another chain or something else, or nothing can be written.
 */
export async function keepNamesFile(
  path: string,
  now: Pick<ExportNames, 'chainId' | 'names'> & Partial<ExportNames>,
): Promise<string | undefined> {
  const { chainId } = now;
  try {
    const there = readNamesFile(path);
    if (there !== undefined && there.chainId !== chainId) return `what lies there is of chain ${there.chainId}`;
    const { markets, assets, validators } = there === undefined ? now.names : joined(there.names, now.names);
    const content = {
      ...{ format: FORMAT, chainId, markets: [...markets], assets: [...assets], validators: [...validators] },
      ranges: joinedRanges(there?.ranges ?? [], now.ranges ?? []),
      epochs: joinedEpochs(there?.epochs ?? [], now.epochs ?? []),
    };
    const text = `${JSON.stringify(content)}\n`;
    if (Buffer.byteLength(text) > MOST_BYTES) return 'there are too many';
    await putFile(path, text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Keeps which range was asked for with names of the same chain that lie there; what is no file of names is left as it is.
 * Resolves with whether that was news. Throws where it cannot be written.
 */
export async function keepRange(
  path: string,
  { chainId, ranges, epochs }: Omit<ExportNames, 'names'>,
): Promise<boolean> {
  const there = usableNames(path);
  if (there?.chainId !== chainId) return false;
  const isKnown = ranges.every(range => there.ranges.some(known => isDeepStrictEqual(known, range)));
  if (isKnown) return false;
  const problem = await keepNamesFile(path, { ...there, ranges, epochs });
  if (problem !== undefined) throw new Error(`${path}: ${problem}`);
  return true;
}

function usableNames(path: string): ExportNames | undefined {
  try {
    return readNamesFile(path);
  } catch {
    return undefined;
  }
}

/** Names of both: what a chain has named stays a name of its accounts, and what is newer wins. */
function joined(there: ExportNames['names'], now: ExportNames['names']): ExportNames['names'] {
  const both = {
    markets: new Map([...there.markets, ...now.markets]),
    assets: new Map([...there.assets, ...now.assets]),
    validators: new Map([...there.validators, ...now.validators]),
  };
  const fits = v.safeParse(v.strictObject(NAMES), {
    markets: [...both.markets],
    assets: [...both.assets],
    validators: [...both.validators],
  });
  return fits.success ? both : mergedNames(there, now);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FORMAT = 1;
const MOST_BYTES = 16 * 1024 * 1024;

const FILE = v.strictObject({ format: v.literal(FORMAT), chainId: v.string(), ...NAMES, ...RANGES });
