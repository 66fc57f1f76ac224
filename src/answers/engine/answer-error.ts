/** A request that cannot be answered: the message gives the reason, the hint the remedy. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly hint: string;
  /** Selects the exit code: a wrong request or path, or data that cannot be trusted. */
  readonly because: 'usage' | 'untrusted';

  constructor(message: string, hint: string, because: 'usage' | 'untrusted' = 'usage') {
    super(message);
    this.hint = hint;
    this.because = because;
  }
}

/** Whether an error is that a text exceeds the longest string of JavaScript. */
export const isStringTooLong = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof RangeError && error.message === 'Invalid string length') ||
    ('code' in error && error.code === 'ERR_STRING_TOO_LONG'));

export const newRowTooLongError = (): AnswerError =>
  new AnswerError(
    'a row is too long: at most half a gigabyte of text can be written',
    'select a part of the long value: column[1:1000]',
  );
