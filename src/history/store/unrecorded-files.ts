import { readdir } from 'node:fs/promises';
import type { Range } from '../../chain/insight/range.ts';
import { exportFromFileName } from '../plan/export-plan.ts';

/** Whole files of earlier runs that no record has: a run may have been killed before it wrote one. */
export async function unrecordedFiles(
  folder: string,
  stored: readonly Range[],
  { table, chainId }: { readonly table: string; readonly chainId: string },
): Promise<readonly Range[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter(name => name.endsWith('.zip') && !name.endsWith('.incomplete.zip'))
    .flatMap(name => {
      const named = exportFromFileName(name);
      if (named === undefined || named.table !== table || (named.chainId ?? chainId) !== chainId) return [];
      return [{ from: named.fromBlock, to: named.toBlock }];
    })
    .filter(({ from, to }) => stored.every(range => to < range.from || range.to < from));
}
