import { createServer } from 'node:http';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { listening } from '../support/loopback.ts';

export interface Altered {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
}

/** Changes an answer; undefined for the node's own, 'gone' for a connection that breaks off. */
export type Alteration = (
  url: URL,
  own: () => Promise<string>,
) => Altered | 'gone' | undefined | Promise<Altered | 'gone' | undefined>;

export interface AlteredNode extends AsyncDisposable {
  readonly url: string;
  readonly requests: string[];
  alter: Alteration;
}

/** The embedded node, with so many markets, behind a proxy that changes its answers and sets no limit on requests. */
export async function startAlteredNode(markets?: number, clock = () => NOON_MS): Promise<AlteredNode> {
  const node: RunningNode = await startNode({
    clock,
    rateLimit: { ratePerSecond: 100_000, burst: 100_000 },
  });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(`${node.url}${request.url}`);
    requests.push(`${request.url}`);
    const own = async (): Promise<string> => {
      const body = await (await fetch(url)).text();
      return markets !== undefined && url.pathname === '/api/v2/markets' ? withFewer(body, markets) : body;
    };
    void (async () => {
      const altered = await shown.alter(url, own);
      if (altered === 'gone') return response.destroy();
      const headers = { 'content-type': 'application/json', ...UNLIMITED, ...altered?.headers };
      return response.writeHead(altered?.status ?? 200, headers).end(altered?.body ?? (await own()));
    })();
  });
  const proxy = await listening(server);
  const shown: AlteredNode = {
    url: proxy.url,
    requests,
    alter: () => undefined,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await node.close();
    },
  };
  return shown;
}

function withFewer(page: string, count: number): string {
  const { markets } = JSON.parse(page);
  const edges = markets.edges.slice(0, count);
  return JSON.stringify({ markets: { edges, pageInfo: { ...markets.pageInfo, endCursor: edges.at(-1).cursor } } });
}

const NOON_MS = Date.UTC(2026, 9, 1, 12);

const UNLIMITED = {
  'ratelimit-limit': '100000',
  'ratelimit-remaining': '100000',
  'x-block-height': '23531',
  'x-block-timestamp': `${NOON_MS}000000`,
} as const;
