/** A file that cannot be read; the message says why. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** The system's own name for it, such as ENOENT; '' when it was found by looking. */
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}
