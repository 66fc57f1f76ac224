import type { Client } from '../api/client.ts';
import { EPOCH_REQUEST, LIST_REQUEST, SEGMENTS_REQUEST, STATISTICS_REQUEST, TIME_REQUEST } from '../api/core-status.ts';
import { NetworkError, NodeError, RateLimitedError, TimeoutError } from '../api/errors.ts';
import type { NodeRequest } from '../api/request.ts';
import {
  type ChainSources,
  type ChainState,
  readChainState,
  readSegmentChains,
  type TimedReply,
} from './chain-state.ts';

/** The parts of the chain state that are needed, so that no more is requested. */
type ChainPart = 'name' | 'epoch' | 'block';

/**
 * The chain state reported by a node: one request if its core answers, else another one for each part. Refused parts stay
 * unknown. Throws the NodeError of a node that cannot be reached, had too many requests, or refused them all.
 */
export async function askChain(
  client: Pick<Client, 'get'>,
  parts: readonly ChainPart[],
  signal: AbortSignal,
): Promise<ChainState> {
  let isAnswered = false;
  let refused: NodeError | undefined;
  const ask = async (request: NodeRequest): Promise<TimedReply | undefined> => {
    try {
      const reply = await client.get(request, signal);
      isAnswered = true;
      return { reply, atMs: reply.headerAtMs ?? Date.now() };
    } catch (error) {
      if (!(error instanceof NodeError) || isNodeUnavailable(error)) throw error;
      refused ??= error;
      return undefined;
    }
  };
  const statistics = await ask(STATISTICS_REQUEST);
  let sources: ChainSources = { statistics };
  const isMissing = (part: ChainPart): boolean => {
    const { chainId, epoch, block } = readChainState(sources);
    const found = { name: chainId, epoch, block: block.timeMs };
    return parts.includes(part) && found[part] === null;
  };
  if (isMissing('epoch')) sources = { ...sources, epoch: await ask(EPOCH_REQUEST) };
  if (isMissing('name')) {
    const segments = await ask(SEGMENTS_REQUEST);
    if (segments !== undefined)
      sources = { ...sources, historyChains: readSegmentChains(segments.reply.json), others: [segments] };
  }
  if (isMissing('block')) sources = { ...sources, time: await ask(TIME_REQUEST) };
  // A gateway that serves only lists gives the block in the headers of each list.
  if (isMissing('block') && !isAnswered) {
    const list = await ask(LIST_REQUEST);
    if (list !== undefined) sources = { ...sources, others: [list] };
  }
  if (!isAnswered && refused !== undefined) throw refused;
  return readChainState(sources);
}

/** Nothing else is sent to a node that cannot be reached or limits requests. */
const isNodeUnavailable = (error: NodeError): boolean =>
  error instanceof NetworkError || error instanceof TimeoutError || error instanceof RateLimitedError;
