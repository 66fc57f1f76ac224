import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { newInternalFailure } from '../../src/node/gateway/failure.ts';
import { zipBody } from '../../src/node/history/export-framing.ts';
import { segmentsOfRange } from '../../src/node/history/export-plan.ts';
import { type ArchiveEntry, exportMessages } from '../../src/node/history/export-stream.ts';
import { startNode } from '../../src/node/index.ts';
import { ask, refusal, segments, unlimited, withNode } from './wire.ts';

const clock = () => Date.UTC(2026, 10, 20, 12);
const node = withNode({ clock });

function exportUrl(parameters: Record<string, string>): string {
  return `${node.url}/api/v2/networkhistory/export?${new URLSearchParams(parameters)}`;
}

describe('Export range', () => {
  const outside = (from: string, to: string) => [
    400,
    3,
    10000,
    'could not to get contiguous history segments',
    `heights ${from} to ${to} do not lie within a continuous segment range`,
    'wrapped',
  ];

  it.each([
    ['1', '999'],
    ['2', '1000'],
    ['1', '23501'],
    ['14001', '15000'],
    ['0', '1000'],
    ['-1', '1000'],
    ['1001', '1000'],
    ['2001', '1000'],
    ['9223372036854775807', '1000'],
  ])('The export range from %s to %s is refused, and the node keeps running', async (from, to) => {
    expect(await refusal(exportUrl({ fromBlock: from, toBlock: to, table: 'TABLE_BLOCKS' }))).toEqual(
      outside(from, to),
    );
    expect((await ask(`${node.url}/health`)).text).toBe('ok');
  });

  it('A missing export range is read as 0', async () => {
    expect(await refusal(exportUrl({ table: 'TABLE_BLOCKS' }))).toEqual(outside('0', '0'));
  });

  it('An export range must not cross a gap', async () => {
    const segment = (fromHeight: number, toHeight: number) => ({
      fromHeight,
      toHeight,
      databaseVersion: 93,
      chainId: 'c',
      historySegmentId: `${toHeight}`,
      previousHistorySegmentId: '',
    });
    const gapped = [segment(2501, 3000), segment(1, 1000), segment(1001, 2000)];
    expect(segmentsOfRange(gapped, 1n, 2000n)).toEqual([segment(1, 1000), segment(1001, 2000)]);
    expect(segmentsOfRange(gapped, 2501n, 3000n)).toEqual([segment(2501, 3000)]);
    expect(segmentsOfRange(gapped, 1n, 3000n)).toEqual([]);
    expect(segmentsOfRange(gapped, 1001n, 1000n)).toEqual([]);
  });

  it('An export range between any two boundaries in order is accepted', async () => {
    const listed = await segments(node.url);
    for (const { fromHeight } of listed) {
      const ends = listed.filter(({ toHeight }) => Number(toHeight) > Number(fromHeight));
      const end = ends[ends.length >> 1]?.toHeight ?? '';
      const { status } = await ask(exportUrl({ fromBlock: fromHeight, toBlock: end, table: 'TABLE_CHECKPOINTS' }));
      expect(status).toBe(200);
    }
  });
});

describe('Export table', () => {
  const missing = [500, 13, 10000, 'no table name for network history supplied', 'empty table name', 'wrapped'];

  it('An export table is required, and is checked before the range', async () => {
    expect(await refusal(exportUrl({ fromBlock: '5', toBlock: '6' }))).toEqual(missing);
    expect(await refusal(exportUrl({ table: 'TABLE_UNSPECIFIED' }))).toEqual(missing);
    expect(await refusal(exportUrl({ table: '0' }))).toEqual(missing);
  });

  it('An export table can be given by its number', async () => {
    const range = { fromBlock: '1', toBlock: '1000' };
    const byNumber = await ask(exportUrl({ ...range, table: '14' }));
    const byName = await ask(exportUrl({ ...range, table: 'TABLE_BLOCKS' }));
    expect(byNumber.bytes).toEqual(byName.bytes);
    const snake = await ask(`${node.url}/api/v2/networkhistory/export?from_block=1&to_block=1000&table=14`);
    expect(snake.bytes).toEqual(byName.bytes);
  });
});

