import fc from 'fast-check';
import { expect, it } from 'vitest';
import { archiveName, askedByName } from '../../../src/history/plan/plan.ts';
import { TABLES } from '../../../src/history/plan/tables.ts';

const ledger = { chainId: 'vega-mainnet-0011', table: 'ledger', fromBlock: 1n, toBlock: 2000n };

it('the name that an export gets says what was asked for', () => {
  const height = fc.bigInt({ min: 0n, max: 10n ** 18n });
  const chain = fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', '.'), minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...TABLES), height, height, chain, (table, one, two, chainId) => {
      fc.pre(!chainId.startsWith('.') && chainId !== 'chain');
      const [fromBlock, toBlock] = one < two ? [one, two] : [two, one];
      const name = archiveName({ chainId, table, fromBlock, toBlock });
      expect(askedByName(`some/folder/${name}`)).toEqual({ chainId, table: table.id, fromBlock, toBlock });
    }),
  );
});

it.each([
  '.zip',
  '.incomplete.zip',
  '.2.incomplete.zip',
  '.13.incomplete.zip',
  '.zip.part',
  '.zip.7.part',
  '.zip.99.part',
  '.zip.changed',
  '.zip.2.changed',
])('and so does one that ends in %s', end => {
  expect(askedByName(`vega-mainnet-0011-ledger-000001-002000${end}`)).toEqual(ledger);
});

it.each([
  ['a character that may have been another', 'vega_mainnet-ledger-000001-002000.zip'],
  ['the word for a chain that is not known', 'chain-ledger-000001-002000.zip'],
])('a chain is not told by %s', (_what, name) => {
  expect(askedByName(name)).toEqual({ table: 'ledger', fromBlock: 1n, toBlock: 2000n });
});

it.each([
  'mine.zip',
  'ledger-000001-002000.zip',
  'c-moods-000001-002000.zip',
  'c-ledger-00001-002000.zip',
  'c-ledger-000001-02000.zip',
  'c-ledger-002000-000001.zip',
  'c-ledger-000001-002000.csv',
  'c-ledger-000001-002000.zip.gz',
  'c-ledger-000001-002000.zip.100.part',
  'c-ledger-000001-002000.zip.part.zip',
  'c-ledger-000001-002000.zip.parts',
  'c-ledger-000001-002000.incomplete.zip.zip',
  'c-ledger-000001-002000 (1).zip',
  'c-ledger-000001-002000.zip/',
  'c-ledger-x000001-002000.zip',
])('%s says nothing, unless it is a folder of that name', name => {
  expect(askedByName(name)).toEqual(
    name.endsWith('/') ? { chainId: 'c', table: 'ledger', fromBlock: 1n, toBlock: 2000n } : undefined,
  );
});

it.each(['a.incomplete.zip', 'a.zip.part', 'a.zip.2.changed'])('a chain may be called %s', chainId => {
  expect(askedByName(`${chainId}-ledger-000005-000005.zip`)).toEqual({
    chainId,
    table: 'ledger',
    fromBlock: 5n,
    toBlock: 5n,
  });
});
