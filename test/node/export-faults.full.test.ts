import { type IncomingMessage, request } from 'node:http';
import { crc32, gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningNode } from '../../src/node/index.ts';
import { type FaultyNodeOptions, startFaultyNode } from '../support/faults/faulty-node.ts';
import { type Answer, ask, refusal, unlimited, withNode } from './wire.ts';

// Bytes are compared between nodes, so that all have started at one moment.
const clock = () => Date.UTC(2026, 10, 20, 12);
const good = withNode({ clock });
// Three segments, the schema changes after the second.
const path = '/api/v2/networkhistory/export?fromBlock=13001&toBlock=15500&table=TABLE_BLOCKS';
const csvs = ['demo-chain-1-blocks-068-013001-014500.csv', 'demo-chain-1-blocks-093-014501-015500.csv'];
const endOfDirectory = Buffer.from([0x50, 0x4b, 5, 6]);

const running: RunningNode[] = [];
afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
});

async function faulty(fault: string, options: FaultyNodeOptions = {}): Promise<RunningNode> {
  const node = await startFaultyNode({ rateLimit: unlimited, clock, faults: [fault], ...options });
  running.push(node);
  return node;
}

async function answer(fault: string): Promise<Answer> {
  return ask((await faulty(fault)).url + path);
}

/** What arrived of a body, and whether it came to its end. */
async function arrived(url: string): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const response = await opened(url);
  const chunks: Buffer[] = [];
  response.on('data', chunk => chunks.push(chunk));
  const isWhole = await new Promise<boolean>(resolve => {
    response.on('end', () => resolve(true)).on('error', () => resolve(false));
  });
  return { bytes: Buffer.concat(chunks), isWhole };
}

function opened(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, resolve).on('error', reject).end();
  });
}

/** The archive, the texts of its CSVs, and what follows its end record. */
function split(bytes: Buffer) {
  const end = bytes.indexOf(endOfDirectory) + 22;
  const files = Object.entries(unzipSync(bytes.subarray(0, end)));
  const texts = Object.fromEntries(files.map(([name, content]) => [name, Buffer.from(content).toString()]));
  return { texts, behind: bytes.subarray(end).toString() };
}

const rowsOf = (text = '') => text.trimEnd().split('\n').slice(1);

const heightsOf = (text: string | undefined) => rowsOf(text).map(row => Number(row.split(',')[1]));

const extractError = (inner: string) => ({
  error: {
    code: 13,
    message: 'Internal error',
    details: [
      {
        '@type': 'type.googleapis.com/vega.ErrorDetail',
        code: 10000,
        message: 'failed to extract data from network history segment file',
        inner,
      },
    ],
  },
});

let sound: Answer;
beforeAll(async () => {
  sound = await ask(good.url + path);
});

describe('Error inside an export stream', () => {
  it('The fault error-after-archive sends a short archive that every unzip tool accepts, then the error', async () => {
    const { status, headers, bytes } = await answer('error-after-archive');
    expect([status, headers.get('content-type')]).toEqual([200, ['application/zip']]);
    const { texts, behind } = split(bytes);
    expect(Object.keys(texts)).toEqual(csvs.slice(0, 1));
    expect(heightsOf(texts[csvs[0] ?? '']).at(-1)).toBe(14_250);
    expect(JSON.parse(behind)).toEqual(
      extractError('error opening zip file reader for history segment:zip: checksum error'),
    );
  });

  it('The fault error-first-entry sends a CSV without even a header', async () => {
    const { texts, behind } = split((await answer('error-first-entry')).bytes);
    expect(texts).toEqual({ [csvs[0] ?? '']: '' });
    expect(JSON.parse(behind)).toEqual(extractError("table file 'blocks' not found in segment"));
  });

  it('The fault error-instead sends only the error, with the headers of success', async () => {
    const { status, headers, text } = await answer('error-instead');
    expect([status, headers.get('content-type')]).toEqual([200, ['application/zip']]);
    expect(headers.get('content-disposition')).toEqual(sound.headers.get('content-disposition'));
    expect(JSON.parse(text)).toEqual(extractError('error opening zip file reader for history segment:EOF'));
  });

  it('The fault cut-json sends half of a short archive, then the error of a deadline', async () => {
    const { bytes, text } = await answer('cut-json');
    const error = '{"error":{"code":4,"message":"context deadline exceeded","details":[]}}';
    expect(text.endsWith(error)).toBe(true);
    const archive = bytes.subarray(0, bytes.length - error.length);
    expect(archive).toEqual(sound.bytes.subarray(0, Math.ceil(sound.bytes.length / 2)));
  });

  it('The fault cut-json sends one whole message of a long archive', async () => {
    const node = await faulty('cut-json', { historyScale: 20 });
    const { bytes } = await ask(node.url + path.replace('BLOCKS', 'LEDGER'));
    expect(bytes.indexOf('{"error":')).toBe(1 << 20);
    expect(bytes.includes(endOfDirectory)).toBe(false);
  });
});

