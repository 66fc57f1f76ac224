import { describe, expect, it } from 'vitest';
import { markets } from '../../../src/chain/resources/markets.ts';
import { validators } from '../../../src/chain/resources/validators.ts';

const market = (id: string, code: string) => ({ id, tradableInstrument: { instrument: { code } } });
const node = (id: string, name: string) => ({ id, name });

describe('Equal names in their own list', () => {
  it.each([
    ['markets', markets, market],
    ['validators', validators, node],
  ] as const)(
    'Equal names in %s get digits of their id, as everywhere else, and other names get none',
    (_, list, of) => {
      const rows = [of('93790000aa', 'LINK'), of('1327ffffbb', 'link'), of('77777777cc', 'ETH')];
      const [column] = list.columns;
      expect(rows.map(row => column?.addition?.(row, rows))).toEqual([' 9379', ' 1327', '']);
    },
  );

  it('Equal names get as many digits as needed, and none without an id', () => {
    const rows = [market('93790000aa', 'LINK'), market('93790001bb', 'LINK'), market('', 'LINK'), market('', 'LINK')];
    const [code] = markets.columns;
    expect(rows.map(row => code?.addition?.(row, rows))).toEqual([' 93790000', ' 93790001', '', '']);
  });

  it('Names stay as they are in records that no node should send', () => {
    const rows = [{}, { id: 5, tradableInstrument: null }, market('ab', '')];
    const [code] = markets.columns;
    expect(rows.map(row => code?.addition?.(row, rows))).toEqual(['', '', '']);
  });
});
