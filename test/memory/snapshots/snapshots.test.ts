import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  listSnapshotFiles,
  type NewSnapshot,
  openRecorder,
  openSnapshots,
  snapshotFilePath,
} from '../../../src/memory/snapshots/index.ts';
import { openDatabase } from '../../../src/memory/snapshots/sqlite.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { madeParameter, madeProvision } from './made-records.ts';
import { CHAIN, DAY_MS, madeSnapshot, readList, START_MS, testFolder, testRecorder } from './made-snapshot.ts';

const PARAMETERS = { list: 'parameters', scope: '' };

const unread = (list: string, problem: string, scope = '') => ({ list, scope, kind: 'unread', problem }) as const;

const sorted = (records: readonly string[]): readonly string[] => records.toSorted();

describe('Snapshot', () => {
  it('A snapshot stored in part by an earlier release counts its other lists as unread', () => {
    const recorder = testRecorder();
    const [one, two] = [madeParameter(1), madeParameter(2)];
    const fees = { list: 'fees', scope: '12' };
    const taken = (hours: number) => ({ takenMs: START_MS + hours * 3_600_000 });
    const notRead = (list: string, scope = '') => unread(list, 'not read by the explorer', scope);
    recorder.add(madeSnapshot([readList('parameters', [one]), readList('fees', ['{}'], '12')], taken(0)));
    const part = [readList('parameters', [two]), notRead('fees'), notRead('fees', '12'), notRead('markets')];
    const partial = recorder.add(madeSnapshot(part, taken(1)));
    const whole = recorder.add(madeSnapshot([readList('parameters', [two]), readList('fees', ['{}'], '12')], taken(2)));
    const reader = openSnapshots(recorder.path);
    expect(reader.all()).toMatchObject([
      { id: 1, listsRead: 2, listsUnread: 0 },
      { id: partial, listsRead: 1, listsUnread: 3, changed: 1 },
      { id: whole, listsRead: 2, listsUnread: 0, changed: 0 },
    ]);
    expect(reader.at(START_MS + 1.5 * 3_600_000)?.id).toBe(partial);
    expect(reader.list(partial, PARAMETERS)).toEqual(readList('parameters', [two]));
    expect(reader.list(partial, fees)).toEqual(notRead('fees', '12'));
    expect(reader.list(whole, fees)).toEqual(readList('fees', ['{}'], '12'));
    expect(reader.lists(whole).length).toBe(2);
    expect(reader.problems()).toEqual([]);
    reader.close();
  });

  it('A snapshot returns its lists as they were read, whatever came later', () => {
    const recorder = testRecorder();
    const days = [
      [madeParameter(1, 'a'), madeParameter(2)],
      [madeParameter(1, 'b'), madeParameter(2)],
      [madeParameter(2), madeParameter(3)],
      [madeParameter(1, 'a'), madeParameter(2)],
    ];
    const ids = days.map(day => recorder.add(madeSnapshot([readList('parameters', day)])));
    const reader = openSnapshots(recorder.path);
    for (const [index, id] of ids.entries())
      expect(reader.list(id, PARAMETERS)).toMatchObject({
        kind: 'read',
        records: expect.arrayContaining(days[index] ?? []),
      });
    expect(ids.map(id => reader.withId(id)?.changed)).toEqual([2, 1, 1, 1]);
    expect(ids.map(id => reader.withId(id)?.records)).toEqual([2, 2, 2, 2]);
    reader.close();
  });

  it('A snapshot returns any lists to the character, after any history of them', () => {
    const record = fc.oneof(
      fc.json(),
      fc.constantFrom(madeProvision(1), madeProvision(1, 2), '1.0', '9007199254740993'),
    );
    const list = fc.oneof(
      fc
        .array(
          record.map(text => text.replaceAll('\n', ' ')),
          { maxLength: 6 },
        )
        .map(records => readList('parameters', records)),
      fc.string({ unit: anyCharacter }).map(problem => unread('parameters', problem.toWellFormed())),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 8 }), history => {
        const recorder = testRecorder();
        const ids = history.map(one => recorder.add(madeSnapshot(one === undefined ? [] : [one])));
        for (const [index, id] of ids.entries()) {
          const [there, expected] = [recorder.list(id, PARAMETERS), history[index]];
          if (expected?.kind === 'read')
            expect(there?.kind === 'read' && sorted(there.records)).toEqual(sorted(expected.records));
          else expect(there).toEqual(expected);
        }
        expect(recorder.problems()).toEqual([]);
        recorder.close();
      }),
      { numRuns: 25 },
    );
  });

  it('A snapshot reports that a list could not be read, and never that it is empty', () => {
    const recorder = testRecorder();
    const full = readList('parameters', [madeParameter(1)]);
    const [first, second, third, fourth] = [
      full,
      unread('parameters', 'HTTP 500'),
      full,
      readList('parameters', []),
    ].map(list => recorder.add(madeSnapshot([list])));
    const kinds = [first, second, third, fourth].map(id => recorder.list(id ?? 0, PARAMETERS));
    expect(kinds).toEqual([full, unread('parameters', 'HTTP 500'), full, readList('parameters', [])]);
    expect(recorder.all().map(({ listsRead, listsUnread, changed }) => [listsRead, listsUnread, changed])).toEqual([
      [1, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
      [1, 0, 1],
    ]);
  });

  it('A snapshot has the markets and epochs of its time: one that is gone is absent, not empty', () => {
    const recorder = testRecorder();
    const of = (scope: string) => readList('provisions', [madeProvision(1)], scope);
    const first = recorder.add(madeSnapshot([of('a'), of('b')]));
    const second = recorder.add(madeSnapshot([of('b'), of('c')]));
    expect(recorder.lists(first).map(({ scope }) => scope)).toEqual(['a', 'b']);
    expect(recorder.lists(second).map(({ scope }) => scope)).toEqual(['b', 'c']);
    expect(recorder.list(second, { list: 'provisions', scope: 'a' })).toBeUndefined();
    const third = recorder.add(madeSnapshot([of('a')]));
    expect(recorder.list(third, { list: 'provisions', scope: 'a' })).toEqual(of('a'));
  });

  it('A snapshot is found by its time and by its neighbours', () => {
    const recorder = testRecorder();
    const ids = [0, 1, 2].map(day => recorder.add(madeSnapshot([], { takenMs: START_MS + day * DAY_MS })));
    expect(recorder.at(START_MS - 1)).toBeUndefined();
    expect(recorder.at(START_MS)?.id).toBe(ids[0]);
    expect(recorder.at(START_MS + 1.5 * DAY_MS)?.id).toBe(ids[1]);
    expect(recorder.at(START_MS + 99 * DAY_MS)?.id).toBe(ids[2]);
    expect(recorder.before(ids[1] ?? 0)?.id).toBe(ids[0]);
    expect(recorder.after(ids[1] ?? 0)?.id).toBe(ids[2]);
    expect(recorder.before(ids[0] ?? 0)).toBeUndefined();
    expect(recorder.after(ids[2] ?? 0)).toBeUndefined();
    expect(recorder.newest()?.id).toBe(ids[2]);
  });

  it('A snapshot is found by its time although the clock was set back', () => {
    const recorder = testRecorder();
    const hours = [0, 3, 1, 2, 4];
    const ids = hours.map(hour => recorder.add(madeSnapshot([], { takenMs: START_MS + hour * 3_600_000 })));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const at = (hour: number): number | undefined => recorder.at(START_MS + hour * 3_600_000)?.id;
    expect([0, 1, 2, 3, 4].map(at)).toEqual([ids[0], ids[2], ids[3], ids[3], ids[4]]);
  });

  it('A snapshot is not stored at all if one of its records cannot be stored', () => {
    const recorder = testRecorder();
    recorder.add(madeSnapshot([readList('parameters', [madeParameter(1)])]));
    const broken = madeSnapshot([readList('parameters', [madeParameter(2)]), readList('assets', ['1\n2'])]);
    expect(() => recorder.add(broken)).toThrow('one line');
    expect(recorder.all().length).toBe(1);
    expect(recorder.list(1, PARAMETERS)).toMatchObject({ records: [madeParameter(1)] });
    expect(recorder.problems()).toEqual([]);
  });
});

