import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type NewSnapshot, openRecorder, openSnapshots, type Snapshots } from '../../../src/memory/snapshots/index.ts';
import { randomFrom } from '../../support/random-numbers.ts';
import { madeParameter, madeProvision, madeSpec } from './made-records.ts';
import { CHAIN, DAY_MS, madeSnapshot, readList, START_MS, testFolder, testRecorder } from './made-snapshot.ts';

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Ten days of a chain on which something changes each day. */
const DAYS: readonly NewSnapshot[] = Array.from({ length: 10 }, (_, day) =>
  madeSnapshot(
    [
      readList(
        'parameters',
        many(60, index => madeParameter(index, index === day ? `day ${day}` : 'usual')),
      ),
      readList('oracles', many(20 + day, madeSpec)),
      readList(
        'provisions',
        many(200, index => madeProvision(index, index % 10 === day ? day : 0)),
        'market',
      ),
      day === 4
        ? { list: 'fees', scope: '7', kind: 'unread', problem: 'HTTP 500' }
        : readList('fees', [madeProvision(day)], '7'),
    ],
    { takenMs: START_MS + day * DAY_MS },
  ),
);

/** The file with ten snapshots. */
let content: Buffer;
let name: string;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-damage-'));
  const recorder = openRecorder({ folder, chainId: CHAIN, nowMs: () => START_MS });
  for (const day of DAYS) recorder.add(day);
  recorder.close();
  content = readFileSync(recorder.path);
  name = basename(recorder.path);
  rmSync(folder, { recursive: true });
});

/** A copy of it, in a folder of its own, with this done to its bytes. */
function damaged(harm: (bytes: Buffer) => Buffer): string {
  const path = join(testFolder(), name);
  writeFileSync(path, harm(Buffer.from(content)));
  return path;
}

/** Every list that is said to be whole must be as it was stored. Returns how many were. */
function wholeLists(snapshots: Snapshots): number {
  let whole = 0;
  for (const { id } of snapshots.all()) {
    for (const name of snapshots.lists(id)) {
      const stored = snapshots.list(id, name);
      const truth = DAYS[id - 1]?.lists.find(({ list }) => list === name.list);
      if (stored?.kind === 'unread') expect(stored).toEqual(truth);
      if (stored?.kind !== 'read' || truth?.kind !== 'read') continue;
      expect(stored.records.toSorted()).toEqual(truth.records.toSorted());
      whole++;
    }
  }
  return whole;
}

const ALL_LISTS = DAYS.flatMap(({ lists }) => lists.filter(({ kind }) => kind === 'read')).length;

const PAGE = 4096;

/** Recorded on, the file has what could be read, and what is new as a whole. */
function recordOn(path: string) {
  const recorder = testRecorder({ folder: dirname(path) });
  const whole = wholeLists(recorder);
  const kept = recorder.all().length;
  const [last] = DAYS.slice(-1);
  const id = recorder.add(last ?? madeSnapshot([]));
  expect(id).toBeGreaterThan(kept);
  const stored = recorder.lists(id).map(list => recorder.list(id, list)?.kind);
  expect(stored).toEqual(['read', 'read', 'read', 'read']);
  recorder.close();
  return { setAside: recorder.setAside, whole, kept };
}

describe('Damaged snapshot file', () => {
  it('A snapshot file without damage is unchanged', () => {
    const path = damaged(bytes => bytes);
    expect(recordOn(path)).toEqual({ setAside: null, whole: ALL_LISTS, kept: 10 });
  });

  it('A damaged file is read as far as possible or set aside, whichever page is destroyed', () => {
    const pages = content.length / PAGE;
    const found = Array.from({ length: pages }, (_, page) => {
      const path = damaged(bytes => bytes.fill(0xff, page * PAGE, (page + 1) * PAGE));
      readAnyway(path);
      const before = readFileSync(path);
      const { setAside, kept } = recordOn(path);
      if (setAside !== null) expect([kept, readFileSync(setAside).equals(before)]).toEqual([0, true]);
      return setAside !== null;
    });
    expect(found[0]).toBe(true);
  }, 240_000);

  it('A damaged file never gives an incomplete list as complete, whichever bits are flipped', () => {
    const random = randomFrom(7);
    for (let round = 0; round < 25; round++) {
      const path = damaged(bytes => {
        for (let flip = 0; flip < 3; flip++) {
          const at = 100 + Math.floor(random() * (bytes.length - 100));
          bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
        }
        return bytes;
      });
      readAnyway(path);
      recordOn(path);
    }
  }, 240_000);

  it.each([
    ['cut in the middle', (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2 / PAGE) * PAGE)],
    ['cut within a page', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000)],
    ['of zeros', (bytes: Buffer) => bytes.fill(0)],
    ['of text', () => Buffer.from('this was never a database, it is only text '.repeat(200))],
  ] as const)('A damaged file is set aside if it is %s', (_, harm) => {
    const path = damaged(harm);
    const before = readFileSync(path);
    readAnyway(path);
    const { setAside } = recordOn(path);
    expect(setAside).not.toBeNull();
    expect(readFileSync(setAside ?? '').equals(before)).toBe(true);
  });

  it('A damaged file misses no list that its index cannot find', () => {
    const places = [...content.toString('latin1').matchAll(/oracles/g)].map(({ index }) => index);
    expect(places.length).toBeGreaterThan(1);
    for (const place of places) expect(missedLists(damaged(bytes => bytes.fill('a', place, place + 1)))).toEqual([]);
  });

  it('An empty snapshot file is started again, because it had no content', () => {
    const path = damaged(() => Buffer.alloc(0));
    expect(recordOn(path)).toEqual({ setAside: null, whole: 0, kept: 0 });
  });

  it('A file of another application stays where it is', () => {
    const path = damaged(bytes => {
      // The application id in the header.
      bytes.writeUInt32BE(1, 68);
      return bytes;
    });
    expect(() => testRecorder({ folder: dirname(path) })).toThrow('is not a snapshot file');
    expect(statSync(path).size).toBe(content.length);
  });

  it('A check of a damaged file reports what is damaged', () => {
    const path = damaged(bytes => {
      const at = bytes.lastIndexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
      return bytes.fill(0, at + 20, at + 30);
    });
    const snapshots = openSnapshots(path);
    expect(snapshots.problems().join('\n')).toMatch(/^\w+.* from snapshot \d+.*: \d+ of \d+ records can be read$/m);
    snapshots.close();
  });
});

/** Reads all of a file that may be damaged: what is not whole is said, and nothing else happens. */
function readAnyway(path: string): void {
  try {
    const snapshots = openSnapshots(path);
    try {
      wholeLists(snapshots);
      snapshots.problems();
    } finally {
      snapshots.close();
    }
  } catch (error) {
    expect(error).toMatchObject({ name: 'SnapshotError' });
  }
}

/** Lists that a snapshot names and then does not have: whoever reads them would take them for lists of no snapshot. */
function missedLists(path: string): readonly string[] {
  try {
    const snapshots = openSnapshots(path);
    try {
      return snapshots
        .all()
        .flatMap(({ id }) => snapshots.lists(id).filter(name => snapshots.list(id, name) === undefined))
        .map(({ list }) => list);
    } finally {
      snapshots.close();
    }
  } catch (error) {
    expect(error).toMatchObject({ name: 'SnapshotError' });
    return [];
  }
}
