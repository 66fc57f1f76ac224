import { newGatewayFailure, newInvalidArgumentFailure } from '../gateway/failure.ts';
import type { Query } from '../gateway/query.ts';

/** The pagination parameters as sent; "" counts as present. */
export interface PageParameters {
  readonly first: number | undefined;
  readonly after: string | undefined;
  readonly last: number | undefined;
  readonly before: string | undefined;
  readonly newestFirst: boolean | undefined;
}

export interface ResolvedPageRequest {
  readonly direction: 'forward' | 'backward';
  /** 1..5000, default 1000. */
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly cursor: RequestCursor | undefined;
}

interface RequestCursor {
  readonly encoded: string;
  readonly content: string;
}

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 5000;

export function readPageParameters(query: Query): PageParameters {
  if (query.hasKey('pagination')) {
    const type = 'unsupported message type: "datanode.api.v2.Pagination"';
    throw newGatewayFailure(3, `parsing field "pagination": ${type}`);
  }
  return {
    first: query.int32('pagination.first'),
    after: query.text('pagination.after'),
    last: query.int32('pagination.last'),
    before: query.text('pagination.before'),
    newestFirst: query.bool('pagination.newest_first'),
  };
}

/** The rules of node-behaviour.md section 3.1: which parameter wins, and the refusals with code 10028. */
export function resolvePageRequest(sent: PageParameters): ResolvedPageRequest {
  if (sent.after !== undefined && sent.before !== undefined) {
    throw invalidPagination('cannot set both a before and after cursor');
  }
  const isForward = sent.first !== undefined || (sent.last === undefined && sent.before === undefined);
  const limit = (isForward ? sent.first : sent.last) ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw invalidPagination('pagination limit must be in range 0-5000');
  }
  return {
    direction: isForward ? 'forward' : 'backward',
    limit,
    newestFirst: sent.newestFirst ?? true,
    cursor: isForward ? decodeCursor(sent.after, 'after') : decodeCursor(sent.before, 'before'),
  };
}

function decodeCursor(encoded: string | undefined, side: 'after' | 'before'): RequestCursor | undefined {
  if (encoded === undefined) return undefined;
  if (encoded === '') throw invalidPagination(`failed to decode ${side} cursor: cursor is empty`);
  const decoded = decodeBase64(encoded);
  if (decoded.kind === 'bytes') return { encoded, content: decoded.bytes.toString('utf8') };
  const place = `illegal base64 data at input byte ${decoded.at}`;
  throw invalidPagination(`failed to decode ${side} cursor: failed to decode cursor: ${place}`);
}

function invalidPagination(inner: string) {
  return newInvalidArgumentFailure(10028, 'invalid pagination', inner);
}

type Decoded = { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'illegal'; readonly at: number };

/** Standard base64 as Go decodes it: padding is required, line ends are skipped, errors give the offset of the bad byte. */
function decodeBase64(text: string): Decoded {
  const at = illegalByte(text);
  return at === undefined ? { kind: 'bytes', bytes: Buffer.from(text, 'base64') } : { kind: 'illegal', at };
}

function illegalByte(text: string): number | undefined {
  let inQuantum = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '\r' || letter === '\n') continue;
    if (letter === '=') return illegalPadding(text, at, inQuantum);
    if (!/[A-Za-z0-9+/]/.test(letter)) return at;
    inQuantum = (inQuantum + 1) % 4;
  }
  return inQuantum === 0 ? undefined : text.length - inQuantum;
}

function illegalPadding(text: string, at: number, inQuantum: number): number | undefined {
  if (inQuantum < 2) return at;
  const end = inQuantum === 2 ? at + 2 : at + 1;
  if (inQuantum === 2 && text.charAt(at + 1) !== '=') return Math.min(at + 1, text.length);
  return text.length > end ? end : undefined;
}
