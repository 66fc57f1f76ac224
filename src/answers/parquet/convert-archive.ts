import type { Stats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveFile } from '../../history/check/archive-file.ts';
import { inspectArchive } from '../../history/check/check-archive.ts';
import type { ContentCheck } from '../../history/check/entry-data.ts';
import { toUnreadableError } from '../../history/check/regular-file.ts';
import type { Verdict } from '../../history/check/verdict.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sqlText } from '../engine/sql-text.ts';
import { type Archive, asAnswerError, newRefusedArchiveError } from './archives.ts';
import { MAX_ROW_BYTES, rowProblem, toConversionError, toFolderError } from './conversion-error.ts';
import { type DayTarget, type StagedFile, writeDays } from './day-files.ts';
import { type CsvPart, PartFiles } from './part-files.ts';
import { duckdbType, exactValue, helperColumnSql, misfitsQuery, momentSql, type TableColumn } from './table-column.ts';

export type ArchiveOutcome =
  | { readonly kind: 'converted'; readonly verdict: Verdict; readonly files: readonly StagedFile[] }
  /** Some values need other column types: the files cannot be used. */
  | { readonly kind: 'misfit'; readonly misfits: Misfits };

interface ArchiveTarget extends PartTarget {
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
    if (part.rowEnds === 'mixed') throw await partError(archive, part, undefined, target);
    await converted.take(part).catch(async (error: unknown) => {
      throw await partError(archive, part, error, target);
    });
  });
  const onContent = (csv: ContentCheck, chunk: Buffer): Promise<void> | undefined => {
    // Report a failure only after the verdict: a broken archive is the better explanation.
    if (queue.hasFailed) return undefined;
    return queue.add(cutIntoParts(parts, csv, chunk, target.folder));
  };
  try {
    const before = await stat(archive.path);
    const verdict = await checkWhileReading(archive, target, onContent);
    refuseUnsound(archive, verdict);
    queue.add(parts.end());
    await queue.finish();
    await refuseChanged(archive, before);
    if (converted.misfits.size > 0) return { kind: 'misfit', misfits: converted.misfits };
    return { kind: 'converted', verdict, files: converted.files };
  } catch (error) {
    throw asAnswerError(toUnreadableError(archive.path, error));
  } finally {
    parts.abandon();
    await queue.finish().catch(() => {});
  }
}

/** Why a part that passed the check is not converted. */
async function partError(
  { path }: Archive,
  part: CsvPart,
  error: unknown,
  { folder, signal }: ArchiveTarget,
): Promise<unknown> {
  signal.throwIfAborted();
  const trouble = await rowProblem(part);
  if (trouble === undefined) return toConversionError(error, { folder, what: `${part.name} in ${path}` });
  return new AnswerError(`${path}: ${trouble.what}`, trouble.hint, 'untrusted');
}

function cutIntoParts(parts: PartFiles, csv: ContentCheck, chunk: Buffer, folder: string): readonly CsvPart[] {
  try {
    return parts.take(csv, chunk);
  } catch (error) {
    throw toFolderError(dirname(folder), error);
  }
}

async function checkWhileReading(
  { path, expectation }: Archive,
  { signal, onProgress }: ArchiveTarget,
  onContent: (csv: ContentCheck, chunk: Buffer) => Promise<void> | undefined,
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
    'wait until nothing writes to it, then convert it again',
    'untrusted',
  );
}

