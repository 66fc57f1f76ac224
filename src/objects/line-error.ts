import { ObjectsError } from './objects-error.ts';

/** A body or an answer took too long. */
export class SlowError extends Error {
  constructor(ms: number, words = `nothing came for ${Math.ceil(ms / 1000)} s`) {
    super(words);
  }
}

/** What the line did, in words. An abort stays what it is. */
export function lineError(error: unknown, host: string, signal: AbortSignal): ObjectsError {
  signal.throwIfAborted();
  if (error instanceof ObjectsError) return error;
  const said = error instanceof SlowError ? error.message : (LINE_WORDS[codeIn(error)] ?? codeIn(error));
  const isCertificate = /CERT|SELF_SIGNED|SIGNATURE|TLS|SSL/.test(codeIn(error));
  return new ObjectsError(
    `the store at ${host}: ${said}`,
    isCertificate
      ? 'its certificate is not trusted here: NODE_EXTRA_CA_CERTS names a file with the one that signs it'
      : 'check AWS_ENDPOINT_URL_S3, AWS_REGION and the line, and run the same command again: what is up stays up',
    'unreachable',
  );
}

function codeIn(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message;
}

const LINE_WORDS: { readonly [code: string]: string | undefined } = {
  ECONNREFUSED: 'nobody listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no host of that name (ENOTFOUND)',
  EAI_AGAIN: 'its name cannot be looked up now (EAI_AGAIN)',
  ECONNRESET: 'the connection broke off (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection broke off',
  'bad port': 'nothing is asked at this port, which is that of another service',
  EPIPE: 'the connection broke off (EPIPE)',
  ETIMEDOUT: 'it does not answer (ETIMEDOUT)',
};
