/** The command line is wrong; the message says what, and how to write it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Further lines: more problems of this kind, or commands to try. */
  readonly others: readonly string[];

  constructor(message: string, others: readonly string[] = []) {
    super(message);
    this.others = others;
  }
}
