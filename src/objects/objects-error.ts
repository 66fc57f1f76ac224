/** How a store refused a request. */
export interface Refusal {
  readonly status: number;
  /** The code of the store, such as `NoSuchKey`; '' when it gave none. */
  readonly code: string;
}

/** A bucket could not be used. The message says what happened, the hint what to do. */
export class ObjectsError extends Error {
  override readonly name = 'ObjectsError';
  readonly hint: string;
  /** Decides the exit code: wrong arguments, a refusal, a store that cannot be reached, or bytes that do not match. */
  readonly because: 'usage' | 'refused' | 'unreachable' | 'untrusted';
  readonly refusal: Refusal | null;

  constructor(
    message: string,
    hint: string,
    because: ObjectsError['because'] = 'usage',
    refusal: Refusal | null = null,
  ) {
    super(message);
    this.hint = hint;
    this.because = because;
    this.refusal = refusal;
  }
}

/** Whether the store refused a request with this code. */
export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof ObjectsError && error.refusal?.code === code;

/** An answer, or the next part of one, took too long. */
export class SlowError extends Error {
  constructor(ms: number, words = `it sent nothing for ${Math.ceil(ms / 1000)} s`) {
    super(words);
  }
}

/** A network error as an ObjectsError in plain words. Rethrows the reason of an aborted signal. */
export function lineError(error: unknown, host: string, signal: AbortSignal): ObjectsError {
  signal.throwIfAborted();
  if (error instanceof ObjectsError) return error;
  const said = error instanceof SlowError ? error.message : (LINE_WORDS[codeIn(error)] ?? codeIn(error));
  const isCertificate = /CERT|SELF_SIGNED|SIGNATURE|TLS|SSL/.test(codeIn(error));
  return new ObjectsError(
    `the store at ${host}: ${said}`,
    isCertificate
      ? 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to a file with the certificate that signed it'
      : 'check AWS_ENDPOINT_URL_S3, AWS_REGION and the network, then run the same command again; uploaded files stay there',
    'unreachable',
  );
}

function codeIn(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message;
}

const LINE_WORDS: { readonly [code: string]: string | undefined } = {
  ECONNREFUSED: 'nothing is listening there (ECONNREFUSED)',
  ENOTFOUND: 'the host name was not found (ENOTFOUND)',
  EAI_AGAIN: 'the host name could not be looked up (EAI_AGAIN)',
  ECONNRESET: 'the connection was lost (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection was lost',
  'bad port': 'this port is reserved for another service',
  EPIPE: 'the connection was lost (EPIPE)',
  ETIMEDOUT: 'it does not answer (ETIMEDOUT)',
};
