/** The command line asks for something that cannot be; the message says what and how it is meant. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** More that is wrong in the same way, a line each. */
  readonly others: readonly string[];

  constructor(message: string, others: readonly string[] = []) {
    super(message);
    this.others = others;
  }
}