describe('Broken export transfer', () => {
  it('The fault cut-body sends half the archive, and does not end the body', async () => {
    const { bytes, isWhole } = await arrived((await faulty('cut-body')).url + path);
    expect(isWhole).toBe(false);
    expect(sound.bytes.subarray(0, bytes.length)).toEqual(bytes);
  });

  it('The fault stall sends half the archive, then nothing, while other requests are answered', async () => {
    const node = await faulty('stall');
    const response = await opened(node.url + path);
    const half = Math.ceil(sound.bytes.length / 2);
    let bytes = 0;
    await new Promise<void>(resolve => {
      response.on('data', chunk => {
        bytes += chunk.length;
        if (bytes === half) resolve();
      });
    });
    expect((await ask(`${node.url}/health`)).text).toBe('ok');
    const ended = new Promise(resolve => response.on('error', resolve));
    // A stalled export does not keep the node from ending.
    await node.close();
    await ended;
    expect(bytes).toBe(half);
  });

  it('The fault slow-first-byte sends nothing, not even a header, before its delay is over', async () => {
    const node = await faulty('slow-first-byte:0.15:1');
    const startedMs = performance.now();
    expect((await ask(node.url + path)).bytes).toEqual(sound.bytes);
    expect(performance.now() - startedMs).toBeGreaterThan(140);
  });

  it('The fault slow-first-byte ends with the client or the node', async () => {
    const node = await faulty('slow-first-byte:3600');
    const waiting = fetch(node.url + path);
    const refused = expect(waiting).rejects.toThrow();
    expect((await ask(`${node.url}/health`)).text).toBe('ok');
    await node.close();
    await refused;
  });
});

describe('Silently damaged export rows', () => {
  it('The fault lost-rows drops the end of the first segment, and the next segment follows', async () => {
    const { texts, behind } = split((await answer('lost-rows')).bytes);
    const heights = heightsOf(texts[csvs[0] ?? '']);
    expect([heights.length, heights[499], heights[500]]).toEqual([1000, 13_500, 14_001]);
    expect(heightsOf(texts[csvs[1] ?? ''])).toHaveLength(1000);
    expect(behind).toBe('');
  });

  it('The fault garbled-row sends a short row, with the next segment right after it', async () => {
    const { texts } = split((await answer('garbled-row')).bytes);
    const rows = rowsOf(texts[csvs[0] ?? '']);
    expect(rows.slice(499, 502).map(row => row.split(',').length)).toEqual([3, 2, 3]);
    expect(rows[500]).toMatch(/\+00,1$/);
    expect(rows[501]).toContain(',14001,');
  });

  it.each(['lost-rows', 'garbled-row'])('The fault %s damages each export in the same way', async fault => {
    const node = await faulty(fault);
    const first = await ask(node.url + path);
    expect((await ask(node.url + path)).bytes).toEqual(first.bytes);
  });
});

