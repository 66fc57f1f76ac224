/**
 * What a node has is not the history on disk. The message says what differs and what to do.
 * In a file of its own, because exit codes need it before anything slow is loaded.
 */
export class OtherHistoryError extends Error {
  override readonly name = 'OtherHistoryError';
}
