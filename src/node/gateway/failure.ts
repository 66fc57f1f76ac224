/** HTTP status of each gRPC code the node uses (grpc-gateway's map). */
const HTTP_STATUS_BY_CODE: Readonly<Record<number, number>> = {
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  12: 501,
  13: 500,
  14: 503,
};

/** The `vega.ErrorDetail` a handler attaches; `code` is the node's own, 10000 meaning "not in its table". */
interface ErrorDetail {
  readonly code: number;
  readonly message: string;
  readonly inner: string;
}

interface FailureShape {
  readonly code: number;
  readonly message: string;
  readonly detail?: ErrorDetail;
  readonly origin: 'gateway' | 'service';
}

/** A refusal, in the form of the REST gateway or in that of the service behind it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: number;
  readonly origin: 'gateway' | 'service';
  readonly detail: ErrorDetail | undefined;

  constructor(shape: FailureShape) {
    super(shape.message);
    this.code = shape.code;
    this.origin = shape.origin;
    this.detail = shape.detail;
  }

  get httpStatus(): number {
    return HTTP_STATUS_BY_CODE[this.code] ?? 500;
  }

  /** The body `{code, message, details}`; exports wrap it in `{error: ...}`. */
  get status() {
    const details = this.detail ? [{ '@type': 'type.googleapis.com/vega.ErrorDetail', ...this.detail }] : [];
    return { code: this.code, message: this.message, details } as const;
  }
}

/** A request that the gateway refuses before calling the service: no details, no block or limit headers. */
export function newGatewayFailure(code: 3 | 4 | 5 | 12, message: string): Failure {
  return new Failure({ code, message, origin: 'gateway' });
}

/** 429 and 403 from the rate limiter: they come from the service but have no details. */
export function newLimiterFailure(code: 7 | 8, message: string): Failure {
  return new Failure({ code, message, origin: 'service' });
}

export function newInvalidArgumentFailure(code: number, message: string, inner: string): Failure {
  return serviceFailure(3, 'InvalidArgument error', { code, message, inner });
}

export function newNotFoundFailure(code: number, message: string, inner: string): Failure {
  return serviceFailure(5, 'NotFound error', { code, message, inner });
}

export function newInternalFailure(code: number, message: string, inner: string): Failure {
  return serviceFailure(13, 'Internal error', { code, message, inner });
}

function serviceFailure(code: number, message: string, detail: ErrorDetail): Failure {
  return new Failure({ code, message, detail, origin: 'service' });
}
