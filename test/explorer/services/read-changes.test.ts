import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { readChanges } from '../../../src/explorer/services/changes/read-changes.ts';
import { readChain } from '../../../src/memory/record/read-chain.ts';
import { listSnapshotFiles, openRecorder, openSnapshots } from '../../../src/memory/snapshots/index.ts';
import { type AlteredNode, startAlteredNode } from '../../memory/record/altered-node.ts';

let node: AlteredNode;
beforeAll(async () => {
  node = await startAlteredNode(1);
});
afterAll(() => node[Symbol.asyncDispose]());

const NOW_MS = Date.UTC(2026, 9, 1, 12);

const none =
  'No snapshot of this chain yet. Take one with blockglass record --node n --once, or omit --once to record every 10 minutes.';

function asking() {
  const stateFolder = mkdtempSync(join(tmpdir(), 'blockglass-changes-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const client = createClient({ base: new URL(node.url) });
  const folder = join(stateFolder, 'snapshots');
  const ask = (chainId = 'demo-chain-1', nowMs = NOW_MS + 1) =>
    readChanges(
      { chainId, isAll: false, sinceMs: NOW_MS - 1, nowMs, recordCommand: 'blockglass record --node n' },
      { client, stateFolder, isDemo: false, signal, nowMs: () => NOW_MS, onList: () => {} },
    );
  /** What the node shows, as a snapshot of a chain. */
  const record = async (chainId = 'demo-chain-1') => {
    const nowMs = () => NOW_MS;
    const reading = await readChain(client, { signal, nowMs });
    const recorder = openRecorder({ folder, chainId, nowMs });
    recorder.add(reading);
    recorder.close();
  };
  const stored = () =>
    listSnapshotFiles(folder).flatMap(({ path }) => {
      const opened = openSnapshots(path);
      const all = opened.all();
      opened.close();
      return all;
    });
  return { ask, record, stored };
}

it('The comparison with a snapshot reads no node and stores nothing when there is no snapshot', async () => {
  const { ask, stored } = asking();
  node.requests.length = 0;
  expect(await ask()).toEqual({ kind: 'none', why: none });
  expect(node.requests).toEqual([]);
  expect(stored()).toEqual([]);
});

it('The comparison with a snapshot uses one of today if there is none before it, and stores nothing', async () => {
  const { ask, record, stored } = asking();
  await record();
  expect(await ask()).toMatchObject({
    kind: 'found',
    isLater: true,
    before: { snapshot: 1 },
    found: { changes: [] },
  });
  // That snapshot itself is shown.
  expect(await ask('demo-chain-1', NOW_MS)).toEqual({
    kind: 'none',
    why: 'Snapshot 1 is the oldest: there is nothing older to compare it with.',
  });
  expect(stored().length).toBe(1);
});

it('The comparison with a snapshot does not read a node that does not name its chain, and suggests no snapshot', async () => {
  const { ask } = asking();
  node.requests.length = 0;
  const why = 'Snapshots need the chain id of the node, and this node does not report one.';
  expect(await ask('')).toEqual({ kind: 'none', why });
  expect(node.requests).toEqual([]);
});

it('The comparison with a snapshot reports that the node is now on another chain', async () => {
  const { ask, record } = asking();
  await record('old-chain');
  expect(await ask('old-chain')).toEqual({
    kind: 'none',
    why: 'The node is now of another chain, demo-chain-1.',
  });
});
