import type { Client } from '../api/client.ts';
import { NodeError } from '../api/errors.ts';
import type { Json } from '../api/json.ts';
import { type NodeRequest, requestUrl } from '../api/request.ts';
import type { Ask } from './explanation.ts';

/** Answers are cached this long, so that stepping through records does not repeat requests. */
const CACHE_MS = 10_000;

/** Makes the function explainers send requests with. Answers are cached for a while, failures too. */
export function createAsk(client: Pick<Client, 'base' | 'get'>, nowMs: () => number): (signal: AbortSignal) => Ask {
  const cached = new Map<string, { readonly json: Json | undefined; readonly atMs: number }>();
  const isOld = (atMs: number): boolean => nowMs() - atMs >= CACHE_MS;

  async function send(request: NodeRequest, url: string, signal: AbortSignal): Promise<Json | undefined> {
    const json = await answerOf(client, request, signal);
    cached.set(url, { json, atMs: nowMs() });
    return json;
  }

  return signal => {
    const open = new Map<string, Promise<Json | undefined>>();
    return async request => {
      signal.throwIfAborted();
      for (const [url, { atMs }] of cached) if (isOld(atMs)) cached.delete(url);
      const url = requestUrl(client.base, request);
      const known = cached.get(url);
      if (known !== undefined) return known.json;
      const answer = open.get(url) ?? send(request, url, signal);
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
