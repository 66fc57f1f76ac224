import type { Dataset, DatasetOptions } from '../answers/index.ts';
import { countOf } from '../insight/count-of.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Context } from './context.ts';

interface Reading {
  /** Only exports of these tables. */
  readonly tables?: readonly string[];
  /** Exports that the command reads for something else. */
  readonly elsewhere?: readonly string[];
}

/**
 * The named exports, those in named folders, or those in this folder. Lists on stderr what it found in folders. Throws
 * AnswerError if there are none.
 */
export async function exportsNamed(
  named: readonly string[],
  { stderr }: Pick<Context, 'stderr'>,
  { tables, elsewhere = [] }: Reading = {},
): Promise<readonly string[]> {
  const { selectExports, someOf } = await import('../answers/index.ts');
  const { paths, left, isSearched } = await selectExports(named.length > 0 ? named : ['.'], { tables });
  if (isSearched || named.length === 0) await stderr.safe(safeLine(`reading ${paths.join(', ')}`));
  const unread = left.filter(path => !elsewhere.includes(path));
  if (unread.length > 0) await stderr.safe(safeLine(`not read unless named: ${someOf(unread)}`));
  return paths;
}

/** Opens exports for queries, showing the progress. */
export async function openedExports(
  options: Omit<DatasetOptions, 'onProgress'>,
  { stderr }: Pick<Context, 'stderr'>,
): Promise<Dataset> {
  const { openDataset } = await import('../answers/index.ts');
  return openDataset({
    ...options,
    onProgress: ({ bytes, totalBytes, rows }) => {
      const share = totalBytes === null || totalBytes === 0 ? '' : `${Math.floor((100 * bytes) / totalBytes)} %, `;
      stderr.progress(`reading the export: ${share}${countOf(rows, 'row')}`);
    },
  }).finally(() => stderr.progress(''));
}
