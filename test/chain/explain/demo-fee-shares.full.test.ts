import { expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { isJsonArray, type Json, jsonText, member } from '../../../src/chain/api/json.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { createAsk } from '../../../src/chain/explain/ask.ts';
import { explainProvision } from '../../../src/chain/explain/liquidity-provisions.ts';
import { explainMarket } from '../../../src/chain/explain/markets.ts';
import { page, withNode } from '../../node/wire.ts';
import { objectOf } from '../resources/full-records.ts';

const node = withNode();

const asArray = (json: Json | undefined): readonly Json[] => (isJsonArray(json) ? json : []);

it('The fee shares of each market of the embedded node are those of its raw rows', async () => {
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
    const penalties = new Map(
      providers.map(({ partyId, sla }) => [jsonText(partyId), Number(member(sla, 'lastEpochFeePenalty'))]),
    );
    const kept = (party: string, weight: number): number => weight * (1 - (penalties.get(party) ?? 0));
    const keptTotal = [...weights].reduce((sum, [party, weight]) => sum + kept(party, weight), 0);
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const [market] = (await rowsOf('markets', 'markets', {})).filter(({ id }) => id === marketId);
    const knowledge = { directory: NO_NAMES, nowMs: Date.now(), around: { filters: {}, rows: [] }, ask };
    const { json: ofMarket } = await explainMarket(market ?? {}, knowledge);
    const shown = asArray(member(ofMarket.fees, 'providers'));
    expect(shown.map(one => jsonText(member(member(one, 'party'), 'id'))).toSorted()).toEqual(
      [...weights.keys()].toSorted(),
    );
    for (const one of shown) {
      const weight = weights.get(jsonText(member(member(one, 'party'), 'id'))) ?? 0;
      const share = member(one, 'share');
      const exact = Number(member(share, 'numerator')) / Number(member(share, 'denominator'));
      expect(Math.abs(exact - weight / total)).toBeLessThan(1e-9);
    }
    const provisions = await rowsOf('liquidity/all-provisions', 'liquidityProvisions', { marketId, live: 'true' });
    for (const row of provisions.slice(0, 12)) {
      const around = { filters: {}, rows: provisions };
      const { json } = await explainProvision(row, { directory: NO_NAMES, nowMs: Date.now(), around, ask });
      const party = jsonText(member(json.party, 'id'));
      const weight = weights.get(party);
      const after = jsonText(member(member(json.fees, 'afterPenalties'), 'percent'));
      if (weight === undefined) expect(after).toBe('');
      else if (after !== '<0.1')
        expect(Math.abs(Number(after) - (100 * kept(party, weight)) / keptTotal)).toBeLessThan(0.0501);
      const percent = jsonText(member(json.fees, 'sharePercent'));
      if (weight === undefined || total === 0) expect(percent).toBe('');
      else if (percent === '<0.1') expect(weight / total).toBeLessThan(0.000501);
      else expect(Math.abs(Number(percent) - (100 * weight) / total)).toBeLessThan(0.0501);
      compared += percent === '' ? 0 : 1;
    }
  }
  expect(compared).toBeGreaterThan(10);
});
