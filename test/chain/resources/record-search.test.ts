import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { searchText } from '../../../src/chain/resources/record-search.ts';
import { resourceById } from '../../../src/chain/resources/registry.ts';
import { loaded, pageOf } from '../../explorer/support/provision-pages.ts';

function searched(id: string, row: JsonObject): ReadonlySet<string> {
  const resource = resourceById(id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  const texts = searchText(resource, row, loaded(pageOf([row])), NO_NAMES).split('\n');
  return new Set(texts.filter(text => text !== ''));
}

describe('Record search', () => {
  it('The search covers each value as sent and as shown, at any depth, and nothing else', () => {
    const order = { orderId: 'CD', liquidityOrder: { offset: parseJson('12345'), proportion: null } };
    const row = { status: 'STATUS_PENDING', fee: '0.001', reference: 'Ref', version: {}, buys: [order], sells: 'none' };
    const sentence = 'pending: no row on this page shows that it took effect';
    const counts = ['1', '0'];
    expect(searched('provisions', row)).toEqual(
      new Set([
        ...['cd', '12345', '12 345', 'null', 'none', '{}', 'ref', ...counts],
        ...['status_pending', 'pending', '0.001', '0.1 %', '0.001  (0.1 %)', sentence, '-'],
      ]),
    );
  });

  it('The search also covers the content of a document in a value', () => {
    const about = 'b: no public release up to v0.79.0 has this key';
    expect(searched('parameters', { key: 'a.B', value: '{"Name":["X",null,true]}' })).toEqual(
      new Set(['a.b', '{"name":["x",null,true]}', 'x', 'null', 'true', 'name: 3', 'json', about]),
    );
  });

  const KEY = '1571572281c2d6a15dd718d2113e694cf0c432870d5d9e215ca8b6d68251256c';
  const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const FEED = 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43';
  const call = (more: JsonObject) => ({ external: { ethOracle: { method: 'get', address: ADDRESS, ...more } } });
  const signed = (...signers: readonly JsonObject[]) => ({ external: { oracle: { signers, filters: [] } } });
  const someone = { pubKey: { key: 'ab' } };
  const named = { key: { name: 'Prices.BTC', type: 'TYPE_INTEGER', numberDecimalPlaces: '5' }, conditions: [] };

  it.each<readonly [what: string, data: JsonObject, found: string]>([
    ['the contract, spelt with its checksum', call({}), ADDRESS],
    ['the contract, in lower case', call({}), ADDRESS.toLowerCase()],
    ['the contract that was sent in lower case', call({ address: ADDRESS.toLowerCase() }), ADDRESS],
    [
      '32 bytes that it is called with, which nodes keep as base64',
      call({ args: [Buffer.from(FEED, 'hex').toString('base64')] }),
      `0x${FEED}`,
    ],
    ['the same without 0x', call({ args: [Buffer.from(FEED, 'hex').toString('base64')] }), FEED.toUpperCase()],
    ['an argument in a structure', call({ args: [{ deep: [{ Owner: KEY }] }] }), KEY],
    ['a function of the ABI', call({ abi: '[{"name":"latestAnswer"}]' }), 'LATESTanswer'],
    ['the chain', call({ sourceChainId: '42161' }), '42161'],
    [
      'a time of the trigger as a date',
      call({ trigger: { timeTrigger: { initial: '1700000000' } } }),
      '2023-11-14 22:13',
    ],
    ['a value that must be there', call({ filters: [named] }), 'prices.btc'],
    ['a normaliser', call({ normalisers: [{ name: 'Spot', expression: '$[0]' }] }), 'spot'],
    ['the key of a signer', signed({ pubKey: { key: KEY } }), KEY],
    ['the key of the last signer of several', signed(someone, someone, { pubKey: { key: KEY } }), KEY.toUpperCase()],
    ['the address of a signer', signed(someone, { ethAddress: { address: ADDRESS } }), ADDRESS.toLowerCase()],
    ['a signer of a kind that is new', signed({ certificate: { key: KEY } }), KEY],
    [
      'a time that the chain is to reach',
      { internal: { time: { conditions: [{ operator: 'OPERATOR_EQUALS', value: '1700000000' }] } } },
      '2023-11-14',
    ],
    [
      'the times of every trigger of the chain',
      { internal: { timeTrigger: { triggers: [{ every: '60' }, { every: '5400' }] } } },
      '1 h 30 min',
    ],
    ['a source that is new', { elsewhere: { feed: KEY } }, KEY],
  ])('The search of an oracle spec covers %s', (_, data, found) => {
    const row = { externalDataSourceSpec: { spec: { id: 'CDEF', data } } };
    for (const text of [found, 'cdef'])
      expect(
        [...searched('oracles', row)].some(part => part.includes(text.toLowerCase())),
        text,
      ).toBe(true);
  });
});
