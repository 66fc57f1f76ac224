import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideVerdict, type Evidence } from '../../../src/history/check/check-archive.ts';
import { type EntryReport, FAULT_KINDS, type Fault, type Finding } from '../../../src/history/check/verdict.ts';
import { nodeError } from './samples.ts';

const entry: EntryReport = {
  name: 'c-balances-093-000001-001000.csv',
  byteOffset: 0,
  schemaVersion: 93,
  fromBlock: 1n,
  toBlock: 1000n,
  rows: 2,
  columns: [],
  bytes: 100,
  compressedBytes: 50,
  crc32: '00000000',
  longestLineBytes: 9,
  isWhole: true,
  findings: [],
};
const evidence: Evidence = {
  entries: [entry],
  findings: [],
  notes: ['a note'],
  nodeError: undefined,
  isRefused: false,
  bytes: 200,
  sha256: 'ab',
};
const error = { ...nodeError, details: [] };

const isFault = (name: string): name is Fault => Object.hasOwn(FAULT_KINDS, name);
const faults = Object.keys(FAULT_KINDS).filter(isFault);
const finding = fc.record({ fault: fc.constantFrom(...faults), reason: fc.constantFrom('One.', 'Two.', 'Three.') });

describe('Verdict of a check', () => {
  test('The verdict follows the gravest finding in archive or entries, and lists all findings, gravest first', () => {
    fc.assert(
      fc.property(fc.array(finding), fc.array(finding), (ofArchive, ofEntry) => {
        const all: readonly Finding[] = [...ofArchive, ...ofEntry];
        const verdict = decideVerdict({ ...evidence, findings: ofArchive, entries: [{ ...entry, findings: ofEntry }] });
        const ranks = verdict.findings.map(({ fault }) => faults.indexOf(fault));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(verdict.findings).toHaveLength(all.length);
        for (const found of all) expect(verdict.findings).toContain(found);
        const [gravest] = verdict.findings;
        expect(verdict.kind).toBe(gravest ? FAULT_KINDS[gravest.fault] : 'complete');
        if (gravest) expect(verdict.reason).toBe(gravest.reason);
        expect(verdict).toMatchObject({ notes: ['a note'], bytes: 200, sha256: 'ab' });
      }),
    );
  });

  test.each([
    [1000, []],
    [1003, ['3 more faults are not listed: these are the 1000 gravest.']],
  ])('The verdict of %d findings lists a thousand, and how many more there are', (count, more) => {
    const findings = Array.from({ length: count }, (): Finding => ({ fault: 'columns', reason: 'Ragged.' }));
    const verdict = decideVerdict({
      ...evidence,
      findings: [...findings.slice(1), { fault: 'crc', reason: 'Wrong.' }],
    });
    expect(verdict.findings).toHaveLength(1000);
    expect(verdict.findings[0]?.fault).toBe('crc');
    expect(verdict.notes).toEqual(['a note', ...more]);
  });

  test('The verdict quotes the node after an open reason, and only there', () => {
    const at = { byteOffset: 7 };
    const open: Finding = { fault: 'node-error', reason: 'The node broke off', at };
    const told = decideVerdict({ ...evidence, findings: [open], nodeError: error });
    expect(told).toMatchObject({ kind: 'incomplete', at, nodeError: error });
    expect(told.reason).toBe('The node broke off: Internal error (code 13).');
    const closed = decideVerdict({
      ...evidence,
      findings: [{ fault: 'node-error', reason: 'It is over.' }],
      nodeError: error,
    });
    expect(closed.reason).toBe('It is over.');
    expect(closed).not.toHaveProperty('at');
    expect(decideVerdict({ ...evidence, findings: [open] }).reason).toBe('The node broke off');
    expect(decideVerdict({ ...evidence, findings: [open] })).not.toHaveProperty('nodeError');
  });

  test('The verdict is a refusal when the node sent an error instead of an archive', () => {
    const findings: readonly Finding[] = [{ fault: 'not-zip', reason: 'An error', at: { byteOffset: 0 } }];
    const refused = decideVerdict({ ...evidence, findings, nodeError: error, isRefused: true });
    expect(refused).toMatchObject({ kind: 'refused', reason: 'An error: Internal error (code 13).', nodeError: error });
    expect(decideVerdict({ ...evidence, findings, nodeError: error })).not.toHaveProperty('nodeError');
  });

  test.each([
    ['one CSV', [entry], '1 CSV file of blocks 1 to 1000 with 2 rows; all checks passed; not checked: rows'],
    [
      'two',
      [entry, { ...entry, fromBlock: 1001n, toBlock: 1500n, rows: 40 }],
      '2 CSV files of blocks 1 to 1500 with 42 rows; all checks passed; not checked: rows the node dropped',
    ],
    [
      'blocks',
      [{ ...entry, name: 'c-blocks-093-000001-001000.csv' }],
      'with 2 rows; all checks passed; there is one row for every block.',
    ],
    [
      'rows that were not read',
      [entry, { ...entry, rows: null }],
      '2 CSV files of blocks 1 to 1000; the archive and its headers are sound, the rows were not read.',
    ],
  ])('The verdict of %s says what is complete', (_what, entries, expected) => {
    expect(decideVerdict({ ...evidence, entries }).reason).toContain(expected);
  });
});
