import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  archiveName,
  archiveNameEnding,
  attachmentFileName,
  csvName,
  type ExportPlan,
  expectedArchive,
  expectedCsvNames,
  exportRequest,
  safeFileName,
  sliceFolderName,
} from '../../../src/history/plan/export-plan.ts';
import { EXPORT_TABLES, findExportTable } from '../../../src/history/plan/export-tables.ts';
import { anyCharacter } from '../../support/any-character.ts';

const [, blocks] = EXPORT_TABLES;
if (blocks === undefined) throw new Error('no tables');
const plan: ExportPlan = {
  table: blocks,
  fromBlock: 1n,
  toBlock: 2000n,
  chainId: 'demo-chain-1',
  destination: '.',
  mayOverwrite: false,
};

describe('Export request', () => {
  it('An export request has both bounds and the table', () => {
    expect(exportRequest(plan)).toEqual({
      path: 'api/v2/networkhistory/export',
      query: [
        ['fromBlock', '1'],
        ['toBlock', '2000'],
        ['table', 'TABLE_BLOCKS'],
      ],
    });
  });

  it('An export request is never made with the first block above the last', () => {
    expect(() => exportRequest({ ...plan, fromBlock: 2001n })).toThrow(new RangeError('fromBlock is above toBlock'));
    expect(exportRequest({ ...plan, fromBlock: 2000n }).query).toContainEqual(['fromBlock', '2000']);
  });

  it('An export request is compared with what is known of the plan', () => {
    const known = { table: 'blocks', fromBlock: 1n, toBlock: 2000n };
    const runs = [{ schemaVersion: 93, fromBlock: 1n, toBlock: 2000n }];
    const { chainId: _, ...without } = plan;
    expect(expectedArchive({ ...plan, runs })).toEqual({ ...known, chainId: 'demo-chain-1', runs });
    for (const nameless of [without, { ...plan, chainId: '' }])
      expect(Object.keys(expectedArchive(nameless))).toEqual(Object.keys(known));
  });
});

describe('Export tables', () => {
  it('The tables are the fifteen of the document, without the unspecified one', () => {
    expect(EXPORT_TABLES.map(({ name }) => name)).toEqual(
      [
        ...['BALANCES', 'BLOCKS', 'CHECKPOINTS', 'DELEGATIONS', 'DEPOSITS', 'LEDGER', 'LIQUIDITY_PROVISIONS'],
        ...['MARGIN_LEVELS', 'MARKET_DATA', 'MARKETS', 'ORDERS', 'POSITIONS', 'REWARDS', 'TRADES', 'WITHDRAWALS'],
      ].map(name => `TABLE_${name}`),
    );
    expect(findExportTable('TABLE_UNSPECIFIED')).toBeUndefined();
  });

  it.each(['ledger', 'LEDGER', 'TABLE_LEDGER', ' table_ledger '])('The ledger table is found as %j', text => {
    expect(findExportTable(text)?.id).toBe('ledger');
  });
});

describe('Export file names', () => {
  it('An export file name has the same ending, and the same stem as its folder, whatever the chain ID', () => {
    expect(archiveNameEnding(plan)).toBe('-blocks-000001-002000.zip');
    expect(sliceFolderName({ ...plan, chainId: 'a.zip.b' })).toBe('a.zip.b-blocks-000001-002000');
    expect(csvName({ ...plan, chainId: 'a b' }, { schemaVersion: 7, fromBlock: 1n, toBlock: 10n })).toBe(
      'a_b-blocks-007-000001-000010.csv',
    );
    expect(csvName({ ...plan, chainId: '' }, { schemaVersion: 93, fromBlock: 1n, toBlock: 10n })).toBe(
      'chain-blocks-093-000001-000010.csv',
    );
    expect(expectedCsvNames(plan)).toEqual([]);
    expect(safeFileName('a.zip.b')).toBe('a.zip.b.zip');
  });

  it('An export file name follows the rule of the document', () => {
    expect(archiveName(plan)).toBe('demo-chain-1-blocks-000001-002000.zip');
    expect(archiveName({ ...plan, chainId: '', toBlock: 12_345_678n })).toBe('chain-blocks-000001-12345678.zip');
    const runs = [{ schemaVersion: 7, fromBlock: 1n, toBlock: 2000n }];
    expect(expectedCsvNames({ ...plan, runs })).toEqual(['demo-chain-1-blocks-007-000001-002000.csv']);
  });

  it('An export file name stays in its folder when a chain ID would leave it', () => {
    expect(archiveName({ ...plan, chainId: '../../etc/passwd' })).toBe('passwd-blocks-000001-002000.zip');
  });

  it.each([
    ['../../../etc/passwd', 'passwd.zip'],
    ['/etc/cron.d/job', 'job.zip'],
    ['..\\..\\evil.zip', 'evil.zip'],
    ['.bashrc', 'bashrc.zip'],
    ['...', 'export.zip'],
    ['', 'export.zip'],
    ['a\u001b[2J\u202eb.zip', 'a__2J_b.zip'],
    ['x\u0000.zip', 'x_.zip'],
    ['CON', 'CON.zip'],
    [`${'a'.repeat(500)}.ZIP`, `${'a'.repeat(196)}.zip`],
  ])('An export file name from a node is made safe: %j', (name, safe) => expect(safeFileName(name)).toBe(safe));

  it('An export file name is safe whatever a node sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.webPath()), name => {
        expect(safeFileName(name)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,195}\.zip$/);
      }),
    );
  });

  it.each([
    ['attachment;filename=demo-chain-1-ledger-000001-002000.zip', 'demo-chain-1-ledger-000001-002000.zip'],
    ['attachment; filename="a b.zip"', 'a_b.zip'],
    ["attachment; filename*=UTF-8''caf%C3%A9.zip", 'caf_C3_A9.zip'],
    ['attachment; FILENAME="../../x.zip"; size=3', 'x.zip'],
    ['attachment', undefined],
    ['attachment; filename=""', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('An export file name is taken from the header %j', (header, name) =>
    expect(attachmentFileName(header)).toBe(name),
  );
});
