import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { marketIds, page, refusal, withNode } from './wire.ts';

const node = withNode();

const settlement = v.object({ settlementAsset: v.string() });
const marketSchema = v.object({
  id: v.string(),
  tradableInstrument: v.object({
    instrument: v.object({
      code: v.string(),
      name: v.string(),
      future: v.optional(settlement),
      perpetual: v.optional(settlement),
      spot: v.optional(v.object({ baseAsset: v.string(), quoteAsset: v.string() })),
    }),
  }),
});

const recordsOf = async (list: string) => (await page(`${node.url}/api/v2/${list}`, list)).edges.map(edge => edge.node);

const list = (more: Record<string, string> = {}) => page(`${node.url}/api/v2/markets`, 'markets', more);
const idsOf = async (more: Record<string, string> = {}) => (await list(more)).edges.map(edge => String(edge.node.id));

describe('Markets of the embedded node', () => {
  it('Markets settle in listed assets, in each of their products', async () => {
    const assets = new Set((await recordsOf('assets')).map(({ id }) => id));
    for (const market of await recordsOf('markets')) {
      const { future, perpetual, spot } = v.parse(marketSchema, market).tradableInstrument.instrument;
      const named = [future?.settlementAsset, perpetual?.settlementAsset, spot?.baseAsset, spot?.quoteAsset];
      const given = named.filter(id => id !== undefined);
      expect(given.length).toBeGreaterThan(0);
      for (const id of given) expect(assets.has(id)).toBe(true);
    }
  });

  it('Markets share a code in one case, and never an id', async () => {
    const markets = (await recordsOf('markets')).map(market => v.parse(marketSchema, market));
    const codes = markets.map(({ tradableInstrument: { instrument } }) => instrument.code);
    expect(codes.length - new Set(codes).size).toBe(1);
    expect(new Set(markets.map(({ id }) => id)).size).toBe(markets.length);
  });

  it('Markets are those used in the other lists, and those that were settled before', async () => {
    const all = await idsOf();
    for (const id of await marketIds(node.url)) expect(all).toContain(id);
    const open = await idsOf({ includeSettled: 'false' });
    expect(open.toSorted()).toEqual((await marketIds(node.url)).toSorted());
    expect(all.length).toBe(open.length + 2);
    expect(await idsOf({ include_settled: 'true' })).toEqual(all);
  });

  it('Markets are sorted by the time of their last change, newest first or oldest first', async () => {
    const times = (await list()).edges.map(({ cursor }) =>
      Date.parse(JSON.parse(Buffer.from(cursor, 'base64').toString()).vegaTime),
    );
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const oldest = await idsOf({ 'pagination.newestFirst': 'false' });
    expect(oldest.slice(0, 2)).toEqual((await idsOf()).slice(-2).toReversed());
  });

  it('Markets of one block are sent twice if a page ends among them, as by deployed nodes', async () => {
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

describe('Multisig contract', () => {
  it('The multisig contract is given by the network parameter for it', async () => {
    const { edges } = await page(`${node.url}/api/v2/network/parameters`, 'networkParameters');
    const found = edges.find(({ node: { key } }) => key === 'blockchains.ethereumConfig');
    const { multisig_control_contract } = JSON.parse(String(found?.node.value));
    expect(multisig_control_contract.address).toMatch(/^0x[0-9a-f]{40}$/);
  });
});
