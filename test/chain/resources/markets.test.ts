import { describe, expect, it } from 'vitest';
import { markets } from '../../../src/chain/resources/markets.ts';
import { orderProblem } from '../../../src/chain/resources/page-request.ts';
import { run } from '../../cli/run-command.ts';
import { marketIds, page, refusal, withNode } from '../../node/wire.ts';
import { startStrictNode } from '../../support/strict-node.ts';
import { objectOf } from './full-records.ts';

const node = withNode();
const list = (more: Record<string, string> = {}) => page(`${node.url}/api/v2/markets`, 'markets', more);
const idsOf = async (more: Record<string, string> = {}) => (await list(more)).edges.map(edge => String(edge.node.id));

const cells = (record: string) =>
  Object.fromEntries(markets.columns.map(column => [column.id, column.value(objectOf(record))]));

describe('Markets of the embedded node', () => {
  it('The markets are those used in the other lists, and those that were settled before', async () => {
    const all = await idsOf();
    for (const id of await marketIds(node.url)) expect(all).toContain(id);
    const open = await idsOf({ includeSettled: 'false' });
    expect(open.toSorted()).toEqual((await marketIds(node.url)).toSorted());
    expect(all.length).toBe(open.length + 2);
    expect(await idsOf({ include_settled: 'true' })).toEqual(all);
  });

  it('The markets are sorted by the time of their last change, newest first or oldest first', async () => {
    const times = (await list()).edges.map(({ cursor }) =>
      Date.parse(JSON.parse(Buffer.from(cursor, 'base64').toString()).vegaTime),
    );
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const oldest = await idsOf({ 'pagination.newestFirst': 'false' });
    expect(oldest.slice(0, 2)).toEqual((await idsOf()).slice(-2).toReversed());
  });

  it('The markets of one block come twice if a page ends among them, as on deployed nodes', async () => {
    const whole = await list();
    const timeOf = (cursor: string): string => JSON.parse(Buffer.from(cursor, 'base64').toString()).vegaTime;
    const at = whole.edges.findIndex(
      ({ cursor }, index) => timeOf(cursor) === timeOf(whole.edges[index + 1]?.cursor ?? cursor),
    );
    const cursor = whole.edges[at + 1]?.cursor ?? '';
    const next = await list({ 'pagination.first': '2', 'pagination.after': cursor });
    expect(next.edges[0]?.node.id).toBe(whole.edges[at + 1]?.node.id);
  });

  it('The list of markets refuses unreadable parameters', async () => {
    const failed = [500, 13, 30005, 'failed to get all markets paged'];
    expect((await refusal(`${node.url}/api/v2/markets?pagination.after=eA==`)).slice(0, 4)).toEqual(failed);
    expect(await refusal(`${node.url}/api/v2/markets?includeSettled=no`)).toEqual([
      ...[400, 3, 'parsing field "include_settled": strconv.ParseBool: parsing "no": invalid syntax'],
    ]);
  });
});

describe('List of markets', () => {
  const instrument = (product: string) =>
    `{"id":"01","tradableInstrument":{"instrument":{"code":"A/B","name":"An A","${product}}}}`;

  it.each([
    ['future', 'future":{"settlementAsset":"0a"}'],
    ['perpetual', 'perpetual":{"settlementAsset":"0a"}'],
    ['spot market', 'spot":{"baseAsset":"0b","quoteAsset":"0a"}'],
  ])('The list shows the settlement asset of a %s', (_, product) => {
    expect(cells(instrument(product))).toMatchObject({ code: 'A/B', name: 'An A', asset: '0a', id: '01' });
  });

  it('The list shows no settlement asset for an unknown product', () => {
    expect(cells(instrument('cash":{"settlementAsset":"0a"}')).asset).toBe('');
    expect(cells('{}')).toMatchObject({ code: '', asset: '', state: '' });
  });

  it('The list of markets is requested as one page, because cursors lose markets of one block', () => {
    expect(markets.paging.pageSize).toBe(5000);
    for (const rule of [markets.paging.byCursor, markets.paging.backward]) expect(rule).toMatch(/skip or repeat/);
    expect(orderProblem(markets, {})).toBeUndefined();
  });

  it('`list markets` prints the markets, without the settled ones on request', async () => {
    const print = async (...words: string[]) => (await run(['list', 'markets', '--node', node.url, ...words])).out;
    expect(await print()).toMatch(/^CODE +NAME +STATE +TRADING MODE +DECIMALS +SETTLES IN +ID/);
    expect(await print()).toContain('SETTLED');
    const open = await print('--include-settled', 'false');
    expect(open).toMatch(/BTC\/USDT-PERP +Bitcoin .* ACTIVE +CONTINUOUS/);
    expect(open).not.toContain('NO_TRADING');
  });

  it('`list markets` reports that a node has no list of markets', async () => {
    await using strict = await startStrictNode();
    const { code, err } = await run(['list', 'markets', '--node', strict.url]);
    expect([code, err.split('\n')[0]]).toEqual([3, 'blockglass: this node has no list of markets (HTTP 404)']);
  });
});
