import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/chain/api/client.ts';
import { NetworkError, RateLimitedError, RefusedError } from '../../../src/chain/api/errors.ts';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { fetchDirectory, fetchRewardAsset } from '../../../src/chain/directory/fetch-directory.ts';
import { startNode } from '../../../src/node/index.ts';
import { answer, serve } from '../api/loopback-server.ts';

const { signal } = new AbortController();

/** A client that answers so by the last part of the path, and what it was asked for. */
function clientWith(answers: { readonly [part: string]: Json | Error }) {
  const asked: string[] = [];
  const client: Pick<Client, 'get'> = {
    get: async ({ path, query }) => {
      asked.push(`${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`);
      const answered = answers[path.replace('api/v2/', '')] ?? refused(404);
      if (answered instanceof Error) throw answered;
      return { json: answered, facts: { rate: {} }, bytes: 0, elapsedMs: 0 };
    },
  };
  return { client, asked };
}

const refused = (status: number) =>
  new RefusedError(status, { code: 5, message: 'Not Found', details: [] }, { url: '', hint: '' });

const listOf = (name: string, ...nodes: readonly Json[]): Json => ({
  [name]: { edges: nodes.map(node => ({ node })) },
});

describe('fetchDirectory', () => {
  it('`fetchDirectory` returns the names of the embedded node, with three requests', async () => {
    const node = await startNode({});
    const log: string[] = [];
    const client = createClient({ base: baseAddress(node.url), onRequest: ({ url }) => log.push(url) });
    const { markets, assets, validators } = await fetchDirectory(client, signal);
    await node.close();
    expect([...(markets?.values() ?? [])]).toContainEqual(expect.objectContaining({ code: 'BTC/USDT-PERP' }));
    for (const { asset } of markets?.values() ?? []) if (assets !== undefined) expect(assets.has(asset)).toBe(true);
    expect(validators?.size).toBeGreaterThan(3);
    for (const { ethereumAddress } of validators?.values() ?? []) expect(ethereumAddress).toMatch(/^0x[0-9a-f]{40}$/);
    expect(log).toHaveLength(3);
  });

  it('`fetchDirectory` requests one page of each list', async () => {
    const { client, asked } = clientWith({});
    const none = { markets: new Map(), assets: new Map(), validators: new Map() };
    expect(await fetchDirectory(client, signal)).toEqual(none);
    const path = (part: string) => `api/v2/${part}?pagination.first=5000`;
    expect(asked).toEqual([path('markets'), path('assets'), path('nodes')]);
  });

  it('`fetchDirectory` has both records of an ID that is listed twice, and a value that differs is unknown', async () => {
    const usdt = { id: 'AA', details: { symbol: 'USDT', name: 'Tether', decimals: '6', quantum: '1' }, status: 'S' };
    const other = { ...usdt, id: 'aa', details: { ...usdt.details, symbol: 'EVIL', decimals: '18' } };
    const same = { ...usdt, id: 'bb' };
    const market = (code: string, decimalPlaces: string, settlementAsset: string) => ({
      id: 'cc',
      decimalPlaces,
      tradableInstrument: { instrument: { code, future: { settlementAsset } } },
    });
    const validator = { id: 'dd', name: 'V', ethereumAddress: '0xaa', pubKey: 'k' };
    const { client } = clientWith({
      assets: listOf('assets', usdt, other, other, same, same),
      markets: listOf('markets', market('X', '2', 'aa'), market('Y', '3', 'bb')),
      nodes: listOf('nodes', validator, { ...validator, ethereumAddress: '0xbb' }),
    });
    const { assets, markets, validators } = await fetchDirectory(client, signal);
    const entry = { symbol: 'USDT or EVIL', name: 'Tether', status: 'S', decimals: null, quantum: '1' };
    expect(assets?.get('aa')).toEqual(entry);
    expect(assets?.get('bb')).toMatchObject({ symbol: 'USDT', decimals: 6 });
    expect(markets?.get('cc')).toMatchObject({ code: 'X or Y', decimalPlaces: null, asset: '' });
    expect(validators?.get('dd')).toMatchObject({ name: 'V', ethereumAddress: '', publicKey: 'k' });
  });

  it.each([404, 501, 500, 403])(
    '`fetchDirectory` returns the names of the other lists when one is answered with %i',
    async status => {
      const markets = listOf('markets', { id: 'AA', tradableInstrument: { instrument: { code: 'X' } } });
      const { client } = clientWith({
        markets,
        assets: refused(status),
        nodes: listOf('nodes', { id: '01', name: 'V' }),
      });
      const names = await fetchDirectory(client, signal);
      expect(names.markets?.get('aa')?.code).toBe('X');
      expect([names.assets?.size ?? 0, names.validators?.get('01')?.name]).toEqual([0, 'V']);
    },
  );

  it('`fetchDirectory` returns no names that the node does not serve, and unknown ones that it fails to send', async () => {
    const { client } = clientWith({ markets: refused(404), assets: refused(501), nodes: refused(503) });
    expect(await fetchDirectory(client, signal)).toEqual({ markets: new Map(), assets: new Map() });
  });

  it('`fetchDirectory` returns the names of the other lists when one is unreachable or not a list', async () => {
    const assets = new NetworkError('gone', { url: '', hint: '' });
    const { client } = clientWith({ markets: [1, 2], assets, nodes: listOf('nodes', { id: '01' }) });
    expect(Object.keys(await fetchDirectory(client, signal))).toEqual(['validators']);
  });

  it('`fetchDirectory` sends nothing more when the node reports too many requests', async () => {
    const assets = new RateLimitedError('429', { url: '', retryAtMs: 1 });
    const { client, asked } = clientWith({ markets: listOf('markets'), assets, nodes: listOf('nodes') });
    expect(Object.keys(await fetchDirectory(client, signal))).toEqual(['markets']);
    expect(asked).toHaveLength(2);
  });

  it('`fetchDirectory` stays within the rate budget: after a real 429 nothing more is sent', async () => {
    const { url, seen } = await serve((_, response) => answer(response, 429, '{"code":8,"message":"too many"}'));
    const client = createClient({ base: baseAddress(url) });
    expect(await fetchDirectory(client, signal)).toEqual({});
    expect(seen).toHaveLength(1);
  });

  it('`fetchDirectory` stops when its signal is aborted', async () => {
    const abort = new AbortController();
    const { client } = clientWith({ markets: new Error('stopped') });
    abort.abort(new Error('left'));
    await expect(fetchDirectory(client, abort.signal)).rejects.toThrow('left');
  });
});

