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
  'complete: All 2 slices are present and cover blocks 1 to 20; everything that can be checked is right; there is one row for every block.';

describe('a folder of slices', () => {
  it('is complete when each slice is what the manifest tells and all of them make up the range', async () => {
    expect(await found(manifestOf([first, second]))).toBe(complete);
    const { slices, notes } = await verdictOn(manifestOf([first, second]));
    expect(slices.map(({ file, verdict }) => [file, verdict.kind])).toEqual([
      ['c-blocks-000001-000010.zip', 'complete'],
      ['c-blocks-000011-000020.zip', 'complete'],
    ]);
    expect(notes).toEqual([]);
  });

  it('is complete for any chain where the manifest does not name one', async () => {
    expect(await found(manifestOf([first, second], { chainId: '' }), { chainId: 'other' })).toBe(complete);
  });

  it('tells the notes on the whole and then those on its slices, also of one that was changed', async () => {
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

  it('that has no manifest is refused with what can be named', async () => {
    await expect(verifyFolder(folder, new AbortController().signal)).rejects.toThrow(
      new DestinationError(`${folder} has no manifest.json: give a ZIP file or the folder of an export in slices`),
    );
  });

  it('has no verdict when the check is stopped', async () => {
    await writeManifest(folder, manifestOf([first, second]));
    await expect(verifyFolder(folder, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('the first slice that is not right decides', () => {
  it('when it is missing', async () => {
    await rm(join(folder, second.file));
    const { kind, reason, slices, notes } = await verdictOn(manifestOf([first, second]));
    expect(`${kind}: ${reason}`).toBe(`incomplete: ${second.file}: The file is missing.`);
    expect(slices.map(({ verdict }) => verdict.kind)).toEqual(['complete', 'incomplete']);
    expect(notes).toEqual([]);
  });

  it('when it is an error of the node', async () => {
    await writeFile(join(folder, first.file), '{"error":{"code":13,"message":"late","details":[]}}');
    expect(await found(manifestOf([first, second]))).toMatch(
      /^incomplete: c-blocks-000001-000010.zip: The node sent an/,
    );
  });

  it('when it is damaged, and no other slice is held against it', async () => {
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
  ])('when the manifest has %s', async (_title, edit, expected) => {
    expect(await found(manifestOf([first, { ...second, ...edit(second) }]))).toMatch(expected);
  });

  it('when it is of another chain or table than the manifest tells', async () => {
    expect(await found(manifestOf([first, second], { chainId: 'd' }))).toMatch(
      /^damaged: c-blocks-000001-000010.zip: /,
    );
    expect(await found(manifestOf([first, second], { table: 'ledger' }))).toMatch(/^damaged: c-blocks-000001-0/);
  });

  it.each(['schemaVersion', 'fromBlock', 'toBlock'])(
    'but a CSV of which no %s was recorded holds nothing against it',
    async member => {
      const csvs = second.csvs.map((csv, index) => ({ ...csv, ...(index === 1 && { [member]: null }) }));
      expect(await found(manifestOf([first, { ...second, csvs }]))).toBe(complete);
    },
  );
});

describe('slices that are right one by one', () => {
  const missing = (block: number) =>
    `incomplete: Block ${block} is in no slice: run the export again to download what is missing.`;

  it.each<[string, number, (slices: readonly [SliceRecord, SliceRecord]) => readonly SliceRecord[]]>([
    ['the first', 1, ([, last]) => [last]],
    ['the last', 11, ([front]) => [front]],
    ['all', 1, () => []],
  ])('are incomplete without %s', async (_title, block, pick) => {
    expect(await found(manifestOf(pick([first, second])))).toBe(missing(block));
  });

  it('are incomplete without one in the middle', async () => {
    const third = await sliceOnDisk(folder, runOf(31n, 40n));
    expect(await found(manifestOf([first, second, third], { toBlock: '40' }))).toBe(missing(21));
  });

  it('are damaged when they overlap, are out of order or go beyond: no block is called missing that is there', async () => {
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

  it('are none of a range that has no block', async () => {
    expect(await found(manifestOf([], { fromBlock: '2', toBlock: '1' }))).toMatch(/^damaged: /);
  });
});

describe('a folder of another export than was asked for', () => {
  it.each<[Expectation, string]>([
    [{ table: 'ledger' }, 'ledger of 1 to 20 of chain c'],
    [{ fromBlock: 2n }, 'blocks of 2 to 20 of chain c'],
    [{ toBlock: 21n }, 'blocks of 1 to 21 of chain c'],
    [{ chainId: 'd' }, 'blocks of 1 to 20 of chain d'],
  ])('is damaged for %o', async (asked, wanted) => {
    expect(await found(manifestOf([first, second]), asked)).toBe(
      `damaged: The folder contains blocks of blocks 1 to 20 of chain c, not ${wanted}.`,
    );
  });

  it('is reported without what is not known', async () => {
    expect(await found(manifestOf([first, second], { chainId: '' }), { table: 'ledger' })).toBe(
      'damaged: The folder contains blocks of blocks 1 to 20 of chain ?, not ledger of 1 to 20.',
    );
  });

  it('is complete when what was asked for is what it holds', async () => {
    const asked = { table: 'blocks', fromBlock: 1n, toBlock: 20n, chainId: 'c' };
    expect(await found(manifestOf([first, second]), asked)).toBe(complete);
  });
});
