import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { page, withNode } from './wire.ts';

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

const idsOf = async (list: string) => (await page(`${node.url}/api/v2/${list}`, list)).edges.map(edge => edge.node);

describe('Markets of the embedded node', () => {
  it('Markets settle in listed assets, in each of their products', async () => {
    const assets = new Set((await idsOf('assets')).map(({ id }) => id));
    for (const market of await idsOf('markets')) {
      const { future, perpetual, spot } = v.parse(marketSchema, market).tradableInstrument.instrument;
      const named = [future?.settlementAsset, perpetual?.settlementAsset, spot?.baseAsset, spot?.quoteAsset];
      const given = named.filter(id => id !== undefined);
      expect(given.length).toBeGreaterThan(0);
      for (const id of given) expect(assets.has(id)).toBe(true);
    }
  });

  it('Markets share a code in one case, and never an id', async () => {
    const markets = (await idsOf('markets')).map(market => v.parse(marketSchema, market));
    const codes = markets.map(({ tradableInstrument: { instrument } }) => instrument.code);
    expect(codes.length - new Set(codes).size).toBe(1);
    expect(new Set(markets.map(({ id }) => id)).size).toBe(markets.length);
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
