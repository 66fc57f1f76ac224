import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { NetworkError, RateLimitedError, UndecodableError } from '../../../src/chain/api/errors.ts';
import { type ChainReading, readChain } from '../../../src/memory/record/read-chain.ts';
import { type AlteredNode, startAlteredNode } from './altered-node.ts';

let node: AlteredNode;
beforeAll(async () => {
  node = await startAlteredNode();
});
afterAll(() => node[Symbol.asyncDispose]());
beforeEach(() => {
  node.alter = () => undefined;
  node.requests.length = 0;
});

function read(options: Partial<Parameters<typeof readChain>[1]> = {}): Promise<ChainReading> {
  const client = createClient({ base: new URL(node.url), random: () => 0 });
  const { signal } = new AbortController();
  return readChain(client, {
    ...{ signal, nowMs: Date.now, longestWaitMs: 5000 },
    ...options,
  });
}

const listed = ({ lists }: ChainReading, name: string): ChainReading['lists'] =>
  lists.filter(({ list }) => list === name);

const problemsOf = ({ lists }: ChainReading): readonly string[] => [
  ...new Set(lists.flatMap(list => (list.kind === 'unread' ? [`${list.list}: ${list.problem}`] : []))),
];

const at = (path: string, answer: { status?: number; body: string } | 'gone') => (url: URL) =>
  url.pathname.startsWith(path) ? answer : undefined;

const REFUSED = { status: 500, body: '{"code":13,"message":"Internal error","details":[]}' };

describe('Reading a chain for a snapshot', () => {
  it('The reading has every list, with each record as the node sent it', async () => {
    const reading = await read();
    expect(problemsOf(reading)).toEqual([]);
    expect(reading).toMatchObject({ chainId: 'demo-chain-1', node: node.url, blockHeight: '23531' });
    const counts = new Map<string, number>();
    for (const list of reading.lists)
      if (list.kind === 'read') counts.set(list.list, (counts.get(list.list) ?? 0) + list.records.length);
    expect(Object.fromEntries(counts)).toMatchInlineSnapshot(`
      {
        "assets": 5,
        "bundles": 12,
        "fees": 111,
        "info": 1,
        "markets": 14,
        "oracles": 40,
        "parameters": 172,
        "providers": 363,
        "provisions": 402,
        "segments": 24,
        "status": 1,
        "validators": 8,
      }
    `);
    const markets = await (await fetch(`${node.url}/api/v2/markets?pagination.first=5000`)).text();
    for (const list of listed(reading, 'markets'))
      if (list.kind === 'read') for (const record of list.records) expect(markets).toContain(record);
  });

  it('The reading sends few requests, one after the other', async () => {
    await read();
    expect(node.requests.length).toBeLessThan(60);
  });

  it('The reading knows the chain before it reads lists, and ends there if the callback throws', async () => {
    const onChain = (): void => {
      throw new Error('taken');
    };
    await expect(read({ onChain })).rejects.toThrow('taken');
    expect(node.requests.length).toBe(2);
  });

  it('The reading marks a list that cannot be read as unread, with the reason, and reads the others', async () => {
    node.alter = at('/api/v2/oracle/specs', REFUSED);
    const reading = await read();
    expect(problemsOf(reading)).toEqual(['oracles: HTTP 500: Internal error']);
    expect(listed(reading, 'validators')).toMatchObject([{ kind: 'read' }]);
  });

  it.each([
    ['cut short', '{"networkParameters":{"edges":[{"node":{"key":"a"'],
    ['without its list', '{}'],
    ['with an edge that is none', '{"networkParameters":{"edges":[7],"pageInfo":{"hasNextPage":false}}}'],
    ['without a word whether more follow', '{"networkParameters":{"edges":[]}}'],
    [
      'with more rows but no cursor',
      '{"networkParameters":{"edges":[{"node":{"key":"a","value":"1"}}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false}}}',
    ],
  ])('The reading does not treat a list as read that came %s', async (_, body) => {
    node.alter = at('/api/v2/network/parameters', { body });
    const [parameters] = listed(await read(), 'parameters');
    expect(parameters?.kind).toBe('unread');
  });

  it('The reading repeats a list that changed while it was read', async () => {
    let asked = 0;
    node.alter = async (url, own) => {
      if (url.pathname !== '/api/v2/network/parameters') return undefined;
      asked++;
      return asked === 1
        ? { body: (await own()).replace('"hasPreviousPage":false', '"hasPreviousPage":true') }
        : undefined;
    };
    expect(problemsOf(await read())).toEqual([]);
    expect(asked).toBe(2);
  });

  it('The reading requests liquidity providers only once from a node without them', async () => {
    node.alter = at('/api/v2/liquidity/providers', {
      status: 404,
      body: '{"code":5,"message":"Not Found","details":[]}',
    });
    const reading = await read();
    expect(problemsOf(reading)).toEqual(['providers: this node has no list of providers (HTTP 404)']);
    expect(node.requests.filter(path => path.includes('providers')).length).toBe(1);
  });

  it('The reading does not take rows of another market for rows of this one', async () => {
    const [, other] = JSON.parse(await (await fetch(`${node.url}/api/v2/markets`)).text()).markets.edges;
    node.alter = async url => {
      if (!/liquidity\/(?:all-)?provi/.test(url.pathname) || url.searchParams.get('marketId') === other.node.id)
        return undefined;
      url.searchParams.set('marketId', other.node.id);
      return { body: await (await fetch(url)).text() };
    };
    const reading = await read();
    const read1 = [...listed(reading, 'provisions'), ...listed(reading, 'providers')].filter(
      list => list.kind === 'read' && list.records.length > 0,
    );
    expect(new Set(read1.map(({ scope }) => scope))).toEqual(new Set([other.node.id]));
  });

  it('The reading keeps every digit', async () => {
    const value = '123456789012345678901234567890.10';
    node.alter = at('/api/v2/network/parameters', {
      body: `{"networkParameters":{"edges":[{"node":{"key":"a","value":${value}},"cursor":"c"}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"c","endCursor":"c"}}}`,
    });
    expect(listed(await read(), 'parameters')).toMatchObject([{ records: [`{"key":"a","value":${value}}`] }]);
  });
});

