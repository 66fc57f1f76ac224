import { createReadStream } from 'node:fs';
import { dirname } from 'node:path';
import { hasErrorCode, toDestinationError } from '../../history/plan/destination.ts';
import { DestinationError } from '../../history/plan/destination-error.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { asAnswerError } from './archives.ts';
import type { CsvPart } from './part-files.ts';

/** An engine error during conversion, with a hint; the engine's own advice is for queries. */
export function toConversionError(
  error: unknown,
  { folder, what }: { readonly folder: string; readonly what: string },
): unknown {
  if (!(error instanceof AnswerError) || error.because === 'untrusted') return error;
  const unwritten = /^IO Error: Could not (?:write|sync|create|open) .*?"?: ([^:"]+)$/.exec(error.message)?.[1];
  if (unwritten !== undefined)
    return new AnswerError(
      `${dirname(folder)} cannot be written: ${unwritten}`,
      'free some space or choose another folder',
    );
  return new AnswerError(
    `DuckDB cannot convert ${what}, which was verified: ${error.message}`,
    'if this message has a column name, leave that column out with --exclude; please report this',
  );
}

/** A system error about the output folder. */
export function toFolderError(folder: string, error: unknown): unknown {
  if (hasErrorCode(error, 'ENOTDIR'))
    return new AnswerError(`${folder} is not a folder, or is inside a file`, ANOTHER_FOLDER);
  const problem = toDestinationError(folder, error);
  return problem instanceof DestinationError
    ? new AnswerError(problem.message, ANOTHER_FOLDER)
    : asAnswerError(problem);
}

/** The hint; the message before it describes the problem. */
const ANOTHER_FOLDER = 'choose another folder with --out';

/** Deployed nodes send no row longer than 65,535 bytes. */
export const MAX_ROW_BYTES = 2 * 1024 * 1024;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface RowProblem {
  readonly what: string;
  readonly hint: string;
}

/**
 * The first row that the engine cannot read, in a part of a CSV that passed the check; undefined if no row explains the
 * failure.
 */
export async function rowProblem(part: CsvPart): Promise<RowProblem | undefined> {
  let [firstHasReturn, number]: [boolean | undefined, number] = [undefined, part.rowsBefore + (part.hasHeader ? 0 : 1)];
  for await (const { bytes, hasReturn } of readRows(part.path)) {
    const row = number === 0 ? 'the header' : `row ${number}`;
    if (bytes >= MAX_ROW_BYTES) return { what: `${row} of ${part.name} has ${bytes} bytes`, hint: LONG_HINT };
    firstHasReturn ??= hasReturn;
    if (hasReturn !== firstHasReturn)
      return {
        what: `${row} of ${part.name} ends with ${rowEndText(hasReturn)}, the one before it with ${rowEndText(firstHasReturn)}`,
        hint: MIXED_HINT,
      };
    number++;
  }
  return undefined;
}

const LONG_HINT = `rows of ${MAX_ROW_BYTES} bytes or more are not converted. Deployed nodes write at most 65535, so the file may have been changed: export it again`;
const MIXED_HINT = 'deployed nodes end each row with a line feed only, so the file was changed: export it again';

const rowEndText = (hasReturn: boolean): string =>
  hasReturn ? 'a carriage return and a line feed' : 'a line feed only';

interface Row {
  /** The row without its line feed. */
  readonly bytes: number;
  readonly hasReturn: boolean;
}

/** The CSV passed the check, so its quotes match: a row ends with a line feed outside quotes. */
async function* readRows(path: string): AsyncGenerator<Row> {
  let [isQuoted, bytes, before] = [false, 0, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
    for (const byte of Buffer.from(chunk)) {
      if (byte === LINE_FEED && !isQuoted) {
        yield { bytes, hasReturn: before === CARRIAGE_RETURN };
        bytes = 0;
      } else bytes++;
      if (byte === QUOTE) isQuoted = !isQuoted;
      before = byte;
    }
}
