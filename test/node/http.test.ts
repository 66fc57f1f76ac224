import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answer, ask, withNode } from './wire.ts';

// Every row of what deployed nodes do over HTTP (node-behaviour.md sections 1.2, 1.3 and 2), for every kind of reply.

const node = withNode({ clock: () => Date.UTC(2026, 10, 20, 12) });
const limited = withNode({ clock: () => Date.UTC(2026, 10, 20, 12), rateLimit: { ratePerSecond: 1, burst: 1 } });
const specs = '/api/v2/oracle/specs';
const exportPath = '/api/v2/networkhistory/export?fromBlock=1&toBlock=1000&table=TABLE_BLOCKS';

interface Kind {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly sent?: Record<string, string>;
  readonly status: number;
  readonly types: readonly string[];
  /** Which of the block's and the limiter's headers come with it. */
  readonly has: 'block and limit' | 'block' | 'none';
  readonly isChunked?: true;
}

const json = ['application/json'];
const service = ['application/json', 'application/grpc'];

const kinds: readonly Kind[] = [
  { name: 'a list', path: specs, status: 200, types: json, has: 'block and limit' },
  {
    name: 'one record',
    path: '/api/v2/network/parameters/reward.asset',
    status: 200,
    types: json,
    has: 'block and limit',
  },
  {
    name: 'a list whose rows are made when they are first asked for',
    path: '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
    status: 200,
    types: json,
    has: 'block and limit',
  },
  {
    name: 'a filter that such a list cannot read',
    path: '/api/v2/erc20/multisigcontrol/signer/removed/bundles?epochSeq=x',
    status: 400,
    types: service,
    has: 'block',
  },
  { name: 'an asset that is none', path: '/api/v2/asset/x', status: 400, types: service, has: 'block' },
  { name: 'the segments', path: '/api/v2/networkhistory/segments', status: 200, types: json, has: 'block and limit' },
  { name: 'the statistics', path: '/statistics', status: 200, types: json, has: 'block and limit' },
  { name: 'a refusal of a handler', path: `${specs}?pagination.first=0`, status: 400, types: service, has: 'block' },
  {
    name: 'a key that is unknown',
    path: '/api/v2/network/parameters/no.such',
    status: 404,
    types: service,
    has: 'block',
  },
  {
    name: 'a slash that makes an empty key',
    path: '/api/v2/network/parameters/',
    status: 404,
    types: service,
    has: 'block',
  },
  {
    name: 'a cursor that is no base64',
    path: `${specs}?pagination.after=e30`,
    status: 400,
    types: service,
    has: 'block',
  },
  { name: 'a cursor of nothing', path: `${specs}?pagination.after=e30x`, status: 500, types: service, has: 'block' },
  { name: 'a filter that is missing', path: '/api/v2/liquidity/provisions', status: 500, types: service, has: 'block' },
  {
    name: 'a parameter that cannot be read',
    path: `${specs}?pagination.first=x`,
    status: 400,
    types: json,
    has: 'none',
  },
  { name: 'a path that is unknown', path: '/api/v2/nope', status: 404, types: json, has: 'none' },
  { name: 'a slash too many', path: `${specs}/`, status: 404, types: json, has: 'none' },
  { name: 'POST', method: 'POST', path: specs, status: 501, types: json, has: 'none' },
  { name: 'PUT', method: 'PUT', path: specs, status: 501, types: json, has: 'none' },
  { name: 'DELETE of an export', method: 'DELETE', path: exportPath, status: 501, types: json, has: 'none' },
  { name: 'OPTIONS that is no preflight', method: 'OPTIONS', path: specs, status: 501, types: json, has: 'none' },
  {
    name: 'a deadline that is over',
    path: specs,
    sent: { 'Grpc-Timeout': '0n' },
    status: 504,
    types: json,
    has: 'none',
  },
  { name: 'the health', path: '/health', status: 200, types: ['text/plain; charset=utf-8'], has: 'none' },
  { name: 'an export', path: exportPath, status: 200, types: ['application/zip'], has: 'none', isChunked: true },
  {
    name: 'an export out of range',
    path: exportPath.replace('1000', '999'),
    status: 400,
    types: json,
    has: 'none',
    isChunked: true,
  },
  {
    name: 'an export without a table',
    path: exportPath.replace('TABLE_BLOCKS', '0'),
    status: 500,
    types: json,
    has: 'none',
    isChunked: true,
  },
];

const askKind = ({ path, method = 'GET', sent = {} }: Kind, more: Record<string, string> = {}): Promise<Answer> =>
  ask(node.url + path, { method, headers: { ...sent, ...more } });

const blockHeaders = ['x-block-height', 'x-block-timestamp'];
const limitHeaders = ['ratelimit-limit', 'ratelimit-reset', 'ratelimit-remaining', 'ratelimit-request-remote-addr'];
const present = ({ headers }: Answer, names: readonly string[]) => names.filter(name => headers.has(name));

