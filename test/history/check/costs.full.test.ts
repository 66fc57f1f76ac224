import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../support/cpu-time.ts';
import { archiveOf, centralBytes, piecesOf, settlePlaces } from '../../torture/archive-model.ts';
import { balancesCsv, balancesHeader, blocksHeader, csv, judge, nodeError } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

const bytes = 2 ** 20;
const nameOf = (index: number): string => `c-balances-093-${index + 1}-${index + 1}.csv`;
const one = { name: nameOf(0), content: balancesCsv };
const stored = { method: 0, descriptor: 0 } as const;
const good = zipOf([{ ...one, ...stored, content: `${balancesHeader}\n${'\\x01,b,"",7\n'.repeat(bytes / 11)}` }]);
const behind = (text: string): Buffer => Buffer.concat([zipOf([one]), Buffer.from(text)]);
const cutBefore = (text: string): Buffer => Buffer.concat([zipOf([one]).subarray(0, -30), Buffer.from(text)]);
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const header = Buffer.concat([zipOf([{ ...one, ...stored, content: '' }]).subarray(0, 30), Buffer.from(one.name)]);

function directory(count: number, comment = Buffer.alloc(0)): Buffer {
  const style = {
    ...one,
    content: Buffer.from(balancesCsv),
    isStored: true,
    descriptorBytes: 0,
    isZip64: false,
  } as const;
  const archive = archiveOf([style], false);
  const [record] = archive.directory;
  if (record === undefined) throw new Error('an archive without a directory');
  record.comment = comment;
  settlePlaces(archive);
  const pieces = piecesOf(archive);
  return Buffer.concat([
    ...pieces.slice(0, 2),
    ...Array.from({ length: count }, () => centralBytes(record)),
    ...pieces.slice(3),
  ]);
}

const rowsOf = (unit: string, table = 'balances', header = balancesHeader): Buffer =>
  zipOf([
    {
      name: nameOf(0).replace('balances', table),
      ...stored,
      content: Buffer.concat([
        Buffer.from(`${header}\n`),
        unit === '' ? Buffer.alloc(0) : Buffer.alloc(bytes, unit, 'latin1'),
      ]),
    },
  ]);

const bodies: readonly [string, Buffer][] = [
  ['JSON nested at a tail', cutBefore(nested('{"a":', '}', 10_000))],
  ['errors nested at a tail', cutBefore(nested('{"error":', '}', 6000))],
  ['errors side by side at a tail', cutBefore('{"error":1}'.repeat(5000))],
  ['an error of many details', behind(JSON.stringify({ ...nodeError, details: Array(200_000).fill(1) }))],
  ['an error of nested details', behind(`{"code":1,"message":"","details":[${nested('[', ']', 250_000)}]}`)],
  ['braces', Buffer.alloc(bytes, '{')],
  ['nested JSON', Buffer.from(nested('{"a":', '}', bytes / 6))],
  ['braces behind the archive', behind('{'.repeat(bytes))],
  ['stored signatures', zipOf([{ ...one, ...stored, content: Buffer.alloc(bytes, 'PK\u0003\u0004', 'latin1') }])],
  ['stored headers', zipOf([{ ...one, ...stored, content: Buffer.alloc(bytes, header) }])],
  [
    'signatures of end records',
    zipOf([{ ...one, ...stored, content: Buffer.alloc(bytes, 'PK\u0005\u0006', 'latin1') }]),
  ],
  ['a directory of things that are not there', directory(bytes / 70)],
  ['a comment of braces', directory(1, Buffer.alloc(65_535, '{'))],
  [
    'entries of a header only',
    zipOf(Array.from({ length: 6000 }, (_, at) => ({ name: nameOf(at), content: csv(balancesHeader) }))),
  ],
  ['entries of nothing', zipOf(Array.from({ length: 6000 }, (_, at) => ({ name: nameOf(at), content: '' })))],
  [
    'entries with long names',
    zipOf(Array.from({ length: 500 }, (_, at) => ({ name: `${'-a'.repeat(500)}${at}`, content: '' }))),
  ],
  ['empty lines', rowsOf('\n')],
  ['rows of NULL', rowsOf(',,,\n')],
  ['headers again and again', rowsOf(`${balancesHeader}\n`)],
  ['nothing that is UTF-8', rowsOf('\xff')],
  ['quotes in quotes', rowsOf('"')],
  ['one row of commas', rowsOf(',')],
  ['blocks without heights', rowsOf(',,\n', 'blocks', blocksHeader)],
  ['blocks of one height', rowsOf(',9,\n', 'blocks', blocksHeader)],
  ['250,000 columns', rowsOf('', 'balances', Array.from({ length: 250_000 }, (_, at) => at.toString(36)).join())],
  ['a name without end', zipOf([{ ...one, name: '-'.repeat(65_000) }])],
];

async function timeOf(body: Buffer): Promise<number> {
  const started = cpuMs();
  await judge(body);
  return cpuMs() - started;
}

describe('Time to check a hostile body', () => {
  test.each(bodies)(
    'A hostile body takes not much longer to check than a good one of its size: %s',
    async (_title, body) => {
      expect(body.length).toBeLessThan(1.5 * good.length);
      // The second adds what compiling costs. A machine that others use is slow for a moment, but not three times.
      const times: string[] = [];
      for (let tries = 0; tries < 3; tries++) {
        const [ofGood, ofBody] = [await timeOf(good), await timeOf(body)];
        if (ofBody < 10 * ofGood + 1000) return;
        times.push(`${ofBody} ms, a good one ${ofGood} ms`);
      }
      expect(times).toEqual([]);
    },
  );
});

test.each([
  ['an error', Buffer.from(`{"code":1,"message":"${' '.repeat(300_000)}"}`)],
  ['gzip', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(60_000)])],
  ['an error behind an archive', behind(`{"code":1,"message":"${' '.repeat(300_000)}"}`)],
])('A hostile body (%s) that arrives byte by byte is joined once', async (_title, body) => {
  const ofPieces = cpuMs();
  await judge(body, undefined, [1]);
  expect(cpuMs() - ofPieces).toBeLessThan(4000);
});

test('A verdict with many findings shows the gravest, and how many there are', async () => {
  const entries = Array.from({ length: 2000 }, (_, at) => ({ ...one, name: `${at}.txt`, crc: at === 1999 ? 1 : 0 }));
  const { findings, notes } = await judge(zipOf(entries));
  expect(findings).toHaveLength(1000);
  expect(findings[0]?.fault).toBe('crc');
  expect(notes).toEqual([expect.stringMatching(/^\d+ more faults are not listed: these are the 1000 gravest\.$/)]);
});

test('A node error keeps twenty of its details', async () => {
  const verdict = await judge(behind(JSON.stringify({ ...nodeError, details: Array(50).fill(nodeError.details[0]) })));
  expect(verdict.kind === 'incomplete' && verdict.nodeError?.details.length).toBe(20);
});