function refuseUnsound(archive: Archive, verdict: Verdict): void {
  const { path, flaw, sha256 } = archive;
  const isTaken = verdict.kind === 'complete' || (verdict.kind === 'incomplete' && flaw !== undefined);
  if (!isTaken) throw newRefusedArchiveError(path, verdict);
  if (!isAsListed(archive, verdict))
    throw new AnswerError(
      `${path} was changed after the conversion began`,
      'wait until nothing writes to it, then run the command again',
      'untrusted',
    );
  if (sha256 === undefined || sha256 === verdict.sha256) return;
  throw new AnswerError(
    `${path} is a complete export, but not the one in its manifest: the SHA-256 differs`,
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
  readonly misfits = new Set<string>();

  constructor(target: PartTarget) {
    this.#target = target;
  }

  /** After a value did not fit, the other parts are only inspected, so that one more pass is enough. */
  async take(part: CsvPart): Promise<void> {
    const isLookedAt = this.misfits.size > 0;
    const outcome = isLookedAt
      ? {
          kind: 'misfit' as const,
          misfits: part.rows === 0 ? new Set<string>() : await findMisfits(this.#target, part),
        }
      : await convertPart(this.#target, part);
    if (outcome.kind === 'files') this.files.push(...outcome.files);
    else for (const name of outcome.misfits) this.misfits.add(name);
  }
}

/** Parts that may wait on disk while one is converted; more would only take space. */
const MAX_WAITING_PARTS = 2;

/** Converts one part after another while the next ones are cut. */
class PartQueue {
  readonly #work: (part: CsvPart) => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #hasFailed = false;
  #room = Promise.withResolvers<void>();

  constructor(work: (part: CsvPart) => Promise<void>) {
    this.#work = work;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** A promise if the caller must wait for room. */
  add(parts: readonly CsvPart[]): Promise<void> | undefined {
    for (const part of parts) {
      this.#waiting++;
      this.#last = this.#last.then(() => this.#take(part));
      // `done` rejects with this error.
      this.#last.catch(() => {});
    }
    return this.#waiting > MAX_WAITING_PARTS ? this.#room.promise : undefined;
  }

  /** Rejects with the first error. */
  async finish(): Promise<void> {
    await this.#last;
  }

  async #take(part: CsvPart): Promise<void> {
    try {
      await this.#work(part);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#waiting--;
      this.#room.resolve();
      this.#room = Promise.withResolvers();
      await rm(part.path, { force: true });
    }
  }
}

/** How to convert a table. */
interface PartTarget extends DayTarget {
  /** The current name of each CSV column. */
  readonly nameOf: (csvColumn: string) => string;
}

/** Names of the columns with values that did not fit; empty if all fit. */
type Misfits = ReadonlySet<string>;

type PartOutcome =
  | { readonly kind: 'files'; readonly files: readonly StagedFile[] }
  | { readonly kind: 'misfit'; readonly misfits: Misfits };

/** Converts rows of a CSV to Parquet, one file per day; each file is read back and compared. */
async function convertPart(target: PartTarget, part: CsvPart): Promise<PartOutcome> {
  if (part.rows === 0) return { kind: 'files', files: [] };
  const { database, signal } = target;
  try {
    await database.run(
      `CREATE OR REPLACE TEMP TABLE part AS SELECT *, CAST(block_time AS DATE) AS block_day
       FROM (SELECT ${selectListSql(target, part)} FROM ${textsSql(target, part)})`,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    const misfits = await findMisfits(target, part);
    if (misfits.size === 0) throw error;
    return { kind: 'misfit', misfits };
  }
  try {
    return { kind: 'files', files: await writeDays(target, part) };
  } finally {
    await database.run('DROP TABLE IF EXISTS part');
  }
}

async function findMisfits(target: PartTarget, part: CsvPart): Promise<Misfits> {
  const { database, columns, nameOf, signal } = target;
  const looked = columns.flatMap(column => {
    const text = columnTextSql(column, part, nameOf);
    return text === undefined || column.besides !== undefined || column.columnType.kind === 'text'
      ? []
      : [{ column, text }];
  });
  const query = looked.map(({ column, text }) => misfitsQuery(column, text)).join(', ');
  const [row = []] = (await database.all(`SELECT ${query} FROM ${textsSql(target, part)}`, signal)).rows;
  return new Set(looked.flatMap(({ column }, index) => (Number(row[index] ?? 0) === 0 ? [] : [column.name])));
}

/** The texts of a part, some with helper columns next to them. */
function textsSql({ columns, nameOf }: PartTarget, part: CsvPart): string {
  const plain = columns.flatMap(column => {
    const text = columnTextSql(column, part, nameOf);
    return text === undefined ? [] : helperColumnSql(column, text);
  });
  return `(SELECT ${['*', ...plain].join(', ')} FROM ${readCsvSql(part)})`;
}

/** Columns are named by number, because the names in a CSV come from a node. */
function readCsvSql({ path, columns, hasHeader, rowEnds }: CsvPart): string {
  const types = columns.map((_, index) => `c${index}: 'VARCHAR'`).join(', ');
  return `read_csv(${sqlText(path)}, auto_detect = false, header = ${hasHeader}, delim = ',', quote = '"', escape = '"',
    new_line = ${sqlText(rowEnds === 'returns' ? '\\r\\n' : '\\n')}, nullstr = '', allow_quoted_nulls = false, max_line_size = ${MAX_ROW_BYTES}, buffer_size = ${BUFFER_BYTES}, columns = {${types}})`;
}

/** Several of these are in memory at the same time. */
const BUFFER_BYTES = 8 * 1024 * 1024;

function columnTextSql(column: TableColumn, { columns }: CsvPart, nameOf: PartTarget['nameOf']): string | undefined {
  const index = columns.findIndex(name => nameOf(name) === (column.besides ?? column.name));
  return index < 0 ? undefined : `c${index}`;
}

function selectListSql({ columns, nameOf }: PartTarget, part: CsvPart): string {
  const values = columns.map((column, index) => {
    const text = columnTextSql(column, part, nameOf);
    return `${text === undefined ? `CAST(NULL AS ${duckdbType(column)})` : exactValue(column, text)} AS p${index}`;
  });
  const time = part.columns.indexOf('vega_time');
  const blockTime = time < 0 ? 'CAST(NULL AS TIMESTAMP)' : `TRY(${momentSql(`c${time}`)})`;
  return [...values, `CASE WHEN ${hasDayNameSql(blockTime)} THEN ${blockTime} END AS block_time`].join(', ');
}

/** Whether the column is a time that can be used as a folder name. */
const hasDayNameSql = (time: string): string => `isfinite(${time}) AND year(${time}) BETWEEN 1 AND 9999`;