describe.each(kinds)('HTTP reply: $name', kind => {
  it('The reply has its status, content types and the headers of its kind, and no others', async () => {
    const answer = await askKind(kind);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([kind.status, kind.types]);
    expect(present(answer, blockHeaders)).toEqual(kind.has === 'none' ? [] : blockHeaders);
    expect(present(answer, limitHeaders)).toEqual(kind.has === 'block and limit' ? limitHeaders : []);
    const never = [
      'ratelimit-retry-after',
      'retry-after',
      'x-rate-limit-limit',
      'etag',
      'last-modified',
      'cache-control',
    ];
    expect(present(answer, [...never, 'expires', 'accept-ranges', 'trailer', 'content-encoding'])).toEqual([]);
    expect(answer.headers.get('vary')).toEqual(['Origin']);
    expect(answer.headers.get('content-length')).toEqual(kind.isChunked ? undefined : [String(answer.bytes.length)]);
    expect(answer.headers.get('transfer-encoding')).toEqual(kind.isChunked ? ['chunked'] : undefined);
  });

  it.each(['gzip', 'br, gzip;q=0', 'x-gzip'])(
    'The reply is compressed when %j is accepted, and has no Vary header for it',
    async accepted => {
      const { status, headers, bytes } = await askKind(kind, { 'Accept-Encoding': accepted });
      expect([status, headers.get('content-encoding'), headers.get('content-type')]).toEqual([
        kind.status,
        ['gzip'],
        kind.types,
      ]);
      expect([headers.get('vary'), headers.has('content-length')]).toEqual([['Origin'], false]);
      expect(gunzipSync(bytes)).toEqual((await askKind(kind)).bytes);
    },
  );

  it.each(['identity', 'br', 'deflate, br', 'GZIP'])(
    'The reply is not compressed when %j is accepted',
    async accepted => {
      const { headers, bytes } = await askKind(kind, { 'Accept-Encoding': accepted });
      expect(headers.has('content-encoding')).toBe(false);
      expect(bytes).toEqual((await askKind(kind)).bytes);
    },
  );

  it('The reply is complete, even for conditional and range requests', async () => {
    const conditions = { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString(), Range: 'bytes=5-' };
    const { status, headers, bytes } = await askKind(kind, conditions);
    expect([status, headers.has('content-range')]).toEqual([kind.status, false]);
    expect(bytes).toEqual((await askKind(kind)).bytes);
  });

  it('The reply is the same when the request offers an upgrade to a web socket', async () => {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const { status, bytes } = await askKind(kind, { ...upgrade, 'Sec-WebSocket-Version': '13' });
    expect(status).toBe(kind.status);
    expect(bytes).toEqual((await askKind(kind)).bytes);
  });

  it('The reply is readable only by pages of the same machine', async () => {
    for (const origin of ['http://127.0.0.1:5173', 'http://localhost', 'https://[::1]:8443']) {
      const { headers } = await askKind(kind, { Origin: origin });
      expect(headers.get('access-control-allow-origin')).toEqual([origin]);
      expect(headers.get('access-control-expose-headers')).toEqual(['*']);
      expect([headers.get('vary'), headers.has('access-control-allow-credentials')]).toEqual([['Origin'], false]);
    }
    for (const origin of foreign) {
      const { headers } = await askKind(kind, { Origin: origin });
      expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('vary')).toEqual(['Origin']);
    }
  });
});

const foreign = [
  'https://example.test',
  'null',
  'http://127.0.0.1.example.test',
  'http://localhost.example.test:80',
  'http://evil.test/http://localhost',
  'file://localhost',
];

describe('HTTP method HEAD', () => {
  it.each([specs, exportPath, '/api/v2/networkhistory/segments'])(
    'A HEAD request for %s gets the headers of 501 and no body',
    async path => {
      const { status, text, headers } = await ask(node.url + path, { method: 'HEAD' });
      expect([status, text, headers.get('content-type')]).toEqual([501, '', ['application/json']]);
      expect(present({ status, text, headers, bytes: Buffer.of() }, [...blockHeaders, ...limitHeaders])).toEqual([]);
    },
  );
});

describe('Rate limit headers', () => {
  it('The rate limiter reports its state with a success and a 429, and the rest of a ban with a 403', async () => {
    const answers = [await ask(limited.url + specs), await ask(limited.url + specs), await ask(limited.url + specs)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 403]);
    const [success, refused, banned] = answers.map(answer =>
      present(answer, [...limitHeaders, 'ratelimit-retry-after']),
    );
    expect([success, refused, banned]).toEqual([limitHeaders, limitHeaders, ['ratelimit-retry-after']]);
    for (const answer of answers) expect(present(answer, blockHeaders)).toEqual(blockHeaders);
    expect(answers[1]?.headers.get('ratelimit-remaining')).toEqual(['0']);
    expect(answers.slice(1).map(({ headers }) => headers.get('content-type'))).toEqual([service, service]);
    expect(answers.slice(1).map(({ text }) => JSON.parse(text))).toEqual([
      { code: 8, message: 'api request rate limit exceeded', details: [] },
      { code: 7, message: 'temporarily banned for continuing to request while rate limited', details: [] },
    ]);
  });
});

describe('CORS preflight', () => {
  const preflight = (headers: Record<string, string>) => ask(node.url + specs, { method: 'OPTIONS', headers });
  const vary = ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers'];

  it.each(['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'A preflight for %s is allowed for two hours',
    async method => {
      const { status, headers, bytes } = await preflight({
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'x-one,x-two',
        'Accept-Encoding': 'gzip',
      });
      expect([status, bytes.length, headers.get('vary')]).toEqual([204, 0, vary]);
      expect(headers.get('access-control-allow-origin')).toEqual(['http://localhost:5173']);
      expect(headers.get('access-control-allow-methods')?.[0]?.split(', ')).toContain(method);
      expect(headers.get('access-control-allow-headers')).toEqual(['x-one,x-two']);
      expect(headers.get('access-control-max-age')).toEqual(['7200']);
      expect(
        present({ status, headers, bytes, text: '' }, ['content-encoding', 'access-control-expose-headers']),
      ).toEqual([]);
    },
  );

  it.each([
    { 'Access-Control-Request-Method': 'GET' },
    { Origin: 'http://localhost', 'Access-Control-Request-Method': 'TRACE' },
    ...foreign.map(Origin => ({ Origin, 'Access-Control-Request-Method': 'GET' })),
  ])('A preflight is not allowed with %j', async sent => {
    const { headers } = await preflight(sent);
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('vary')).toEqual(vary);
  });
});