describe('Old snapshots', () => {
  const days = (count: number): NewSnapshot[] =>
    Array.from({ length: count }, (_, day) =>
      madeSnapshot(
        [
          readList('parameters', [madeParameter(0, `day ${day}`), madeParameter(1)]),
          readList('fees', [madeProvision(day)], String(day)),
        ],
        {
          takenMs: START_MS + day * DAY_MS,
        },
      ),
    );

  it('Old snapshots are removed with what only they had, and the others stay as they were', () => {
    const recorder = testRecorder({ nowMs: () => START_MS + 39 * DAY_MS });
    for (const snapshot of days(40)) recorder.add(snapshot);
    const before = statSync(recorder.path).size;
    expect(recorder.prune(10 * DAY_MS)).toBe(29);
    expect(statSync(recorder.path).size).toBeLessThan(before);
    expect(recorder.all().map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, index) => 30 + index));
    expect(recorder.problems()).toEqual([]);
    expect(recorder.list(30, PARAMETERS)).toMatchObject({
      kind: 'read',
      records: expect.arrayContaining([madeParameter(0, 'day 29'), madeParameter(1)]),
    });
    expect(recorder.lists(40).length).toBe(2);
    // Their records may come again.
    const again = recorder.add(madeSnapshot([readList('parameters', [madeParameter(0, 'day 3'), madeParameter(1)])]));
    expect(again).toBe(41);
    expect(recorder.list(again, PARAMETERS)).toMatchObject({ kind: 'read' });
  });

  it('Old snapshots stay if only the clock is wrong: chain time counts too, and the newest always stays', () => {
    const recorder = testRecorder({ nowMs: () => Date.UTC(2100, 0, 1) });
    for (const snapshot of days(3)) recorder.add({ ...snapshot, blockTimeNs: `${snapshot.takenMs}000000` });
    recorder.add(madeSnapshot([], { takenMs: Date.UTC(2100, 0, 1), blockTimeNs: `${START_MS + 3 * DAY_MS}000000` }));
    expect(recorder.prune(10 * DAY_MS)).toBe(0);
    expect(recorder.prune(60_000)).toBe(3);
    expect(recorder.all().length).toBe(1);
  });
});

