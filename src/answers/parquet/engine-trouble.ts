import { dirname } from 'node:path';
import { isCode, placeError } from '../../export/plan/destination.ts';
import { DestinationError } from '../../export/plan/destination-error.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { asAnswer } from './archives.ts';

/** An engine error during conversion, with a hint; the engine's own advice is for queries. */
export function engineTrouble(
  error: unknown,
  { folder, what }: { readonly folder: string; readonly what: string },
): unknown {
  if (!(error instanceof AnswerError) || error.because === 'untrusted') return error;
  const unwritten = /^IO Error: Could not (?:write|sync|create|open) .*?"?: ([^:"]+)$/.exec(error.message)?.[1];
  if (unwritten !== undefined)
    return new AnswerError(`${dirname(folder)} cannot be written: ${unwritten}`, 'make room or choose another folder');
  return new AnswerError(
    `DuckDB cannot convert ${what}, which was verified: ${error.message}`,
    'leave the column out with --exclude, if it names one, and please report it',
  );
}

/** A system error about the output folder. */
export function placeTrouble(folder: string, error: unknown): unknown {
  if (isCode(error, 'ENOTDIR'))
    return new AnswerError(`${folder} is not a folder, or is inside a file`, ANOTHER_FOLDER);
  const problem = placeError(folder, error);
  return problem instanceof DestinationError ? new AnswerError(problem.message, ANOTHER_FOLDER) : asAnswer(problem);
}

/** The hint; the message before it says what is in the way. */
const ANOTHER_FOLDER = 'name another folder: --out';
