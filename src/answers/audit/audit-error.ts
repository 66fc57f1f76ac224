/** An audit that cannot be made: the message gives the reason, the hint the remedy. Recognised by its `name`. */
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
