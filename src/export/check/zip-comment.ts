import { isUtf8 } from 'node:buffer';

const RECORD_MARK = /PK(?:\u0001\u0002|\u0003\u0004|\u0005\u0006|\u0006\u0006|\u0006\u0007|\u0007\u0008)/;
const ERROR_TEXT = /\{\s*"|\berror\b/i;

/**
 * Why a comment is more than one, as the end of a sentence: a reader that starts from the end may take a signature in
 * it for a record, an error that a node appended may have become a comment, and Java opens no archive with a comment
 * that is not UTF-8.
 */
export function commentHazard(comment: Buffer): string | undefined {
  if (holdsRecordMark(comment)) return 'holds the signature of a record';
  if (!isUtf8(comment)) return 'is not UTF-8';
  return ERROR_TEXT.test(comment.toString('latin1')) ? 'holds an error, or the beginning of one' : undefined;
}

export function holdsRecordMark(bytes: Buffer): boolean {
  return RECORD_MARK.test(bytes.toString('latin1'));
}
