import { describe, expect, test } from 'vitest';
import { inspectArchive } from '../../../src/history/check/check-archive.ts';
import { EntryCheck } from '../../../src/history/check/entry-check.ts';
import { EntryVisitor, type VisitOptions } from '../../../src/history/check/entry-visitor.ts';
import type { CheckProgress } from '../../../src/history/check/verdict.ts';
import type { LocalHeader } from '../../../src/history/check/zip-records.ts';
import { balances, balancesCsv, balancesName, bodyOf, csv, nodeError, summary } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

const mebibyte = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

function headerOf(name: string): LocalHeader {
  const sizes = { crc: 0, compressedBytes: 0, bytes: 0, isZip64: false };
  const rest = { needed: 20, flags: 0, method: 8, modified: 0, flaws: [], hasDescriptor: false, isEncrypted: false };
  return { name, nameBytes: name, ...sizes, ...rest };
}

/** A visitor that stands in an entry. */
function visitorIn(options: VisitOptions) {
  const visitor = new EntryVisitor(() => 77, undefined, options);
  const check = new EntryCheck(balancesName, undefined, true);
  visitor.entryStarted(headerOf(balancesName), check, 0);
  return { visitor, check };
}

describe('Compression ratio limit of 1000', () => {
  const streamed = (bytes: number, compressedBytes: number) => ({ crc: 0, bytes, compressedBytes });
  const reason = `${balancesName} unpacks to more than 1000 times its size.`;

  test.each([
    [2 * mebibyte, 3000],
    [2_000_000, 2000],
    [mebibyte, 1],
  ])('Content of %d bytes from %d is within the ratio limit', (bytes, compressedBytes) => {
    const { visitor, check } = visitorIn({});
    visitor.advanced(check, streamed(bytes, compressedBytes), NOTHING);
    expect(visitor.findings).toEqual([]);
  });

  test.each([
    [2_000_001, 2000],
    [mebibyte + 1, 1],
  ])('Content of %d bytes from %d exceeds the ratio limit, and ends the walk', (bytes, compressedBytes) => {
    const strict = visitorIn({});
    expect(() => strict.visitor.advanced(strict.check, streamed(bytes, compressedBytes), NOTHING)).toThrow(reason);
    expect(() => strict.visitor.entryEnded(streamed(bytes, compressedBytes), [])).toThrow(reason);
  });

  test('The ratio limit does not count against an entry that is only read ahead', () => {
    const { visitor } = visitorIn({});
    visitor.advanced(new EntryCheck('ahead', undefined, true), streamed(2 * mebibyte, 1), NOTHING);
    expect(visitor.findings).toEqual([]);
  });
});

describe('Entry count limit', () => {
  const started = (visitor: EntryVisitor, index: number) =>
    visitor.entryStarted(headerOf(`c-balances-093-${index}-${index}.csv`), new EntryCheck('c', undefined, true), index);

  test('The entry count ends the walk after ten thousand', () => {
    const strict = new EntryVisitor(() => 0, undefined, {});
    for (let index = 1; index <= 10_000; index++) started(strict, index);
    expect(() => started(strict, 10_001)).toThrow('The archive has more than 10000 entries.');
  });
});

test('Check progress has the name of the entry being read and those that are done', () => {
  const told: CheckProgress[] = [];
  const { visitor, check } = visitorIn({ onProgress: progress => told.push(progress), nowMs: () => 100 * told.length });
  const content = Buffer.from(csv('a,b', '1,2', '3,4'));
  const streamed = { crc: 0, bytes: content.length, compressedBytes: 10 };
  check.onBytes(content, streamed);
  visitor.advanced(check, streamed, content);
  visitor.entryEnded(streamed, []);
  expect(told).toMatchObject([
    { bytesChecked: 77, entryName: balancesName, entryRows: 2, entriesDone: [] },
    { bytesChecked: 77, entryName: undefined, entryRows: 0, entriesDone: [{ name: balancesName, rows: 2 }] },
  ]);
});

describe('End of a body', () => {
  const archive = zipOf([{ name: balancesName, content: balancesCsv }]);
  const inspected = (body: Buffer, isBodyComplete: boolean) =>
    inspectArchive(bodyOf(body), balances, { isBodyComplete: () => isBodyComplete });

  test('A body whose end the connection did not reach leaves a sound archive unconfirmed', async () => {
    expect((await inspected(archive, true)).kind).toBe('complete');
    const verdict = await inspected(archive, false);
    expect(summary(verdict)).toBe(
      'incomplete unconfirmed-end: The connection failed before the end of the export, so an error message may be missing.',
    );
    expect(verdict).toMatchObject({ at: { byteOffset: archive.length } });
  });

  test.each([
    ['cut', archive.subarray(0, -1)],
    ['empty-body', Buffer.alloc(0)],
    ['not-zip', Buffer.from('<html>')],
  ])('A missing end adds nothing to a body that has another fault: %s', async (fault, body) => {
    expect((await inspected(body, false)).findings.map(finding => finding.fault)).toEqual([fault]);
  });

  test('The end of a body reports how far a node got before its error, and what the error is', async () => {
    const text = JSON.stringify({ error: nodeError });
    for (const cut of [40, 100, archive.length - 5]) {
      const verdict = await inspected(Buffer.concat([archive.subarray(0, cut), Buffer.from(text)]), true);
      expect(verdict).toMatchObject({ kind: 'incomplete', at: { byteOffset: cut } });
      expect(verdict.reason).toContain(`The node ended the archive with an error after ${cut} bytes: Internal error`);
    }
  });
});
