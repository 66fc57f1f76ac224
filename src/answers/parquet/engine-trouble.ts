import { dirname } from 'node:path';
import { isCode, placeError } from '../../export/destination.ts';
import { DestinationError } from '../../export/destination-error.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { asAnswer } from './archives.ts';

/** What the engine says while it converts, with what can be done about it; its own advice is for questions. */
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

/** What the system says of the folder that the files go into. */
export function placeTrouble(folder: string, error: unknown): unknown {
  if (isCode(error, 'ENOTDIR'))
    return new AnswerError(`${folder} is no folder, or lies in what is none`, ANOTHER_FOLDER);
  const told = placeError(folder, error);
  return told instanceof DestinationError ? new AnswerError(told.message, ANOTHER_FOLDER) : asAnswer(told);
}

/** What there is in the way says the sentence before it. */
const ANOTHER_FOLDER = 'name another folder: --out';
