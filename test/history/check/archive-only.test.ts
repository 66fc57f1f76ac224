import { describe, expect, test } from 'vitest';
import { inspectArchive } from '../../../src/history/check/check-archive.ts';
import { balances, balancesCsv, balancesHeader, balancesName, bodyOf, csv, judge } from './samples.ts';
import { type OddEntry, zipOf } from './zip-bytes.ts';

const withoutRows = (entry: OddEntry, cut = 0) => {
  const body = zipOf([entry]);
  return inspectArchive(bodyOf(body.subarray(0, body.length - cut)), balances, { readsRows: false });
};
const fault = async (entry: OddEntry, cut = 0) => (await withoutRows(entry, cut)).findings[0]?.fault;

describe('Archive-only check', () => {
  test('An archive-only check reports that rows were not read, and leaves their number unknown', async () => {
    const verdict = await withoutRows({ name: balancesName, content: balancesCsv });
    expect(verdict).toMatchObject({
      kind: 'complete',
      reason: '1 CSV file of blocks 1 to 1000; the archive and its headers are sound, the rows were not read.',
      entries: [{ rows: null, columns: balancesHeader.split(','), bytes: balancesCsv.length, isWhole: true }],
    });
  });

  test('An archive-only check ignores faults that only rows show, far into the content', async () => {
    const rows = Array.from({ length: 50_000 }, (_, row) => (row === 40_000 ? 'too,few' : `\\x${row},,"",7`));
    const content = csv(balancesHeader, ...rows);
    expect((await judge(zipOf([{ name: balancesName, content }]), balances)).findings[0]?.fault).toBe('columns');
    expect((await withoutRows({ name: balancesName, content: Buffer.from(content) })).kind).toBe('complete');
  });

  test('An archive-only check still finds damage, truncation, empty CSVs, wrong headers and wrong names', async () => {
    expect(await fault({ name: balancesName, content: balancesCsv, crc: 1 })).toBe('crc');
    expect(await fault({ name: balancesName, content: balancesCsv }, 30)).toBeDefined();
    expect(await fault({ name: balancesName, content: '' })).toBe('empty-entry');
    expect(await fault({ name: balancesName, content: 'account_id,balance\n' })).toBe('header');
    expect(await fault({ name: balancesName, content: 'no line end' })).toBeDefined();
    expect(await fault({ name: balancesName.replace('balances', 'ledger'), content: balancesCsv })).toBeDefined();
  });
});
