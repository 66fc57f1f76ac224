import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/api/json.ts';
import { type Directory, NO_NAMES } from '../../src/directory/directory.ts';
import { explainMarket } from '../../src/explain/markets.ts';
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

describe('the explanation of a market', () => {
  it('says what it trades, whether it does, its units and what it waits for', async () => {
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
  ])('has the price step of a tick size of %s, in units of its decimals', async (tickSize, price) => {
    const { json } = await explained({ ...future, tickSize: parseJson(tickSize) }, named);
    expect(json).toMatchObject({ smallest: { price } });
  });

  it.each(['"0x10"', '" "', '"1e1"', '"5x"', '1e9', '{}', '[3]', 'true', '"--1"', 'null'])(
    'of places that are no whole number, %s, says no step',
    async places => {
      const { json } = await explained(
        objectOf(`{"decimalPlaces":${places},"positionDecimalPlaces":${places}}`),
        named,
      );
      expect(json).toMatchObject({ smallest: { price: null, size: null } });
    },
  );

  it('says what it does not know', async () => {
    const spot = objectOf('{"id":"0b","tradableInstrument":{"instrument":{"code":"A/B","spot":{"quoteAsset":"0d"}}}}');
    const { parts } = await explained(spot, NO_NAMES);
    const texts = parts.flatMap(({ lines }) => lines.map(({ label, text }) => `${label}: ${text}`));
    expect(texts).toEqual([
      ': A/B',
      'state: the node does not say',
      'product: spot',
      'paid in: 0d',
      'smallest price step: the node does not say',
      'smallest size: the node does not say',
      'id: 0b',
      ': The node did not list the liquidity providers of this market.',
    ]);
    expect((await explained(future, NO_NAMES)).json.asset).toEqual({ id: '0C', symbol: null, decimals: null });
    expect(parseJson(JSON.stringify(parts))).toBeTruthy();
  });
});
