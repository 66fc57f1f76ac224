import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Expectation } from '../../../src/history/check/verdict.ts';
import { type Manifest, type SliceRecord, writeManifest } from '../../../src/history/manifest/manifest.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import { verifyFolder } from '../../../src/history/verify/verify-folder.ts';
import { blocksCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';
import { manifestOf, runOf, sliceOnDisk } from '../download/slice-on-disk.ts';

let folder: string;
/** Blocks 1 to 10, of one schema version, and 11 to 20, of two. */
let first: SliceRecord;
let second: SliceRecord;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  first = await sliceOnDisk(folder, runOf(1n, 10n));
  second = await sliceOnDisk(folder, runOf(11n, 14n), runOf(15n, 20n, 94));
});
afterEach(() => rm(folder, { recursive: true }));

/** The verdict on the folder with this manifest. */
async function verdictOn(manifest: Manifest, asked?: Expectation) {
  await writeManifest(folder, manifest);
  return verifyFolder(folder, new AbortController().signal, asked);
}

const found = async (manifest: Manifest, asked?: Expectation) => {
  const { kind, reason } = await verdictOn(manifest, asked);
  return `${kind}: ${reason}`;
};

const complete =
  'complete: All 2 slices are present and cover blocks 1 to 20; all checks passed; there is one row for every block.';

