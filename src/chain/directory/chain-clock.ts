import type { Client } from '../api/client.ts';
import { type CoreStatus, readCoreStatus, STATISTICS_REQUEST } from '../api/core-status.ts';
import { isArchive, isOtherBlock, type NewestBlock, readNewestBlock } from './chain-state.ts';

/** What "now" is on the chain of a node, by the answers so far. No request is sent for it. */
export interface ChainClock {
  /** This machine's clock; the time of the newest block on a chain that has ended. */
  readonly nowMs: () => number;
  readonly hasEnded: () => boolean;
}

/** The clock that the answers of a client set. */
export function chainClock(client: Pick<Client, 'onReply'>, nowMs: () => number): ChainClock {
  let block: NewestBlock | undefined;
  let core: CoreStatus | null = null;
  const hasEnded = (): boolean => block !== undefined && isArchive({ block, core });
  client.onReply(({ path }, reply) => {
    const heard = readNewestBlock(reply.facts, nowMs());
    if (heard !== null) {
      const hasMoved = block !== undefined && (block.hasMoved === true || isOtherBlock(block, heard));
      block = { ...heard, hasMoved };
    }
    if (path === STATISTICS_REQUEST.path) core = readCoreStatus(reply);
  });
  return { nowMs: () => (hasEnded() ? (block?.timeMs ?? nowMs()) : nowMs()), hasEnded };
}
