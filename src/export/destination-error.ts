/** The place of a file cannot be used; the message says why and what to do. */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
}
