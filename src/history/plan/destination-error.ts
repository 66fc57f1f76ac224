/**
 * A file or folder cannot be used. The message says why and what to do.
 * In a file of its own, because exit codes need it before anything slow is loaded.
 */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
}
