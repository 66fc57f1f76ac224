import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import { urlOf } from '../support/loopback.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** What is to be closed after the test that is running. */
export const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server of this machine that answers so; `seen` are the paths it was asked for. */
export async function serve(handler: Handler) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    handler(request, response, seen.length);
  });
  const url = await urlOf(server);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, seen, server };
}

export function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
