import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEntryContent, readFirstRows } from '../../../src/history/check/read-entries.ts';
import { openFiles } from './open-files.ts';
import { balancesHeader, balancesName, csv } from './samples.ts';
import { type OddEntry, zipOf } from './zip-bytes.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  path = join(folder, 'a.zip');
});
afterEach(() => rm(folder, { recursive: true }));

const rows = Array.from({ length: 40_000 }, (_, row) => `\\x${row},,"é",${row * 7919}`);
const content = csv(balancesHeader, ...rows);
const place = { name: balancesName, byteOffset: 0 };

async function archiveOf(...entries: readonly OddEntry[]): Promise<Buffer> {
  const bytes = zipOf(entries);
  await writeFile(path, bytes);
  return bytes;
}

async function contentAt(of: { readonly name: string; readonly byteOffset: number }): Promise<string | undefined> {
  const chunks = await openEntryContent(path, of);
  return chunks && Buffer.concat(await Array.fromAsync(chunks)).toString();
}

describe('Entry content', () => {
  it.each<Partial<OddEntry>>([
    {},
    { descriptor: 0 },
    { descriptor: 0, isLocalZip64: true },
    { method: 0, descriptor: 0 },
    { method: 0, descriptor: 0, isLocalZip64: true },
  ])('The entry content is the whole entry and nothing of the next one: %o', async how => {
    const bytes = await archiveOf({ name: balancesName, content, ...how }, { name: 'b.csv', content: 'next', ...how });
    expect(await contentAt(place)).toBe(content);
    const second = bytes.indexOf('PK\u0003\u0004', 100);
    expect(await contentAt({ name: 'b.csv', byteOffset: second })).toBe('next');
  });

  it.each([0, 8] as const)('The entry content may be empty, by method %d', async method => {
    await archiveOf({ name: balancesName, content: '', method, descriptor: 0 }, { name: 'b.csv', content: 'next' });
    expect(await contentAt(place)).toBe('');
  });

  it('The entry content is undefined where no entry of that name begins', async () => {
    const bytes = await archiveOf({ name: balancesName, content });
    expect(await contentAt({ ...place, name: 'other.csv' })).toBeUndefined();
    expect(await contentAt({ ...place, byteOffset: 1 })).toBeUndefined();
    expect(await contentAt({ ...place, byteOffset: bytes.length - 4 })).toBeUndefined();
    expect(await contentAt({ ...place, byteOffset: bytes.length })).toBeUndefined();
    await writeFile(path, Buffer.concat([Buffer.from('PK\u0005\u0006'), bytes.subarray(4)]));
    expect(await contentAt(place)).toBeUndefined();
    await writeFile(path, bytes.subarray(0, 29));
    expect(await contentAt(place)).toBeUndefined();
    await writeFile(path, bytes.subarray(0, 40));
    expect(await contentAt(place)).toBeUndefined();
  });

  it.each([0, 8] as const)(
    'The entry content that cannot be read to its end is an error for its reader, by method %d',
    async method => {
      await archiveOf({ name: balancesName, content, method, descriptor: 0 });
      const chunks = await openEntryContent(path, place);
      await rm(path);
      await expect(chunks?.next()).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  it.each([0, 8] as const)(
    'The entry content leaves no file open, read to its end or not, by method %d',
    async method => {
      const entry = { name: balancesName, content, method, descriptor: 0 } as const;
      await archiveOf(entry, { ...entry, name: 'b.csv' });
      for await (const chunk of (await openEntryContent(path, place)) ?? []) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      await vi.waitFor(() => expect(openFiles(path)).toEqual([]));
      expect(await contentAt(place)).toBe(content);
      await vi.waitFor(() => expect(openFiles(path)).toEqual([]));
    },
  );
});

describe('Preview of the first rows of an entry', () => {
  const shown = (row: number) => [`\\x${row}`, null, 'é', String(row * 7919)];

  it('The preview has the number of rows requested, or all there are', async () => {
    await archiveOf({ name: balancesName, content: csv(balancesHeader, ...rows.slice(0, 3)) });
    expect(await readFirstRows('nowhere', place, 0)).toEqual([]);
    expect(await readFirstRows(path, place, 2)).toEqual([0, 1].map(shown));
    expect(await readFirstRows(path, place, 3)).toEqual([0, 1, 2].map(shown));
    expect(await readFirstRows(path, place, 4)).toEqual([0, 1, 2].map(shown));
  });

  it('The preview has whole rows where they span two reads', async () => {
    await archiveOf({ name: balancesName, content });
    const all = await readFirstRows(path, place, 40_000);
    expect(all).toHaveLength(40_000);
    expect(all.every((row, index) => row.join() === shown(index).join())).toBe(true);
  });

  it('The preview has the rows before the truncation', async () => {
    const bytes = await archiveOf({ name: balancesName, content });
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    expect(await readFirstRows(path, place, 5)).toEqual([0, 1, 2, 3, 4].map(shown));
    const all = await readFirstRows(path, place, 40_000);
    expect(all.length).toBeGreaterThan(5);
    expect(all).toEqual(all.map((_, row) => shown(row)));
  });

  it.each(['', 'x'])('The preview has whole rows where a character spans two reads: %j', async pad => {
    const row = `${'é'.repeat(30)}x`;
    const text = csv(`${balancesHeader}${pad}`, ...Array(5000).fill(row));
    await archiveOf({ name: balancesName, content: text, method: 0, descriptor: 0 });
    expect(await readFirstRows(path, place, 5000)).toEqual(Array(5000).fill([row]));
    const linesAtOnce =
      Buffer.from(text)
        .subarray(0, 64 * 1024)
        .toString()
        .split('\n').length - 1;
    expect(await readFirstRows(path, place, linesAtOnce)).toHaveLength(linesAtOnce);
  });

  it('The preview is an error when not even the header can be read', async () => {
    const bytes = await archiveOf({ name: balancesName, content });
    await writeFile(path, bytes.fill(0xff, 30 + balancesName.length));
    await expect(readFirstRows(path, place, 5)).rejects.toThrow('invalid block type');
  });

  it('The preview cuts rows to what a screen shows', async () => {
    const wide = `${'x'.repeat(5000)}${',y'.repeat(300)}`;
    await archiveOf({ name: balancesName, content: csv(balancesHeader, wide) });
    const [row] = await readFirstRows(path, place, 1);
    expect(row?.[0]).toBe(`${'x'.repeat(4096)}...`);
    expect(row).toHaveLength(200);
  });
});
