import type { Client } from '../../../api/client.ts';
import { jsonText, member } from '../../../api/json.ts';
import type { ProbeAnswer } from './offered-node.ts';

/** A node that takes longer than this is none to switch to in a hurry. */
const LONGEST_MS = 4000;

/** What a node says of itself: one request, sent once. Resolves however that ends, unless it is given up. */
export async function probeNode(
  client: Client | undefined,
  signal: AbortSignal,
  longestMs = LONGEST_MS,
): Promise<ProbeAnswer> {
  if (client === undefined) return { kind: 'not-started' };
  const late = AbortSignal.timeout(longestMs);
  try {
    const asked = { path: 'statistics', query: [] };
    const {
      json,
      facts,
      elapsedMs,
      headerAtMs = Date.now(),
    } = await client.get(asked, AbortSignal.any([signal, late]), { isOnce: true });
    const said = member(json, 'statistics');
    const core = jsonText(member(said, 'blockHeight'));
    return {
      kind: 'answered',
      version: jsonText(member(said, 'appVersion')),
      chainId: jsonText(member(said, 'chainId')),
      // What it has stored is what it shows; the core behind it may be ahead.
      block: facts.blockHeight ?? (/^\d{1,20}$/.test(core) ? core : null),
      ageMs: facts.blockTimeNs === undefined ? null : headerAtMs - Number(BigInt(facts.blockTimeNs) / 1_000_000n),
      latencyMs: elapsedMs,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { kind: 'failed', problem: `no answer within ${longestMs / 1000} s` };
    return { kind: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}
