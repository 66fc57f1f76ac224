import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ByteFeed } from '../../../src/history/check/byte-feed.ts';
import { EntryCheck } from '../../../src/history/check/entry-check.ts';
import type { EntryReading } from '../../../src/history/check/entry-reading.ts';
import { EntryReadAhead } from '../../../src/history/check/read-ahead.ts';
import { balancesCsv, bodyOf } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

const nameOf = (index: number): string => `c-balances-093-${index}001-${index + 1}000.csv`;

/** An archive of entries of these names, read ahead; who reads where, and which entries were begun, is told. */
function ahead(names: readonly string[], content = balancesCsv) {
  const body = zipOf(names.map(name => ({ name, content, method: 0, descriptor: 0 })));
  const at = [...body.toString('latin1').matchAll(/PK\x03\x04/g)].map(({ index }) => index);
  const moves: number[] = [];
  const begun: string[] = [];
  const inner = bodyOf(body, [100]);
  let reads = 0;
  let gate: Promise<void> | undefined;
  const source = {
    ...inner,
    reader: () => {
      const reader = inner.reader();
      return {
        read: async () => {
          reads++;
          await gate;
          return reader.read();
        },
        moveTo: (offset: number) => {
          moves.push(at.indexOf(offset));
          reader.moveTo(offset);
        },
      };
    },
  };
  const watch = {
    checkOf: ({ name }: { readonly name: string }) => {
      begun.push(name);
      return new EntryCheck(name, undefined, true);
    },
    advanced: () => undefined,
  };
  const readAhead = new EntryReadAhead(source, watch);
  const feedAt = (index: number): ByteFeed => {
    const feed = new ByteFeed(source);
    feed.moveTo(at[index] ?? 0);
    moves.pop();
    return feed;
  };
  const held = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return {
    readAhead,
    at,
    moves,
    begun,
    feedAt,
    held,
    readsOf: () => reads,
    mark: (index: number) => readAhead.mark(at[index] ?? 0),
  };
}

