import { describe, expect, it } from 'vitest';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { explainPaidFees } from '../../../src/chain/explain/paid-liquidity-fees.ts';
import type { FilterValues } from '../../../src/chain/resources/filter.ts';
import { objectOf } from '../resources/full-records.ts';

const asset = { symbol: 'HUSD', name: 'Held dollar', status: 'STATUS_ENABLED', decimals: 2, quantum: '1' };
const named: Directory = {
  ...NO_NAMES,
  assets: new Map([['0c', asset]]),
  aliases: new Map([['07', 'cold wallet']]),
};

const fee = (total: string, ...amounts: readonly string[]) =>
  objectOf(
    JSON.stringify({
      market: '0a',
      asset: '0c',
      epochSeq: '41',
      totalFeesPaid: total,
      feesPaidPerParty: amounts.map((amount, index) => ({ party: `0${index + 6}`, amount, quantumAmount: '' })),
    }),
  );

const explained = (row: ReturnType<typeof fee>, directory = named, filters: FilterValues = {}) =>
  explainPaidFees(row, { directory, nowMs: 0, around: { filters, rows: [row] }, ask: async () => undefined });

const ALLOCATED = ': allocated, before penalties and bonuses; the ledger shows what arrived';

const texts = async (...of: Parameters<typeof explained>) =>
  (await explained(...of)).parts.map(({ title, lines }) => [
    title,
    ...lines.map(({ label, text }) => `${label}: ${text}`),
  ]);

describe('Explanation of paid liquidity fees', () => {
  it('The explanation says that a share is small, and not that it is zero', async () => {
    const [, paid] = await texts(fee('100000', '99999', '1', '0'));
    expect(paid?.slice(2)).toEqual([
      expect.stringContaining(' <0.1 %    0.01 HUSD'),
      expect.stringContaining(' 0.0 %    0.00 HUSD'),
    ]);
  });

  it('The explanation adds nothing up to 0 when no party is listed', async () => {
    expect((await explained(fee('900'))).json.allocated).toBeNull();
  });

  it('The explanation says who was allocated how much, the largest first, in units, and of what total', async () => {
    expect(await texts(fee('800', '100', '700'))).toEqual([
      ['', 'market: 0a', 'epoch: 41', 'total: 8 HUSD, to 2 parties', ALLOCATED, 'asset: HUSD'],
      ['Allocated to', '@cold wallet:  87.5 %  7 HUSD  07', '06:  12.5 %  1 HUSD  06'],
    ]);
    const { json, parts } = await explained(fee('800', '100', '700'));
    expect(parts[1]?.lines[0]).toMatchObject({ copied: '07', leadsTo: { entity: 'party', id: '07' } });
    expect(json).toMatchObject({
      epoch: '41',
      total: { raw: '800', value: '8', symbol: 'HUSD' },
      allocated: { raw: '800', value: '8', symbol: 'HUSD' },
      onlySomeParties: false,
      parties: [
        { party: '07', name: '@cold wallet', share: { numerator: '700', denominator: '800', percent: '87.5' } },
        { party: '06', name: null, amount: { raw: '100', value: '1', symbol: 'HUSD' } },
      ],
      problems: [],
    });
  });

  it('The explanation says smallest units when the decimals are unknown', async () => {
    expect((await texts(fee('1234', '1234'), NO_NAMES))[0]).toContain('total: 1 234 smallest units, to 1 party');
  });

  it('The explanation does not take the requested parties for all parties', async () => {
    const [headline, paid] = await texts(fee('800', '100'), named, { partyIds: ['06'] });
    expect(headline).toContain('total: 8 HUSD, for the whole market; below, 1 party of those requested');
    expect(paid?.[0]).toBe('Allocated to the requested parties');
    expect((await explained(fee('800', '100'), named, { partyIds: ['06'] })).json).toMatchObject({
      onlySomeParties: true,
      problems: [],
    });
  });

  it.each([
    [fee('900', '100'), 'the parties add up to 100, the total is 900, in smallest units'],
    [fee('900'), 'the row has no party ids'],
    [fee('many', '100'), 'the total is not a whole number: shares are unknown'],
    [fee('900', 'much'), 'the amount of a party is not a whole number: the parties cannot be added up'],
  ])('The explanation reports what does not add up: %#', async (row, problem) => {
    expect((await explained(row)).json.problems).toEqual([problem]);
    expect((await texts(row))[0]).toContain(`: ${problem}`);
  });
});