describe('Reading a hostile node', () => {
  const page = (records: readonly string[], cursor = 'c', hasNextPage = false): string =>
    `{"networkParameters":{"edges":[${records.map((record, index) => `{"node":${record},"cursor":"${cursor}${index}"}`).join()}],"pageInfo":{"hasNextPage":${hasNextPage},"hasPreviousPage":false,"startCursor":"${cursor}0","endCursor":"${cursor}${records.length - 1}"}}}`;

  it('A hostile record is stored as it is, on one line', async () => {
    const records = [
      '{"__proto__":{"polluted":"yes"},"key":"a"}',
      '{"key":"\\ud800","value":"\\u0000\\r\\n\\u001b[2J"}',
      '{"key":"\u2028\u202e","value":[1e400,-0,0.10,123456789012345678901234567890]}',
      `{"key":"deep","value":${'['.repeat(900)}${']'.repeat(900)}}`,
      `{"key":"long","value":"${'x'.repeat(1_000_000)}"}`,
      '{"key":"twice"}',
      '{"key":"twice"}',
    ];
    node.alter = at('/api/v2/network/parameters', { body: page(records) });
    expect(listed(await read(), 'parameters')).toMatchObject([{ kind: 'read', records: records.toReversed() }]);
  });

  it('A hostile node cannot fill the disk with an endless list', async () => {
    let pages = 0;
    node.alter = url => {
      if (url.pathname !== '/api/v2/network/parameters') return undefined;
      pages++;
      const rows = Array.from(
        { length: 500 },
        (_, index) => `{"key":"${pages}-${index}","value":"${'v'.repeat(2000)}"}`,
      );
      return {
        body: page(rows, `c${pages}-`, true).replace('"hasPreviousPage":false', `"hasPreviousPage":${pages > 1}`),
      };
    };
    const [parameters] = listed(await read(), 'parameters');
    expect(parameters).toMatchObject({ kind: 'unread', problem: 'the list is too long to record' });
    expect(pages).toBeLessThan(100);
  });

  it('A hostile node cannot cause endless requests with its markets', async () => {
    const ids = [
      '../../etc',
      '',
      'x'.repeat(10_000),
      ...Array.from({ length: 600 }, (_, index) => `${index}`.padStart(64, '0')),
    ];
    node.alter = url => {
      if (url.pathname === '/api/v2/markets')
        return {
          body: page(ids.map(id => JSON.stringify({ id, state: 'STATE_ACTIVE' }))).replace(
            'networkParameters',
            'markets',
          ),
        };
      const wrapper = /all-provisions/.test(url.pathname) ? 'liquidityProvisions' : 'liquidityProviders';
      return /liquidity\/(?:all-)?provi/.test(url.pathname)
        ? {
            body: `{"${wrapper}":{"edges":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"","endCursor":""}}}`,
          }
        : undefined;
    };
    const reading = await read();
    for (const name of ['provisions', 'providers']) {
      expect(listed(reading, name).filter(({ kind }) => kind === 'read').length).toBe(500);
      expect(listed(reading, name).filter(({ kind }) => kind === 'unread').length).toBe(101);
    }
    expect(problemsOf(reading)).toContain('providers: a market has an id that is not 64 hex digits');
    expect(problemsOf(reading)).toContain('provisions: not read: there are more than 500 markets');
  });
});

