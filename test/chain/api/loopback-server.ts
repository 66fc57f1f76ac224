import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { urlOf } from '../../support/loopback.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A server of this machine that answers so until the test ends; `seen` are the paths it was asked for. */
export async function serve(handler: Handler) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    handler(request, response, seen.length);
  });
  const url = await urlOf(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url, seen, server, close };
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
