import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnreadableError } from '../../../src/history/check/unreadable-error.ts';
import { createSliceRecord, readManifest, writeManifest } from '../../../src/history/manifest/manifest.ts';
import { limitSliceNotes } from '../../../src/history/manifest/slice-notes.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import { manifestOf, runOf, sliceOnDisk } from '../download/slice-on-disk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true }));

const manifestPath = (of: string) => join(of, 'manifest.json');

const manifest = async () => manifestOf([await sliceOnDisk(folder, runOf(1n, 4n), runOf(5n, 20n, 94))]);

describe('Writing a manifest', () => {
  it('A written manifest reads back the same, is readable only by its owner, and leaves nothing else', async () => {
    const written = await manifest();
    await writeManifest(folder, written);
    expect(await readManifest(folder)).toEqual(written);
    expect((await lstat(manifestPath(folder))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['c-blocks-000001-000020.zip', 'manifest.json']);
  });

  it('A manifest that is read and written again is the same to the byte, as after a run that was continued', async () => {
    const slice = await sliceOnDisk(folder, runOf(1n, 4n));
    await writeManifest(folder, manifestOf([{ ...slice, segmentIds: ['Qm1'], previousSegmentId: 'Qm0' }]));
    const first = await readFile(manifestPath(folder), 'utf8');
    const read = await readManifest(folder);
    if (read !== undefined) await writeManifest(folder, read);
    expect(await readFile(manifestPath(folder), 'utf8')).toBe(first);
  });

  it('A written manifest is readable by a person, with one member per line', async () => {
    await writeManifest(folder, await manifest());
    const text = await readFile(manifestPath(folder), 'utf8');
    expect(text).toMatch(/^\{\n {2}"format": 1,\n/);
    expect(text).toMatch(/\n\}\n$/);
  });

  it('A written manifest replaces a link instead of writing through it', async () => {
    const precious = join(folder, 'precious');
    await writeFile(precious, 'mine');
    await symlink(precious, manifestPath(folder));
    await writeManifest(folder, await manifest());
    expect(await readFile(precious, 'utf8')).toBe('mine');
    expect((await lstat(manifestPath(folder))).isFile()).toBe(true);
  });

  it('A manifest that cannot get its name reports this, and leaves nothing behind', async () => {
    const written = await manifest();
    await mkdir(manifestPath(folder));
    await expect(writeManifest(folder, written)).rejects.toBeInstanceOf(DestinationError);
    expect((await readdir(folder)).filter(name => name.endsWith('.new'))).toEqual([]);
    const nowhere = join(folder, 'nowhere');
    await expect(writeManifest(nowhere, written)).rejects.toThrow(
      new DestinationError(
        `the folder of ${join(nowhere, 'manifest.json')} does not exist: create it or choose another`,
      ),
    );
  });
});

describe('Reading a manifest', () => {
  const readAs = async (value: unknown) => {
    await writeFile(manifestPath(folder), typeof value === 'string' ? value : JSON.stringify(value));
    return readManifest(folder);
  };

  it('A manifest is absent where there is no such file', async () => {
    expect(await readManifest(folder)).toBeUndefined();
  });

  it('A manifest is not reported absent where something else has its name', async () => {
    await mkdir(manifestPath(folder));
    await expect(readManifest(folder)).rejects.toThrow(new UnreadableError(`${manifestPath(folder)} is a folder`));
  });

  it('A manifest is refused when it is larger than any can be', async () => {
    await writeFile(manifestPath(folder), '');
    await truncate(manifestPath(folder), 256 * 1024 * 1024 + 1);
    await expect(readManifest(folder)).rejects.toThrow('is too large: 268435457 bytes, the limit is 268435456');
  });

  it('A manifest may lack what earlier manifests did not contain', async () => {
    const written = await manifest();
    const { notes: _, ...rest } = written;
    const slices = written.slices.map(({ segmentIds: _, differsFrom: __, ...slice }) => ({
      ...slice,
      csvs: slice.csvs.map(({ byteOffset: _, ...csv }) => csv),
    }));
    const read = await readAs({ ...rest, slices });
    expect(read).toMatchObject({ notes: [], slices: [{ segmentIds: null, differsFrom: null }] });
    expect(read?.slices[0]?.csvs.map(({ byteOffset }) => byteOffset)).toEqual([0, 0]);
  });

  const refused = 'is not a manifest of an export: choose another folder or move it away';

  it.each(['', '{', '[]', 'null', '{"format":2}'])('A text is not the manifest of an export: %j', async text => {
    await expect(readAs(text)).rejects.toThrow(new DestinationError(`${manifestPath(folder)} ${refused}`));
  });

  it.each([
    { format: 2 },
    ...['', '-1', '1.5', 'x1', '1x', '1'.repeat(20)].flatMap(height => [{ fromBlock: height }, { toBlock: height }]),
    { finished: 1 },
    { slices: {} },
  ])('A manifest is refused with %o', async members => {
    const written = await manifest();
    expect(await readAs({ ...written, toBlock: '1'.repeat(19) })).toBeDefined();
    await expect(readAs({ ...written, ...members })).rejects.toThrow(refused);
  });

  const hash = 'ab'.repeat(32);

  it.each([
    { fromBlock: '' },
    { toBlock: 'x' },
    ...['a.zip/', '../a.zip', 'a b.zip', '/a.zip', 'a.zip.exe', 'a.zap', '.zip', ''].map(file => ({ file })),
    ...['', `${hash}0`, `0${hash}`, hash.slice(1), hash.toUpperCase()].flatMap(sha256 => [
      { sha256 },
      { differsFrom: sha256 },
    ]),
    { segmentIds: 'all' },
    { csvs: [{}] },
  ])('A manifest is refused with a slice with %o', async members => {
    const written = await manifest();
    const slices = (more: object) => written.slices.map(slice => ({ ...slice, ...more }));
    expect(await readAs({ ...written, slices: slices({ file: 'a-A_9.z.zip', sha256: hash }) })).toBeDefined();
    await expect(readAs({ ...written, slices: slices(members) })).rejects.toThrow(refused);
  });

  it.each([{ byteOffset: -1 }, { byteOffset: 0.5 }, { byteOffset: 2 ** 53 }, { fromBlock: '' }, { toBlock: 20 }])(
    'A manifest is not from an export when it has a CSV with %o',
    async members => {
      const written = await manifest();
      const csvs = written.slices.flatMap(slice => slice.csvs.map(csv => ({ ...csv, ...members })));
      const slices = written.slices.map(slice => ({ ...slice, csvs }));
      await expect(readAs({ ...written, slices })).rejects.toThrow(refused);
    },
  );
});

describe('Slice record', () => {
  const slice = { fromBlock: 1n, toBlock: 20n };
  const times = { started: 'then', finished: 'now' };
  const entry = {
    name: 'c-blocks-093-000001-000020.csv',
    byteOffset: 7,
    schemaVersion: 93,
    fromBlock: 1n,
    toBlock: 20n,
    rows: 20,
    columns: ['height'],
    bytes: 100,
    compressedBytes: 10,
    crc32: '0000abcd',
    longestLineBytes: 5,
    isWhole: true,
    findings: [],
  };
  const verdict = { kind: 'complete', reason: '', findings: [], bytes: 10, sha256: 'ab'.repeat(32) } as const;

  it('A slice record has what the check found, with heights as text', () => {
    expect(createSliceRecord(slice, 'a.zip', { ...verdict, entries: [entry], notes: ['noted'] }, times)).toEqual({
      fromBlock: '1',
      toBlock: '20',
      file: 'a.zip',
      bytes: 10,
      sha256: verdict.sha256,
      rows: 20,
      csvs: [
        {
          name: entry.name,
          byteOffset: 7,
          schemaVersion: 93,
          fromBlock: '1',
          toBlock: '20',
          rows: 20,
          columns: ['height'],
          bytes: 100,
          crc32: '0000abcd',
        },
      ],
      notes: ['noted'],
      segmentIds: null,
      differsFrom: null,
      started: 'then',
      finished: 'now',
    });
  });

  it('A slice record leaves open what the name of a CSV does not say', () => {
    const nameless = { ...entry, schemaVersion: undefined, fromBlock: undefined, toBlock: undefined };
    const { csvs } = createSliceRecord(slice, 'a.zip', { ...verdict, entries: [nameless], notes: [] }, times);
    expect(csvs).toMatchObject([{ schemaVersion: null, fromBlock: null, toBlock: null }]);
  });
});

it('Slice notes are limited to a number that people read', () => {
  const notes = Array.from({ length: 22 }, (_, index) => `note ${index}`);
  expect(limitSliceNotes(notes.slice(0, 20))).toEqual(notes.slice(0, 20));
  expect(limitSliceNotes(notes)).toEqual([...notes.slice(0, 20), '2 more notes on slices are not shown']);
});
