import type { IncomingHttpHeaders } from 'node:http';
import type { Verdict } from './check/verdict.ts';

/**
 * The verdict with a note when nothing but the closed connection said that the body was over, as over HTTP/1.0 or
 * through some proxies: a node appends the error of a failed export last, and a body cut just before it looks whole.
 */
export function withEndNote(verdict: Verdict, headers: IncomingHttpHeaders): Verdict {
  const isEndStated = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isEndStated ? verdict : { ...verdict, notes: [...verdict.notes, NOTE] };
}

const NOTE =
  'The body had no length and no chunks, so only the closed connection said that it was over: ' +
  'an error that the node appended last may be missing.';