describe('Snapshot file of a chain', () => {
  it.each(['../../etc/passwd', '', ' ', 'a'.repeat(200), 'CON', 'demo\u0000chain', '\u202Eevil', 'a/b', 'a-b'])(
    'The snapshot file is in the folder for the chain %j',
    chainId => {
      const path = snapshotFilePath('/folder', chainId);
      expect(path).toMatch(/^\/folder\/[a-z0-9-]{1,60}-[0-9a-f]{16}\.sqlite$/);
    },
  );

  it('The snapshot file differs for each chain', () => {
    expect(new Set(['a/b', 'a-b', 'A-B', 'a b'].map(chain => snapshotFilePath('/folder', chain))).size).toBe(4);
  });

  it('The snapshot file is listed with its chain, and a foreign file is reported as foreign', () => {
    const recorder = testRecorder();
    const folder = recorder.path.replace(/\/[^/]*$/, '');
    expect(listSnapshotFiles(folder)).toMatchObject([{ path: recorder.path, chainId: CHAIN, problem: null }]);
    expect(listSnapshotFiles(`${folder}/nowhere`)).toEqual([]);
  });

  it('The snapshot file is accessible only to this user', () => {
    const folder = `${testFolder()}/state/snapshots`;
    testRecorder({ folder });
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it.skipIf(process.platform === 'win32')(
    'The snapshot file is accessible only to this user by its own mode, if folder or file already existed',
    () => {
      const folder = testFolder();
      chmodSync(folder, 0o755);
      const modes = (): readonly number[] => readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777);
      const recorder = testRecorder({ folder });
      recorder.add(madeSnapshot([readList('parameters', [madeParameter(1)])]));
      expect(readdirSync(folder).length).toBeGreaterThan(2);
      expect(new Set(modes())).toEqual(new Set([0o600]));
      recorder.close();
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
      testRecorder({ folder }).add(madeSnapshot([readList('parameters', [madeParameter(2)])]));
      expect(new Set(modes())).toEqual(new Set([0o600]));
    },
  );

  it.each(['', 'a'.repeat(201)])('The snapshot file is not created for a chain without a valid name', chainId => {
    expect(() => openRecorder({ folder: testFolder(), chainId, nowMs: Date.now })).toThrow(
      'does not report a chain id',
    );
  });
});

describe('Snapshot file that cannot be opened', () => {
  it('A snapshot file that cannot be opened is reported with its path', () => {
    const folder = testFolder();
    mkdirSync(snapshotFilePath(folder, CHAIN));
    expect(() => testRecorder({ folder })).toThrow(`${snapshotFilePath(folder, CHAIN)} cannot be opened`);
    mkdirSync(`${snapshotFilePath(folder, 'other')}.lock`);
    expect(() => testRecorder({ folder, chainId: 'other' })).toThrow('.lock cannot be opened');
  });
});

describe('Second recorder', () => {
  it('A second recorder reports the process that has the chain, and gets the chain afterwards', () => {
    const recorder = testRecorder();
    const folder = recorder.path.replace(/\/[^/]*$/, '');
    expect(() => testRecorder({ folder })).toThrow(
      `process ${process.pid} (since 2026-10-01 00:00:00 UTC) is recording this chain already`,
    );
    testRecorder({ folder, chainId: 'another' });
    recorder.close();
    testRecorder({ folder });
  });

  it('A second recorder that only checks whether the chain is free does not block the first one', () => {
    const folder = testFolder();
    const looking = openDatabase(`${snapshotFilePath(folder, CHAIN)}.lock`);
    onTestFinished(() => looking.close());
    // SQLite reads a file on its way to any lock for writing.
    looking.exec('BEGIN; SELECT * FROM sqlite_schema');
    testRecorder({ folder });
    expect(() => looking.exec('PRAGMA busy_timeout = 0; END; BEGIN IMMEDIATE')).toThrow('locked');
  });
});

describe('Snapshots on a full disk', () => {
  it('A full disk gives one sentence, keeps all earlier snapshots, and recording resumes with free space', () => {
    const folder = testFolder();
    const recorder = testRecorder({ folder, mostPages: 40 });
    const first = recorder.add(madeSnapshot([readList('parameters', [madeParameter(1)])]));
    const large = madeSnapshot([
      readList(
        'provisions',
        Array.from({ length: 1000 }, (_, index) => madeProvision(index)),
      ),
    ]);
    expect(() => recorder.add(large)).toThrow(`the disk is full, so ${recorder.path} cannot be written`);
    expect(() => recorder.add(large)).toThrow('the disk is full');
    expect(recorder.all().map(({ id }) => id)).toEqual([first]);
    expect(recorder.problems()).toEqual([]);
    expect(statSync(`${recorder.path}-wal`).size).toBeLessThan(10_000);
    recorder.close();
    const roomy = testRecorder({ folder });
    expect(roomy.add(large)).toBe(2);
  });
});

describe('Snapshot file found damaged', () => {
  it('A damaged snapshot file is set aside as it is, and a new one is started', () => {
    const folder = testFolder();
    const recorder = testRecorder({ folder });
    const parameters = readList('parameters', [madeParameter(1, 'day 1')]);
    recorder.add(madeSnapshot([parameters]));
    recorder.close();
    const bytes = readFileSync(recorder.path);
    const pack = bytes.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
    writeFileSync(recorder.path, bytes.fill(0, pack + 10, pack + 20));
    const again = testRecorder({ folder });
    expect(again.setAside).toBe(recorder.path.replace('.sqlite', '.damaged-20261001T000000000Z'));
    expect(readFileSync(again.setAside ?? '').equals(bytes)).toBe(true);
    expect(again.all()).toEqual([]);
    expect(again.list(again.add(madeSnapshot([parameters])), PARAMETERS)?.kind).toBe('read');
  });
});

describe('Snapshot reader', () => {
  it('A reader sees what is there when it asks, while the recorder continues, and the log stays small', () => {
    const recorder = testRecorder();
    recorder.add(madeSnapshot([readList('parameters', [madeParameter(1)])]));
    const reader = openSnapshots(recorder.path);
    for (let round = 0; round < 12; round++) {
      recorder.add(madeSnapshot([readList('parameters', [madeParameter(round)])]));
      expect(reader.all().length).toBe(round + 2);
    }
    expect(statSync(`${recorder.path}-wal`).size).toBeLessThan(1_100_000);
    reader.close();
  });

  it('A reader never sees half of what a recorder removes', () => {
    const recorder = testRecorder({ nowMs: () => START_MS + 2 * DAY_MS });
    for (let day = 0; day < 3; day++)
      recorder.add(
        madeSnapshot([readList('parameters', [madeParameter(day)]), readList('assets', [])], {
          takenMs: START_MS + day * DAY_MS,
        }),
      );
    const reader = openSnapshots(recorder.path);
    expect(reader.list(1, PARAMETERS)?.kind).toBe('read');
    recorder.prune(60_000);
    expect(reader.withId(1)).toBeUndefined();
    expect(reader.list(1, PARAMETERS)).toBeUndefined();
    expect(reader.list(1, { list: 'assets', scope: '' })).toBeUndefined();
    expect(reader.lists(1)).toEqual([]);
    expect(reader.list(3, PARAMETERS)?.kind).toBe('read');
    reader.close();
  });

  it('A reader accepts a chain whose id is malformed text', () => {
    const folder = testFolder();
    for (const id of [1, 2]) {
      const recorder = testRecorder({ folder, chainId: 'ev\u001bil\ud83d' });
      expect(recorder.add(madeSnapshot([]))).toBe(id);
      recorder.close();
    }
  });

  it('A reader reports that the file does not exist', () => {
    expect(() => openSnapshots(`${testFolder()}/none.sqlite`)).toThrow('does not exist');
  });
});
