import { groupDigits } from '../../chain/insight/decimal.ts';
import { nodeErrorLines } from '../../history/check/node-error.ts';
import { type ExportPlan, expectedArchive } from '../../history/plan/export-plan.ts';

/** The verdict on a file or a folder as it lies there now, in lines. */
export async function verifyAgain(
  { path, isFolder, plan }: { readonly path: string; readonly isFolder: boolean; readonly plan: ExportPlan },
  signal: AbortSignal,
): Promise<string> {
  if (isFolder) {
    const { verifyFolder } = await import('../../history/verify/verify-folder.ts');
    const { kind, reason, notes, slices } = await verifyFolder(path, signal);
    const each = slices.map(({ file, verdict }) => `  ${file}: ${verdict.kind}`);
    return [`${kind}: ${reason}`, ...notes.map(note => `  note: ${note}`), ...each].join('\n');
  }
  const { verifyFile } = await import('../../history/verify/verify-file.ts');
  const verdict = await verifyFile(path, expectedArchive(plan), { readsRows: true, signal });
  return [
    `${verdict.kind}: ${verdict.reason}`,
    ...nodeErrorLines(verdict).map(text => `  the node: ${text}`),
    ...verdict.notes.map(note => `  note: ${note}`),
    `  ${path}`,
    `  ${groupDigits(String(verdict.bytes))} bytes, SHA-256 ${verdict.sha256}`,
  ].join('\n');
}

/** The audit of all exports in a folder, in lines. */
export async function auditFolder(
  { folder, nodeFlags }: { readonly folder: string; readonly nodeFlags: readonly string[] },
  signal: AbortSignal,
): Promise<string> {
  const { openArchives, readExportNames, selectExports } = await import('../../answers/index.ts');
  const { auditExports, auditText, fetchLines } = await import('../../answers/audit/index.ts');
  const selected = await selectExports([folder], { isToConvert: true });
  const isHistory = selected.history !== undefined;
  const how = { evenIncomplete: false, isToAudit: true, isHistory, signal };
  const { archives } = await openArchives(selected.paths, how);
  const { directory, saved } = readExportNames(selected, archives.find(({ chainId }) => chainId !== '')?.chainId ?? '');
  const assets = [...directory.assets.keys()];
  const markets = [...directory.markets].map(([id, { asset }]) => ({ id, asset: asset.toLowerCase() }));
  const made = await auditExports({ archives, known: { assets, markets }, segments: saved.ranges, signal });
  const { summary, details } = auditText(made, directory);
  const notes = made.notes.map(note => `note: ${note}`);
  const coverage = (selected.history?.notes ?? []).map(note => `note: ${note}`);
  const place = `${isHistory ? 'The history' : 'Exports'} in ${folder}.`;
  const remarks = [...fetchLines(made, { nodeFlags, isHistory }), ...coverage, ...notes, place];
  return [...summary, '', ...remarks, ...details].join('\n');
}
