import type { ProxiedAnswer } from './answer-cache.ts';

/** An error of the proxy itself, in the form that a node gives its errors. */
export function ownAnswer(
  status: number,
  code: number,
  message: string,
  headers: ProxiedAnswer['headers'] = [],
): ProxiedAnswer {
  const body = Buffer.from(JSON.stringify({ code, message, details: [] }));
  return { status, headers: [['content-type', 'application/json'], ...headers], body };
}

export const textAnswer = (text: string, type = 'text/plain; charset=utf-8'): ProxiedAnswer => ({
  status: 200,
  headers: [['content-type', type]],
  body: Buffer.from(text),
});

/** Too many requests: by the client, by all, or by the node's own limit. */
export const tooMany = (message: string, retryAfterS: number): ProxiedAnswer =>
  ownAnswer(429, 8, message, [['retry-after', String(Math.max(1, Math.ceil(retryAfterS)))]]);
