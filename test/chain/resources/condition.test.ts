import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { readCondition } from '../../../src/chain/resources/condition.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { paidLiquidityFees } from '../../../src/chain/resources/paid-liquidity-fees.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { anyDirectory } from '../../support/any-directory.ts';
import { anyText } from '../../support/any-text.ts';
import { expectNoSlips } from '../../support/no-slips.ts';
import { asset, directoryWith, market } from '../directory/directories.ts';
import { FULL_RECORDS } from './full-records.ts';

const directory = directoryWith({
  markets: [['0a', market({ code: 'HELDA/HUSD', asset: '0c' })]],
  assets: [['0c', asset({ symbol: 'HUSD', decimals: 2 })]],
});

const PLACE = { directory, isExact: false, nowMs: Date.parse('2026-11-22T12:00:00Z') };

function answer(text: string, row: JsonObject, resource: Resource = liquidityProvisions, place = PLACE) {
  const condition = readCondition(text, resource.columns, place.nowMs);
  if ('problem' in condition) throw new Error(condition.problem);
  return condition.holds(row, { ...place, among: { rows: [row], filters: {}, isWhole: true } });
}

function problem(text: string, resource: Resource = liquidityProvisions): string {
  const condition = readCondition(text, resource.columns, 0);
  return 'problem' in condition ? condition.problem : 'none';
}

const provision = (members: JsonObject = {}): JsonObject => ({
  id: '01',
  marketId: '0a',
  partyId: '0b',
  reference: 'Mine',
  commitmentAmount: '100050',
  fee: '0.01',
  createdAt: '0',
  updatedAt: '1795341600000000000',
  version: 3,
  status: 'STATUS_ACTIVE',
  buys: [],
  sells: [],
  ...members,
});

describe('Filter condition', () => {
  it.each([
    ['commitment>1000', true],
    ['commitment=1000.5', true],
    ['commitment>=1000.51', false],
    ['commitment<1 000.51', true],
    ['commitment>1000 HUSD', true],
    ['commitment>1000 HEUR', false],
    ['COMMITMENT != 1000.50', false],
    ['fee=1%', true],
    ['fee>0.5%', true],
    ['version<=3', true],
    ['status=active', true],
    ['status!=PENDING', true],
    ['status~act', true],
    ['market=0A', true],
    ['market=helda/husd', true],
    ['market~husd', true],
    ['market~0a', true],
    ['reference=mine', true],
    ['reference=', false],
    ['reference!=', true],
    ['reference>a', true],
    ['created=', false],
    ['created<2026-01-01', undefined],
    ['updated>2026-11-21', true],
    ['updated<48h', true],
    ['updated>48h', false],
    ['updated~2026-11-22', true],
    ['pending-commitment=', true],
  ])('The condition has the expected result: %s', (text, expected) => {
    expect(answer(text, provision())).toBe(expected);
  });

  it('A condition on an amount has no result while its unit is unknown, unless the raw value is meant', () => {
    const elsewhere = provision({ marketId: '0f' });
    expect(answer('commitment>1', elsewhere)).toBeUndefined();
    expect(answer('commitment!=1', elsewhere)).toBeUndefined();
    expect(answer('commitment=100050', elsewhere, liquidityProvisions, { ...PLACE, isExact: true })).toBe(true);
    expect(answer('commitment=1000.5', provision(), liquidityProvisions, { ...PLACE, isExact: true })).toBe(false);
  });

  it('A condition on a missing member has no result, except whether the member exists', () => {
    const { commitmentAmount: _, fee: __, status: ___, ...bare } = provision();
    for (const text of ['commitment>0', 'fee>0', 'fee!=1', 'status!=ACTIVE', 'pending-version>0'])
      expect(answer(text, bare), text).toBeUndefined();
    expect(answer('fee=', bare)).toBe(true);
  });

  it('A condition finds an id among several that a cell counts', () => {
    const row = { market: '0a', feesPaidPerParty: [{ party: 'AA01', amount: '1' }] };
    expect([answer('parties~aa01', row, paidLiquidityFees), answer('parties=1', row, paidLiquidityFees)]).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    ['stauts=ACTIVE', /^unknown column "stauts"\. Columns: party, market, status, .*; did you mean "status"\?$/],
    ['status=ACTVE', /^no status is "ACTVE": use one of ACTIVE, PENDING.*; did you mean "ACTIVE"\?$/],
    ['status>ACTIVE', /^"ACTIVE" cannot be ordered among values of status.*status=ACTIVE for example$/],
    ['commitment>lots', 'commitment cannot be compared with "lots": commitment>1000.5 for example'],
    ['updated>soon', 'updated cannot be compared with "soon": updated>2026-11-01 for example'],
    ['updated=2h', /^an age such as "2h" is never exact: use < or >/],
    ['commitment>', '"commitment>" has no value: commitment>1000.5 for example'],
    ['party~', '"party~" has nothing to look for: party~word for example'],
    ['commitment', /is not a condition: write a column, one of != >= <= = > < ~ and a value, commitment>1000.5/],
    ['>5', /is not a condition/],
    ['', /is not a condition/],
  ])('The condition %s is an error, and the message shows a correct one', (text, sentence) => {
    expect(problem(text)).toMatch(sentence);
  });

  it('The example condition for each column of each list is valid', () => {
    for (const resource of RESOURCES)
      for (const { id } of resource.columns) {
        const example = / ([^ ]+) for example$/.exec(problem(`${id}>`, resource))?.[1] ?? '';
        expect(problem(example, resource), example).toBe('none');
      }
  });

  it('A condition of any text on any record is true, false or undecided, and never throws', () => {
    const ids = RESOURCES.flatMap(({ columns }) => columns.map(({ id }) => id));
    const condition = fc.tuple(fc.constantFrom(...ids), fc.constantFrom('=', '!=', '>', '<=', '~', '=='), anyText);
    const text = fc.oneof(
      anyText,
      condition.map(parts => parts.join('')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...FULL_RECORDS), text, anyDirectory, ([id, row], written, names) => {
        const resource = RESOURCES.find(candidate => candidate.id === id);
        if (resource === undefined) return;
        const read = readCondition(written, resource.columns, 0);
        if ('problem' in read) return expectNoSlips(read.problem, [written]);
        const among = { rows: [row], filters: {}, isWhole: true };
        for (const one of [names, NO_NAMES])
          expect([true, false, undefined]).toContain(read.holds(row, { ...PLACE, directory: one, among }));
      }),
      { numRuns: 500 },
    );
  });
});
