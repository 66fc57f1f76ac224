import type { Dataset, DatasetOptions, SelectedExports, SelectionOptions } from '../answers/index.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { countOf } from '../chain/insight/count-of.ts';
import type { Context } from './context.ts';

interface FindOptions extends SelectionOptions {
  /** What the command does with them. */
  readonly verb?: string;
  /** Exports that the command reads for something else. */
  readonly elsewhere?: readonly string[];
}

/**
 * The named exports, those in named folders, or those in this folder. Lists on stderr what it found in folders, and what is
 * not read. Throws AnswerError if there are none.
 */
export async function findExports(
  named: readonly string[],
  { stderr }: Pick<Context, 'stderr'>,
  { elsewhere = [], verb = 'reading', ...wanted }: FindOptions = {},
): Promise<SelectedExports> {
  const { selectExports } = await import('../answers/index.ts');
  const selected = await selectExports(named.length > 0 ? named : ['.'], wanted);
  if (selected.isSearched || named.length === 0) await stderr.safe(safeLine(`${verb} ${selected.paths.join(', ')}`));
  const left = selected.left.filter(({ path }) => !elsewhere.includes(path));
  for (const [why, of] of Map.groupBy(left, each => each.why))
    await stderr.safe(safeLine(`not read (${why}): ${of.map(({ path }) => path).join(', ')}`));
  return selected;
}

/** Opens exports for queries, showing the progress. */
export async function openExports(
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
