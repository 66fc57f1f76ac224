import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openRecorder, snapshotFilePath } from '../../src/memory/snapshots/index.ts';
import { type AlteredNode, startAlteredNode } from '../memory/record/altered-node.ts';
import { run } from './run-command.ts';

let node: AlteredNode;
beforeAll(async () => {
  node = await startAlteredNode(1);
});
afterAll(() => node[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 9, 3, 18);

/** Snapshots of one parameter, each taken so many hours ago, and when the explorer was looked at. */
function stored(values: readonly (readonly [hoursAgo: number, value: string])[], lookedHoursAgo?: number) {
  const state = mkdtempSync(join(tmpdir(), 'blockglass-changed-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const own = join(state, 'blockglass');
  const folder = join(own, 'snapshots');
  const recorder = openRecorder({ folder, chainId: 'demo-chain-1', nowMs: () => NOW_MS });
  for (const [hoursAgo, value] of values) {
    const takenMs = NOW_MS - hoursAgo * HOUR_MS;
    const records = [JSON.stringify({ key: 'k', value })];
    recorder.add({
      ...{ takenMs, endedMs: takenMs, node: 'n', blockHeight: '1', blockTimeNs: null, genesisTime: null },
      lists: [{ list: 'parameters', scope: '', kind: 'read', records }],
    });
  }
  recorder.close();
  const looked = join(own, 'looked.json');
  const lookedText = JSON.stringify({ 'demo-chain-1': NOW_MS - (lookedHoursAgo ?? 0) * HOUR_MS });
  if (lookedHoursAgo !== undefined) writeFileSync(looked, lookedText);
  const overview = (...words: readonly string[]) =>
    run(['overview', '--node', node.url, ...words], { env: { XDG_STATE_HOME: state }, nowMs: () => NOW_MS });
  return { overview, looked, lookedText, path: snapshotFilePath(folder, 'demo-chain-1') };
}

it('`overview` shows changes since yesterday and since your last look, and does not count as a look itself', async () => {
  const { overview, looked, lookedText } = stored(
    [
      [50, '1h'],
      [20, '2h'],
      [1, '3h'],
    ],
    49,
  );
  const lines = (await overview()).out.split('\n');
  expect(lines.find(line => line.startsWith('  changed'))).toBe(
    '  changed   1 parameter (snapshots yesterday 22:00 to 17:00 UTC); 1 parameter since you last looked (snapshots 2026-10-01 16:00 to 17:00 UTC)',
  );
  expect(JSON.parse((await overview('-o', 'json')).out).changed).toEqual({
    sinceYesterday: { takenAt: '2026-10-02T22:00:00.000Z', lists: 1, changes: { parameters: 1 } },
    sinceLooked: { takenAt: '2026-10-01T16:00:00.000Z', lists: 1, changes: { parameters: 1 } },
    until: '2026-10-03T17:00:00.000Z',
    error: null,
  });
  expect(readFileSync(looked, 'utf8')).toBe(lookedText);
});

it('`overview` shows no changes without two snapshots to compare, and reports unreadable ones', async () => {
  const { overview, path } = stored([[20, '1h']]);
  expect((await overview()).out).not.toContain('changed ');
  const none = { sinceYesterday: null, sinceLooked: null, until: null };
  expect(JSON.parse((await overview('-o', 'json')).out).changed).toEqual({ ...none, error: null });
  writeFileSync(path, 'x'.repeat(5000));
  expect((await overview()).out).toContain(`  changed   not known: ${path} is damaged`);
  expect(JSON.parse((await overview('-o', 'json')).out).changed).toEqual({ ...none, error: `${path} is damaged` });
});
