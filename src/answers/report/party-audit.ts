import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Directory } from '../../chain/directory/directory.ts';
import type { Audit } from '../audit/index.ts';
import type { Dataset, ExportNamesFound } from '../index.ts';
import type { ReportArchive, ReportAudit } from './report.ts';

export interface AuditInput {
  readonly names: Directory;
  readonly saved: ExportNamesFound['saved'];
  /** The exports that an audit compares; empty if there are none. */
  readonly audited: readonly string[];
  /** They are folders of a history. */
  readonly isHistory?: boolean;
  /** Why the audit is not made; undefined to make one. */
  readonly noAudit?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
}

interface ComparedArchive {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

interface PartyAudit {
  readonly audit: ReportAudit;
  /** The archives that were compared. */
  readonly archives: readonly ComparedArchive[];
}

/** The audit of the exports for a party. */
export async function auditParty(party: string, ground: AuditInput): Promise<PartyAudit> {
  const { names, saved, audited, isHistory = false, noAudit, signal, onProgress = () => {} } = ground;
  const notMade = (why: string): PartyAudit => ({ audit: { kind: 'not-made', why }, archives: [] });
  if (noAudit !== undefined) return notMade(noAudit);
  const { openArchives } = await import('../index.ts');
  const { auditExports, fetchLines } = await import('../audit/index.ts');
  try {
    const { archives } = await openArchives(audited, { evenIncomplete: false, isToAudit: true, isHistory, signal });
    const made = await auditExports({
      archives,
      party,
      segments: saved.ranges,
      known: {
        assets: [...names.assets.keys()],
        markets: [...names.markets].map(([id, { asset }]) => ({ id, asset: asset.toLowerCase() })),
      },
      signal,
      onProgress: ({ bytes, totalBytes }) =>
        onProgress(`comparing the tables: ${totalBytes === 0 ? 0 : Math.floor((100 * bytes) / totalBytes)} %`),
    });
    return {
      audit: {
        kind: 'made',
        verdict: made.verdict,
        reason: made.reason,
        agreeing: made.checks.filter(({ compared, total }) => compared.values > 0 && total === 0).length,
        notGiven: missingTableNames(made, table => !archives.some(archive => archive.table === table)),
        otherBlocks: missingTableNames(made, table => archives.some(archive => archive.table === table)),
        looks: made.checks.flatMap(({ name, kind, total }) => (kind === 'look' && total > 0 ? [{ name, total }] : [])),
        commands: fetchLines(made, { isHistory })
          .slice(1)
          .map(line => line.trim()),
      },
      archives,
    };
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AnswerError')) throw error;
    return notMade(error.message);
  }
}

const missingTableNames = ({ missing }: Audit, isWanted: (table: string) => boolean): readonly string[] =>
  missing.map(({ table }) => table).filter(isWanted);

/** The archives that figures and the audit were made from, with their hashes. */
export async function listReportArchives(
  { tables }: Dataset,
  compared: readonly ComparedArchive[],
  signal: AbortSignal,
): Promise<readonly ReportArchive[]> {
  const used = tables.flatMap(({ parts }) => parts.flatMap(({ archive }) => archive ?? []));
  const hashed: ReportArchive[] = [];
  for (const { name, path, bytes } of compared) {
    const sha256 = await sha256Of(path, signal);
    const isUsed = used.some(archive => archive.sha256 === sha256);
    hashed.push({ name, bytes, sha256, use: isUsed ? 'figures and audit' : 'audit' });
  }
  const rest = used.filter(({ sha256 }) => hashed.every(archive => archive.sha256 !== sha256));
  return [...rest.map(archive => ({ ...archive, use: 'figures' }) as const), ...hashed];
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest('hex');
}
