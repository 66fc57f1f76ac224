import { describe, expect, it } from 'vitest';
import type { FilterValues } from '../../../src/chain/resources/filter.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { networkParameters } from '../../../src/chain/resources/network-parameters.ts';
import { oracleSpecs } from '../../../src/chain/resources/oracle-specs.ts';
import { paidLiquidityFees } from '../../../src/chain/resources/paid-liquidity-fees.ts';
import type { Resource, Row } from '../../../src/chain/resources/resource.ts';
import { signerBundles } from '../../../src/chain/resources/signer-bundles.ts';

/** What the inspector says of a record that the node does not say itself. */
const notes = (resource: Resource, row: Row, filters: FilterValues = {}, rows: readonly Row[] = [row]) =>
  resource.sections.flatMap(section => section.notes?.(row, { filters, rows }) ?? []);

describe('Notes on a provision', () => {
  const pending = { id: '01', status: 'STATUS_PENDING', version: '2', commitmentAmount: '5', updatedAt: '7' };
  const active = { ...pending, status: 'STATUS_ACTIVE' };
  const live = { live: ['true'] };
  const noRow = 'pending: no row on this page shows that it took effect';
  const cancelling = 'a pending commitment of 0 is a cancellation';

  it.each<readonly [string, Row, FilterValues, readonly string[]]>([
    ['nothing while it is in force', active, {}, []],
    ['that it waits', pending, {}, [noRow]],
    ['the same in a list that is not live', pending, { live: ['false'] }, [noRow]],
    ['what it stands in place of', pending, live, ['pending: shown here instead of the current version']],
    [
      'that it is the first',
      { ...pending, version: '1' },
      live,
      ['pending: the first version, none is active before it'],
    ],
    ['that it would end', { ...pending, commitmentAmount: '0' }, {}, [noRow, cancelling]],
    ['nothing of an end that came', { ...active, commitmentAmount: '0' }, {}, []],
  ])('The note on a provision reports %s', (_, row, filters, said) =>
    expect(notes(liquidityProvisions, row, filters)).toEqual(said),
  );

  it('The note on a provision reports the row of its page that supersedes it, in inspector and status', () => {
    const later = { ...active, version: '3', updatedAt: '9' };
    const other = { ...later, id: '02' };
    const status = liquidityProvisions.columns.find(({ id }) => id === 'status');
    const rows = [other, later, active];
    expect(notes(liquidityProvisions, active, {}, rows)).toEqual([
      'superseded: version 3 on this page is STATUS_ACTIVE',
    ]);
    expect(rows.map(row => status?.qualifier?.(row, rows))).toEqual(['', '', 'was ']);
  });
});

it('The list of provisions without filters reports which one is missing, if the node says so', () => {
  const detail = (inner: string) => ({ type: '', code: '', message: '', inner, rest: {} });
  const said = (...inner: readonly string[]) =>
    liquidityProvisions.demandsFilters?.({ message: 'Internal error', details: inner.map(detail) });
  expect(said('other', 'market or party filters are required')).toContain('Choose one');
  expect([said(), said('other')]).toEqual([undefined, undefined]);
});

it.each([
  ['8760h0m0s', 'duration'],
  ['{"a":1}', 'json'],
  ['', 'empty'],
])('The note on the parameter value %j is: %s', (value, note) => {
  expect(notes(networkParameters, { key: 'k', value })).toEqual([note]);
});

it('The note on fees of some parties reports what the total counts, and how many parties were paid', () => {
  const row = { market: '05', feesPaidPerParty: [{ party: '06' }] };
  expect(notes(paidLiquidityFees, row)).toEqual([]);
  expect(notes(paidLiquidityFees, row, { partyIds: ['06', '07'] })).toEqual([
    'the total covers the whole market; below: 1 of the 2 requested parties',
  ]);
});

it.each([
  ['', 'no signatures yet'],
  [`0x${'ab'.repeat(130)}`, '2 of 65 bytes each'],
  ['ab'.repeat(65), '1 of 65 bytes each'],
  [`0x${'ab'.repeat(64)}`, 'the length is not a multiple of 65 bytes: the contract refuses it'],
  [`${'ab'.repeat(65)}0x`, 'not hex digits, so not signatures'],
])('The note on the signatures %s is: %s', (signatures, note) => {
  expect(notes(signerBundles, { signatures, submitter: '0x09' })).toEqual(['only 0x09 can submit it', note]);
  expect(notes(signerBundles, { signatures })[0]).toBe('only its submitter can submit it');
});

it.each([
  ['', '0'],
  [`0x${'1b'.repeat(130)}`, '2'],
  ['0xab', 'bad length'],
  ['0xzz', 'not hex'],
])('The signatures %s are counted in the table and in CSV: %s', (signatures, count) => {
  const counts = [...signerBundles.columns, ...(signerBundles.csv?.columns ?? [])].filter(
    ({ kind }) => kind === 'integer',
  );
  expect(counts.map(({ value }) => value({ signatures }))).toEqual([count, count]);
});

it('The note on an oracle reports what it delivers', () => {
  const spec = { data: { internal: { timeTrigger: { conditions: [], triggers: [] } } } };
  expect(notes(oracleSpecs, { externalDataSourceSpec: { spec } })).toEqual(['chain time trigger']);
});
