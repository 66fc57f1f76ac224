import { expect, test } from 'vitest';
import { startStrictNode } from './strict-node.ts';

const provisionsPath = '/api/v2/liquidity/provisions';
const json = { headers: { accept: 'application/json' } };

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Record<string, unknown> }[];
  readonly pageInfo: Readonly<Record<string, unknown>>;
}

async function pageAt(url: string): Promise<Page> {
  const response = await fetch(url, json);
  if (response.status !== 200) throw new Error(await response.text());
  const body: Record<string, Page> = JSON.parse(await response.text());
  const [page] = Object.values(body);
  if (page === undefined) throw new Error('no wrapper');
  return page;
}

async function refusal(url: string, init: RequestInit = json): Promise<readonly [number, unknown]> {
  const response = await fetch(url, init);
  return [response.status, JSON.parse(await response.text())];
}

const error = (message: unknown, code = 3) => ({ code, message, details: [] });

test('The strict node has as many rows in every list as it reports', async () => {
  await using node = await startStrictNode();
  const count = async (path: string) => (await pageAt(`${node.url}/api/v2/${path}`)).edges.length;
  expect(await count('network/parameters')).toBe(node.rows.parameters);
  expect(await count('liquidity/provisions?live=true&pagination.first=5000')).toBe(node.rows.provisions);
  expect(await count('liquidity/provisions?pagination.first=5000')).toBe(node.rows.provisionsNotLive);
  expect(await count('liquidity/paidfees')).toBe(node.rows.feesOfLastEpoch);
  expect(await count('erc20/multisigcontrol/signer/removed/bundles')).toBe(node.rows.bundles);
  expect(await count('oracle/specs')).toBe(node.rows.oracles);
  expect(node.rows).toEqual({
    parameters: 30,
    provisions: 2300,
    provisionsNotLive: 1971,
    fees: 25,
    feesOfLastEpoch: 15,
    bundles: 5,
    oracles: 17,
  });
});

test('The strict node serves pages forward and back, and reports correctly whether there are more', async () => {
  await using node = await startStrictNode();
  for (const newestFirst of [true, false]) {
    const base = `${node.url}${provisionsPath}?marketId=${node.ids.market}&pagination.newestFirst=${newestFirst}`;
    const all = (await pageAt(`${base}&pagination.first=5000`)).edges.map(edge => edge.node.id);
    const forwards: unknown[] = [];
    let page = await pageAt(`${base}&pagination.first=50`);
    for (;;) {
      expect(page.pageInfo.hasPreviousPage).toBe(forwards.length > 0);
      forwards.push(...page.edges.map(edge => edge.node.id));
      expect(page.pageInfo.hasNextPage).toBe(forwards.length < all.length);
      if (forwards.length >= all.length) break;
      page = await pageAt(`${base}&pagination.first=50&pagination.after=${page.pageInfo.endCursor}`);
    }
    expect(forwards).toEqual(all);
    const backwards: unknown[] = page.edges.map(edge => edge.node.id);
    while (page.pageInfo.hasPreviousPage) {
      page = await pageAt(`${base}&pagination.last=50&pagination.before=${page.pageInfo.startCursor}`);
      expect(page.pageInfo.hasNextPage).toBe(true);
      backwards.unshift(...page.edges.map(edge => edge.node.id));
    }
    expect(backwards).toEqual(all);
  }
});

test('The strict node serves 100 rows, newest first, if no page size is given', async () => {
  await using node = await startStrictNode();
  const page = await pageAt(`${node.url}${provisionsPath}`);
  expect(page.edges).toHaveLength(100);
  expect(page.edges[0]?.node.id).toBe(node.ids.exactProvision);
  expect(page.edges[1]?.node.reference).toBe(node.ids.hostileReference);
  expect(page.pageInfo).toEqual({
    startCursor: page.edges[0]?.cursor,
    endCursor: page.edges[99]?.cursor,
    hasNextPage: true,
    hasPreviousPage: false,
  });
});

