import { appendFileSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArchiveFile, FileGrowth } from '../../../src/history/check/archive-file.ts';
import type { ByteReader } from '../../../src/history/check/byte-feed.ts';
import { checkArchive } from '../../../src/history/check/check-archive.ts';
import { UnreadableError } from '../../../src/history/check/unreadable-error.ts';
import { openFiles } from './open-files.ts';
import { balancesCsv } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  path = join(folder, 'a.zip');
  await writeFile(path, 'abcdef');
});
afterEach(() => rm(folder, { recursive: true }));

const textOf = async (reader: ByteReader) => (await reader.read())?.toString();

/** What has come of a promise by now. */
const soFar = (promise: Promise<unknown>) => Promise.race([promise, setImmediate('nothing yet')]);

describe('Archive file, finished', () => {
  it('A finished archive file is read to its end by each reader, from any position', async () => {
    const file = new ArchiveFile(path);
    const [one, other] = [file.reader(), file.reader()];
    expect(await textOf(one)).toBe('abcdef');
    expect(await textOf(one)).toBeUndefined();
    expect(await textOf(other)).toBe('abcdef');
    one.moveTo(4);
    expect(await textOf(one)).toBe('ef');
    one.moveTo(6);
    expect(await textOf(one)).toBeUndefined();
    file.close();
  });

  it('A finished archive file has a tail that can be read, which is the whole file when it is short', () => {
    const file = new ArchiveFile(path);
    expect(file.tail(2).toString()).toBe('ef');
    expect(file.tail(6).toString()).toBe('abcdef');
    expect(file.tail(100).toString()).toBe('abcdef');
    file.close();
  });

  it('A finished archive file is read in pieces, and yields to other tasks at intervals', async () => {
    await truncate(path, 9 * 1024 * 1024 + 3);
    const file = new ArchiveFile(path);
    const reader = file.reader();
    const bytesAtTurns: number[] = [];
    let bytes = 0;
    let isOver = false;
    const turns = (async () => {
      for (; !isOver; await setImmediate()) bytesAtTurns.push(bytes);
    })();
    for (let piece = await reader.read(); piece !== undefined; piece = await reader.read()) {
      expect(piece.length).toBeLessThanOrEqual(256 * 1024);
      bytes += piece.length;
    }
    isOver = true;
    await turns;
    expect(bytes).toBe(9 * 1024 * 1024 + 3);
    const MiB = 1024 * 1024;
    expect([...new Set(bytesAtTurns)].map(at => at / MiB).filter(at => at > 0 && at < 9)).toEqual([4, 8]);
    file.close();
  });

  it('A finished archive file yields to other tasks as often when it is read from a later position', async () => {
    await truncate(path, 9 * 1024 * 1024);
    const file = new ArchiveFile(path);
    const reader = file.reader();
    reader.moveTo(8 * 1024 * 1024);
    let hasTurned = false;
    const turn = setImmediate().then(() => {
      hasTurned = true;
    });
    for (let piece = await reader.read(); piece !== undefined; piece = await reader.read());
    expect(hasTurned).toBe(false);
    await turn;
    file.close();
  });

  it('A finished archive file is not read after it is closed, or after the reading is aborted', async () => {
    const abort = new AbortController();
    const file = new ArchiveFile(path, undefined, abort.signal);
    const reader = file.reader();
    expect(await textOf(reader)).toBe('abcdef');
    reader.moveTo(0);
    abort.abort(new Error('stopped'));
    await expect(reader.read()).rejects.toThrow('stopped');
    const closed = new ArchiveFile(path);
    closed.close();
    await expect(closed.reader().read()).rejects.toThrow('The file was closed.');
  });
});

describe('Archive file, growing', () => {
  it('A growing archive file is read up to its reported size, and no further', async () => {
    const growth = new FileGrowth();
    const file = new ArchiveFile(path, growth);
    const reader = file.reader();
    const first = textOf(reader);
    expect(await soFar(first)).toBe('nothing yet');
    growth.grown(2);
    expect(await first).toBe('ab');
    growth.grown(1);
    const second = textOf(reader);
    expect(await soFar(second)).toBe('nothing yet');
    growth.grown(3);
    expect(await second).toBe('c');
    expect(file.tail(2).toString()).toBe('bc');
    growth.grown(6);
    expect(await textOf(reader)).toBe('def');
    expect(growth.bytes).toBe(6);
    const third = textOf(reader);
    expect(await soFar(third)).toBe('nothing yet');
    growth.ended(true);
    expect(await third).toBeUndefined();
    expect(file.tail(3).toString()).toBe('def');
    file.close();
  });

  it('A growing archive file notifies everyone who waits, and reports how it ended', async () => {
    const growth = new FileGrowth();
    expect([growth.bytes, growth.isEnded, growth.isBodyComplete]).toEqual([0, false, true]);
    const waits = [growth.changed(), growth.changed()];
    growth.grown(1);
    await Promise.all(waits);
    const next = growth.changed();
    expect(await soFar(next)).toBe('nothing yet');
    growth.ended(false);
    await next;
    expect([growth.bytes, growth.isEnded, growth.isBodyComplete]).toEqual([1, true, false]);
  });

  it('A growing archive file is judged once its end is reported', async () => {
    const whole = zipOf([{ name: 'c-balances-093-000001-001000.csv', content: balancesCsv }]);
    await writeFile(path, whole.subarray(0, 60));
    const growth = new FileGrowth();
    growth.grown(60);
    const check = checkArchive(path, undefined, { growth, isBodyComplete: () => growth.isBodyComplete });
    appendFileSync(path, whole.subarray(60));
    growth.grown(whole.length);
    growth.ended(false);
    expect((await check).findings.map(({ fault }) => fault)).toEqual(['unconfirmed-end']);
  });
});

it('A finished file counts as fully sent', () => {
  const { bytes, isEnded, isBodyComplete } = FileGrowth.finished(6);
  expect({ bytes, isEnded, isBodyComplete }).toEqual({ bytes: 6, isEnded: true, isBodyComplete: true });
});

it('A check of an archive leaves no file open, with or without a verdict', async () => {
  await checkArchive(path, undefined);
  await checkArchive(path, undefined, { signal: AbortSignal.abort() }).catch(() => {});
  expect(openFiles(path)).toEqual([]);
});

it('A file truncated while it is read is unreadable, which is neither a verdict nor an internal error', async () => {
  const whole = zipOf([{ name: 'c-balances-093-000001-001000.csv', content: balancesCsv }]);
  await writeFile(path, whole.subarray(0, 60));
  const check = checkArchive(path, undefined, { growth: FileGrowth.finished(whole.length) });
  await expect(check).rejects.toThrow(new UnreadableError(`${path} was truncated to 60 bytes while it was read`));
  const file = new ArchiveFile(path, FileGrowth.finished(65));
  expect(file.tail(10).equals(whole.subarray(55, 60))).toBe(true);
  file.close();
});