describe('Unusual export archives', () => {
  it('The fault bad-crc has the same CRC-32 in descriptor and directory, and the content has another', async () => {
    const { bytes } = await answer('bad-crc');
    const directory = bytes.readUInt32LE(bytes.length - 6);
    const stated = bytes.readUInt32LE(directory + 16);
    const second = bytes.readUInt32LE(directory + 46 + bytes.readUInt16LE(directory + 28) + 42);
    expect(bytes.readUInt32LE(second - 12)).toBe(stated);
    const content = unzipSync(sound.bytes)[csvs[0] ?? ''] ?? new Uint8Array(0);
    expect(stated).toBe((crc32(content) ^ 1) >>> 0);
  });

  it('The fault zip64 has 24-byte descriptors and sizes in the extra field, with no hint in the local header', async () => {
    const { bytes } = await answer('zip64');
    expect([bytes.readUInt16LE(4), bytes.readUInt16LE(28)]).toEqual([20, 0]);
    const directory = bytes.readUInt32LE(bytes.length - 6);
    expect(bytes.readUInt16LE(directory + 6)).toBe(45);
    expect([bytes.readUInt32LE(directory + 20), bytes.readUInt32LE(directory + 24)]).toEqual([0xffffffff, 0xffffffff]);
    const nameLength = bytes.readUInt16LE(directory + 28);
    const extra = bytes.subarray(directory + 46 + nameLength);
    expect([extra.readUInt16LE(0), extra.readUInt16LE(2), extra.readBigUInt64LE(20)]).toEqual([1, 24, 0n]);
    const size = BigInt(unzipSync(sound.bytes)[csvs[0] ?? '']?.length ?? 0);
    expect(extra.readBigUInt64LE(4)).toBe(size);
    const second = extra.readUInt32LE(28 + 42);
    expect([bytes.readUInt32LE(second), bytes.readUInt32LE(second - 24)]).toEqual([0x04034b50, 0x08074b50]);
    expect(bytes.readBigUInt64LE(second - 8)).toBe(size);
    // The directory overflows nothing, so that there is no zip64 end record.
    expect(bytes.includes(Buffer.from([0x50, 0x4b, 6, 6]))).toBe(false);
  });

  it('The fault gzip compresses the archive although identity was requested', async () => {
    const node = await faulty('gzip');
    const { bytes, headers } = await ask(node.url + path, { headers: { 'Accept-Encoding': 'identity' } });
    expect(headers.get('content-encoding')).toEqual(['gzip']);
    expect(gunzipSync(bytes)).toEqual(sound.bytes);
  });

  it('The fault hostile-names puts paths and control characters into every name', async () => {
    const { bytes, headers } = await answer('hostile-names');
    expect(Object.keys(unzipSync(bytes))).toEqual(csvs.map(name => `../../\u001b]0;${name}\u0007`));
    expect(headers.get('content-disposition')).toEqual([
      'attachment;filename=../../../tmp/\u009b31mdemo-chain-1-blocks-013001-015500.zip',
    ]);
  });

  it('The fault json-stream sends the messages of the contract, and their joined data is the archive', async () => {
    const { text, headers } = await answer('json-stream');
    expect(headers.get('content-type')).toEqual(['application/json']);
    const messages = text
      .trimEnd()
      .split('\n')
      .map(line => Buffer.from(JSON.parse(line).result.data, 'base64'));
    expect(Buffer.concat(messages)).toEqual(sound.bytes);
  });
});

describe('Refused export', () => {
  it('The fault rate-limited answers 429 in the format of a stream', async () => {
    const { url } = await faulty('rate-limited');
    expect(await refusal(url + path)).toEqual([429, 8, 'client reached max subscription allowed', 'wrapped']);
    expect((await ask(url + path)).headers.get('transfer-encoding')).toEqual(['chunked']);
  });

  it('The fault refused-range answers 400 for a range that the history has', async () => {
    expect(await refusal((await faulty('refused-range')).url + path)).toEqual([
      400,
      3,
      10000,
      'could not to get contiguous history segments',
      'heights 13001 to 15500 do not lie within a continuous segment range',
      'wrapped',
    ]);
  });
});

describe('Count of an export fault', () => {
  it('The fault ends after its count of exports, and requests that are refused anyway do not count', async () => {
    const { url } = await faulty('cut-body:2');
    expect((await refusal(url + path.replace('13001', '13002')))[0]).toBe(400);
    const outcomes = [];
    for (let index = 0; index < 4; index++) outcomes.push((await arrived(url + path)).isWhole);
    expect(outcomes).toEqual([false, false, true, true]);
    expect((await ask(url + path)).bytes).toEqual(sound.bytes);
  });

  it('The next fault in the list follows when a count is used up, and delays do not take a turn', async () => {
    const faults = ['slow-first-byte:0.01', 'error-instead:1', 'rate-limited:1', 'gzip:1'];
    const { url } = await faulty('', { faults });
    const answers: Answer[] = [];
    for (let index = 0; index < 4; index++) answers.push(await ask(url + path));
    expect(answers.map(({ status, headers }) => [status, headers.has('content-encoding')])).toEqual([
      [200, false],
      [429, false],
      [200, true],
      [200, false],
    ]);
    expect(answers.at(-1)?.bytes).toEqual(sound.bytes);
  });
});
