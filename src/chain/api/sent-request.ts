import { NodeError } from './errors.ts';
import { readReplyHeaders } from './reply.ts';
import type { OpenBody } from './transport.ts';

/** A request that was sent, for a log. Contains no login. */
export interface SentRequest {
  /** Counted by the client. A download is reported twice: when its header arrives and at its end. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly sentAtMs: number;
  readonly url: string;
  /** Null when no answer arrived. */
  readonly status: number | null;
  readonly outcome: RequestOutcome;
  /** From sending to the end of the answer; for a running download, to its header. */
  readonly elapsedMs: number;
  /** Bytes of header and body on the connection, without TLS; null when not known. */
  readonly wireBytes: number | null;
  /** Unpacked size of the body. */
  readonly bodyBytes: number | null;
  /** From 1. */
  readonly attempt: number;
  /** Requests that the node would still accept now; null if not reported. */
  readonly budgetLeft: number | null;
}

type RequestOutcome =
  | { readonly kind: 'answered' | 'streaming' | 'cancelled' }
  /** `error` is the kind of the NodeError. The message may contain text of the node. */
  | { readonly kind: 'failed'; readonly error: string; readonly message: string };

/** Whether both are about the same request; ids are unique only within a client. */
export const isSameRequest = (one: SentRequest, other: SentRequest): boolean =>
  one.id === other.id && one.sentAtMs === other.sentAtMs && one.url === other.url;

interface Sent extends Pick<SentRequest, 'id' | 'url' | 'attempt'> {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** Follows one request from its start to its end and reports it. */
export class RequestReporter {
  readonly #onRequest: ((facts: SentRequest) => void) | undefined;
  readonly #sent: Sent;
  readonly #sentAtMs: number;
  #answer: OpenBody | null = null;
  #arrivedAtMs: number | undefined;
  #hasEnded = false;

  constructor(onRequest: ((facts: SentRequest) => void) | undefined, sent: Sent) {
    this.#onRequest = onRequest;
    this.#sent = sent;
    this.#sentAtMs = sent.nowMs();
  }

  get elapsedMs(): number {
    return (this.#arrivedAtMs ?? this.#sent.nowMs()) - this.#sentAtMs;
  }

  /** The header of the answer arrived. Returns the time (Unix milliseconds). */
  answeredBy(body: OpenBody): number {
    this.#answer = body;
    return this.#sent.nowMs();
  }

  /** The last byte arrived. Decoding does not count as time of the node. */
  arrived(): void {
    this.#arrivedAtMs = this.#sent.nowMs();
  }

  /** A download has started. */
  streams(): void {
    this.#report({ kind: 'streaming' }, null);
  }

  /** The request ended, with an error or without. */
  ended(bodyBytes: number | null, error?: unknown): void {
    if (this.#sent.signal.aborted) this.#report({ kind: 'cancelled' }, bodyBytes);
    else if (error === undefined) this.#report({ kind: 'answered' }, bodyBytes);
    else this.#report(failure(error), bodyBytes);
  }

  /** The reader stopped, perhaps before the end. */
  left(bodyBytes: number): void {
    if (!this.#hasEnded) this.#report({ kind: 'cancelled' }, bodyBytes);
  }

  #report(outcome: RequestOutcome, bodyBytes: number | null): void {
    this.#hasEnded = outcome.kind !== 'streaming';
    if (this.#onRequest === undefined) return;
    const { id, url, attempt } = this.#sent;
    this.#onRequest({
      id,
      sentAtMs: this.#sentAtMs,
      url,
      status: this.#answer?.status ?? null,
      outcome,
      elapsedMs: this.elapsedMs,
      wireBytes: this.#answer?.wireBytes() ?? null,
      bodyBytes,
      attempt,
      budgetLeft: (this.#answer && readReplyHeaders(this.#answer.headers).rate.remaining) ?? null,
    });
  }
}

const failure = (error: unknown): RequestOutcome => ({
  kind: 'failed',
  error: error instanceof NodeError ? error.kind : 'fault',
  message: error instanceof Error ? error.message : String(error),
});
