import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ByteFeed } from '../../../src/history/check/byte-feed.ts';
import { inflateData, readStoredData, type StreamedData } from '../../../src/history/check/entry-data.ts';
import { ArchiveFault } from '../../../src/history/check/verdict.ts';
import { bodyOf } from './samples.ts';

const content = Buffer.from(randomBytes(1_500_000).toString('hex'));
const start = deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
const noSuchBlock = Buffer.alloc(100, 0x07);

test.each([64, 256, 1024])(
  'Entry data that breaks off while its output waits is a fault, read by %d KiB',
  async kibibytes => {
    const feed = new ByteFeed(bodyOf(Buffer.concat([start, noSuchBlock]), [kibibytes * 1024]));
    let bytes = 0;
    const inflated = inflateData(feed, Number.POSITIVE_INFINITY, {
      onBytes: (chunk): undefined => {
        bytes += chunk.length;
        // Slower than inflating, so that output waits when the end of the data is reached.
        scryptSync(chunk, '', 16, { N: 1024 });
      },
    });
    await expect(inflated).rejects.toThrow('The compressed data is broken: invalid block type.');
    expect(bytes).toBeGreaterThan(content.length / 2);
  },
);

test('The compression ratio never compares output with less input than produced it', async () => {
  const rows = randomBytes(700).toString('hex');
  const deflated = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, rows), { level: 1 });
  const feed = new ByteFeed(bodyOf(deflated, [256 * 1024]));
  let highestRatio = 0;
  const { bytes, compressedBytes } = await inflateData(feed, Number.POSITIVE_INFINITY, {
    onBytes: (_, streamed): undefined => {
      if (streamed.bytes > 1024 * 1024)
        highestRatio = Math.max(highestRatio, streamed.bytes / streamed.compressedBytes);
    },
  });
  expect(highestRatio).toBeLessThan((1.1 * bytes) / compressedBytes);
});

const KiB = 1024;
const MiB = 1024 * 1024;
const unknown = Number.POSITIVE_INFINITY;

/** The same bytes each time, which no method makes smaller. */
const noise = (bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes));

/** Of which each 700 bytes come again. */
const rows = (bytes: number): Buffer => Buffer.alloc(bytes, noise(700).toString('hex').slice(0, 700));

/** A feed that tells how much was asked for at a time. */
class AskedFeed extends ByteFeed {
  readonly asked: number[] = [];

  override some(most: number): Promise<Buffer> {
    this.asked.push(most);
    return super.some(most);
  }
}

/** Keeps what it was given, and what was said of it. */
function listener() {
  const chunks: Buffer[] = [];
  const told: StreamedData[] = [];
  const buffers = new Set<ArrayBufferLike>();
  return {
    chunks,
    told,
    buffers,
    content: () => Buffer.concat(chunks),
    onBytes: (chunk: Buffer, streamed: StreamedData): undefined => {
      chunks.push(Buffer.from(chunk));
      told.push(streamed);
      buffers.add(chunk.buffer);
    },
  };
}

/** What was said with each chunk is true of all chunks up to it. */
function expectTold({ chunks, told }: ReturnType<typeof listener>): void {
  let [crc, bytes] = [0, 0];
  for (const [index, chunk] of chunks.entries()) {
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    expect(told[index]).toMatchObject({ crc, bytes });
  }
}

const behind = Buffer.from('what follows');

