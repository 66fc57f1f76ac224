import { dirname } from 'node:path';
import { AnswerError } from '../engine/answer-error.ts';

/** What the engine says while it converts, with what can be done about it; its own advice is for questions. */
export function engineTrouble(error: unknown, workFolder: string): unknown {
  if (!(error instanceof AnswerError) || error.because === 'untrusted') return error;
  const unwritten = /^IO Error: Could not (?:write|sync|create|open) .*?"?: ([^:"]+)$/.exec(error.message)?.[1];
  if (unwritten !== undefined)
    return new AnswerError(
      `${dirname(workFolder)} cannot be written: ${unwritten}`,
      'make room or choose another folder',
    );
  return new AnswerError(
    `DuckDB cannot convert what was verified: ${error.message}`,
    'leave the column out with --exclude, if it names one, and please report it',
  );
}
