import type { Client } from '../api/client.ts';
import { NodeError } from '../api/errors.ts';
import type { Json } from '../api/json.ts';
import { type NodeRequest, requestUrl } from '../api/request.ts';
import type { Ask } from './explanation.ts';

/** Records are stepped through: what several of them ask for is not asked at each step. */
const KEPT_MS = 10_000;

/** Makes what the explainers of one record ask a node by. What came of a request is kept for a while, also nothing. */
export function createAsk(client: Pick<Client, 'base' | 'get'>, nowMs: () => number): (signal: AbortSignal) => Ask {
  const kept = new Map<string, { readonly json: Json | undefined; readonly atMs: number }>();
  const isOld = (atMs: number): boolean => nowMs() - atMs >= KEPT_MS;

  async function asked(request: NodeRequest, url: string, signal: AbortSignal): Promise<Json | undefined> {
    const json = await answerOf(client, request, signal);
    kept.set(url, { json, atMs: nowMs() });
    return json;
  }

  return signal => {
    const open = new Map<string, Promise<Json | undefined>>();
    return async request => {
      signal.throwIfAborted();
      for (const [url, { atMs }] of kept) if (isOld(atMs)) kept.delete(url);
      const url = requestUrl(client.base, request);
      const known = kept.get(url);
      if (known !== undefined) return known.json;
      const answer = open.get(url) ?? asked(request, url, signal);
      open.set(url, answer);
      return answer;
    };
  };
}

async function answerOf(
  client: Pick<Client, 'get'>,
  request: NodeRequest,
  signal: AbortSignal,
): Promise<Json | undefined> {
  try {
    return (await client.get(request, signal)).json;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}
