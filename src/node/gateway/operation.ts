import type { Query } from './query.ts';
import type { ReplyBody } from './reply.ts';

/** A request after routing, before it reaches the service behind the gateway. */
export interface GatewayRequest {
  readonly query: Query;
  /** The variable part of the path, "" if it has none. */
  readonly pathValue: string;
  readonly deadlineMs: number;
}

/**
 * A unary call in two steps. `accept` is the gateway: it reads the parameters, and its failures cost no token of the rate
 * limit. The function it returns is the service: it returns the compact JSON body, or a promise for it.
 */
export interface UnaryOperation {
  readonly kind: 'unary';
  readonly path: string;
  accept(request: GatewayRequest): () => string | Promise<string>;
}

/** A streamed call: not rate-limited, without block headers, and with headers of its own. */
export interface StreamOperation {
  readonly kind: 'stream';
  readonly path: string;
  accept(request: GatewayRequest): () => StreamReply;
}

export interface StreamReply {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Exclude<ReplyBody, string>;
}

export type Operation = UnaryOperation | StreamOperation;