describe('Staking asset', () => {
  const path = 'network/parameters/reward.asset';
  const says = (networkParameter: Json): Json => ({ networkParameter });

  it('The staking asset is the one in the parameter reward.asset, read with one light request', async () => {
    const { client, asked } = clientWith({ [path]: says({ key: 'reward.asset', value: 'aa' }) });
    expect(await fetchRewardAsset(client, signal)).toBe('aa');
    expect(asked).toEqual([`api/v2/${path}?`]);
  });

  it.each<[what: string, answer: Json | Error, found: string | undefined]>([
    ['does not serve single parameters', refused(404), ''],
    ['answers with another parameter', says({ key: 'other', value: 'aa' }), ''],
    ['answers with something else', [1], ''],
    ['cannot answer now', refused(503), undefined],
    ['allows no more requests', new RateLimitedError('429', { url: '', retryAtMs: 1 }), undefined],
  ])('The staking asset is unknown if the node %s', async (_what, answered, found) => {
    expect(await fetchRewardAsset(clientWith({ [path]: answered }).client, signal)).toBe(found);
  });
});

describe('Directory entry', () => {
  const first = async (part: 'markets' | 'assets' | 'nodes', text: string) => {
    const { client } = clientWith({ [part]: listOf(part, parseJson(text)) });
    const { markets, assets, validators } = await fetchDirectory(client, signal);
    return [markets, assets, validators].flatMap(found => [...(found?.values() ?? [])])[0];
  };

  it('A market entry has its settlement asset and the specs it waits for, for any product', async () => {
    const product = `{"settlementAsset":"A1","dataSourceSpecForSettlementData":{"id":"S1"},
      "dataSourceSpecForTradingTermination":{"id":"T1"},"dataSourceSpecForSettlementSchedule":null}`;
    const record = (kind: string) =>
      `{"id":"01","state":"STATE_ACTIVE","decimalPlaces":"5","positionDecimalPlaces":-2,
        "tradableInstrument":{"instrument":{"code":"C","name":"N",${kind}}}}`;
    const market = { code: 'C', name: 'N', state: 'STATE_ACTIVE', decimalPlaces: 5, positionDecimalPlaces: -2 };
    const specs = [
      { use: 'settlement', specId: 'S1' },
      { use: 'termination', specId: 'T1' },
    ];
    expect(await first('markets', record(`"future":${product}`))).toEqual({ ...market, asset: 'A1', specs });
    expect(await first('markets', record(`"future":null,"perpetual":${product}`))).toMatchObject({
      asset: 'A1',
      specs,
    });
    expect(await first('markets', record('"spot":{"quoteAsset":"Q"}'))).toMatchObject({ asset: 'Q', specs: [] });
  });

  it.each([
    ['"18"', 18],
    ['18', 18],
    ['0', 0],
    ['78', null],
    ['-1', null],
    ['1.5', null],
    ['"1e1"', null],
    ['" 6"', null],
    ['99999999999999999999', null],
    ['null', null],
    ['true', null],
    ['[6]', null],
  ])('An asset entry with decimals %s has %j', async (decimals, expected) => {
    const found = await first('assets', `{"id":"01","details":{"symbol":"S","decimals":${decimals}}}`);
    expect(found).toEqual({ symbol: 'S', name: '', status: '', decimals: expected, quantum: '' });
  });

  it('A validator entry has its address and key in lower case, and its rank', async () => {
    const text = `{"id":"01","name":"V","ethereumAddress":"0xAB","pubKey":"CD","status":"NODE_STATUS_VALIDATOR",
      "rankingScore":{"status":"VALIDATOR_NODE_STATUS_ERSATZ"}}`;
    const status = 'VALIDATOR_NODE_STATUS_ERSATZ';
    expect(await first('nodes', text)).toEqual({ name: 'V', ethereumAddress: '0xab', publicKey: 'cd', status });
  });

  it('A directory entry is read from any JSON without an error, with texts of limited length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.json(), withIds())), async texts => {
        for (const part of ['markets', 'assets', 'nodes'] as const) {
          const { client } = clientWith({ [part]: listOf(part, ...texts.map(parseJson)) });
          const names = await fetchDirectory(client, signal);
          expect(JSON.stringify([...Object.values(names)].flatMap(map => [...map])).length).toBeLessThan(100_000);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('A directory entry keeps the beginning of an endless name, and an endless list has 5000 entries', async () => {
    const assets = Array.from({ length: 5100 }, (_, id) => ({
      id: String(id),
      details: { symbol: '\u{1f600}'.repeat(300) },
    }));
    const { client } = clientWith({ assets: listOf('assets', ...assets) });
    const names = await fetchDirectory(client, signal);
    expect(names.assets?.size).toBe(5000);
    expect(names.assets?.get('0')?.symbol).toMatch(/^.{100,200}…$/u);
    expect(names.assets?.get('0')?.symbol.isWellFormed()).toBe(true);
  });
});

/** Records with an id, and anything in the members that are read. */
function withIds(): fc.Arbitrary<string> {
  const any = fc.jsonValue({ maxDepth: 2 });
  return fc
    .record({
      id: fc.string(),
      name: any,
      details: any,
      tradableInstrument: fc.record({ instrument: any }),
      pubKey: any,
    })
    .map(record => JSON.stringify(record));
}
