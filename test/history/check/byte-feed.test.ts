import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteFeed } from '../../../src/history/check/byte-feed.ts';
import { ArchiveFault } from '../../../src/history/check/verdict.ts';
import { bodyOf } from './samples.ts';

const body = Buffer.from(Array.from({ length: 60 }, (_, index) => index));
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });

test('`ByteFeed` peeks at, skips and takes the body in order, whatever the pieces', async () => {
  const step = fc.tuple(fc.constantFrom('peek', 'skip', 'take', 'some', 'move'), fc.integer({ min: 1, max: 25 }));
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(step, { maxLength: 12 }), async (pieces, steps) => {
      const feed = new ByteFeed(bodyOf(body, pieces));
      let at = 0;
      for (const [kind, length] of steps) {
        const rest = body.subarray(at, at + length);
        if (kind === 'move') {
          at = length;
          feed.moveTo(at);
        } else if (kind === 'take' && rest.length === length) {
          expect(await feed.take(length)).toEqual(rest);
          at += length;
        } else if (kind === 'some') {
          const some = await feed.some(length);
          expect(some.length > 0).toBe(rest.length > 0);
          expect(some).toEqual(rest.subarray(0, some.length));
        } else {
          const peeked = await feed.peek(length);
          expect(peeked).toEqual(rest);
          if (kind === 'skip') {
            feed.skip(peeked.length);
            at += peeked.length;
          }
        }
        expect(feed.position).toBe(at);
        if (feed.isAtEnd) expect(at).toBe(body.length);
      }
    }),
  );
});

test('`ByteFeed` peeks no further than needed, and reports a take beyond the end as a truncated body', async () => {
  let reads = 0;
  const { reader, ...rest } = bodyOf(body, [10]);
  const feed = new ByteFeed({
    ...rest,
    reader: () => {
      const inner = reader();
      return {
        ...inner,
        read: () => {
          reads++;
          return inner.read();
        },
      };
    },
  });
  await feed.peek(10);
  await feed.peek(4);
  expect(reads).toBe(1);
  await feed.peek(20);
  expect(reads).toBe(2);
  const error = await feed.take(61).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ArchiveFault);
  expect(error).toMatchObject({ finding: { fault: 'cut', at: { byteOffset: 60 } } });
  expect(feed.isAtEnd).toBe(true);
});

test('`ByteFeed` gives nothing more after a stop until it is moved', async () => {
  const feed = new ByteFeed(bodyOf(body, [10]));
  await feed.peek(5);
  feed.stop();
  expect(await feed.peek(10)).toHaveLength(10);
  await expect(feed.peek(11)).rejects.toThrow('Reading was stopped.');
  feed.moveTo(7);
  expect(await feed.take(3)).toEqual(body.subarray(7, 10));
});
