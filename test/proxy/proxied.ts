import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { startProxy } from '../../src/proxy/index.ts';
import { listening } from '../support/loopback.ts';

export interface Proxied extends AsyncDisposable {
  readonly url: string;
  /** Targets that reached the node, in order. */
  readonly asked: readonly string[];
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

type Options = Parameters<typeof startProxy>[0];

/** A proxy before a server that answers as it is told. */
export async function proxied(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  options: Partial<Options> = {},
): Promise<Proxied> {
  const asked: string[] = [];
  const log: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(incoming.url ?? '');
    answer(response, incoming);
  });
  const node = await listening(server);
  const proxy = await startProxy({
    base: new URL(node.url),
    host: '127.0.0.1',
    port: 0,
    userAgent: 'test',
    proxies: {},
    timeoutMs: 5_000,
    perSecond: undefined,
    cacheBytes: 1_000_000,
    logsFilters: false,
    drainMs: 5_000,
    log: async line => void log.push(line),
    ...options,
  });
  return {
    url: proxy.url,
    asked,
    log,
    close: () => proxy.close(),
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await node[Symbol.asyncDispose]();
    },
  };
}

export const json = (response: ServerResponse, body = '{}', headers: { readonly [name: string]: string } = {}): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One GET on a connection of its own. */
export function get(
  url: string,
  headers: { readonly [name: string]: string } = {},
  signal?: AbortSignal,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false, ...(signal !== undefined && { signal }) }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('latin1'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
