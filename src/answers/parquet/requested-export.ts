import { archiveNamesPath, readNamesFile } from '../../chain/directory/names-file.ts';
import { parseEntryName } from '../../history/check/entry-name.ts';
import { listEntries } from '../../history/check/read-entries.ts';
import type { Expectation } from '../../history/check/verdict.ts';
import { exportFromFileName } from '../../history/plan/export-plan.ts';

/**
 * The export that was requested with an archive: by its file name or, since a file may have any name, as saved next to
 * it; undefined if neither gives it. Saved names of other blocks belong to another file.
 */
export async function findRequestedExport(path: string): Promise<Expectation | undefined> {
  const byName = exportFromFileName(path);
  if (byName !== undefined) return byName;
  const saved = readSavedNamesFile(path);
  if (saved === undefined) return undefined;
  const entries = await listEntries(path).catch(() => undefined);
  const [first, last] = [entries?.[0], entries?.at(-1)].map(entry => parseEntryName(entry?.name ?? ''));
  if (first === undefined || last === undefined) return undefined;
  const [range, ...others] = saved.ranges.filter(
    ({ table, fromBlock, toBlock }) =>
      table === first.table && BigInt(fromBlock) <= first.fromBlock && last.toBlock <= BigInt(toBlock),
  );
  if (range === undefined || others.length > 0 || saved.chainId !== first.chainId) return undefined;
  const { table, fromBlock, toBlock } = range;
  return { table, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock), chainId: saved.chainId };
}

function readSavedNamesFile(path: string) {
  try {
    return readNamesFile(archiveNamesPath(path));
  } catch {
    return undefined;
  }
}
