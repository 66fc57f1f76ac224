import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveFile } from '../../export/check/archive-file.ts';
import type { CheckedContent } from '../../export/check/entry-data.ts';
import { inspectArchive } from '../../export/check/inspect-archive.ts';
import { unreadable } from '../../export/check/regular-file.ts';
import type { Verdict } from '../../export/check/verdict.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { type Archive, asAnswer, refusedArchive } from './archives.ts';
import { convertPart, type Needs, needsOf, type PartTarget } from './convert-part.ts';
import type { StagedFile } from './day-files.ts';
import { engineTrouble, placeTrouble } from './engine-trouble.ts';
import { bothNeeds, USUAL } from './need.ts';
import { type CsvPart, PartFiles } from './part-files.ts';
import { PartQueue } from './part-queue.ts';
import { rowTrouble } from './row-trouble.ts';

export type ArchiveOutcome =
  | { readonly kind: 'converted'; readonly verdict: Verdict; readonly files: readonly StagedFile[] }
  /** Some values need other column types: the files cannot be used. */
  | { readonly kind: 'misfit'; readonly needs: Needs };

export interface ArchiveTarget extends PartTarget {
  /** A part has this many bytes of a CSV, and the rest of the last row. */
  readonly partBytes: number;
  readonly onProgress: (progress: { readonly bytes: number; readonly rows: number }) => void;
}

/**
 * Checks an archive and converts it in one pass. The files have temporary names and are returned only with the verdict on
 * the whole archive. Throws AnswerError if the archive is not good enough.
 */
export async function convertArchive(archive: Archive, target: ArchiveTarget): Promise<ArchiveOutcome> {
  const parts = new PartFiles(target.folder, target.partBytes);
  const converted = new ConvertedParts(target);
  const queue = new PartQueue(async part => {
    if (part.rowEnds === 'mixed') throw await partTrouble(archive, part, undefined, target);
    await converted.take(part).catch(async (error: unknown) => {
      throw await partTrouble(archive, part, error, target);
    });
  });
  const onContent = (csv: CheckedContent, chunk: Buffer): Promise<void> | undefined => {
    // Report a failure only after the verdict: a broken archive is the better explanation.
    if (queue.hasFailed) return undefined;
    return queue.add(cut(parts, csv, chunk, target.folder));
  };
  try {
    const before = await stat(archive.path);
    const verdict = await verdictOn(archive, target, onContent);
    refuse(archive, verdict);
    queue.add(parts.end());
    await queue.finish();
    await refuseChanged(archive, before);
    if (converted.needs.size > 0) return { kind: 'misfit', needs: converted.needs };
    return { kind: 'converted', verdict, files: converted.files };
  } catch (error) {
    throw asAnswer(unreadable(archive.path, error));
  } finally {
    parts.abandon();
    await queue.finish().catch(() => {});
  }
}

/** Why a part that passed the check is not converted. */
async function partTrouble(
  { path }: Archive,
  part: CsvPart,
  error: unknown,
  { folder, signal }: ArchiveTarget,
): Promise<unknown> {
  signal.throwIfAborted();
  const trouble = await rowTrouble(part);
  if (trouble === undefined) return engineTrouble(error, { folder, what: `${part.name} in ${path}` });
  return new AnswerError(`${path}: ${trouble.what}`, trouble.hint, 'untrusted');
}

function cut(parts: PartFiles, csv: CheckedContent, chunk: Buffer, folder: string): readonly CsvPart[] {
  try {
    return parts.take(csv, chunk);
  } catch (error) {
    throw placeTrouble(dirname(folder), error);
  }
}

async function verdictOn(
  { path, expectation }: Archive,
  { signal, onProgress }: ArchiveTarget,
  onContent: (csv: CheckedContent, chunk: Buffer) => Promise<void> | undefined,
): Promise<Verdict> {
  const file = new ArchiveFile(path, undefined, signal);
  try {
    return await inspectArchive(file, expectation, {
      onContent,
      onProgress: ({ bytesChecked, entryRows, entriesDone }) => {
        const doneRows = entriesDone.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
        onProgress({ bytes: bytesChecked, rows: doneRows + entryRows });
      },
    });
  } finally {
    file.close();
  }
}

async function refuseChanged({ path }: Archive, before: Stats): Promise<void> {
  const after = await stat(path);
  if (after.size === before.size && after.mtimeMs === before.mtimeMs) return;
  throw new AnswerError(
    `${path} changed while it was read`,
    'wait till nobody writes to it, and convert it again',
    'untrusted',
  );
}

function refuse(archive: Archive, verdict: Verdict): void {
  const { path, flaw, sha256 } = archive;
  const isTaken = verdict.kind === 'complete' || (verdict.kind === 'incomplete' && flaw !== undefined);
  if (!isTaken) throw refusedArchive(path, verdict);
  if (!isAsListed(archive, verdict))
    throw new AnswerError(
      `${path} was changed after the conversion began`,
      'wait for whoever writes it, and run the same command again',
      'untrusted',
    );
  if (sha256 === undefined || sha256 === verdict.sha256) return;
  throw new AnswerError(
    `${path} is a whole export, but not the one that its manifest tells of: its SHA-256 differs`,
    'run the export again',
    'untrusted',
  );
}

/** The plan depends on what the file contained at first, so a file that changed since then is refused. */
function isAsListed({ bytes, csvs }: Archive, verdict: Verdict): boolean {
  const found = verdict.entries.filter(({ columns }) => columns.length > 0);
  const shape = (of: Archive['csvs'][number] | Verdict['entries'][number]) => [of.name, of.columns];
  return bytes === verdict.bytes && JSON.stringify(csvs.map(shape)) === JSON.stringify(found.map(shape));
}

/** The result of the parts so far. */
class ConvertedParts {
  readonly #target: PartTarget;
  readonly files: StagedFile[] = [];
  readonly needs = new Map<string, ReturnType<typeof bothNeeds>>();

  constructor(target: PartTarget) {
    this.#target = target;
  }

  /** After a value did not fit, the other parts are only inspected, so that one more pass is enough. */
  async take(part: CsvPart): Promise<void> {
    const isLookedAt = this.needs.size > 0;
    const outcome = isLookedAt
      ? {
          kind: 'misfit' as const,
          needs: part.rows === 0 ? new Map<string, never>() : await needsOf(this.#target, part),
        }
      : await convertPart(this.#target, part);
    if (outcome.kind === 'files') this.files.push(...outcome.files);
    else for (const [name, need] of outcome.needs) this.needs.set(name, bothNeeds(this.needs.get(name) ?? USUAL, need));
  }
}