const names = [0, 1, 2, 3].map(nameOf);
/** All that can happen by itself has happened. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
};
const endOf = async (run: EntryReading) => (await run.ended).streamed.bytes;

describe('Read-ahead of a marked entry', () => {
  it('A marked entry is begun at once, one at a time, and taken over when the walk reaches it', async () => {
    const { readAhead, at, moves, begun, feedAt, mark } = ahead(names);
    const first = readAhead.enter(feedAt(0));
    for (const index of [0, 1, 2, 3]) expect(mark(index)).toBe(true);
    await settled();
    expect(moves).toEqual([1]);
    expect(begun).toEqual([names[0], names[1]]);
    expect(await endOf(first)).toBe(balancesCsv.length);
    const second = readAhead.enter(first.feed);
    expect(second.localOffset).toBe(at[1]);
    expect(await endOf(second)).toBe(balancesCsv.length);
    await settled();
    expect(moves).toEqual([1, 2]);
    const third = readAhead.enter(second.feed);
    expect(await endOf(third)).toBe(balancesCsv.length);
    const fourth = readAhead.enter(third.feed);
    expect(await endOf(fourth)).toBe(balancesCsv.length);
    expect(moves).toEqual([1, 2, 3]);
    expect(begun).toEqual(names);
    await readAhead.stop();
  });

  it('A marked entry is skipped when the walk is at it or beyond it', async () => {
    const { readAhead, moves, begun, feedAt, mark } = ahead(names);
    await endOf(readAhead.enter(feedAt(2)));
    for (const index of [0, 1, 2]) mark(index);
    await settled();
    expect(moves).toEqual([]);
    mark(3);
    await settled();
    expect(moves).toEqual([3]);
    expect(begun).toEqual([names[2], names[3]]);
    await readAhead.stop();
  });

  it('A marked entry waits while the walk is before it, and counts when the walk arrives', async () => {
    const { readAhead, at, moves, begun, feedAt, mark } = ahead(names);
    mark(2);
    await settled();
    const first = readAhead.enter(feedAt(0));
    await endOf(first);
    const second = readAhead.enter(first.feed);
    await endOf(second);
    const third = readAhead.enter(second.feed);
    expect(third.localOffset).toBe(at[2]);
    await endOf(third);
    expect(moves).toEqual([2]);
    expect(begun).toEqual([names[2], names[0], names[1]]);
    await readAhead.stop();
  });

  it('A marked entry is abandoned when the walk went past it, and the next one is begun', async () => {
    const { readAhead, moves, begun, feedAt, mark } = ahead(names);
    mark(1);
    mark(2);
    mark(3);
    await settled();
    expect(moves).toEqual([1]);
    await endOf(readAhead.enter(feedAt(2)));
    await settled();
    expect(moves).toEqual([1, 3]);
    expect(begun).toEqual([names[1], names[2], names[3]]);
    await readAhead.stop();
  });

  it('A marked entry is abandoned if its name is not from an export, and does not count at the walk', async () => {
    const other = [nameOf(0), 'photo.jpg', nameOf(2)];
    const { readAhead, moves, begun, feedAt, mark } = ahead(other);
    mark(1);
    mark(2);
    await settled();
    expect(moves).toEqual([1, 2]);
    const walked = readAhead.enter(feedAt(1));
    expect(await endOf(walked)).toBe(balancesCsv.length);
    expect(begun).toEqual(['photo.jpg', nameOf(2), 'photo.jpg']);
    await readAhead.stop();
  });

  it('A marked entry is not begun after a stop, and one that was begun has ended', async () => {
    const { readAhead, moves, mark, feedAt } = ahead(names);
    const first = readAhead.enter(feedAt(0));
    mark(1);
    await readAhead.stop();
    expect(moves).toEqual([1]);
    mark(2);
    await first.ended;
    readAhead.enter(feedAt(3));
    await settled();
    expect(moves).toEqual([1]);
  });

  it('A marked entry is not begun after a stop that had nothing to wait for', async () => {
    const { readAhead, moves, mark } = ahead(names);
    await readAhead.stop();
    mark(1);
    await settled();
    expect(moves).toEqual([]);
  });

  it('A marked entry is read no further after a stop, and the stop waits for the current read', async () => {
    const { readAhead, mark, held, readsOf } = ahead(names);
    const release = held();
    mark(1);
    await settled();
    expect(readsOf()).toBe(1);
    const stopped = readAhead.stop().then(() => 'stopped');
    expect(await Promise.race([stopped, settled().then(() => 'waiting')])).toBe('waiting');
    release();
    expect(await stopped).toBe('stopped');
    await settled();
    expect(readsOf()).toBe(1);
  });

  it('A marked entry is read no further once its name is found not to be from an export', async () => {
    const { readAhead, mark, readsOf } = ahead([nameOf(0), 'photo.jpg'], balancesCsv.repeat(500));
    mark(1);
    await settled();
    expect(readsOf()).toBeLessThan(10);
    await readAhead.stop();
  });

  it('A marked entry is read to its end, whatever its name, if the walk took it over before that was known', async () => {
    const { readAhead, mark, feedAt } = ahead([nameOf(0), 'photo.jpg']);
    mark(1);
    expect(await endOf(readAhead.enter(feedAt(1)))).toBe(balancesCsv.length);
    await readAhead.stop();
  });
});

describe('Read-ahead marks', () => {
  it('Read-ahead marks are accepted until ten thousand wait after the one that was begun', () => {
    const { readAhead, moves, mark } = ahead(names);
    mark(1);
    expect(moves).toEqual([1]);
    let taken = 0;
    while (readAhead.mark(1000 + taken)) taken++;
    expect(taken).toBe(10_000);
    expect(readAhead.mark(20_000)).toBe(false);
  });

  it('Read-ahead marks are accepted until 101 were wrong, and none is begun after that', async () => {
    const { readAhead, at, moves, begun } = ahead(Array(200).fill('photo.jpg'));
    let taken = 0;
    for (const offset of at.slice(1)) {
      if (!readAhead.mark(offset)) break;
      taken++;
      await settled();
    }
    expect([taken, moves.length, begun.length]).toEqual([101, 101, 101]);
    await settled();
    expect(moves).toHaveLength(101);
  });

  it('Read-ahead marks that wait do not count either after 101 wrong ones', async () => {
    const { readAhead, at, moves } = ahead(Array(200).fill('photo.jpg'));
    for (const offset of at) readAhead.mark(offset);
    for (let times = 0; times < 20; times++) await settled();
    expect(moves).toHaveLength(101);
  });
});
