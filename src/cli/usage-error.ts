/** The command line is wrong; the message gives the mistake, and the correct form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Further lines: more problems of this kind, or commands to try. */
  readonly others: readonly string[];

  constructor(message: string, others: readonly string[] = []) {
    super(message);
    this.others = others;
  }
}