describe('Reading a node that fails', () => {
  it('A node that cannot be reached at all is reported', async () => {
    node.alter = () => 'gone';
    await expect(read()).rejects.toThrow(NetworkError);
  });

  it('A node that stops answering midway does not get all remaining requests', async () => {
    node.alter = url => (/statistics|segments|info|parameters/.test(url.pathname) ? undefined : 'gone');
    const reading = await read();
    expect(listed(reading, 'parameters')).toMatchObject([{ kind: 'read' }]);
    expect(problemsOf(reading).some(problem => problem.endsWith('not read: the node stopped answering'))).toBe(true);
    // Each of two requests is tried three times.
    expect(node.requests.length).toBeLessThan(15);
    expect(listed(reading, 'provisions')).toMatchObject([{ kind: 'unread' }]);
  });

  it('A node that limits requests is waited for, once it reports how long', async () => {
    let refusals = 0;
    node.alter = url => {
      if (!url.pathname.endsWith('/assets') || refusals > 0) return undefined;
      refusals++;
      return { status: 429, body: '{"code":8,"message":"api request rate limit exceeded","details":[]}' };
    };
    const waits: number[] = [];
    expect(problemsOf(await read({ onWait: ms => waits.push(ms) }))).toEqual([]);
    expect(waits.length).toBe(1);
  });

  it('A node that bans for a long time gets no more requests', async () => {
    node.alter = url =>
      /statistics|segments|info|parameters/.test(url.pathname)
        ? undefined
        : {
            status: 403,
            headers: { 'ratelimit-retry-after': '600' },
            body: '{"code":7,"message":"temporarily banned for continuing to request while rate limited","details":[]}',
          };
    const reading = await read();
    expect(problemsOf(reading).at(-1)).toMatch(/not read: the rate limit of the node was reached|markets could not/);
    expect(node.requests.length).toBe(5);
  });

  it('A node that bans from the beginning gives no reading', async () => {
    node.alter = () => ({
      status: 403,
      headers: { 'ratelimit-retry-after': '600' },
      body: '{"code":7,"message":"temporarily banned for continuing to request while rate limited","details":[]}',
    });
    await expect(read()).rejects.toThrow(RateLimitedError);
    expect(node.requests.length).toBe(1);
  });
});

describe('Chain of a reading', () => {
  it('The chain is taken from the segments if the core cannot be reached', async () => {
    node.alter = at('/statistics', REFUSED);
    const reading = await read();
    expect(reading.chainId).toBe('demo-chain-1');
    // The epoch of its fees is known without it.
    expect(problemsOf(reading)).toEqual(['status: HTTP 500: Internal error']);
  });

  it('The chain of a reading must be known', async () => {
    node.alter = url => (/statistics|segments/.test(url.pathname) ? REFUSED : undefined);
    await expect(read()).rejects.toThrow(UndecodableError);
  });

  it('The chain must be the same at the end, because the lists could be of two chains otherwise', async () => {
    let asked = 0;
    node.alter = async (url, own) => {
      if (url.pathname !== '/statistics') return undefined;
      asked++;
      return asked === 1 ? undefined : { body: (await own()).replace('demo-chain-1', 'demo-chain-2') };
    };
    await expect(read()).rejects.toThrow('the node changed its chain while it was read');
  });
});
