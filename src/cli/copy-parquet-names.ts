import { systemErrorReason } from '../base/disk/ordinary-file.ts';
import { safeLine } from '../base/text/safe-text.ts';
import {
  archiveNamesPath,
  parquetNamesPath,
  readNamesFile,
  saveNamesFile,
  slicesNamesPath,
} from '../chain/directory/names-file.ts';
import type { Context } from './context.ts';

/** Copies the names saved with exports to the Parquet files made from them. */
export async function copyParquetNames(
  paths: readonly string[],
  { chainId, out }: { readonly chainId: string; readonly out: string },
  { stderr }: Pick<Context, 'stderr'>,
): Promise<void> {
  for (const path of paths) {
    const problem = await copyNames(/\.zip$/i.test(path) ? archiveNamesPath(path) : slicesNamesPath(path), {
      chainId,
      out,
    });
    if (problem !== undefined)
      await stderr.safe(
        safeLine(
          `note: the Parquet files have no names and decimals: those of ${path} could not be copied: ${problem}`,
        ),
      );
  }
}

async function copyNames(
  from: string,
  { chainId, out }: { readonly chainId: string; readonly out: string },
): Promise<string | undefined> {
  try {
    const names = readNamesFile(from);
    if (names === undefined) return undefined;
    return names.chainId === chainId
      ? await saveNamesFile(parquetNamesPath(out), names)
      : `${from} is from chain ${names.chainId}`;
  } catch (error) {
    return systemErrorReason(error);
  }
}
