/** A node no longer lists segments that were to be fetched. In a file of its own, because exit codes need it early. */
export class SegmentsGoneError extends Error {
  override readonly name = 'SegmentsGoneError';
}
