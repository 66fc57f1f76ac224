import type { Client } from '../api/client.ts';
import { type CoreStatus, coreOf, STATISTICS_REQUEST } from '../api/core-status.ts';
import { blockIn, isArchive, isOtherBlock, type NewestBlock } from './chain-state.ts';

/** What "now" is on the chain of a node, by the answers so far. No request is sent for it. */
export interface ChainClock {
  /** This machine's clock; the time of the newest block on a chain that has ended. */
  readonly nowMs: () => number;
  readonly hasEnded: () => boolean;
}

/** A client whose answers set the clock. */
export function clocked<C extends Pick<Client, 'get'>>(
  client: C,
  nowMs: () => number,
): { readonly client: C; readonly clock: ChainClock } {
  let block: NewestBlock | undefined;
  let core: CoreStatus | null = null;
  const hasEnded = (): boolean => block !== undefined && isArchive({ block, core });
  const get: Client['get'] = async (request, ...rest) => {
    const reply = await client.get(request, ...rest);
    const heard = blockIn(reply.facts, nowMs());
    if (heard !== null) {
      const hasMoved = block !== undefined && (block.hasMoved === true || isOtherBlock(block, heard));
      block = { ...heard, hasMoved };
    }
    if (request.path === STATISTICS_REQUEST.path) core = coreOf(reply);
    return reply;
  };
  return {
    client: { ...client, get },
    clock: { nowMs: () => (hasEnded() ? (block?.timeMs ?? nowMs()) : nowMs()), hasEnded },
  };
}
