import { statSync } from 'node:fs';
import { type Directory, NO_NAMES } from '../../chain/directory/directory.ts';
import type { SavedWitness } from '../../chain/directory/export-range.ts';
import {
  archiveNamesPath,
  type ExportNames,
  parquetNamesPath,
  readNamesFile,
  slicesNamesPath,
} from '../../chain/directory/names-file.ts';
import type { SelectedExports } from '../dataset/choose-exports.ts';
import type { SavedRanges } from './row-range.ts';

/** The names and ranges saved with exports. */
export interface ExportNamesFound {
  readonly directory: Directory;
  readonly saved: SavedRanges;
  /** What other nodes named as the segments of each export, if they were asked. */
  readonly witnesses: readonly (readonly SavedWitness[])[];
  /** Why some could not be used, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads the names files next to exports and those that were selected with them. Names of a chain other than `chainId` (''
 * if unknown) are not used.
 */
export function readExportNames(
  { paths, names: selected, blocks }: Pick<SelectedExports, 'paths' | 'names' | 'blocks'>,
  chainId: string,
): ExportNamesFound {
  const notes: string[] = [];
  const found: ExportNames[] = [];
  const beside = new Set(paths.flatMap(namesFilePaths));
  // An export that was renamed has its range in a file of another name; other ranges belong to other exports.
  const isOfThese = ({ table, fromBlock, toBlock }: ExportNames['ranges'][number]): boolean =>
    blocks.some(
      ({ table: name, ranges }) =>
        name === table && ranges[0]?.from === BigInt(fromBlock) && ranges.at(-1)?.to === BigInt(toBlock),
    );
  for (const path of [...selected.filter(name => chainId !== '' && !beside.has(name)), ...beside]) {
    try {
      const read = readNamesFile(path);
      if (read === undefined) continue;
      const wanted = chainId || (found[0]?.chainId ?? read.chainId);
      if (read.chainId === wanted)
        found.push(beside.has(path) ? read : { ...read, ranges: read.ranges.filter(isOfThese), witnesses: [] });
      else if (beside.has(path))
        notes.push(`the names in ${path} are not used: they are from chain ${read.chainId}, not ${wanted}`);
    } catch (error) {
      notes.push(`the names in ${path} are not used: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const all = found.map(({ names }) => names);
  const directory: Directory = {
    ...NO_NAMES,
    markets: new Map(all.flatMap(({ markets }) => [...markets])),
    assets: new Map(all.flatMap(({ assets }) => [...assets])),
    validators: new Map(all.flatMap(({ validators }) => [...validators])),
  };
  const saved = { ranges: found.flatMap(({ ranges }) => ranges), epochs: found.flatMap(({ epochs }) => epochs) };
  const witnesses = found.flatMap(({ witnesses: ofExport }) => (ofExport.length === 0 ? [] : [ofExport]));
  return { directory, saved, witnesses, notes };
}

function namesFilePaths(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? [slicesNamesPath(path), parquetNamesPath(path)] : [archiveNamesPath(path)];
}
