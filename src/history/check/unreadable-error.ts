/**
 * A file cannot be read. The message contains the reason. In a separate file, because exit codes need it before anything
 * slow is loaded.
 */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** The system code, such as ENOENT; '' for checks of our own. */
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}
