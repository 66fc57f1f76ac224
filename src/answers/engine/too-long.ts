import { AnswerError } from './answer-error.ts';

/** Whether an error is that a text exceeds the longest string of JavaScript. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof RangeError && error.message === 'Invalid string length') ||
    ('code' in error && error.code === 'ERR_STRING_TOO_LONG'));

export const tooLong = (): AnswerError =>
  new AnswerError(
    'a row is too long to be written: half a gigabyte of text is the most',
    'ask for a part of what is long in it: column[1:1000]',
  );
