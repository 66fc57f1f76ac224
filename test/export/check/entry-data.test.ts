import { randomBytes, scryptSync } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ByteFeed } from '../../../src/export/check/byte-feed.ts';
import { inflateData } from '../../../src/export/check/entry-data.ts';
import { bodyOf } from './samples.ts';

const content = Buffer.from(randomBytes(1_500_000).toString('hex'));
const start = deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
const noSuchBlock = Buffer.alloc(100, 0x07);

test.each([64, 256, 1024])(
  'data that breaks off while output of it waits is a fault, read by %d KiB',
  async kibibytes => {
    const feed = new ByteFeed(bodyOf(Buffer.concat([start, noSuchBlock]), [kibibytes * 1024]));
    let bytes = 0;
    const inflated = inflateData(feed, Number.POSITIVE_INFINITY, {
      onBytes: chunk => {
        bytes += chunk.length;
        // Slower than inflating, so that output waits when the end of the data is reached.
        scryptSync(chunk, '', 16, { N: 1024 });
      },
    });
    await expect(inflated).rejects.toThrow('The compressed data is broken: invalid block type.');
    expect(bytes).toBeGreaterThan(content.length / 2);
  },
);

test('what comes out is never held against less than what went in for it', async () => {
  const rows = randomBytes(700).toString('hex');
  const deflated = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, rows), { level: 1 });
  const feed = new ByteFeed(bodyOf(deflated, [256 * 1024]));
  let highestRatio = 0;
  const { bytes, compressedBytes } = await inflateData(feed, Number.POSITIVE_INFINITY, {
    onBytes: (_, streamed) => {
      if (streamed.bytes > 1024 * 1024)
        highestRatio = Math.max(highestRatio, streamed.bytes / streamed.compressedBytes);
    },
  });
  expect(highestRatio).toBeLessThan((1.1 * bytes) / compressedBytes);
});
