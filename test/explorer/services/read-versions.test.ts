import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readVersions } from '../../../src/explorer/services/changes/read-versions.ts';
import { openRecorder } from '../../../src/memory/snapshots/index.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);

/** A snapshot a day, of the parameter k with this value, of none (''), or of a list that could not be read (null). */
function stored(...values: readonly (string | null)[]) {
  const state = mkdtempSync(join(tmpdir(), 'blockglass-versions-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const recorder = openRecorder({
    folder: join(state, 'snapshots'),
    chainId: 'c',
    nowMs: () => START_MS + 40 * DAY_MS,
  });
  for (const [day, value] of values.entries()) {
    const takenMs = START_MS + day * DAY_MS;
    const name = { list: 'parameters', scope: '' };
    const records = ['{"key":"other","value":"1"}', ...(value === '' ? [] : [JSON.stringify({ key: 'k', value })])];
    recorder.add({
      ...{ takenMs, endedMs: takenMs, node: 'n', blockHeight: '1', blockTimeNs: null, genesisTime: null },
      lists: [value === null ? { ...name, kind: 'unread', problem: 'no' } : { ...name, kind: 'read', records }],
    });
  }
  return { state, recorder };
}

const RECORD = { resource: 'parameters', key: 'k', scope: '', recordCommand: 'blockglass record --node n' };

async function versionsOf(state: string, record = RECORD) {
  const found = await readVersions(state, 'c', record);
  if (found.kind === 'none') return found.why;
  return found.versions.map(({ snapshot, change }) => [
    snapshot,
    change.change,
    ...change.members.filter(({ path }) => path === 'value').map(({ from, to }) => `${from} ${to}`),
  ]);
}

it('The versions of a record are listed newest first and compared by meaning, past unreadable snapshots', async () => {
  const { state, recorder } = stored('1h', '60m', '2h', null, '2h', '3h', '', '4h');
  recorder.close();
  expect(await versionsOf(state)).toEqual([
    [8, 'added', 'null 4h'],
    [7, 'removed', '3h null'],
    [6, 'changed', '2h 3h'],
    [3, 'changed', '60m 2h'],
    [1, 'added', 'null 1h'],
  ]);
});

it('The versions of a record are reported from the next remaining snapshot when snapshots were removed', async () => {
  const { state, recorder } = stored('1h', '2h', '3h', '3h', '4h');
  recorder.prune(2 * DAY_MS);
  const ids = recorder.all().map(({ id }) => id);
  recorder.close();
  expect(ids.length).toBeLessThan(5);
  expect(await versionsOf(state)).toEqual([
    [5, 'changed', '3h 4h'],
    [ids[0], 'added', 'null 3h'],
  ]);
});

it('The versions of a record that was never stored are none, with a hint what to do', async () => {
  const { state, recorder } = stored('1h');
  recorder.close();
  expect(await versionsOf(state, { ...RECORD, key: 'x' })).toBe(
    'No stored snapshot has this record. Take one with blockglass record --node n --once, or omit --once to record every 10 minutes.',
  );
  expect(await readVersions(state, 'another', RECORD)).toMatchObject({
    kind: 'none',
    why: expect.stringMatching(/^No snapshot of this chain yet\. Take one with blockglass record --node n /),
  });
  expect(await readVersions(null, 'c', RECORD)).toMatchObject({ kind: 'none' });
});
