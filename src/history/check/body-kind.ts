import { constants, gunzipSync } from 'node:zlib';
import type { ByteFeed } from './byte-feed.ts';
import { decodeNodeError } from './node-error.ts';
import type { Finding, ReportedError } from './verdict.ts';

/** The kind of a body, judged by its first bytes. */
type BodyKind =
  | { readonly kind: 'zip' }
  | { readonly kind: 'refused'; readonly finding: Finding; readonly nodeError: ReportedError | undefined }
  | { readonly kind: 'other'; readonly finding: Finding };

const MAX_ERROR_BYTES = 1024 * 1024;
const GZIP_PEEK_BYTES = 64 * 1024;
const GZIP_CONTENT_LIMIT = 8 * 1024 * 1024;
/** Enough to recognise a format. More could reveal the content of a private file. */
const SHOWN_BYTES = 4;

/** Judges a body by its first bytes, without consuming them. */
export async function classifyBody(feed: ByteFeed): Promise<BodyKind> {
  const start = await feed.peek(512);
  if (start.length === 0) return refuseOther('empty-body', 'The node sent an empty body.');
  if (start[0] === 0x1f && start[1] === 0x8b) return classifyGzip(await feed.peek(GZIP_PEEK_BYTES));
  if (/^\s*\{/.test(start.toString('latin1'))) return classifyJson(await feed.peek(MAX_ERROR_BYTES));
  if (isZipStart(start)) return { kind: 'zip' };
  const shown = JSON.stringify(start.toString('latin1', 0, SHOWN_BYTES));
  return refuseOther('not-zip', `The body is not a ZIP archive: it begins with ${shown}.`);
}

/** Checks the bytes after the end record. Nodes append the error of a failed export there (export-behaviour.md section 1.6). */
export async function checkTrailingBytes(
  feed: ByteFeed,
): Promise<{ readonly findings: readonly Finding[]; readonly nodeError?: ReportedError | undefined }> {
  const at = { byteOffset: feed.position };
  const rest = await feed.peek(MAX_ERROR_BYTES);
  if (rest.length === 0) return { findings: [] };
  const text = rest.toString('utf8');
  const nodeError = decodeNodeError(text);
  if (nodeError) return { findings: [{ fault: 'node-error', reason: ERROR_AFTER_ARCHIVE, at }], nodeError };
  if (text.trimStart().startsWith('{')) {
    const reason = 'An error message of the node follows the archive, but it was cut short.';
    return { findings: [{ fault: 'node-error', reason, at }] };
  }
  return { findings: [{ fault: 'trailing-bytes', reason: 'Bytes follow the end of the archive.', at }] };
}

const ERROR_AFTER_ARCHIVE = 'The node closed the archive and then reported that the export had failed';

function isZipStart(start: Buffer): boolean {
  return ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0006\u0006'].some(mark =>
    mark.startsWith(start.toString('latin1', 0, 4)),
  );
}

function classifyJson(body: Buffer): BodyKind {
  const nodeError = decodeNodeError(body.toString('utf8'));
  const reason = nodeError
    ? 'The node sent an error instead of an archive'
    : 'The body is JSON, neither an archive nor a known form of error.';
  return { kind: 'refused', finding: { fault: 'not-zip', reason, at: { byteOffset: 0 } }, nodeError };
}

function classifyGzip(start: Buffer): BodyKind {
  const content = gunzipPartially(start);
  if (content?.[0] === 0x7b) return classifyJson(content);
  const what = content && isZipStart(content) ? 'the archive' : 'something';
  return refuseOther('gzip', `The body is gzip around ${what}: request it with Accept-Encoding: identity.`);
}

function gunzipPartially(start: Buffer): Buffer | undefined {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: GZIP_CONTENT_LIMIT });
  } catch {
    return undefined;
  }
}

function refuseOther(fault: 'empty-body' | 'not-zip' | 'gzip', reason: string): BodyKind {
  return { kind: 'other', finding: { fault, reason, at: { byteOffset: 0 } } };
}
