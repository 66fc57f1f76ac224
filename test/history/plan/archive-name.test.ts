import fc from 'fast-check';
import { expect, it } from 'vitest';
import { archiveName, exportFromFileName } from '../../../src/history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../src/history/plan/export-tables.ts';

const ledger = { chainId: 'vega-mainnet-0011', table: 'ledger', fromBlock: 1n, toBlock: 2000n };

it('The name of an export file tells what was requested', () => {
  const height = fc.bigInt({ min: 0n, max: 10n ** 18n });
  const chain = fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', '.'), minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...EXPORT_TABLES), height, height, chain, (table, one, two, chainId) => {
      fc.pre(!chainId.startsWith('.') && chainId !== 'chain');
      const [fromBlock, toBlock] = one < two ? [one, two] : [two, one];
      const name = archiveName({ chainId, table, fromBlock, toBlock });
      expect(exportFromFileName(`some/folder/${name}`)).toEqual({ chainId, table: table.id, fromBlock, toBlock });
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
])('The name of an export file also tells what was requested when it ends in %s', end => {
  expect(exportFromFileName(`vega-mainnet-0011-ledger-000001-002000${end}`)).toEqual(ledger);
});

it.each([
  ['a character that may have been another', 'vega_mainnet-ledger-000001-002000.zip'],
  ['the word for a chain that is not known', 'chain-ledger-000001-002000.zip'],
])('The name of an export file gives no chain when it has %s', (_what, name) => {
  expect(exportFromFileName(name)).toEqual({ table: 'ledger', fromBlock: 1n, toBlock: 2000n });
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
])('The name %s tells nothing about an export, unless it is a folder of that name', name => {
  expect(exportFromFileName(name)).toEqual(
    name.endsWith('/') ? { chainId: 'c', table: 'ledger', fromBlock: 1n, toBlock: 2000n } : undefined,
  );
});

it.each(['a.incomplete.zip', 'a.zip.part', 'a.zip.2.changed'])(
  'The chain ID in the name of an export file may be %s',
  chainId => {
    expect(exportFromFileName(`${chainId}-ledger-000005-000005.zip`)).toEqual({
      chainId,
      table: 'ledger',
      fromBlock: 5n,
      toBlock: 5n,
    });
  },
);
