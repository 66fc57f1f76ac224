const recordMark = /PK(?:\u0001\u0002|\u0003\u0004|\u0005\u0006|\u0006\u0006|\u0006\u0007|\u0007\u0008)/;
const errorText = /\{\s*"|\berror\b/i;

/**
 * Why a comment is more than one, as the end of a sentence: a reader that starts from the end may take a signature in
 * it for a record, and an error that a node appended may have become a comment.
 */
export function commentHazard(comment: Buffer): string | undefined {
  const text = comment.toString('latin1');
  if (recordMark.test(text)) return 'holds the signature of a record';
  return errorText.test(text) ? 'holds an error, or the beginning of one' : undefined;
}
