import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteFeed } from '../../../src/history/check/byte-feed.ts';
import { inspectArchive } from '../../../src/history/check/check-archive.ts';
import { EntryCheck } from '../../../src/history/check/entry-check.ts';
import { BodyScan, EntryReadAhead } from '../../../src/history/check/read-ahead.ts';
import { balances, balancesHeader, bodyOf, bytesOf, csv, judge, summary } from './samples.ts';
import { type OddEntry, zipOf } from './zip-bytes.ts';

const nameOf = (index: number): string => `vega-mainnet-0011-balances-093-${index}001-${index + 1}000.csv`;
const entryOf = (index: number, rows: number): OddEntry => ({
  name: nameOf(index),
  content: csv(
    balancesHeader,
    ...Array.from({ length: rows }, (_, row) => `\\x${bytesOf(row)},2023-01-18 01:12:09+00,\\x02,${row * 7919}`),
  ),
});

test('The read-ahead hashes a body and finds each mark in it, however it is cut', async () => {
  const parts = fc.array(fc.constantFrom('PK\u0003\u0004', 'PK', 'P', '\u0003\u0004', 'a'), { maxLength: 30 });
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(parts, sizes, async (texts, pieceSizes) => {
      const body = Buffer.from(texts.join(''), 'latin1');
      const marks: number[] = [];
      const scan = new BodyScan(bodyOf(body, pieceSizes).reader(), at => marks.push(at) > 0);
      await scan.run();
      const expected = [...body.toString('latin1').matchAll(/PK\x03\x04/g)].map(({ index }) => index);
      expect(marks).toEqual(expected);
      expect(scan.bytes).toBe(body.length);
      expect(scan.sha256()).toBe(createHash('sha256').update(body).digest('hex'));
    }),
  );
});

test('The read-ahead keeps the order of entries and their rows, however the body is cut', async () => {
  const counts = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(counts, sizes, async (rows, pieceSizes) => {
      const body = zipOf(rows.map((count, index) => entryOf(index, count)));
      const verdict = await judge(body, { ...balances, toBlock: BigInt(rows.length * 1000) }, pieceSizes);
      expect(verdict.kind).toBe('complete');
      expect(verdict.entries.map(({ name, rows }) => [name, rows])).toEqual(
        rows.map((count, index) => [nameOf(index), count]),
      );
    }),
    { numRuns: 30 },
  );
});

function header(name: string, bytes: number): string {
  const fields = Buffer.alloc(26);
  fields.writeUInt32LE(bytes, 14);
  fields.writeUInt32LE(bytes, 18);
  fields.writeUInt16LE(name.length, 22);
  return `PK\u0003\u0004${fields.toString('latin1')}${name}`;
}

/** With something in it that looks like the header of another entry. */
function storedAround(inner: string): OddEntry {
  const first = entryOf(0, 500);
  return { ...first, content: `${first.content}${inner}\n`, method: 0, descriptor: 0 };
}

describe('Apparent entries inside a stored entry', () => {
  const cases: readonly [string, string][] = [
    ['and ends in it', `${header(nameOf(7), 5)}abcde`],
    ['and has no end', header(nameOf(7), 0x7f7f7f7f)],
    ['and is repeated', `${header(nameOf(7), 5)}abcde`.repeat(300)],
    ['with a name that no node gives', header('photo.jpg', 100)],
    ['cut short', 'PK\u0003\u0004'],
  ];
  test.each(cases)('An apparent entry inside a stored one is ignored: %s', async (_title, inner) => {
    const body = zipOf([storedAround(inner), entryOf(1, 500), entryOf(2, 500)]);
    const expectation = { ...balances, toBlock: 3000n };
    // Rows are not read, or they would tell.
    const verdict = await inspectArchive(bodyOf(body, [1000]), expectation, { readsRows: false });
    expect(summary(verdict)).toMatch(/^complete/);
    expect(verdict.entries.map(({ name }) => name)).toEqual([0, 1, 2].map(nameOf));
  });
});

test('A fault in one entry is reported, and nothing about the entry after it', async () => {
  const body = zipOf([entryOf(0, 500), { ...entryOf(1, 500), content: 'wrong\n' }, entryOf(2, 500)]);
  const second = body.indexOf(nameOf(1)) + nameOf(1).length;
  body.fill(0xff, second, second + 8);
  const verdict = await judge(body, { ...balances, toBlock: 3000n });
  expect(summary(verdict)).toMatch(/^damaged deflate: /);
  expect(verdict.entries.map(({ name, isWhole }) => [name, isWhole])).toEqual([
    [nameOf(0), true],
    [nameOf(1), false],
  ]);
});

test.each([
  ['with a name that no node gives', 'photo.jpg', 0],
  ['once the walk has passed it', nameOf(7), 1],
])('The read-ahead continues with the next entry after a false header %s', async (_title, name, walked) => {
  const body = zipOf([storedAround(header(name, 9)), entryOf(1, 500), entryOf(2, 500)]);
  const begun: string[] = [];
  const watch = {
    checkOf: ({ name }: { readonly name: string }) => {
      begun.push(name);
      return new EntryCheck(name, undefined, true);
    },
    advanced: () => undefined,
  };
  const source = bodyOf(body);
  const ahead = new EntryReadAhead(source, watch);
  for (const { index } of body.toString('latin1').matchAll(/PK\x03\x04/g)) ahead.mark(index);
  let feed = new ByteFeed(source);
  for (let entry = 0; entry <= walked; entry++) {
    const run = ahead.enter(feed);
    await run.ended;
    feed = run.feed;
  }
  await setImmediate();
  expect(begun).toContain(nameOf(walked + 1));
  await ahead.stop();
});

describe('Read-ahead of an entry with an unexpected name', () => {
  test.each([[1], [7], [100], [65_536]])(
    'An abandoned entry is judged by its name when the walk arrives, in pieces of %d',
    async size => {
      for (const rows of [0, 1, 30, 2000]) {
        const other = { ...entryOf(1, rows), name: 'photo.jpg' };
        for (const entries of [
          [entryOf(0, 1), other, entryOf(2, 2)],
          [other, entryOf(1, 1)],
          [entryOf(0, 500), other],
        ]) {
          expect(summary(await judge(zipOf(entries), undefined, [size]))).toMatch(/^damaged name: /);
        }
      }
    },
  );
});

test('The read-ahead stops after too many wrong guesses', async () => {
  const body = Buffer.from('PK\u0003\u0004'.repeat(50_000), 'latin1');
  let moves = 0;
  const inner = bodyOf(body);
  const counted = {
    ...inner,
    reader: () => {
      const reader = inner.reader();
      return { read: reader.read, moveTo: (offset: number) => [moves++, reader.moveTo(offset)] };
    },
  };
  const ahead = new EntryReadAhead(counted, {
    checkOf: ({ name }) => new EntryCheck(name, undefined, true),
    advanced: () => undefined,
  });
  let told = 0;
  for (let at = 0; ahead.mark(at); at += 4) {
    told++;
    await setImmediate();
  }
  await ahead.stop();
  expect(moves).toBeLessThan(200);
  expect(told).toBeLessThan(12_000);
});
