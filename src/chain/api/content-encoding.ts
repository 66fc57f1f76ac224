import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';
import { formatByteLimit } from '../../base/text/byte-count.ts';
import { DamagedAnswerError, UndecodableError, WrongEncodingError } from './errors.ts';

/** Codings that got unpacks. It leaves a body with any other coding unchanged. */
const UNPACKED: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'identity', '']);

/** An error of unpacking a body with this Content-Encoding; undefined for an error of another kind. */
export function toUnpackingError(
  error: unknown,
  label: string | undefined,
  url: string,
): DamagedAnswerError | undefined {
  const cause = zlibError(error);
  if (label === undefined || cause === undefined) return undefined;
  if (NOT_PACKED_SO.test(cause.message))
    return mislabelled(`is labelled ${label} (Content-Encoding) and is not`, url, cause);
  return new DamagedAnswerError(
    `the answer was cut short or damaged on its way: its ${label} cannot be unpacked: ${cause.message}`,
    {
      ...{ url, cause },
      hint: 'two attempts failed: try again later, or ask for a smaller page',
    },
  );
}

/** The errors of the gzip, deflate, brotli and zstd decoders for data of another format. */
const NOT_PACKED_SO =
  /incorrect header check|unknown compression method|Decompression failed|Unknown frame descriptor/i;

/** The error of node:zlib in an error or in one that it wraps. */
function zlibError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const isOfZlib = /^(?:Z_|ZSTD_|ERR_BROTLI|ERR__|ERR_ZSTD)/.test(code);
  return zlibError(error.cause) ?? (isOfZlib ? error : undefined);
}

const mislabelled = (what: string, url: string, cause?: unknown): WrongEncodingError =>
  new WrongEncodingError(`the answer ${what}`, {
    ...{ url, cause },
    hint: 'a proxy in front of the node may have changed it: try another address of this node',
  });

/** Throws MislabelledError for a body that is still packed: in a way that no label names, or that is not known here. */
export function assertUnpacked(body: Uint8Array, label: string | undefined, url: string): void {
  if (isGzip(body))
    throw mislabelled(
      label === undefined ? 'is gzip without a label' : `is packed once more than its label ${label}`,
      url,
    );
  const unknown = (label ?? '')
    .toLowerCase()
    .split(',')
    .find(coding => !UNPACKED.has(coding.trim()));
  if (unknown === undefined || isUtf8(body)) return;
  throw mislabelled(`is packed as ${unknown.trim()} (Content-Encoding), which was not asked for`, url);
}

interface Plain {
  readonly encoding: string | undefined;
  readonly limitBytes: number;
  readonly url: string;
}

/** A body that was asked for without compression. Its label may be wrong, so its content counts first. */
export async function unpackByContent(body: Uint8Array, { encoding, limitBytes, url }: Plain): Promise<Uint8Array> {
  const limit = { maxOutputLength: limitBytes };
  let bytes = body;
  try {
    for (let times = 0; isGzip(bytes) && times < MAX_GZIP_LAYERS; times++) bytes = await unzipped(bytes, limit);
    // Some servers leave out the two bytes before it.
    return encoding === 'deflate' && !isUtf8(bytes) ? await inflated(bytes, limit) : bytes;
  } catch (error) {
    if (error instanceof RangeError)
      throw new UndecodableError(`the answer is larger than ${formatByteLimit(limitBytes)}`, {
        url,
        hint: 'ask for a smaller page',
      });
    throw toUnpackingError(error, encoding ?? 'gzip', url) ?? error;
  }
}

const MAX_GZIP_LAYERS = 3;
const unzipped = promisify(gunzip);
const inflated = promisify(inflateRaw);

/** Text in UTF-8 never starts so. */
const isGzip = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b;
