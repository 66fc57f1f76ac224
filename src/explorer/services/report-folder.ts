import { dirname, join } from 'node:path';
import { systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { writeNewFile } from '../../base/disk/replace-file-content.ts';

/** Writes a page about a party from all exports in the folder of one, beside them; in lines. */
export async function reportFolder(
  { path, party, program }: { readonly path: string; readonly party: string; readonly program: string },
  signal: AbortSignal,
): Promise<string> {
  const { NAMING_TABLES, openDataset, readExportNames, selectExports } = await import('../../answers/index.ts');
  const { htmlReport, makeReport, REPORTED_TABLES, reportSummary } = await import('../../answers/report/index.ts');
  const folder = dirname(path);
  const selected = await selectExports([folder], { tables: REPORTED_TABLES, naming: NAMING_TABLES });
  const { paths, without } = selected;
  const { paths: audited } = await selectExports([folder], { isToConvert: true });
  const dataset = await openDataset({ paths, without, signal });
  try {
    const { directory: names, saved, witnesses } = readExportNames(selected, dataset.chainId);
    const made = await makeReport(
      { party, asked: 'the exported range' },
      { dataset, names, saved, witnesses, audited, program, nowMs: Date.now(), signal },
    );
    const page = await writeNumberedFile(join(folder, `report-${party.slice(0, 8)}`), htmlReport(made));
    return [page, ...reportSummary(made)].join('\n');
  } finally {
    await dataset.close();
  }
}

/** Writes a new file; one that is there already stays, and this one gets a number. */
async function writeNumberedFile(start: string, text: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = `${start}${count === 1 ? '' : `-${count}`}.html`;
    try {
      await writeNewFile(path, text);
      return path;
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isThere) throw new Error(`the page cannot be written to ${path}: ${systemErrorReason(error)}`);
    }
  }
}
