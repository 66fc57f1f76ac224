import { describe, expect, it } from 'vitest';
import { NO_MINE_IDS } from '../../../src/base/settings/mine-file.ts';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { mineFromLists } from '../../../src/chain/directory/mine.ts';
import { explainMarket } from '../../../src/chain/explain/markets.ts';
import { objectOf } from '../resources/full-records.ts';

const future = objectOf(`{"id":"0a","state":"STATE_ACTIVE","tradingMode":"TRADING_MODE_CONTINUOUS","decimalPlaces":"5",
  "positionDecimalPlaces":"-2","tradableInstrument":{"instrument":{"code":"HELDA/HUSD","name":"Held A","future":{
  "settlementAsset":"0C","dataSourceSpecForSettlementData":{"id":"1a"},
  "dataSourceSpecForTradingTermination":{"id":"1b"}}}}}`);

const asset = { symbol: 'HUSD', name: 'Held dollar', status: 'STATUS_ENABLED', decimals: 6, quantum: '1' };
const named: Directory = { ...NO_NAMES, assets: new Map([['0c', asset]]) };

const explained = (row: typeof future, directory: Directory) =>
  explainMarket(row, {
    directory,
    nowMs: 0,
    around: { filters: {}, rows: [row] },
    ask: async () => undefined,
  });

