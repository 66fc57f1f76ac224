import { describe, expect, it } from 'vitest';
import { markets } from '../../../src/chain/resources/markets.ts';
import { orderProblem } from '../../../src/chain/resources/page-request.ts';
import { run } from '../../cli/run-command.ts';
import { withNode } from '../../node/wire.ts';
import { startStrictNode } from '../../support/strict-node.ts';
import { objectOf } from './full-records.ts';

const node = withNode();

const cells = (record: string) =>
  Object.fromEntries(markets.columns.map(column => [column.id, column.value(objectOf(record))]));

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

  it('The list of markets shows no settlement asset for an unknown product', () => {
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
