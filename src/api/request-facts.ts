import { NodeError } from './errors.ts';
import { replyFacts } from './reply.ts';
import type { OpenBody } from './transport.ts';

/** What is told of a request that was sent, for a log. There is no login in it. */
export interface RequestFacts {
  /** Counted by the client; a download is told of twice, when its header has come and at its end. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly sentAtMs: number;
  readonly url: string;
  /** Null where no header of an answer came. */
  readonly status: number | null;
  readonly outcome: RequestOutcome;
  /** From the sending to the end of the answer; of a download that goes on, to its header. */
  readonly elapsedMs: number;
  /** Header and body as they came over the connection, before TLS; null where that is not known. */
  readonly wireBytes: number | null;
  /** Of the body, unpacked. */
  readonly bodyBytes: number | null;
  /** 1 when it was sent for the first time. */
  readonly attempt: number;
  /** Requests that the node says it would still take now; null where it does not say. */
  readonly budgetLeft: number | null;
}

export type RequestOutcome =
  | { readonly kind: 'answered' | 'streaming' | 'cancelled' }
  /** `error` is the kind of a NodeError; the message may hold words of the node. */
  | { readonly kind: 'failed'; readonly error: string; readonly message: string };

/** Whether both are told of one request; each client counts its own. */
export const isSameRequest = (one: RequestFacts, other: RequestFacts): boolean =>
  one.id === other.id && one.sentAtMs === other.sentAtMs && one.url === other.url;

interface Sent extends Pick<RequestFacts, 'id' | 'url' | 'attempt'> {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** One request, from its sending to its end, and who is told of it. */
export class ToldRequest {
  readonly #tell: ((facts: RequestFacts) => void) | undefined;
  readonly #sent: Sent;
  readonly #sentAtMs: number;
  #answer: OpenBody | null = null;
  #arrivedAtMs: number | undefined;
  #hasEnded = false;

  constructor(tell: ((facts: RequestFacts) => void) | undefined, sent: Sent) {
    this.#tell = tell;
    this.#sent = sent;
    this.#sentAtMs = sent.nowMs();
  }

  get elapsedMs(): number {
    return (this.#arrivedAtMs ?? this.#sent.nowMs()) - this.#sentAtMs;
  }

  /** The header of its answer has come: returns when. */
  answeredBy(body: OpenBody): number {
    this.#answer = body;
    return this.#sent.nowMs();
  }

  /** The last byte of its answer has come: what is done with it afterwards is not the node's time. */
  arrived(): void {
    this.#arrivedAtMs = this.#sent.nowMs();
  }

  streams(): void {
    this.#told({ kind: 'streaming' }, null);
  }

  /** It has ended; well, unless there is an error. */
  ended(bodyBytes: number | null, error?: unknown): void {
    if (this.#sent.signal.aborted) this.#told({ kind: 'cancelled' }, bodyBytes);
    else if (error === undefined) this.#told({ kind: 'answered' }, bodyBytes);
    else this.#told(failure(error), bodyBytes);
  }

  /** Nobody reads on, whether it has ended or not. */
  left(bodyBytes: number): void {
    if (!this.#hasEnded) this.#told({ kind: 'cancelled' }, bodyBytes);
  }

  #told(outcome: RequestOutcome, bodyBytes: number | null): void {
    this.#hasEnded = outcome.kind !== 'streaming';
    if (this.#tell === undefined) return;
    const { id, url, attempt } = this.#sent;
    this.#tell({
      id,
      sentAtMs: this.#sentAtMs,
      url,
      status: this.#answer?.status ?? null,
      outcome,
      elapsedMs: this.elapsedMs,
      wireBytes: this.#answer?.wireBytes() ?? null,
      bodyBytes,
      attempt,
      budgetLeft: (this.#answer && replyFacts(this.#answer.headers).rate.remaining) ?? null,
    });
  }
}

const failure = (error: unknown): RequestOutcome => ({
  kind: 'failed',
  error: error instanceof NodeError ? error.kind : 'fault',
  message: error instanceof Error ? error.message : String(error),
});