describe('Folder of slices', () => {
  it('A folder of slices is complete when each slice matches the manifest and together they form the range', async () => {
    expect(await found(manifestOf([first, second]))).toBe(complete);
    const { slices, notes } = await verdictOn(manifestOf([first, second]));
    expect(slices.map(({ file, verdict }) => [file, verdict.kind])).toEqual([
      ['c-blocks-000001-000010.zip', 'complete'],
      ['c-blocks-000011-000020.zip', 'complete'],
    ]);
    expect(notes).toEqual([]);
  });

  it('A folder of slices is complete for any chain if the manifest gives none', async () => {
    expect(await found(manifestOf([first, second], { chainId: '' }), { chainId: 'other' })).toBe(complete);
  });

  it('A folder of slices reports the notes on the whole, then those on its slices, including a changed one', async () => {
    const rows = blocksCsv(11, 20).replace('hash\n', 'hash,more\n');
    const content = rows.replaceAll(/(ab\d+)\n/g, '$1,1\n');
    await writeFile(join(folder, second.file), zipOf([{ name: 'c-blocks-093-000011-000020.csv', content }]));
    const csvs = second.csvs.map(csv => ({ ...csv, fromBlock: null }));
    const changed = manifestOf([first, { ...second, csvs }], { notes: ['the history changed'] });
    expect((await verdictOn(changed)).notes).toEqual(['the history changed', expect.stringContaining('more')]);
    expect(await found(changed)).toBe(
      `damaged: ${second.file}: The file is a complete export, but its SHA-256 is not the one in the manifest.`,
    );
  });

  it('A folder of slices without a manifest is refused with what can be given instead', async () => {
    await expect(verifyFolder(folder, new AbortController().signal)).rejects.toThrow(
      new DestinationError(`${folder} has no manifest.json: give a ZIP file or the folder of an export in slices`),
    );
  });

  it('A folder of slices has no verdict when the check is stopped', async () => {
    await writeManifest(folder, manifestOf([first, second]));
    await expect(verifyFolder(folder, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('First bad slice of a folder', () => {
  it('The first bad slice decides when it is missing', async () => {
    await rm(join(folder, second.file));
    const { kind, reason, slices, notes } = await verdictOn(manifestOf([first, second]));
    expect(`${kind}: ${reason}`).toBe(`incomplete: ${second.file}: The file is missing.`);
    expect(slices.map(({ verdict }) => verdict.kind)).toEqual(['complete', 'incomplete']);
    expect(notes).toEqual([]);
  });

  it('The first bad slice decides when it is a node error', async () => {
    await writeFile(join(folder, first.file), '{"error":{"code":13,"message":"late","details":[]}}');
    expect(await found(manifestOf([first, second]))).toMatch(
      /^incomplete: c-blocks-000001-000010.zip: The node sent an/,
    );
  });

  it('The first bad slice decides when it is damaged, and no other slice is held against it', async () => {
    await writeFile(join(folder, first.file), 'what is this');
    await rm(join(folder, second.file));
    expect(await found(manifestOf([first, second]))).toMatch(/^damaged: c-blocks-000001-000010.zip: The body is not a/);
  });

  it.each<[string, (slice: SliceRecord) => Partial<SliceRecord>, RegExp]>([
    ['a block fewer', () => ({ fromBlock: '12' }), /^damaged: /],
    ['a block more', () => ({ toBlock: '21' }), /^incomplete: /],
    ['another schema version', ({ csvs }) => ({ csvs: csvs.map(csv => ({ ...csv, schemaVersion: 1 })) }), /^damaged: /],
    ['one CSV for all of it', ({ csvs }) => ({ csvs: csvs.map(csv => ({ ...csv, toBlock: '20' })) }), /^damaged: /],
    [
      'CSVs from other blocks on',
      ({ csvs }) => ({ csvs: csvs.map(csv => ({ ...csv, fromBlock: '9' })) }),
      /^damaged: /,
    ],
  ])('The first bad slice decides when the manifest has %s', async (_title, edit, expected) => {
    expect(await found(manifestOf([first, { ...second, ...edit(second) }]))).toMatch(expected);
  });

  it('The first bad slice decides when its chain or table differs from the manifest', async () => {
    expect(await found(manifestOf([first, second], { chainId: 'd' }))).toMatch(
      /^damaged: c-blocks-000001-000010.zip: /,
    );
    expect(await found(manifestOf([first, second], { table: 'ledger' }))).toMatch(/^damaged: c-blocks-000001-0/);
  });

  it.each(['schemaVersion', 'fromBlock', 'toBlock'])(
    'A CSV without a recorded %s counts nothing against its slice',
    async member => {
      const csvs = second.csvs.map((csv, index) => ({ ...csv, ...(index === 1 && { [member]: null }) }));
      expect(await found(manifestOf([first, { ...second, csvs }]))).toBe(complete);
    },
  );
});

describe('Folder of good slices that do not form the range', () => {
  const missing = (block: number) =>
    `incomplete: Block ${block} is missing: run the export again to download the rest.`;

  it.each<[string, number, (slices: readonly [SliceRecord, SliceRecord]) => readonly SliceRecord[]]>([
    ['the first', 1, ([, last]) => [last]],
    ['the last', 11, ([front]) => [front]],
    ['all', 1, () => []],
  ])('A folder of good slices is incomplete without %s', async (_title, block, pick) => {
    expect(await found(manifestOf(pick([first, second])))).toBe(missing(block));
  });

  it('A folder of good slices is incomplete without one in the middle', async () => {
    const third = await sliceOnDisk(folder, runOf(31n, 40n));
    expect(await found(manifestOf([first, second, third], { toBlock: '40' }))).toBe(missing(21));
  });

  it('Good slices that overlap, are out of order or go beyond are damaged, and no present block is called missing', async () => {
    const reason = (to: number) =>
      `damaged: The slices cover blocks 1 to ${to}, but they overlap, are out of order or go beyond it.`;
    const overlapping = await sliceOnDisk(folder, runOf(8n, 20n));
    const inside = await sliceOnDisk(folder, runOf(3n, 5n));
    expect(await found(manifestOf([second, first]))).toBe(reason(20));
    expect(await found(manifestOf([first, overlapping]))).toBe(reason(20));
    expect(await found(manifestOf([first, inside, second]))).toBe(reason(20));
    expect(await found(manifestOf([first, second, second]))).toBe(reason(20));
    expect(await found(manifestOf([first, second], { toBlock: '19' }))).toBe(reason(19));
    expect(await found(manifestOf([second, inside]))).toBe(missing(1));
    expect(await found(manifestOf([overlapping, inside, first], { toBlock: '30' }))).toBe(missing(21));
    const single = await sliceOnDisk(folder, runOf(21n, 21n));
    expect(await found(manifestOf([second, first], { toBlock: '21' }))).toBe(missing(21));
    expect(await found(manifestOf([second, single, first], { toBlock: '30' }))).toBe(missing(22));
  });

  it('A folder of good slices does not match a range without a block', async () => {
    expect(await found(manifestOf([], { fromBlock: '2', toBlock: '1' }))).toMatch(/^damaged: /);
  });
});

describe('Folder of another export than requested', () => {
  it.each<[Expectation, string]>([
    [{ table: 'ledger' }, 'ledger of 1 to 20 of chain c'],
    [{ fromBlock: 2n }, 'blocks of 2 to 20 of chain c'],
    [{ toBlock: 21n }, 'blocks of 1 to 21 of chain c'],
    [{ chainId: 'd' }, 'blocks of 1 to 20 of chain d'],
  ])('A folder of another export than requested is damaged for %o', async (asked, wanted) => {
    expect(await found(manifestOf([first, second]), asked)).toBe(
      `damaged: The folder contains blocks of blocks 1 to 20 of chain c, not ${wanted}.`,
    );
  });

  it('A folder of another export is reported without what is unknown', async () => {
    expect(await found(manifestOf([first, second], { chainId: '' }), { table: 'ledger' })).toBe(
      'damaged: The folder contains blocks of blocks 1 to 20 of chain ?, not ledger of 1 to 20.',
    );
  });

  it('A folder is complete when the requested export is what it contains', async () => {
    const asked = { table: 'blocks', fromBlock: 1n, toBlock: 20n, chainId: 'c' };
    expect(await found(manifestOf([first, second]), asked)).toBe(complete);
  });
});
