import { nodeErrorLines } from '../../export/check/node-error.ts';
import { type ExportPlan, expectationOf } from '../../export/plan/plan.ts';
import { groupDigits } from '../../insight/decimal.ts';

/** The verdict on a file or a folder as it lies there now, in lines. */
export async function verifyAgain(
  { path, isFolder, plan }: { readonly path: string; readonly isFolder: boolean; readonly plan: ExportPlan },
  signal: AbortSignal,
): Promise<string> {
  if (isFolder) {
    const { verifyFolder } = await import('../../export/verify/verify-folder.ts');
    const { kind, reason, notes, slices } = await verifyFolder(path, signal);
    const each = slices.map(({ file, verdict }) => `  ${file}: ${verdict.kind}`);
    return [`${kind}: ${reason}`, ...notes.map(note => `  note: ${note}`), ...each].join('\n');
  }
  const { verifyFile } = await import('../../export/verify/verify-file.ts');
  const verdict = await verifyFile(path, expectationOf(plan), { readsRows: true, signal });
  return [
    `${verdict.kind}: ${verdict.reason}`,
    ...nodeErrorLines(verdict).map(text => `  the node: ${text}`),
    ...verdict.notes.map(note => `  note: ${note}`),
    `  ${path}`,
    `  ${groupDigits(String(verdict.bytes))} bytes, SHA-256 ${verdict.sha256}`,
  ].join('\n');
}
