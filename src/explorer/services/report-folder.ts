import { join, resolve } from 'node:path';
import type { PartyAnswers, ReportInput, ReportRequest } from '../../answers/report/index.ts';
import { systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { writeNewFile } from '../../base/disk/replace-file-content.ts';
import { answerRange, type EngineSettings } from './tables.ts';
import type { ReportedParty } from './world.ts';

/** Writes a page about a party from all exports in a folder, next to them or in another folder. Resolves with lines to show. */
export async function reportFolder(
  { folder, party, range, to = folder, ...engine }: ReportedParty & EngineSettings,
  signal: AbortSignal,
): Promise<string> {
  const { htmlReport, makeReport, reportSummary } = await import('../../answers/report/index.ts');
  return withReported({ folder, ...engine }, signal, async ground => {
    const { selectExports } = await import('../../answers/index.ts');
    const { paths: audited } = await selectExports([folder], { isToConvert: true });
    const request = reportRequest({ party, range, isHistory: ground.isHistory });
    const made = await makeReport(request, { ...ground, audited, program: engine.program, nowMs: Date.now(), signal });
    const year = YEAR.test(range.trim()) ? `-${range.trim()}` : '';
    const page = await writeNumberedFile(join(to, `report-${party.slice(0, 8)}${year}`), htmlReport(made));
    return [resolve(page), ...reportSummary(made)].join('\n');
  });
}

const YEAR = /^\d{4}$/;

/** What a party earned, from all exports in a folder. */
export async function readEarned(
  { folder, party, range, ...engine }: Omit<ReportedParty, 'to'> & EngineSettings,
  onProgress: (step: string) => void,
  signal: AbortSignal,
): Promise<PartyAnswers> {
  const { answerParty } = await import('../../answers/report/index.ts');
  return withReported({ folder, ...engine }, signal, ground =>
    answerParty(reportRequest({ party, range, isHistory: ground.isHistory }), { ...ground, signal, onProgress }),
  );
}

interface Asked extends Pick<ReportedParty, 'party' | 'range'> {
  readonly isHistory: boolean;
}

function reportRequest({ party, range, isHistory }: Asked): ReportRequest {
  const { from, to } = answerRange(range, Date.now());
  const words = range.trim();
  const wholeRange = isHistory ? 'the history on disk' : 'the exported range';
  return {
    party,
    asked: ['', 'all'].includes(words.toLowerCase()) ? wholeRange : `${words} (UTC)`,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

type Ground = Pick<ReportInput, 'dataset' | 'names' | 'saved' | 'witnesses'> & { readonly isHistory: boolean };

/** With the tables of a report open, until it is done. */
async function withReported<T>(
  { folder, ...engine }: { readonly folder: string } & EngineSettings,
  signal: AbortSignal,
  work: (ground: Ground) => Promise<T>,
): Promise<T> {
  const { NAMING_TABLES, openDataset, readExportNames, selectExports } = await import('../../answers/index.ts');
  const { REPORTED_TABLES } = await import('../../answers/report/index.ts');
  const selected = await selectExports([folder], { tables: REPORTED_TABLES, naming: NAMING_TABLES });
  const { paths, without, history } = selected;
  const dataset = await openDataset({ paths, without, history, ...engine, signal });
  try {
    const { directory: names, saved, witnesses } = readExportNames(selected, dataset.chainId);
    return await work({ dataset, names, saved, witnesses, isHistory: history !== undefined });
  } finally {
    await dataset.close();
  }
}

/** Writes a new file; an existing one stays, and the new one gets a number. */
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
