import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createManifest,
  type Manifest,
  readManifest,
  resumeManifest,
  writeManifest,
} from '../../../src/history/manifest/manifest.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import { blocksPlan, manifestOf, runOf, sliceOnDisk } from '../download/slice-on-disk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true }));

const begun = {
  program: 'blockglass test',
  node: 'http://127.0.0.1:1/',
  slices: { segmentsPerSlice: 5, parallel: 2 },
  startedMs: Date.UTC(2026, 0, 2, 3, 4, 5),
};

describe('New slice manifest', () => {
  it('A new manifest says what was requested from which node, and has no slices yet', () => {
    expect(createManifest({ ...begun, plan: blocksPlan(1n, 5000n) })).toEqual({
      format: 1,
      program: 'blockglass test',
      node: 'http://127.0.0.1:1/',
      chainId: 'c',
      table: 'blocks',
      fromBlock: '1',
      toBlock: '5000',
      segmentsPerSlice: 5,
      started: '2026-01-02T03:04:05.000Z',
      finished: null,
      notes: [],
      witnesses: [],
      slices: [],
    });
  });

  it('A new manifest leaves the chain open while it is unknown', () => {
    const { chainId: _, ...plan } = blocksPlan(1n, 5000n);
    expect(createManifest({ ...begun, plan }).chainId).toBe('');
  });

  it('A new manifest can be read back', async () => {
    const fresh = createManifest({ ...begun, plan: blocksPlan(1n, 5000n) });
    expect(await resumeManifest(folder, fresh)).toBe(fresh);
    expect(await readManifest(folder)).toEqual(fresh);
  });
});

describe('Slice manifest of an earlier run', () => {
  const fresh = manifestOf([], { started: 'later', program: 'a later one', node: 'another' });

  it('An earlier manifest is continued, whatever program or node it was begun with', async () => {
    const earlier = manifestOf([await sliceOnDisk(folder, runOf(1n, 10n))]);
    await writeManifest(folder, earlier);
    expect(await resumeManifest(folder, fresh)).toEqual(earlier);
    expect(await readManifest(folder)).toEqual(earlier);
  });

  it.each<[Partial<Manifest>, string]>([
    [{ table: 'ledger' }, 'has another export (ledger, blocks 1 to 20): choose another folder'],
    [{ fromBlock: '2' }, 'has another export (blocks, blocks 2 to 20): choose another folder'],
    [{ toBlock: '19' }, 'has another export (blocks, blocks 1 to 19): choose another folder'],
    [{ chainId: 'd' }, 'has another export (blocks, blocks 1 to 20): choose another folder'],
    [{ segmentsPerSlice: 4 }, 'has slices of 4 segments: continue with --slice 4, or choose another folder for blocks'],
  ])('An earlier manifest of another export is left as it is: %o', async (members, problem) => {
    const earlier = manifestOf([], members);
    await writeManifest(folder, earlier);
    await expect(resumeManifest(folder, fresh)).rejects.toThrow(new DestinationError(`${folder} ${problem}`));
    expect(await readManifest(folder)).toEqual(earlier);
    expect(await readdir(folder)).toEqual(['manifest.json']);
  });
});
