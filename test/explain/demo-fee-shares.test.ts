import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { jsonText, member } from '../../src/api/json.ts';
import { baseAddress } from '../../src/api/request.ts';
import { NO_NAMES } from '../../src/directory/directory.ts';
import { createAsk } from '../../src/explain/ask.ts';
import { explainProvision } from '../../src/explain/liquidity-provisions.ts';
import { page, withNode } from '../node/wire.ts';
import { objectOf } from '../resources/full-records.ts';

const node = withNode();

it('the shares of the fees of each market of the embedded node are those of its raw rows', async () => {
  const client = createClient({ base: baseAddress(node.url) });
  const ask = createAsk(client, () => 0)(new AbortController().signal);
  const list = (path: string, wrapper: string, query: Record<string, string>) =>
    page(`${node.url}/api/v2/${path}`, wrapper, { 'pagination.first': '5000', ...query });
  const rowsOf = async (...given: Parameters<typeof list>) =>
    (await list(...given)).edges.map(edge => objectOf(JSON.stringify(edge.node)));
  const markets = await rowsOf('markets', 'markets', {});
  let compared = 0;
  for (const marketId of markets.slice(0, 4).map(({ id }) => jsonText(id))) {
    const providers = await rowsOf('liquidity/providers', 'liquidityProviders', { marketId });
    const weights = new Map(
      providers.map(({ partyId, feeShare }) => [
        jsonText(partyId),
        Number(member(feeShare, 'equityLikeShare')) * Number(member(feeShare, 'averageScore')),
      ]),
    );
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const provisions = await rowsOf('liquidity/all-provisions', 'liquidityProvisions', { marketId, live: 'true' });
    for (const row of provisions.slice(0, 12)) {
      const around = { filters: {}, rows: provisions };
      const { json } = await explainProvision(row, { directory: NO_NAMES, nowMs: Date.now(), around, ask });
      const weight = weights.get(jsonText(member(json.party, 'id')));
      const percent = jsonText(member(json.fees, 'sharePercent'));
      if (weight === undefined || total === 0) expect(percent).toBe('');
      else if (percent === '<0.1') expect(weight / total).toBeLessThan(0.000501);
      else expect(Math.abs(Number(percent) - (100 * weight) / total)).toBeLessThan(0.0501);
      compared += percent === '' ? 0 : 1;
    }
  }
  expect(compared).toBeGreaterThan(10);
});
