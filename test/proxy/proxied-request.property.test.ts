import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalQuery, readProxied } from '../../src/proxy/proxied-request.ts';
import { sourceFiles } from '../structure/source.ts';
import { runs } from '../support/runs.ts';

const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'pagination.first', 'é &'), fc.string()), { maxLength: 8 });
const encoded = (all: readonly (readonly [string, string])[]): string =>
  all.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`).join('&');
const EXPORT = '/api/v2/networkhistory/export';

describe('the query of a request', () => {
  it('has one spelling, which means the same', () => {
    fc.assert(
      fc.property(pairs, all => {
        const one = canonicalQuery(encoded(all)) ?? '';
        const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        expect(canonicalQuery(one)).toBe(one);
        expect(canonicalQuery(encoded(sorted))).toBe(one);
        const read = new URLSearchParams(one);
        for (const [name] of all)
          expect(read.getAll(name)).toEqual(
            all.filter(([other]) => other === name).map(([, value]) => value.toWellFormed()),
          );
      }),
      { numRuns: runs(200, 5000) },
    );
  });

  it.each(['%', 'a=%zz', 'a=%ff', '%e2%28'])('that cannot be decoded is refused: %s', query => {
    expect(readProxied('GET', `/statistics?${query}`)).toMatchObject({ kind: 'rejected', status: 400 });
  });
});

describe('a request', () => {
  it.each([
    '/',
    '/api',
    '/api/v2',
    '/api/v2/',
    '/api/v2/networkhistory',
    '/api/v2/networkhistory/bootstrap',
    '/graphql',
    '/api/v2/network/parameters/',
    '//statistics',
    '/statistics/',
    '/./statistics',
    '/a/../statistics',
    '/%73tatistics',
    '/STATISTICS',
    'http://elsewhere/statistics',
    '*',
    '',
    '/statistics#a',
    '/constructor',
    '/__proto__',
    '/statistics;a=1',
  ])('to %j is not passed on', url => {
    expect(readProxied('GET', url)).toMatchObject({ kind: 'rejected', status: 404, path: '' });
  });

  it.each(['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'get', ''])('by %j is not passed on', method => {
    expect(readProxied(method, '/statistics')).toMatchObject({ kind: 'rejected', status: 405 });
    expect(readProxied(method, '/metrics')).toMatchObject({ kind: 'rejected', status: 405 });
  });

  it('for a large page costs more of the share of its client', () => {
    const cost = (query: string) => readProxied('GET', `/api/v2/markets?${query}`);
    expect(cost('pagination.first=50')).toMatchObject({ cost: 1 });
    expect(cost('')).toMatchObject({ cost: 2 });
    expect(cost('pagination.last=5000')).toMatchObject({ cost: 6 });
    expect(cost('pagination.first=99999')).toMatchObject({ cost: 1 });
  });
});

describe('an export', () => {
  it('that would end a deployed node is not passed on, however it is spelt', () => {
    const height = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 17n }).map(String),
      fc.constantFrom('', '-1', '+5', '0x10', '1e3', '01001', '1_0', ' 1', '٣', '9'.repeat(19)),
    );
    const name = fc.constantFrom('fromBlock', 'from_block', 'toBlock', 'to_block', 'fromBlock[1]', 'table', 'toblock');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, height), { maxLength: 5 }), all => {
        const read = readProxied('GET', `${EXPORT}?${encoded(all)}`);
        if (read.kind === 'rejected') return;
        const query = new URLSearchParams(read.kind === 'export' ? read.target.split('?')[1] : '');
        const [from = '', ...moreFrom] = ['fromBlock', 'from_block'].flatMap(key => query.getAll(key));
        const [to = '', ...moreTo] = ['toBlock', 'to_block'].flatMap(key => query.getAll(key));
        expect([...moreFrom, ...moreTo]).toEqual([]);
        expect([from, to].every(text => /^\d+$/.test(text))).toBe(true);
        expect(BigInt(from) <= BigInt(to)).toBe(true);
      }),
      { numRuns: runs(300, 10_000) },
    );
  });

  it('in the right order is passed on', () => {
    expect(readProxied('GET', `${EXPORT}?toBlock=1000&fromBlock=1&table=TABLE_LEDGER`)).toMatchObject({
      kind: 'export',
      target: `${EXPORT}?fromBlock=1&table=TABLE_LEDGER&toBlock=1000`,
    });
  });
});

describe('the paths that are passed on', () => {
  it('are all that the program asks for', async () => {
    const files = (await sourceFiles()).filter(({ path }) => !/^(?:node|proxy)\//.test(path));
    const asked = new Set(files.flatMap(({ text }) => text.match(/(?<=['`])api\/v2\/[\w/-]*\w(?=['`])/g) ?? []));
    expect(asked.size).toBeGreaterThan(12);
    const unserved = [...asked, 'statistics'].filter(path => {
      const { kind } = readProxied('GET', `/${path}?fromBlock=1&toBlock=2`);
      return kind === 'rejected';
    });
    expect(unserved).toEqual([]);
  });

  it('have one parameter among them', () => {
    expect(readProxied('GET', '/api/v2/network/parameters/reward.asset')).toMatchObject({
      kind: 'list',
      path: '/api/v2/network/parameters/:key',
      target: '/api/v2/network/parameters/reward.asset',
    });
    for (const key of [':key', '..%2f', 'a/b', 'é'])
      expect(readProxied('GET', `/api/v2/network/parameters/${key}`)).toMatchObject({ status: 404 });
  });
});
