import { type IncomingMessage, request } from 'node:http';
import * as v from 'valibot';
import { afterAll, beforeAll } from 'vitest';
import type { RunningNode } from '../../src/node/index.ts';
import { type FaultyNodeOptions, startFaultyNode } from '../support/faults/faulty-node.ts';

export interface Answer {
  readonly status: number;
  /** Names in lower case; a name that came twice holds both values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Limits that no test reaches by accident. */
export const unlimited = { ratePerSecond: 1e6, burst: 1e6 } as const;

/** A node for the tests of one file. */
export function withNode(options: FaultyNodeOptions = {}): { readonly url: string } {
  const holder: { node?: RunningNode } = {};
  beforeAll(async () => {
    holder.node = await startFaultyNode({ rateLimit: unlimited, ...options });
  });
  afterAll(() => holder.node?.close());
  return {
    get url() {
      return holder.node?.url ?? '';
    },
  };
}

/** One exchange with no header but those given, so that nothing is decoded or joined on the way. */
export function ask(url: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, response => resolve(readAnswer(response)));
    sent.on('error', reject);
    sent.end();
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const headers = new Map<string, string[]>();
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index]?.toLowerCase() ?? '';
    headers.set(name, [...(headers.get(name) ?? []), response.rawHeaders[index + 1] ?? '']);
  }
  return { status: response.statusCode ?? 0, headers, bytes, text: bytes.toString('utf8') };
}

const statusSchema = v.strictObject({
  code: v.number(),
  message: v.string(),
  details: v.array(
    v.strictObject({
      '@type': v.literal('type.googleapis.com/vega.ErrorDetail'),
      code: v.number(),
      message: v.string(),
      inner: v.string(),
    }),
  ),
});

/** An error in short: HTTP status, gRPC code, and either the message or the detail of a handler. */
export async function refusal(url: string, options?: Parameters<typeof ask>[1]): Promise<readonly unknown[]> {
  const { status, text } = await ask(url, options);
  const parsed: unknown = JSON.parse(text);
  const isWrapped = v.is(v.object({ error: v.unknown() }), parsed);
  const error = v.parse(statusSchema, isWrapped ? parsed.error : parsed);
  const [detail] = error.details;
  const told = detail ? [detail.code, detail.message, detail.inner] : [error.message];
  return [status, error.code, ...told, ...(isWrapped ? ['wrapped'] : [])];
}

const recordSchema = v.record(v.string(), v.unknown());

const pageSchema = v.strictObject({
  edges: v.array(v.strictObject({ node: recordSchema, cursor: v.string() })),
  pageInfo: v.strictObject({
    hasNextPage: v.boolean(),
    hasPreviousPage: v.boolean(),
    startCursor: v.string(),
    endCursor: v.string(),
  }),
});

export type WirePage = v.InferOutput<typeof pageSchema>;

/** A page of a list; anything but 200 and the page wrapper under that one name fails the test. */
export async function page(url: string, wrapper: string, parameters: Record<string, string> = {}): Promise<WirePage> {
  const answer = await ask(`${url}?${new URLSearchParams(parameters)}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return v.parse(v.strictObject({ [wrapper]: pageSchema }), JSON.parse(answer.text))[wrapper] ?? emptyPage;
}

const emptyPage: WirePage = {
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: '', endCursor: '' },
};

const segmentsSchema = v.strictObject({
  segments: v.array(
    v.strictObject({
      fromHeight: v.string(),
      toHeight: v.string(),
      historySegmentId: v.string(),
      previousHistorySegmentId: v.string(),
      databaseVersion: v.string(),
      chainId: v.string(),
    }),
  ),
});

export async function segments(url: string) {
  const { text } = await ask(`${url}/api/v2/networkhistory/segments`);
  return v.parse(segmentsSchema, JSON.parse(text)).segments;
}

/** The ids of every market in which fees were ever paid, which on the demo chain is every market. */
export async function marketIds(url: string): Promise<readonly string[]> {
  const markets = new Set<string>();
  for (let epochSeq = 2; epochSeq <= 41; epochSeq++) {
    const fees = await page(`${url}/api/v2/liquidity/paidfees`, 'paidLiquidityFees', {
      epochSeq: `${epochSeq}`,
    });
    for (const edge of fees.edges) markets.add(String(edge.node.market));
  }
  return [...markets];
}

/** The id of a market with provisions. */
export async function marketId(url: string): Promise<string> {
  const fees = await page(`${url}/api/v2/liquidity/paidfees`, 'paidLiquidityFees', {
    'pagination.first': '1',
  });
  return String(fees.edges[0]?.node.market);
}
