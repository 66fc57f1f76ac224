import type { Dataset, DatasetOptions } from '../answers/index.ts';
import { countOf } from '../insight/count-of.ts';
import { EMPTY, safeLine, sanitize } from '../text/safe-text.ts';
import type { Context } from './context.ts';
import { UsageError } from './usage-error.ts';

/** The exports that are named, or those of this folder, of these tables where some are; stderr then says which. Throws UsageError without any. */
export async function exportsNamed(
  named: readonly string[],
  { stderr }: Pick<Context, 'stderr'>,
  tables?: readonly string[],
): Promise<readonly string[]> {
  if (named.length > 0) return named;
  const { exportsLeft, findExports } = await import('../answers/index.ts');
  const paths = await findExports('.', tables);
  const left = await exportsLeft('.', paths);
  const some = `${left.slice(0, 3).join(', ')}${left.length > 3 ? ` and ${left.length - 3} more` : ''}`;
  if (paths.length === 0)
    throw new UsageError(
      left.length > 0
        ? `nothing in this folder is called as an export is: name what is meant, of ${some}`
        : 'there is no export in this folder: name a ZIP file, or a folder of slices or of Parquet',
    );
  await stderr.safe(safeLine(`asking ${paths.join(', ')}`));
  if (left.length > 0) await stderr.safe(safeLine(`not asked unless named: ${some}`));
  return paths;
}

/** Opens exports to be asked; how far it is stands on the terminal meanwhile. */
export async function openedExports(
  options: Omit<DatasetOptions, 'onProgress'>,
  { stderr }: Pick<Context, 'stderr'>,
): Promise<Dataset> {
  const { openDataset } = await import('../answers/index.ts');
  return openDataset({
    ...options,
    onProgress: ({ bytes, totalBytes, rows }) => {
      const share = totalBytes === null || totalBytes === 0 ? '' : `${Math.floor((100 * bytes) / totalBytes)} %, `;
      stderr.progress(sanitize(`reading the export: ${share}${countOf(rows, 'row')}`));
    },
  }).finally(() => stderr.progress(EMPTY));
}
