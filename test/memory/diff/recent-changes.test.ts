import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findRecentChanges, readLastViewed, recordView } from '../../../src/memory/diff/recent-changes.ts';
import { openRecorder } from '../../../src/memory/snapshots/index.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 9, 3, 18);

/** Snapshots of the parameter k, each taken so many hours ago. */
function stored(...snapshots: readonly (readonly [hoursAgo: number, value: string])[]): string {
  const state = mkdtempSync(join(tmpdir(), 'blockglass-recent-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const recorder = openRecorder({ folder: join(state, 'snapshots'), chainId: 'c', nowMs: () => NOW_MS });
  for (const [hoursAgo, value] of snapshots) {
    const takenMs = NOW_MS - hoursAgo * HOUR_MS;
    const records = [JSON.stringify({ key: 'k', value })];
    recorder.add({
      ...{ takenMs, endedMs: takenMs, node: 'n', blockHeight: '1', blockTimeNs: null, genesisTime: null },
      lists: [{ list: 'parameters', scope: '', kind: 'read', records }],
    });
  }
  recorder.close();
  return state;
}

const asked = (looked: ReadonlyMap<string, number> = new Map()) => ({
  chainId: 'c',
  nowMs: NOW_MS,
  looked,
  isLook: true,
});

it('Recent changes are counted since the last snapshot of yesterday, and since the last visit', async () => {
  const state = stored([50, '1h'], [20, '60m'], [19, '2h'], [1, '3h']);
  const looked = new Map([['c', NOW_MS - 49 * HOUR_MS]]);
  expect(await findRecentChanges(state, asked(looked))).toEqual({
    sinceYesterday: { takenMs: NOW_MS - 19 * HOUR_MS, compared: 1, counts: [['parameters', 1]] },
    sinceLooked: { takenMs: NOW_MS - 50 * HOUR_MS, compared: 1, counts: [['parameters', 1]] },
    untilMs: NOW_MS - HOUR_MS,
  });
  expect((await findRecentChanges(stored([20, '1h'], [1, '60m']), asked()))?.sinceYesterday?.counts).toEqual([]);
});

it('The last visit is stored with those of other chains, and a broken file counts as none', async () => {
  const state = stored([20, '1'], [1, '2']);
  const look = () => findRecentChanges(state, { ...asked(), onRecorded: () => recordView(state, 'c', NOW_MS) });
  await look();
  expect([...readLastViewed(state)]).toEqual([['c', NOW_MS]]);
  writeFileSync(join(state, 'looked.json'), '{"other":5,"c":"x","__proto__":3}');
  await look();
  expect(JSON.parse(readFileSync(join(state, 'looked.json'), 'utf8'))).toMatchObject({ other: 5, c: NOW_MS });
  writeFileSync(join(state, 'looked.json'), 'x');
  expect([...readLastViewed(state)]).toEqual([]);
  await findRecentChanges(state, asked());
  expect(readFileSync(join(state, 'looked.json'), 'utf8')).toBe('x');
});

it('Recent changes are not reported without two snapshots to compare', async () => {
  expect(await findRecentChanges(stored([20, '1']), asked())).toBe(null);
  expect(await findRecentChanges(stored([2, '1'], [1, '2']), asked())).toBe(null);
  expect(await findRecentChanges(stored(), asked())).toBe(null);
  const state = stored([20, '1'], [1, '2']);
  expect(await findRecentChanges(state, { ...asked(), chainId: 'another' })).toBe(null);
});