describe('Export answer', () => {
  const small = { fromBlock: '14001', toBlock: '15500', table: 'TABLE_MARKETS' };

  it('The export answer is a file named after the chain, the table and the range', async () => {
    const { headers } = await ask(exportUrl(small));
    expect(headers.get('content-disposition')).toEqual(['attachment;filename=demo-chain-1-markets-014001-015500.zip']);
  });

  it('The answer for an unreadable number is not chunked', async () => {
    const unwrapped = await ask(exportUrl({ ...small, fromBlock: 'x' }));
    expect(unwrapped.headers.get('content-length')).toEqual([String(unwrapped.bytes.length)]);
  });

  it('The export answer frames the archive as deployed nodes do', async () => {
    const { bytes } = await ask(exportUrl(small));
    const local = {
      signature: bytes.readUInt32LE(0),
      needed: bytes.readUInt16LE(4),
      flags: bytes.readUInt16LE(6),
      method: bytes.readUInt16LE(8),
      timeAndDate: bytes.readUInt32LE(10),
      checksum: bytes.readUInt32LE(14),
      sizes: bytes.readBigUInt64LE(18),
      extra: bytes.readUInt16LE(28),
    };
    expect(local).toEqual({
      signature: 0x04034b50,
      needed: 20,
      flags: 8,
      method: 8,
      timeAndDate: 0,
      checksum: 0,
      sizes: 0n,
      extra: 0,
    });
    const end = bytes.subarray(-22);
    expect(end.readUInt32LE(0)).toBe(0x06054b50);
    expect(end.readUInt16LE(10)).toBe(2);
    const directory = bytes.subarray(end.readUInt32LE(16));
    expect(directory.readUInt32LE(0)).toBe(0x02014b50);
    expect(bytes.length).toBe(end.readUInt32LE(16) + end.readUInt32LE(12) + 22);
    // The second file's header follows the first one's descriptor, which has its signature.
    const second = directory.subarray(46 + directory.readUInt16LE(28)).readUInt32LE(42);
    expect(bytes.readUInt32LE(second - 16)).toBe(0x08074b50);
    expect(bytes.readUInt32LE(second - 12)).toBe(directory.readUInt32LE(16));
    expect(bytes.readUInt32LE(second)).toBe(0x04034b50);
  });

  it('The export archive has one file per run of one schema, always with the version in the name', async () => {
    const files = async (fromBlock: number, toBlock: number) => {
      const range = { fromBlock: `${fromBlock}`, toBlock: `${toBlock}` };
      return Object.keys(unzipSync((await ask(exportUrl({ ...range, table: 'TABLE_MARKETS' }))).bytes));
    };
    expect(await files(1, 2000)).toEqual(['demo-chain-1-markets-068-000001-002000.csv']);
    expect(await files(1, 23_500)).toEqual([
      'demo-chain-1-markets-068-000001-014500.csv',
      'demo-chain-1-markets-093-014501-023500.csv',
    ]);
  });
});

describe('Large export', () => {
  it('A large export is sent in messages of 1 MiB, and stops when the client has gone', async () => {
    const large = await startNode({ historyScale: 200, rateLimit: unlimited });
    const leaving = new AbortController();
    const url = `${large.url}/api/v2/networkhistory/export?fromBlock=1&toBlock=23500&table=TABLE_TRADES`;
    const response = await fetch(url, { signal: leaving.signal, headers: { 'Accept-Encoding': 'identity' } });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    leaving.abort();
    // The node answers others meanwhile, and closes without the gigabyte having been made.
    expect((await ask(`${large.url}/health`)).text).toBe('ok');
    await large.close();
  });

  it('A large export is cut at its deadline, without a directory and with the error after the bytes', async () => {
    let nowMs = 0;
    // Each look at the clock costs 10 ms of the request's 50.
    const hurried = await startNode({ clock: () => (nowMs += 10), rateLimit: unlimited });
    const url = `${hurried.url}/api/v2/networkhistory/export?fromBlock=1&toBlock=23500&table=TABLE_TRADES`;
    const { status, text, headers } = await ask(url, { headers: { 'Grpc-Timeout': '50m' } });
    expect([status, headers.get('content-type')]).toEqual([200, ['application/zip']]);
    expect(text).toBe('{"error":{"code":4,"message":"context deadline exceeded","details":[]}}');
    await hurried.close();
  });
});

describe('Failure inside an export', () => {
  const entry = (name: string, parts: () => Iterable<string>): ArchiveEntry => ({ name, parts });
  const lost = newInternalFailure(
    10000,
    'failed to extract data from network history segment file',
    'table file missing',
  );

  it('A failure inside an export leaves a short but intact archive, followed by the error', async () => {
    const entries = [
      entry('whole.csv', () => ['a,b\n', '1,2\n']),
      entry('short.csv', function* () {
        yield 'a,b\n';
        throw lost;
      }),
      entry('never.csv', () => ['a,b\n']),
    ];
    const limits = { signal: new AbortController().signal, isOverdue: () => false };
    const bodies: Uint8Array[] = [];
    for await (const bytes of zipBody(exportMessages(entries, limits))) bodies.push(bytes);
    const body = Buffer.concat(bodies);
    const end = body.indexOf(Buffer.from([0x50, 0x4b, 5, 6])) + 22;
    const files = Object.entries(unzipSync(body.subarray(0, end)));
    expect(files.map(([name, content]) => [name, Buffer.from(content).toString()])).toEqual([
      ['whole.csv', 'a,b\n1,2\n'],
      ['short.csv', 'a,b\n'],
    ]);
    expect(JSON.parse(body.subarray(end).toString())).toEqual({ error: lost.status });
  });
});

describe('Export framing of the contract', () => {
  const framed = withNode({ exportFraming: 'json', clock });
  const path = '/api/v2/networkhistory/export?fromBlock=1&toBlock=12000&table=TABLE_LEDGER';

  it('The export sends one JSON message per line, and the joined data is the same archive', async () => {
    const { text, headers } = await ask(framed.url + path);
    expect(headers.get('content-type')).toEqual(['application/json']);
    const messages = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).result);
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.every(({ contentType }) => contentType === 'application/zip')).toBe(true);
    expect(messages.map(message => 'extensions' in message)).toEqual(messages.map((_, index) => index === 0));
    expect(messages[0].extensions[0]['@type']).toContain('/');
    const joined = Buffer.concat(messages.map(({ data }) => Buffer.from(data, 'base64')));
    expect(joined.equals((await ask(node.url + path)).bytes)).toBe(true);
  });

  it('The export sends refusals in the same format', async () => {
    expect((await refusal(`${framed.url}/api/v2/networkhistory/export?table=1`)).at(-1)).toBe('wrapped');
  });
});
