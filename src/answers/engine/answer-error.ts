/** A request that cannot be answered: the message says why, the hint what to do. */
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
