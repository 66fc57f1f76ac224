import { createServer } from 'node:http';
import { type RunningNode, startNode } from '../../../src/node/index.ts';
import { listening } from '../../support/loopback.ts';

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
    let newestBlock = {};
    const own = async (): Promise<string> => {
      const answer = await fetch(url);
      newestBlock = blockHeaders(answer.headers);
      const body = await answer.text();
      return markets !== undefined && url.pathname === '/api/v2/markets' ? withFewer(body, markets) : body;
    };
    void (async () => {
      const altered = await shown.alter(url, own);
      if (altered === 'gone') return response.destroy();
      const body = altered?.body ?? (await own());
      const headers = { 'content-type': 'application/json', ...UNLIMITED, ...newestBlock, ...altered?.headers };
      return response.writeHead(altered?.status ?? 200, headers).end(body);
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

/** What a node says of its newest block, where it does. */
function blockHeaders(headers: Headers) {
  const [height, time] = [headers.get('x-block-height'), headers.get('x-block-timestamp')];
  return height === null || time === null ? {} : { 'x-block-height': height, 'x-block-timestamp': time };
}

const NOON_MS = Date.UTC(2026, 9, 1, 12);

const UNLIMITED = {
  'ratelimit-limit': '100000',
  'ratelimit-remaining': '100000',
  'x-block-height': '23531',
  'x-block-timestamp': `${NOON_MS}000000`,
} as const;
