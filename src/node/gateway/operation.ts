import type { Query } from './query.ts';
import type { ReplyBody } from './reply.ts';

/** One request after routing, before the service behind the gateway has seen it. */
export interface GatewayRequest {
  readonly query: Query;
  /** The value of the path's variable part, "" where the path has none. */
  readonly pathValue: string;
  readonly deadlineMs: number;
}

/**
 * A unary call in the node's two steps: `accept` reads the parameters (its failures are the gateway's, and cost
 * no token of the rate limit), the function it returns is the service and gives the compact JSON body, at once or as
 * soon as it has loaded what that takes.
 */
export interface UnaryOperation {
  readonly kind: 'unary';
  readonly path: string;
  accept(request: GatewayRequest): () => string | Promise<string>;
}

/** A streamed call: not rate-limited and without block headers; it says its own headers. */
export interface StreamOperation {
  readonly kind: 'stream';
  readonly path: string;
  accept(request: GatewayRequest): () => StreamReply;
}

export interface StreamReply {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Exclude<ReplyBody, string>;
  /** Gzipped whatever the client accepts. */
  readonly isGzipped?: true;
}

export type Operation = UnaryOperation | StreamOperation;
