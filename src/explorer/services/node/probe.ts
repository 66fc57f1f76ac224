import type { Client } from '../../../chain/api/client.ts';
import {
  hasList,
  INFO_REQUEST,
  LIST_REQUEST,
  SEGMENTS_REQUEST,
  STATISTICS_REQUEST,
} from '../../../chain/api/core-status.ts';
import { isBackendUnavailable, isNotServed, NetworkError, TimeoutError } from '../../../chain/api/errors.ts';
import type { Reply } from '../../../chain/api/reply.ts';
import { blockAge, isArchive, readChainState } from '../../../chain/directory/chain-state.ts';
import { twoChainsProblem } from '../../../chain/directory/chain-watch.ts';
import { type History, readSegmentHistory } from '../../../chain/range/segment-history.ts';
import type { ProbeAnswer } from './offered-node.ts';

/** A node that takes longer than this is none to switch to in a hurry. */
const MAX_PROBE_MS = 4000;

/**
 * A node's report on itself, and its history: two requests, each sent once. Resolves in every case, unless it is aborted.
 */
export async function probeNode(
  client: Client | undefined,
  signal: AbortSignal,
  longestMs = MAX_PROBE_MS,
): Promise<ProbeAnswer> {
  if (client === undefined) return { kind: 'not-started' };
  const late = AbortSignal.timeout(longestMs);
  const both = AbortSignal.any([signal, late]);
  try {
    const { part, reply } = await requestState(client, both);
    const history = await requestHistory(client, both);
    signal.throwIfAborted();
    const heard = { reply, atMs: reply.headerAtMs ?? Date.now() };
    const chain = readChainState({
      ...(part === 'list' ? { others: [heard] } : { [part]: heard }),
      historyChains: history?.chains,
    });
    const { block, core } = chain;
    const mixed = twoChainsProblem(chain);
    // A node shows the blocks it has stored; the core behind it may be ahead.
    const height = block.height ?? core?.height ?? null;
    return {
      kind: 'answered',
      version: core?.version ?? chain.version ?? '',
      chainId: chain.chainId ?? '',
      block: height === null ? null : String(height),
      ageMs: blockAge(block),
      ...(isArchive(chain) && { isArchive: true }),
      ...(mixed !== undefined && { mixed }),
      latencyMs: reply.elapsedMs,
      ...(history?.unreadable === 0 && { segments: history.segments }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { kind: 'failed', problem: `no answer within ${longestMs / 1000} s`, isUnreached: true };
    const isUnreached = error instanceof NetworkError || error instanceof TimeoutError;
    const problem = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', problem, ...(isUnreached && { isUnreached }) };
  }
}

interface ReportedState {
  readonly part: 'statistics' | 'info' | 'list';
  readonly reply: Reply;
}

/**
 * Its report on itself: from its core; without a core, from its build; from a gateway that serves only lists, from a
 * list.
 */
async function requestState(client: Client, signal: AbortSignal): Promise<ReportedState> {
  try {
    return { part: 'statistics', reply: await client.get(STATISTICS_REQUEST, signal, { isOnce: true }) };
  } catch (error) {
    if (!isNotServed(error) && !isBackendUnavailable(error)) throw error;
    const part = isBackendUnavailable(error) ? 'info' : 'list';
    const request = part === 'list' ? LIST_REQUEST : INFO_REQUEST;
    const reply = await client.get(request, signal, { isOnce: true }).catch(() => undefined);
    if (reply === undefined || (part === 'list' && !hasList(reply.json))) throw error;
    return { part, reply };
  }
}

/** Its history; undefined where it does not list one. */
async function requestHistory(client: Client, signal: AbortSignal): Promise<History | undefined> {
  try {
    return readSegmentHistory(await client.get(SEGMENTS_REQUEST, signal, { isOnce: true }));
  } catch {
    // Most facts shown about a node do not need it.
    return undefined;
  }
}
