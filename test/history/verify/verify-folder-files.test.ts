import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeManifest } from '../../../src/history/manifest/manifest.ts';
import { verifyFolder } from '../../../src/history/verify/verify-folder.ts';

const FILE = 'chain-ledger-000001-001000.zip';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-folder-'));
  const time = '2026-10-01T00:00:00.000Z';
  const range = { fromBlock: '1', toBlock: '1000' };
  await writeManifest(folder, {
    format: 1,
    program: 'blockglass',
    node: 'http://n',
    chainId: 'chain',
    table: 'ledger',
    ...range,
    segmentsPerSlice: 1,
    started: time,
    finished: time,
    notes: [],
    witnesses: [],
    slices: [
      {
        ...range,
        file: FILE,
        bytes: 1,
        sha256: 'ab'.repeat(32),
        rows: 0,
        csvs: [],
        notes: [],
        segmentIds: [],
        differsFrom: null,
        started: time,
        finished: time,
      },
    ],
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const verified = () => verifyFolder(folder, new AbortController().signal);

describe('Slice listed in a manifest', () => {
  it('A listed slice is missing when no file has its name', async () => {
    expect(await verified()).toMatchObject({ kind: 'incomplete', reason: `${FILE}: The file is missing.` });
  });

  it('A listed slice is missing when it is a link to nothing', async () => {
    await symlink(join(folder, 'gone.zip'), join(folder, FILE));
    expect(await verified()).toMatchObject({ kind: 'incomplete', reason: `${FILE}: The file is missing.` });
  });

  it.each([
    ['a link that leads to itself', () => symlink(FILE, join(folder, FILE)), /its links form a loop$/],
    ['a folder', () => mkdir(join(folder, FILE)), /is a folder$/],
  ])('A listed slice is not reported missing when it cannot be read, as %s', async (_, make, sentence) => {
    await make();
    await expect(verified()).rejects.toThrow(sentence);
  });

  it('A listed slice is incomplete with the sentence of its check when it is empty', async () => {
    await writeFile(join(folder, FILE), '');
    expect(await verified()).toMatchObject({ kind: 'incomplete', reason: `${FILE}: The node sent an empty body.` });
  });
});
