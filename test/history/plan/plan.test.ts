import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  archiveName,
  csvName,
  dispositionName,
  type ExportPlan,
  expectationOf,
  expectedCsvNames,
  exportRequest,
  folderName,
  nameTail,
  safeFileName,
} from '../../../src/history/plan/plan.ts';
import { TABLES, tableNamed } from '../../../src/history/plan/tables.ts';
import { anyCharacter } from '../../support/any-character.ts';

const [, blocks] = TABLES;
if (blocks === undefined) throw new Error('no tables');
const plan: ExportPlan = {
  table: blocks,
  fromBlock: 1n,
  toBlock: 2000n,
  chainId: 'demo-chain-1',
  destination: '.',
  mayOverwrite: false,
};

describe('an export request', () => {
  it('names both bounds and the table', () => {
    expect(exportRequest(plan)).toEqual({
      path: 'api/v2/networkhistory/export',
      query: [
        ['fromBlock', '1'],
        ['toBlock', '2000'],
        ['table', 'TABLE_BLOCKS'],
      ],
    });
  });

  it('is never made with the first block above the last', () => {
    expect(() => exportRequest({ ...plan, fromBlock: 2001n })).toThrow(new RangeError('fromBlock is above toBlock'));
    expect(exportRequest({ ...plan, fromBlock: 2000n }).query).toContainEqual(['fromBlock', '2000']);
  });

  it('is checked against what is known of the plan', () => {
    const known = { table: 'blocks', fromBlock: 1n, toBlock: 2000n };
    const runs = [{ schemaVersion: 93, fromBlock: 1n, toBlock: 2000n }];
    const { chainId: _, ...without } = plan;
    expect(expectationOf({ ...plan, runs })).toEqual({ ...known, chainId: 'demo-chain-1', runs });
    for (const nameless of [without, { ...plan, chainId: '' }])
      expect(Object.keys(expectationOf(nameless))).toEqual(Object.keys(known));
  });
});

describe('tables', () => {
  it('are the fifteen of the document, and never the unspecified one', () => {
    expect(TABLES.map(({ name }) => name)).toEqual(
      [
        ...['BALANCES', 'BLOCKS', 'CHECKPOINTS', 'DELEGATIONS', 'DEPOSITS', 'LEDGER', 'LIQUIDITY_PROVISIONS'],
        ...['MARGIN_LEVELS', 'MARKET_DATA', 'MARKETS', 'ORDERS', 'POSITIONS', 'REWARDS', 'TRADES', 'WITHDRAWALS'],
      ].map(name => `TABLE_${name}`),
    );
    expect(tableNamed('TABLE_UNSPECIFIED')).toBeUndefined();
  });

  it.each(['ledger', 'LEDGER', 'TABLE_LEDGER', ' table_ledger '])('are found as %j', text => {
    expect(tableNamed(text)?.id).toBe('ledger');
  });
});

describe('file names', () => {
  it('have the same end, and the same stem as the folder, whatever the chain is called', () => {
    expect(nameTail(plan)).toBe('-blocks-000001-002000.zip');
    expect(folderName({ ...plan, chainId: 'a.zip.b' })).toBe('a.zip.b-blocks-000001-002000');
    expect(csvName({ ...plan, chainId: 'a b' }, { schemaVersion: 7, fromBlock: 1n, toBlock: 10n })).toBe(
      'a_b-blocks-007-000001-000010.csv',
    );
    expect(csvName({ ...plan, chainId: '' }, { schemaVersion: 93, fromBlock: 1n, toBlock: 10n })).toBe(
      'chain-blocks-093-000001-000010.csv',
    );
    expect(expectedCsvNames(plan)).toEqual([]);
    expect(safeFileName('a.zip.b')).toBe('a.zip.b.zip');
  });

  it('follow the rule of the document', () => {
    expect(archiveName(plan)).toBe('demo-chain-1-blocks-000001-002000.zip');
    expect(archiveName({ ...plan, chainId: '', toBlock: 12_345_678n })).toBe('chain-blocks-000001-12345678.zip');
    const runs = [{ schemaVersion: 7, fromBlock: 1n, toBlock: 2000n }];
    expect(expectedCsvNames({ ...plan, runs })).toEqual(['demo-chain-1-blocks-007-000001-002000.csv']);
  });

  it('do not leave the folder for a chain id that would', () => {
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
  ])('from a node are made safe: %j', (name, safe) => expect(safeFileName(name)).toBe(safe));

  it('are safe whatever a node sends', () => {
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
  ])('are taken from the header %j', (header, name) => expect(dispositionName(header)).toBe(name));
});
