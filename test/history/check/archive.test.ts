import { gzipSync } from 'node:zlib';
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { inspectArchive } from '../../../src/history/check/check-archive.ts';
import {
  balances,
  balancesCsv,
  balancesHeader,
  balancesName,
  bodyOf,
  bytesOf,
  csv,
  judge,
  nodeError,
  summary,
} from './samples.ts';
import { type OddArchive, type OddEntry, zipOf } from './zip-bytes.ts';

const good: OddEntry = { name: balancesName, content: balancesCsv };
const second: OddEntry = { name: 'vega-mainnet-0011-balances-094-001001-002000.csv', content: balancesCsv };
const both = { ...balances, toBlock: 2000n };

const localHeaderBytes = (name: string): number => 30 + name.length;

describe('Check of a whole archive', () => {
  test('An archive as a deployed node writes it is complete, with everything reported about it', async () => {
    const body = zipOf([good, second]);
    const verdict = await judge(body, both);
    expect(verdict).toMatchObject({ kind: 'complete', bytes: body.length, notes: [], findings: [] });
    expect(verdict.reason).toBe(
      '2 CSV files of blocks 1 to 2000 with 4 rows; all checks passed; not checked: rows the node dropped silently.',
    );
    expect(verdict.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(verdict.entries[1]).toMatchObject({
      name: second.name,
      schemaVersion: 94,
      fromBlock: 1001n,
      toBlock: 2000n,
      rows: 2,
      columns: balancesHeader.split(','),
      bytes: balancesCsv.length,
      isWhole: true,
    });
  });

  const forms: readonly [string, OddEntry, OddArchive?][] = [
    ['sizes in the local header', { ...good, descriptor: 0 }],
    ['a descriptor of 24 bytes that the local header does not announce', { ...good, descriptor: 24, isZip64: true }],
    ['a descriptor of 12 bytes, without signature', { ...good, descriptor: 12 }],
    ['a descriptor of 20 bytes, without signature', { ...good, descriptor: 20 }],
    ['a stored entry of known size', { ...good, method: 0, descriptor: 0 }],
    ['local sizes in a zip64 extra field', { ...good, descriptor: 0, isLocalZip64: true }],
    ['a zip64 end record', { ...good, isZip64: true }, { hasZip64End: true }],
  ];
  test.each(forms)('An archive with %s is complete', async (_title, entry, archive) => {
    expect(summary(await judge(zipOf([entry], archive), balances))).toMatch(/^complete/);
  });

  test('An archive as fflate writes it, streamed or at once, is complete', async () => {
    const parts: Uint8Array[] = [];
    const zip = new Zip((_error, part) => parts.push(part));
    for (const file of [new ZipDeflate(good.name, { level: 6 }), new ZipDeflate(second.name)]) {
      zip.add(file);
      file.push(strToU8(balancesCsv), true);
    }
    zip.end();
    expect(summary(await judge(Buffer.concat(parts), both))).toMatch(/^complete/);
    const whole = zipSync({ [balancesName]: [strToU8(balancesCsv), { level: 0 }] });
    expect(summary(await judge(whole, balances))).toMatch(/^complete/);
  });

  test('An archive is complete when nothing is known of the request', async () => {
    expect(await judge(zipOf([good, second]))).toMatchObject({ kind: 'complete' });
  });

  test('An archive is complete when the offset in its end record reads as the signature of a record', async () => {
    const offset = Buffer.from('PK\u0001\u0002').readUInt32LE();
    const bytes = offset - localHeaderBytes(balancesName);
    const [row = ''] = balancesCsv.split('\n').slice(1);
    const rows = Math.floor((bytes - balancesHeader.length - 1) / (row.length + 1));
    const longer = bytes - balancesHeader.length - 1 - rows * (row.length + 1);
    const content = `${balancesHeader}\n${`${row}0\n`.repeat(longer)}${`${row}\n`.repeat(rows - longer)}`;
    const body = zipOf([{ ...good, content, method: 0, descriptor: 0 }]);
    expect(body.readUInt32LE(body.length - 6)).toBe(offset);
    expect(summary(await judge(body, balances))).toMatch(/^complete/);
  });

  test('An archive is complete when its compressed data contains the bytes of record signatures', async () => {
    const signatures = 'PK\u0003\u0004PK\u0007\u0008PK\u0001\u0002PK\u0005\u0006';
    const content = csv(`${balancesHeader},more`, `\\x01,2023-01-18 01:12:09+00,\\x02,1,${signatures}`);
    const entry = { ...good, content, method: 0, descriptor: 0 } as const;
    expect(await judge(zipOf([entry]), balances)).toMatchObject({ kind: 'complete' });
  });
});

describe('Check of an archive that contradicts itself', () => {
  const contradictions: readonly [string, Buffer, string][] = [
    ['a wrong CRC-32', zipOf([{ ...good, crc: 1 }]), 'crc: The CRC-32 of '],
    ['a wrong CRC-32 before a sound entry', zipOf([{ ...good, crc: 1 }, second]), 'crc: The CRC-32 of '],
    [
      'another CRC-32 in the directory',
      zipOf([{ ...good, central: { crc: 5 } }]),
      'directory: The directory has another',
    ],
    [
      'another size in the directory',
      zipOf([{ ...good, central: { bytes: 5 } }]),
      'directory: The directory has another',
    ],
    [
      'another name in the directory',
      zipOf([{ ...good, central: { name: 'x.csv' } }]),
      'directory: The directory has another name for',
    ],
    ['another offset in the directory', zipOf([{ ...good, central: { offset: 9 } }]), 'directory: The directory'],
    [
      'an entry the directory leaves out',
      zipOf([good, second], { leaveOut: 0 }),
      'directory: The directory has a wrong offset for',
    ],
    ['a wrong count in the end record', zipOf([good], { count: 3 }), 'directory: The end record counts 3'],
    ['an encrypted entry', zipOf([{ ...good, flags: 9 }]), 'structure: An entry is encrypted'],
    ['a compression method nobody knows', zipOf([{ ...good, method: 12 }]), 'structure: An entry uses'],
    ['a stored entry of unknown size', zipOf([{ ...good, method: 0 }]), 'structure: An entry is stored'],
    ['bytes after its end', Buffer.concat([zipOf([good]), Buffer.from('more')]), 'trailing-bytes: Bytes follow'],
    ['a second archive after its end', Buffer.concat([zipOf([good]), zipOf([good])]), 'trailing-bytes: Bytes'],
  ];
  test.each(contradictions)('An archive that contradicts itself by %s is damaged', async (_title, body, expected) => {
    const expectation = body.includes(second.name) ? both : balances;
    expect(summary(await judge(body, expectation))).toContain(`damaged ${expected}`);
  });

  test('An archive with a flipped bit in its compressed data is damaged', async () => {
    const body = zipOf([
      { ...good, content: csv(balancesHeader, ...Array(2000).fill('\\x01,2023-01-18 01:12:09+00,\\x02,100')) },
    ]);
    body[140] = (body[140] ?? 0) ^ 0x10;
    expect(await judge(body, balances)).toMatchObject({ kind: 'damaged' });
  });
});

describe('Node error in an export', () => {
  const texts = {
    'with spaces': JSON.stringify({ error: nodeError }, null, 1),
    'without spaces': JSON.stringify({ error: nodeError }),
    'not wrapped': JSON.stringify(nodeError),
  };
  const expected = {
    code: 13,
    message: 'Internal error',
    details: [{ message: nodeError.details[0]?.message, inner: nodeError.details[0]?.inner, code: '10000' }],
  };

  test.each(Object.entries(texts))(
    'A node error after the end record makes a sound archive incomplete (%s)',
    async (_way, text) => {
      const archive = zipOf([good, second]);
      const verdict = await judge(Buffer.concat([archive, Buffer.from(text)]), both);
      expect(verdict).toMatchObject({
        kind: 'incomplete',
        nodeError: expected,
        at: { byteOffset: archive.length },
      });
      expect(verdict.reason).toContain("table file 'X' not found in segment");
      expect(verdict.entries.map(({ isWhole }) => isWhole)).toEqual([true, false]);
    },
  );

  test('A node error explains the empty entry before it', async () => {
    const body = Buffer.concat([zipOf([{ ...good, content: '' }]), Buffer.from(texts['without spaces'])]);
    const verdict = await judge(body, balances);
    expect(verdict).toMatchObject({ kind: 'incomplete', nodeError: expected });
    expect(verdict.findings.map(finding => finding.fault)).toEqual(['node-error', 'empty-entry']);
  });

  test('A node error is found wherever it interrupts an archive', async () => {
    const archive = zipOf([
      { ...good, content: csv(balancesHeader, ...Array(50).fill('\\x01,2023-01-18 01:12:09+00,\\x02,1')) },
      second,
    ]);
    for (let cut = 4; cut < archive.length; cut++) {
      const body = Buffer.concat([archive.subarray(0, cut), Buffer.from(texts['without spaces'])]);
      const verdict = await judge(body, both);
      expect(verdict, `cut at ${cut}`).toMatchObject({ kind: 'incomplete', nodeError: expected });
      expect(verdict.findings.map(finding => finding.fault)).toEqual(['node-error']);
    }
  });

  test.each(Object.entries(texts))('A node error instead of an archive is a refusal (%s)', async (_way, text) => {
    const verdict = await judge(Buffer.from(text), balances);
    expect(verdict).toMatchObject({ kind: 'refused', nodeError: expected, bytes: Buffer.byteLength(text) });
    expect(await judge(gzipSync(text), balances)).toMatchObject({ kind: 'refused', nodeError: expected });
  });

  test('A node error that is itself truncated still leaves no complete archive', async () => {
    const archive = zipOf([good]);
    const text = texts['without spaces'];
    for (let cut = 1; cut < text.length; cut++) {
      const body = Buffer.concat([archive, Buffer.from(text.slice(0, cut))]);
      expect(await judge(body, balances)).toMatchObject({ kind: 'incomplete' });
    }
    expect(await judge(Buffer.from(text.slice(0, 40)), balances)).toMatchObject({ kind: 'refused' });
  });
});

describe('Check of a body that is not an archive', () => {
  const bodies: readonly [string, Buffer, string][] = [
    ['nothing at all', Buffer.alloc(0), 'incomplete empty-body: The node sent an empty body.'],
    ['gzip around the archive', gzipSync(zipOf([good])), 'damaged gzip: The body is gzip around the archive'],
    ['a web page', Buffer.from('<html>busy</html>'), 'damaged not-zip: The body is not a ZIP archive: it begins with'],
    ['other JSON', Buffer.from('{"segments":[]}'), 'refused not-zip: The body is JSON, neither an archive'],
    ['an archive of nothing', zipOf([]), 'incomplete missing-range: The archive contains no CSV.'],
  ];
  test.each(bodies)('A body that is not an archive is reported as what it is: %s', async (_title, body, expected) => {
    expect(summary(await judge(body, balances))).toContain(expected);
  });
});

describe('Check of a truncated body', () => {
  test.each([[[65_536]], [[1, 2, 3]]])(
    'A truncated body is incomplete, whatever byte it ends at, in pieces of %j',
    async sizes => {
      const body = zipOf([good, { ...second, descriptor: 24, isZip64: true }], {
        hasZip64End: true,
        comment: 'c',
      });
      for (let cut = 0; cut < body.length; cut++) {
        const verdict = await judge(body.subarray(0, cut), both, sizes);
        expect(verdict, `cut at ${cut}`).toMatchObject({ kind: 'incomplete', bytes: cut });
      }
      expect(await judge(body, both, sizes)).toMatchObject({ kind: 'complete' });
    },
  );

  test('A truncated body is reported with how far it got', async () => {
    const content = csv(
      balancesHeader,
      ...Array.from({ length: 9000 }, (_, row) => `\\x${bytesOf(row)},2023-01-18 01:12:09+00,\\x02,${row}`),
    );
    const body = zipOf([good, { ...second, content }]);
    const verdict = await judge(body.subarray(0, 20_000), both);
    expect(summary(verdict)).toBe('incomplete cut: The archive ends after 20000 bytes, before its end record.');
    expect(verdict.entries.map(entry => entry.isWhole)).toEqual([true, false]);
    expect(verdict.entries[1]?.rows).toBeGreaterThan(100);
  });
});

describe('Check of a suspicious archive', () => {
  const names = Array.from({ length: 10_001 }, (_, index) => `c-balances-093-${index + 1}-${index + 1}.csv`);
  const cases: readonly [string, readonly OddEntry[], string][] = [
    [
      'many entries',
      names.map(name => ({ ...good, name, method: 0, descriptor: 0 })),
      'The archive has more than 10000 entries.',
    ],
    [
      'a ratio that no rows have',
      [{ ...good, content: csv(balancesHeader, `a,b,c,${'1'.repeat(8 * 2 ** 20)}`) }],
      `${balancesName} unpacks to more than 1000 times its size.`,
    ],
  ];
  test.each(cases)('A suspicious archive is damaged unless that is allowed: %s', async (_title, entries, reason) => {
    const body = zipOf(entries);
    expect(summary(await judge(body))).toBe(`damaged suspicious: ${reason}`);
  });
});

test('Check progress is reported at most ten times a second', async () => {
  const content = csv(
    balancesHeader,
    ...Array.from({ length: 9000 }, (_, row) => `\\x${bytesOf(row)},2023-01-18 01:12:09+00,\\x02,${row * 7919}`),
  );
  let [askedMs, told] = [0, 0];
  await inspectArchive(bodyOf(zipOf([{ ...good, content }]), [7]), balances, {
    nowMs: () => ++askedMs,
    onProgress: ({ entryRows, bytesChecked }) => {
      told++;
      expect(entryRows).toBeLessThanOrEqual(9000);
      expect(bytesChecked).toBeGreaterThan(0);
    },
  });
  expect(askedMs).toBeGreaterThan(300);
  expect(told).toBe(Math.ceil(askedMs / 100));
});