test('The strict node sends 64-bit integers as bare numbers with all their digits', async () => {
  await using node = await startStrictNode();
  const text = await (await fetch(`${node.url}${provisionsPath}?pagination.first=1`, json)).text();
  expect(text).toContain('"version":9007199254740993,');
  expect(text).toContain('"createdAt":1700000000123456789,');
  expect(text).toContain('"proportion":9007199254740993,');
  const specs = await (await fetch(`${node.url}/api/v2/oracle/specs`, json)).text();
  expect(specs).toContain('"args":[9007199254740993,{"pair":{"base":"BTC","quote":null,');
  expect(specs).toContain(',1.10,-1,false]');
});

test('The strict node applies filters, with the names of the public software for fees and bundles', async () => {
  await using node = await startStrictNode();
  const count = async (path: string) => (await pageAt(`${node.url}/api/v2/${path}`)).edges.length;
  const { market, party, asset, reference, submitter } = node.ids;
  const filters = `marketId=${market}&partyId=${party}&pagination.first=5000`;
  expect(await count(`liquidity/provisions?live=true&${filters}`)).toBe(18);
  expect(await count(`liquidity/provisions?live=false&${filters}`)).toBe(16);
  expect(await count(`liquidity/provisions?live=true&reference=${reference}&marketId=${market}`)).toBe(8);
  expect(await count('liquidity/paidfees?epochSeq=4099')).toBe(10);
  expect(await count(`liquidity/paidfees?epochSeq=4099&marketId=${market}&assetId=${asset}`)).toBe(1);
  const shares = await pageAt(`${node.url}/api/v2/liquidity/paidfees?partyIds=${party}&partyIds=none`);
  expect(shares.edges.map(edge => edge.node.feesPaidPerParty)).toEqual([[expect.objectContaining({ party })]]);
  const bundles = 'erc20/multisigcontrol/signer/removed/bundles';
  expect(await count(`${bundles}?nodeId=${node.ids.node}&submitter=${submitter}&epochSeq=4000`)).toBe(1);
  expect(await count(`${bundles}?epochSeq=1`)).toBe(0);
});

test('The strict node refuses what is not documented, with its name', async () => {
  await using node = await startStrictNode();
  const at = (target: string) => refusal(`${node.url}/api/v2/${target}`);
  expect(await at('network/parameters?live=true')).toEqual([500, error('parameter "live" is not known here')]);
  expect(await at('liquidity/provisions?marketID=1')).toEqual([500, error('parameter "marketID" is not known here')]);
  expect(await at('liquidity/provisions?marketId=1&marketId=2')).toEqual([
    500,
    error(expect.stringContaining('marketId')),
  ]);
  expect(await at('oracle/specs?pagination.first=0')).toEqual([500, error(expect.stringContaining('first'))]);
  expect(await at('oracle/specs?pagination.first=1&pagination.last=1')).toEqual([
    500,
    error(expect.stringContaining('last')),
  ]);
  expect(await at('oracle/specs?pagination.after=abc')).toEqual([500, error(expect.stringContaining('abc'))]);
  expect(await at('networkhistory/segments')).toEqual([404, error(expect.stringContaining('segments'), 5)]);
});

test('The strict node refuses a cursor of another list', async () => {
  await using node = await startStrictNode();
  const { edges } = await pageAt(`${node.url}/api/v2/network/parameters`);
  const url = `${node.url}/api/v2/oracle/specs?pagination.after=${edges[3]?.cursor}`;
  expect(await refusal(url)).toEqual([500, error(expect.stringContaining('not a cursor of this list'))]);
});

test('The strict node accepts only GET requests that accept JSON', async () => {
  await using node = await startStrictNode();
  const url = `${node.url}/api/v2/network/parameters`;
  expect(await refusal(url, { method: 'POST' })).toEqual([405, error(expect.stringContaining('POST'), 12)]);
  expect(await refusal(url, { headers: { accept: 'text/csv' } })).toEqual([
    500,
    error(expect.stringContaining('Accept')),
  ]);
  expect((await fetch(url, { headers: { accept: '*/*' } })).status).toBe(200);
  expect(node.requests.map(({ method, path, outcome }) => [method, path, outcome])).toEqual([
    ['POST', '/api/v2/network/parameters', 'answered'],
    ['GET', '/api/v2/network/parameters', 'answered'],
    ['GET', '/api/v2/network/parameters', 'answered'],
  ]);
});