describe('Explanation of a market', () => {
  it('The explanation says what a market trades, whether it does, its units and what it waits for', async () => {
    const { parts, json } = await explained(future, named);
    expect(parts.map(({ title, lines }) => [title, ...lines.map(({ label, text }) => `${label}: ${text}`)])).toEqual([
      [
        '',
        ': HELDA/HUSD  Held A',
        'state: ACTIVE, CONTINUOUS',
        'product: future',
        'settles in: HUSD',
        'smallest price step: 0.00001 HUSD',
        'smallest size: 100',
        'id: 0a',
      ],
      ['Oracle specs it uses', 'settlement: 1a', 'termination: 1b'],
      ['How fees are shared', ': The node did not list the liquidity providers of this market.'],
    ]);
    expect(json).toEqual({
      id: '0a',
      code: 'HELDA/HUSD',
      name: 'Held A',
      state: 'ACTIVE',
      tradingMode: 'CONTINUOUS',
      product: 'future',
      asset: { id: '0C', symbol: 'HUSD', decimals: 6 },
      smallest: { price: '0.00001', size: '100' },
      specs: [
        { use: 'settlement', id: '1a', words: null },
        { use: 'termination', id: '1b', words: null },
      ],
      fees: null,
    });
  });

  it.each([
    ['"5000"', '0.05'],
    ['1', '0.00001'],
    ['"0"', null],
    ['"-5"', null],
    ['"1e3"', null],
    ['{}', null],
  ])('The explanation has the price step of a tick size of %s, in units of its decimals', async (tickSize, price) => {
    const { json } = await explained({ ...future, tickSize: parseJson(tickSize) }, named);
    expect(json).toMatchObject({ smallest: { price } });
  });

  it.each(['"0x10"', '" "', '"1e1"', '"5x"', '1e9', '{}', '[3]', 'true', '"--1"', 'null'])(
    'The explanation has no price step when the decimals are not a whole number: %s',
    async places => {
      const { json } = await explained(
        objectOf(`{"decimalPlaces":${places},"positionDecimalPlaces":${places}}`),
        named,
      );
      expect(json).toMatchObject({ smallest: { price: null, size: null } });
    },
  );

  describe('Providers who share the liquidity fees', () => {
    const provider = (partyId: string, [share, score, penalty]: readonly [string, string, string]) => ({
      ...{ partyId, marketId: '0a', feeShare: { party: partyId, equityLikeShare: share, averageScore: score } },
      sla: { party: partyId, lastEpochFeePenalty: penalty },
    });
    const shared = async (nodes: readonly Json[], row = future) => {
      const asked: string[] = [];
      const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: 'c', endCursor: 'c' };
      const edges = nodes.map(node => ({ node, cursor: 'c' }));
      const { parts, json } = await explainMarket(row, {
        ...{ directory: { ...named, mine: mineFromLists({ ...NO_MINE_IDS, parties: ['0b'] }) }, nowMs: 0 },
        around: { filters: {}, rows: [row] },
        ask: async ({ path }) => {
          asked.push(path);
          if (path === 'api/v2/info') return { version: 'v0.74.10' };
          return path === 'api/v2/liquidity/providers' ? { liquidityProviders: { edges, pageInfo } } : undefined;
        },
      });
      const lines = parts.slice(2).map(({ title, isFolded, lines: all }) => ({
        title: `${title}${isFolded === true ? ', folded' : ''}`,
        lines: all.map(({ label, text }) => `${label}: ${text}`),
      }));
      return { lines, json, asked };
    };

    it('The providers are listed with the largest share first, before and after penalties, and why', async () => {
      const { lines, json } = await shared([
        provider('0c', ['0.25', '0.6', '0.5']),
        provider('0b', ['0.5', '0.5', '0']),
        provider('0d', ['0.25', '0', '']),
      ]);
      expect(lines).toEqual([
        {
          title: 'How fees are shared',
          lines: [
            'fees are shared: by equity-like share x liquidity score, not by commitment',
            'after*: share if penalties stay as in the last epoch; withheld fees go to the others',
            'lost: fee penalty of the last epoch',
            'provider, in %: share after* equity score  lost',
            'you:  62.5   76.9     50    50     0',
            '0c:  37.5   23.1     25    60    50',
            '0d:   0.0    0.0     25     0     -',
          ],
        },
      ]);
      expect(json.fees).toMatchObject({
        equityPart: '1',
        problem: null,
        providers: [
          { party: { id: '0b' }, share: { numerator: '5', denominator: '8' }, afterPenalties: { numerator: '10' } },
          { party: { id: '0c' }, sharePercent: '37.5', penalties: { fee: '0.5' } },
          { party: { id: '0d' }, sharePercent: '0.0', penalties: { fee: null } },
        ],
      });
    });

    it('The providers are listed with the reason when shares are unknown, sorted by equity-like share', async () => {
      const { lines, json } = await shared([
        provider('0c', ['0.25', '0.6', '0.5']),
        provider('0b', ['0.5', '0.5', '0']),
      ]);
      expect(lines[0]?.lines.slice(1)).toEqual([
        'share: not known: the listed equity-like shares add up to 75.00 %',
        'provider, in %: share after* equity score  lost',
        'you:     -      -     50    50     0',
        '0c:     -      -     25    60    50',
      ]);
      expect(json.fees).toMatchObject({ providers: [{ share: null }, { share: null }] });
    });

    it('The providers are folded from the eleventh on', async () => {
      const { lines } = await shared(
        Array.from({ length: 12 }, (_, index) => provider(`0${index + 10}`, ['0.0833333333333333', '1', '0'])),
      );
      expect(lines.map(({ title }) => title)).toEqual(['How fees are shared', 'The other 2 providers, folded']);
      expect(lines[1]?.lines).toHaveLength(3);
    });

    it('The provider that is the user is listed after the first ten, with its rank', async () => {
      const others = Array.from({ length: 12 }, (_, index) => provider(`1${index + 10}`, ['0.08', '1', '0']));
      const { lines } = await shared([provider('0b', ['0.04', '1', '0.5']), ...others]);
      expect(lines[0]?.lines.at(-1)).toBe('13. you:   4.0    2.0      4   100    50');
      expect(lines[1]?.title).toBe('The other 2 providers, folded');
    });

    it('The providers of a closed market are not listed', async () => {
      const { lines, json, asked } = await shared([], { ...future, state: 'STATE_SETTLED' });
      expect([lines, json.fees, asked]).toEqual([[], null, []]);
    });

    it('The list of providers may be empty', async () => {
      const { lines } = await shared([]);
      expect(lines[0]?.lines).toEqual([': The node lists no liquidity providers.']);
    });
  });

  it('The explanation says what is unknown about a market', async () => {
    const spot = objectOf('{"id":"0b","tradableInstrument":{"instrument":{"code":"A/B","spot":{"quoteAsset":"0d"}}}}');
    const { parts } = await explained(spot, NO_NAMES);
    const texts = parts.flatMap(({ lines }) => lines.map(({ label, text }) => `${label}: ${text}`));
    expect(texts).toEqual([
      ': A/B',
      'state: not reported',
      'product: spot',
      'paid in: 0d',
      'smallest price step: not reported',
      'smallest size: not reported',
      'id: 0b',
      ': The node did not list the liquidity providers of this market.',
    ]);
    expect((await explained(future, NO_NAMES)).json.asset).toEqual({ id: '0C', symbol: null, decimals: null });
    expect(parseJson(JSON.stringify(parts))).toBeTruthy();
  });
});
