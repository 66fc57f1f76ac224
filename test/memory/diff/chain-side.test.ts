import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSnapshotSide } from '../../../src/memory/diff/chain-side.ts';
import { openRecorder, openSnapshots } from '../../../src/memory/snapshots/index.ts';

const DAY_MS = 86_400_000;

it('A snapshot that is removed while it is read is not a side of a diff', () => {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-side-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const recorder = openRecorder({ folder, chainId: 'c', nowMs: () => 40 * DAY_MS });
  for (const day of [1, 30])
    recorder.add({
      ...{ takenMs: day * DAY_MS, endedMs: day * DAY_MS, node: 'n', blockHeight: null, blockTimeNs: null },
      genesisTime: null,
      lists: ['assets', 'parameters'].map(list => ({ list, scope: '', kind: 'read', records: [`{"id":"${day}"}`] })),
    });
  const opened = openSnapshots(recorder.path);
  onTestFinished(() => opened.close());
  const info = opened.withId(1);
  if (info === undefined) throw new Error('the first one');
  expect(readSnapshotSide(opened, info)?.lists.length).toBe(2);
  const list: typeof opened.list = (...named) => {
    // Another process prunes between two lists.
    if (named[1].list === 'parameters') recorder.prune(5 * DAY_MS);
    return opened.list(...named);
  };
  expect(readSnapshotSide({ ...opened, list }, info)).toBe(undefined);
  recorder.close();
});
