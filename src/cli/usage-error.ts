/** The command line asks for something that cannot be; the message says what and how it is meant. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
