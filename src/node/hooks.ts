import type { HttpExchange, NodeReply } from './gateway/reply.ts';
import type { ExportReply } from './resources/network-history.ts';

/** Where a caller in the same process changes what the node sends. Without hooks it sends what deployed nodes send. */
export interface NodeHooks {
  /** Gives the reply to send, from what `decide` would reply; undefined if it has ended the exchange itself. */
  readonly beforeReply?: (exchange: HttpExchange, decide: () => Promise<NodeReply>) => Promise<NodeReply | undefined>;
  /** Replies to an export in the place of `exportReply`. */
  readonly exportReply?: ExportReply;
}
