/**
 * A file or folder cannot be used. The message contains the reason and the remedy. In a separate file, because exit codes
 * need it before anything slow is loaded.
 */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
}
