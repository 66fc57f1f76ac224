/** An audit that cannot be made: the message says why, the hint what to do. Known by its name, as other late rooms are. */
export class AuditError extends Error {
  override readonly name = 'AnswerError';
  readonly hint: string;
  readonly because: 'usage' | 'untrusted';

  constructor(message: string, hint: string, because: 'usage' | 'untrusted' = 'untrusted') {
    super(message);
    this.hint = hint;
    this.because = because;
  }
}
