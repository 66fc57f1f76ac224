import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { readChanges } from '../../../src/explorer/services/changes/read-changes.ts';
import { chainFiles, openRecorder, openSnapshots } from '../../../src/snapshots/index.ts';
import { type AlteredNode, startAlteredNode } from '../../record/altered-node.ts';

let node: AlteredNode;
beforeAll(async () => {
  node = await startAlteredNode(1);
});
afterAll(() => node[Symbol.asyncDispose]());

const NOW_MS = Date.UTC(2026, 9, 1, 12);

function asking() {
  const stateFolder = mkdtempSync(join(tmpdir(), 'blockglass-changes-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const client = createClient({ base: new URL(node.url) });
  const snapshots = join(stateFolder, 'snapshots');
  const ask = (isRecorded: boolean, chainId = 'demo-chain-1', nowMs = NOW_MS + 1) =>
    readChanges(
      { chainId, isRecorded, isAll: false, sinceMs: NOW_MS - 1, nowMs, recordCommand: 'blockglass record --node n' },
      { client, stateFolder, isDemo: false, signal, nowMs: () => NOW_MS, onList: () => {} },
    );
  const stored = () =>
    chainFiles(snapshots).flatMap(({ path }) => {
      const opened = openSnapshots(path);
      const all = opened.all();
      opened.close();
      return all;
    });
  return { ask, stored, snapshots };
}

it('Without a snapshot the node is not read, unless the setting stores the first one', async () => {
  const { ask, stored } = asking();
  node.requests.length = 0;
  expect(await ask(false)).toEqual({
    kind: 'none',
    why: 'There is no snapshot of this chain yet. Store one with blockglass record --node n --once; without --once it goes on.',
  });
  expect(node.requests).toEqual([]);
  expect(await ask(true)).toEqual({ kind: 'none', why: 'The first snapshot of this chain is stored now.' });
  expect(stored().length).toBe(1);
  // The first one is of today.
  expect(await ask(true)).toMatchObject({
    kind: 'found',
    isLater: true,
    before: { snapshot: 1 },
    found: { changes: [] },
  });
  expect(stored().length).toBe(2);
  // That snapshot itself is shown.
  expect(await ask(false, 'demo-chain-1', NOW_MS)).toEqual({
    kind: 'none',
    why: 'Snapshot 1 is the oldest: there is nothing older to compare it with.',
  });
  expect(await ask(false)).toMatchObject({ kind: 'found' });
  expect(stored().length).toBe(2);
});

it('Of a node that does not name its chain no snapshot is advised, and it is not read', async () => {
  const { ask } = asking();
  node.requests.length = 0;
  const why = 'Snapshots need a node that names its chain. This one does not.';
  expect(await ask(false, '')).toEqual({ kind: 'none', why });
  expect(await ask(true, '')).toEqual({ kind: 'none', why });
  expect(node.requests).toEqual([]);
});

it('Where another process records the chain, its snapshots are enough', async () => {
  const { ask, stored, snapshots } = asking();
  await ask(true);
  const recorder = openRecorder({ folder: snapshots, chainId: 'demo-chain-1', nowMs: () => NOW_MS });
  expect(await ask(true)).toMatchObject({ kind: 'found' });
  recorder.close();
  expect(stored().length).toBe(1);
});

it('A node of another chain by now is said, and nothing is stored', async () => {
  const { ask, stored } = asking();
  expect(await ask(true, 'old-chain')).toMatchObject({ kind: 'none', why: expect.stringContaining('another chain') });
  expect(stored()).toEqual([]);
});