describe('Deflated entry data', () => {
  test.each<[string, Buffer]>([
    ['of nothing', Buffer.alloc(0)],
    ['of a row', Buffer.from('a,b\n')],
    ['that is small, of much', rows(60 * KiB)],
    ['that is small, of more than is inflated at once', rows(200 * KiB)],
    ['just too long to be inflated at once', noise(4 * KiB)],
    ['of noise', noise(3 * MiB)],
    ['of rows', rows(5 * MiB)],
    ['of rows and noise in turn', Buffer.concat([rows(2 * MiB), noise(MiB), rows(2 * MiB)])],
  ])('Deflated data is unpacked whole, and what follows it stays: %s', async (_title, content) => {
    const data = deflateRawSync(content);
    for (const size of [MiB, 50_000, 4 * KiB + 1, ...(data.length < 5000 ? [1, 7] : [])]) {
      for (const length of [unknown, data.length]) {
        const feed = new ByteFeed(bodyOf(Buffer.concat([data, behind]), [size]));
        const heard = listener();
        const streamed = await inflateData(feed, length, heard);
        expect(streamed).toEqual({ crc: crc32(content), compressedBytes: data.length, bytes: content.length });
        expect(heard.content().equals(content)).toBe(true);
        expectTold(heard);
        expect(feed.position).toBe(data.length);
        expect((await feed.peek(100)).toString()).toBe('what follows');
      }
    }
  });

  test('Deflated data that is small is passed on at once, and nothing is passed on for empty data', async () => {
    const chunksOf = async (content: Buffer) => {
      const heard = listener();
      await inflateData(new ByteFeed(bodyOf(deflateRawSync(content))), unknown, heard);
      return heard.chunks.map(({ length }) => length);
    };
    expect(await chunksOf(Buffer.alloc(0))).toEqual([]);
    expect(await chunksOf(rows(64 * KiB))).toEqual([64 * KiB]);
    expect((await chunksOf(rows(3 * MiB))).every(length => length > 0 && length <= 128 * KiB)).toBe(true);
  });

  test('Deflated data that ends before its stated length leaves the rest', async () => {
    for (const content of [rows(10 * KiB), noise(100 * KiB)]) {
      const data = deflateRawSync(content);
      const feed = new ByteFeed(bodyOf(Buffer.concat([data, Buffer.alloc(10 * KiB)])));
      expect(await inflateData(feed, data.length + 9 * KiB, listener())).toMatchObject({
        compressedBytes: data.length,
      });
      expect(feed.position).toBe(data.length);
    }
  });

  test('Deflated data that continues after its stated length is broken, however much of it follows', async () => {
    for (const content of [rows(10 * KiB), noise(100 * KiB)]) {
      const data = deflateRawSync(content);
      const feed = new ByteFeed(bodyOf(data));
      const inflated = inflateData(feed, data.length - 1, listener());
      await expect(inflated).rejects.toThrow(
        new ArchiveFault('deflate', 'The compressed data is broken: unexpected end of file.', data.length - 1),
      );
    }
  });

  test('Deflated data that is truncated is reported at its last byte, and earlier output is passed on', async () => {
    for (const content of [rows(10 * KiB), noise(100 * KiB), rows(3 * MiB)]) {
      const data = deflateRawSync(content);
      for (const kept of [0, 1, Math.floor(data.length / 2), data.length - 1]) {
        const heard = listener();
        const inflated = inflateData(new ByteFeed(bodyOf(data.subarray(0, kept), [5000])), unknown, heard);
        const reason = `The archive ends after ${kept} bytes, before its end record.`;
        await expect(inflated).rejects.toThrow(new ArchiveFault('cut', reason, kept));
        expect(heard.content().equals(content.subarray(0, heard.content().length))).toBe(true);
        expectTold(heard);
      }
    }
  });

  test('Data that is not deflate data is reported as broken at its position', async () => {
    const sound = deflateRawSync(rows(10), { finishFlush: constants.Z_FULL_FLUSH });
    const feed = new ByteFeed(bodyOf(Buffer.concat([sound, Buffer.alloc(10, 0x07)])));
    await expect(inflateData(feed, unknown, listener())).rejects.toMatchObject({
      finding: { fault: 'deflate', at: { byteOffset: 0 } },
    });
  });

  test.each([
    new Error('enough'),
    Object.assign(new Error('enough'), { code: 'ENOSPC' }),
    Object.assign(new Error('enough'), { code: 5 }),
    'enough',
    null,
  ])('Deflated data is released when its consumer throws, and the error is no fault of the data: %o', async refusal => {
    for (const content of [rows(10), rows(3 * MiB)]) {
      const onBytes = (): undefined => {
        throw refusal;
      };
      const inflated = inflateData(new ByteFeed(bodyOf(deflateRawSync(content))), unknown, { onBytes });
      expect(await inflated.then(() => 'inflated').catch((error: unknown) => [error])).toEqual([refusal]);
    }
  });

  test('Deflated data that is small needs no stream', async () => {
    const asked = async (content: Buffer) => {
      const feed = new AskedFeed(bodyOf(deflateRawSync(content)));
      await inflateData(feed, unknown, { onBytes: () => undefined });
      return feed.asked.length;
    };
    expect(await asked(rows(64 * KiB))).toBe(0);
    expect(await asked(rows(64 * KiB + 1))).toBeGreaterThan(0);
    expect(await asked(noise(5 * KiB))).toBeGreaterThan(0);
  });

  test('Deflated data is taken in amounts that fill one output block, within limits', async () => {
    const asked = async (content: Buffer) => {
      const feed = new AskedFeed(bodyOf(deflateRawSync(content), [2 * MiB]));
      await inflateData(feed, unknown, { onBytes: () => undefined });
      return feed.asked;
    };
    const wide = await asked(noise(6 * MiB));
    expect(wide[0]).toBe(4 * KiB);
    expect(new Set(wide)).toEqual(new Set([4 * KiB, 512 * KiB]));
    expect(wide.length).toBeLessThan(20);
    expect(new Set(await asked(Buffer.alloc(40 * MiB)))).toEqual(new Set([4 * KiB]));
    const pieces = (await asked(rows(40 * MiB))).length;
    expect(pieces).toBeGreaterThan(35);
    expect(pieces).toBeLessThan(60);
  });

  test('Deflated data returns each memory block once all of it was passed on', async () => {
    const heard = listener();
    await inflateData(new ByteFeed(bodyOf(deflateRawSync(rows(20 * MiB)))), unknown, heard);
    const whole = [...heard.buffers].filter(buffer => buffer.byteLength > 0);
    expect(heard.buffers.size).toBeGreaterThan(15);
    expect(whole.length).toBeLessThan(3);
  });
});

describe('Stored entry data', () => {
  test('Stored data is passed on unchanged, in pieces, up to its length', async () => {
    for (const [size, length] of [
      [1, 10],
      [1000, 5500],
      [2 * MiB, 3 * MiB],
      [10, 0],
    ] as const) {
      const content = noise(length);
      const feed = new ByteFeed(bodyOf(Buffer.concat([content, behind]), [size]));
      const heard = listener();
      const streamed = await readStoredData(feed, length, heard);
      expect(streamed).toEqual({ crc: crc32(content), compressedBytes: length, bytes: length });
      expect(heard.content().equals(content)).toBe(true);
      expectTold(heard);
      expect(heard.told.every(({ bytes, compressedBytes }) => bytes === compressedBytes)).toBe(true);
      expect(heard.chunks.every(chunk => chunk.length > 0 && chunk.length <= 512 * KiB)).toBe(true);
      expect((await feed.peek(100)).toString()).toBe('what follows');
    }
  });

  test('Stored data that is shorter than its length is truncated at its end', async () => {
    const stored = readStoredData(new ByteFeed(bodyOf(noise(1000), [300])), 1001, listener());
    const reason = 'The archive ends after 1000 bytes, before its end record.';
    await expect(stored).rejects.toThrow(new ArchiveFault('cut', reason, 1000));
  });
});
