import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../src/api/json.ts';
import { resourceById } from '../../src/resources/registry.ts';
import { searchText } from '../../src/session/model/record-search.ts';
import { loaded, pageOf } from './provision-pages.ts';

function searched(id: string, row: JsonObject): ReadonlySet<string> {
  const resource = resourceById(id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  const texts = searchText(resource, row, loaded(pageOf([row]))).split('\n');
  return new Set(texts.filter(text => text !== ''));
}

describe('what a search looks at', () => {
  it('is each value as it came and as it is shown, at any depth, and nothing else', () => {
    const order = { orderId: 'CD', liquidityOrder: { offset: parseJson('12345'), proportion: null } };
    const row = { status: 'STATUS_PENDING', fee: '0.001', reference: 'Ref', version: {}, buys: [order], sells: 'none' };
    const sentence = 'pending: no row of this page says that it took effect';
    const counts = ['1', '0'];
    expect(searched('provisions', row)).toEqual(
      new Set([
        ...['cd', '12345', '12 345', 'null', 'none', '{}', 'ref', ...counts],
        ...['status_pending', 'pending', '0.001', '0.1 %', '0.001  (0.1 %)', sentence, '-'],
      ]),
    );
  });

  it('is what a document in a value holds, too', () => {
    const about = 'b: no public release up to v0.79.0 has this key';
    expect(searched('parameters', { key: 'a.B', value: '{"Name":["X",null,true]}' })).toEqual(
      new Set(['a.b', '{"name":["x",null,true]}', 'x', 'null', 'true', 'name: 3', 'json', about]),
    );
  });
});
