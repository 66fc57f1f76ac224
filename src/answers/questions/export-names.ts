import { statSync } from 'node:fs';
import { type Directory, NO_NAMES } from '../../directory/directory.ts';
import {
  type ExportNames,
  namesOfArchive,
  namesOfParquet,
  namesOfSlices,
  readNamesFile,
} from '../../directory/names-file.ts';

/** The names that were kept with exports. */
export interface NamesFound {
  readonly directory: Directory;
  /** What of them could not be used, a sentence each. */
  readonly notes: readonly string[];
}

/** What lies beside archives and in folders, of one chain. */
export function namesBeside(paths: readonly string[]): NamesFound {
  const notes: string[] = [];
  let found: ExportNames | undefined;
  for (const path of paths.flatMap(filesFor)) {
    try {
      const read = readNamesFile(path);
      if (read === undefined) continue;
      if (found !== undefined && found.chainId !== read.chainId)
        notes.push(`the names in ${path} are of another chain (${read.chainId}): not used`);
      else found = found === undefined ? read : joined(found, read);
    } catch (error) {
      notes.push(`the names in ${path} are not used: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { directory: { ...NO_NAMES, ...found?.names }, notes };
}

function filesFor(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? [namesOfSlices(path), namesOfParquet(path)] : [namesOfArchive(path)];
}

const joined = ({ chainId, names: one }: ExportNames, { names: other }: ExportNames): ExportNames => ({
  chainId,
  names: {
    markets: new Map([...one.markets, ...other.markets]),
    assets: new Map([...one.assets, ...other.assets]),
    validators: new Map([...one.validators, ...other.validators]),
  },
});
