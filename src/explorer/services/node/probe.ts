import type { Client } from '../../../api/client.ts';
import { hasList, LIST_REQUEST, SEGMENTS_REQUEST, STATISTICS_REQUEST } from '../../../api/core-status.ts';
import { isNotServed, NetworkError, NodeError, TimeoutError } from '../../../api/errors.ts';
import { jsonText, member } from '../../../api/json.ts';
import type { Reply } from '../../../api/reply.ts';
import { judgeSegments, type Segment } from '../../../export/range/history.ts';
import type { ProbeAnswer } from './offered-node.ts';

/** A node that takes longer than this is none to switch to in a hurry. */
const LONGEST_MS = 4000;

/**
 * What a node says of itself, and its history: two requests, each sent once. Resolves however that ends, unless it is given
 * up.
 */
export async function probeNode(
  client: Client | undefined,
  signal: AbortSignal,
  longestMs = LONGEST_MS,
): Promise<ProbeAnswer> {
  if (client === undefined) return { kind: 'not-started' };
  const late = AbortSignal.timeout(longestMs);
  const both = AbortSignal.any([signal, late]);
  try {
    const { json, facts, elapsedMs, headerAtMs = Date.now() } = await stateOf(client, both);
    const said = member(json, 'statistics');
    const core = jsonText(member(said, 'blockHeight'));
    const segments = await segmentsOf(client, both);
    signal.throwIfAborted();
    return {
      kind: 'answered',
      version: jsonText(member(said, 'appVersion')),
      chainId: jsonText(member(said, 'chainId')),
      // What it has stored is what it shows; the core behind it may be ahead.
      block: facts.blockHeight ?? (/^\d{1,20}$/.test(core) ? core : null),
      ageMs: facts.blockTimeNs === undefined ? null : headerAtMs - Number(BigInt(facts.blockTimeNs) / 1_000_000n),
      latencyMs: elapsedMs,
      ...(segments !== undefined && { segments }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { kind: 'failed', problem: `no answer within ${longestMs / 1000} s`, isUnreached: true };
    const isUnreached = error instanceof NetworkError || error instanceof TimeoutError;
    const problem = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', problem, ...(isUnreached && { isUnreached }) };
  }
}

/** What it says of itself; from a gateway that serves lists alone the headers of a list. */
async function stateOf(client: Client, signal: AbortSignal): Promise<Reply> {
  try {
    return await client.get(STATISTICS_REQUEST, signal, { isOnce: true });
  } catch (error) {
    if (!(error instanceof NodeError && isNotServed(error))) throw error;
    const list = await client.get(LIST_REQUEST, signal, { isOnce: true }).catch(() => undefined);
    if (list === undefined || !hasList(list.json)) throw error;
    return list;
  }
}

/** Its history; undefined where it does not list one, or one that cannot be read as a whole. */
async function segmentsOf(client: Client, signal: AbortSignal): Promise<readonly Segment[] | undefined> {
  try {
    const history = judgeSegments(await client.get(SEGMENTS_REQUEST, signal, { isOnce: true }));
    return history === undefined || history.unreadable > 0 ? undefined : history.segments;
  } catch {
    // Most of what is shown of a node does not need it.
    return undefined;
  }
}
