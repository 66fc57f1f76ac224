import type { Client } from '../api/client.ts';
import { NodeError, RateLimitedError } from '../api/errors.ts';
import type { Json } from '../api/json.ts';
import { type NodeRequest, requestUrl } from '../api/request.ts';
import type { Ask } from './explanation.ts';

/** Answers are cached this long, so that stepping through records does not repeat requests. */
const CACHE_MS = 10_000;

/** Until when a node that answers 429 is asked again. */
const MAX_WAIT_MS = 10_000;

interface Answer {
  readonly json: Json | undefined;
  readonly error: NodeError | undefined;
}

/** Makes the function explainers send requests with. Answers are cached for a while, failures too. */
export function createAsk(client: Pick<Client, 'base' | 'get'>, nowMs: () => number): (signal: AbortSignal) => Ask {
  const cached = new Map<string, Answer & { readonly atMs: number }>();
  const isOld = (atMs: number): boolean => nowMs() - atMs >= CACHE_MS;

  async function send(request: NodeRequest, url: string, signal: AbortSignal): Promise<Answer> {
    const answer = await fetchAnswer(client, request, { signal, waitsUntilMs: nowMs() + MAX_WAIT_MS });
    if (!(answer.error instanceof RateLimitedError)) cached.set(url, { ...answer, atMs: nowMs() });
    return answer;
  }

  return signal => {
    const open = new Map<string, Promise<Answer>>();
    return async (request, onFailure) => {
      signal.throwIfAborted();
      for (const [url, { atMs }] of cached) if (isOld(atMs)) cached.delete(url);
      const url = requestUrl(client.base, request);
      const asked = cached.get(url) ?? open.get(url) ?? send(request, url, signal);
      if (asked instanceof Promise) open.set(url, asked);
      const { json, error } = await asked;
      if (error !== undefined) onFailure?.(error);
      return json;
    };
  };
}

async function fetchAnswer(
  client: Pick<Client, 'get'>,
  request: NodeRequest,
  { signal, waitsUntilMs }: { readonly signal: AbortSignal; readonly waitsUntilMs: number },
): Promise<Answer> {
  try {
    return { json: (await client.get(request, signal, { waitsUntilMs })).json, error: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NodeError) return { json: undefined, error };
    throw error;
  }
}
