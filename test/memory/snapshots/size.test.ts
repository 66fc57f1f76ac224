import { expect, it } from 'vitest';
import { storedBytes } from '../../../src/memory/snapshots/index.ts';
import { madeParameter, madeProvision, madeSpec } from './made-records.ts';
import { madeSnapshot, readList, testRecorder } from './made-snapshot.ts';

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));

it('A first snapshot takes at most 300 KB, and one without changes at most 10 KB', () => {
  const recorder = testRecorder();
  const provisions = many(1000, madeProvision);
  const markets = Array.from({ length: 20 }, (_, market) =>
    readList(
      'provisions',
      provisions.filter((_, index) => index % 20 === market),
      `market ${market}`,
    ),
  );
  const lists = [readList('parameters', many(200, madeParameter)), readList('oracles', many(40, madeSpec)), ...markets];
  recorder.add(madeSnapshot(lists));
  const first = storedBytes(recorder.path);
  expect(first).toBeLessThan(300_000);
  recorder.add(madeSnapshot(lists));
  expect(storedBytes(recorder.path) - first).toBeLessThan(10_000);
  for (let count = 0; count < 20; count++) recorder.add(madeSnapshot(lists));
  expect(storedBytes(recorder.path) - first).toBeLessThan(10_000);
});
