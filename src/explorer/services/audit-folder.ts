import { dirname } from 'node:path';

/** The audit of all exports in the folder of one, in lines. */
export async function auditFolder(path: string, signal: AbortSignal): Promise<string> {
  const { openArchives, savedNames, selectExports } = await import('../../answers/index.ts');
  const { auditExports, auditLines, fetchLines } = await import('../../audit/index.ts');
  const folder = dirname(path);
  const { paths } = await selectExports([folder], { isToConvert: true });
  const { archives } = await openArchives(paths, { evenIncomplete: false, isToAudit: true, signal });
  const { directory, saved } = savedNames(paths, archives.find(({ chainId }) => chainId !== '')?.chainId ?? '');
  const assets = [...directory.assets.keys()];
  const markets = [...directory.markets].map(([id, { asset }]) => ({ id, asset: asset.toLowerCase() }));
  const made = await auditExports({ archives, known: { assets, markets }, segments: saved.ranges, signal });
  const [verdict = '', ...checks] = auditLines(made, directory);
  const notes = made.notes.map(note => `note: ${note}`);
  return [verdict, `Exports in ${folder}.`, ...fetchLines(made), ...notes, ...checks].join('\n');
}
