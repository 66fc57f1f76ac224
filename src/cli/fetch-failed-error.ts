/** What a command needs was not fetched; the reasons are on stderr. */
export class FetchFailedError extends Error {
  override readonly name = 'FetchFailedError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
