import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/chain/api/client.ts';
import type { FoundChanges } from '../../src/explorer/services/changes/changes.ts';
import { readChanges } from '../../src/explorer/services/changes/read-changes.ts';
import { readDemo, readVersions } from '../../src/explorer/services/changes/read-versions.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

let shiftMs = 0;
const nowMs = () => Date.now() + shiftMs;
let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ clock: nowMs, provisions: 200, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'blockglass-past-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const DAY_MS = 86_400_000;
const recordCommand = 'blockglass record --demo';

describe('Demo without a user record', () => {
  it('The demo has a yesterday to compare with, and only what really happened later differs', async () => {
    const state = folder();
    const members = { env: { XDG_STATE_HOME: state }, startDemo: async () => node };
    const { code, out, err } = await run(['diff', 'yesterday', '--demo', '-o', 'json'], members);
    expect(code).toBe(1);
    expect(err).not.toContain('not compared');
    const { a, b, changes } = JSON.parse(out);
    expect(Number(a.blockHeight)).toBeLessThan(Number(b.blockHeight));
    const bundles = changes.filter(({ resource }: { resource: string }) => resource === 'bundles');
    expect(bundles.length).toBeGreaterThan(0);
    for (const { change, members: parts } of bundles) {
      const time = parts.find(({ path }: { path: string }) => path === 'timestamp').to;
      expect([change, BigInt(time) > BigInt(Date.parse(a.takenAt)) * 1_000_000n]).toEqual(['added', true]);
    }
    // Nothing of it is stored, so that it is never mixed with records of the user's.
    expect(readdirSync(state)).toEqual([]);
    // A record of today is no record of yesterday.
    const stored = { ...members, env: { XDG_STATE_HOME: folder() } };
    expect(await run(['record', '--once', '--demo'], stored)).toMatchObject({ code: 0 });
    const again = await run(['diff', 'yesterday', '--demo', '-o', 'json'], stored);
    expect([again.code, JSON.parse(again.out).a.takenAt]).toEqual([1, a.takenAt]);
    // Another node has no past without a record.
    const other = await run(['diff', 'yesterday', '--node', node.url], members);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('no snapshots of the chain') });
  });

  it('The yesterday of the demo is the last moment of the day before, also in the first hour of a day', async () => {
    const midnightMs = Date.UTC(2026, 10, 28);
    let atMs = midnightMs + 30 * 60_000;
    const early = await startNode({ clock: () => atMs, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
    try {
      for (const afterMs of [0, 90_000]) {
        atMs += afterMs;
        const members = { env: { XDG_STATE_HOME: folder() }, startDemo: async () => early, nowMs: () => atMs };
        const { err, out } = await run(['diff', 'yesterday', '--demo', '-o', 'json'], members);
        expect(err).not.toContain('not compared');
        expect(Date.parse(JSON.parse(out).a.takenAt)).toBe(midnightMs - 1);
      }
    } finally {
      await early.close();
    }
  });

  it('The demo has changes and versions in the explorer', async () => {
    const client = createClient({ base: new URL(node.url) });
    const { signal } = new AbortController();
    const query = { chainId: 'demo-chain-1', sinceMs: nowMs() - (nowMs() % DAY_MS) - 1, nowMs: nowMs(), recordCommand };
    const state = folder();
    const options = { client, stateFolder: join(state, 'blockglass'), nowMs, onList: () => {}, signal, isDemo: true };
    const changes = await readChanges({ ...query, isAll: false }, options);
    expect(changes).toMatchObject({ kind: 'found', found: { notCompared: [] } });
    // With snapshots of today alone, there is no other yesterday.
    const recorded = await run(['record', '--once', '--node', node.url], { env: { XDG_STATE_HOME: state }, nowMs });
    expect(recorded.code).toBe(0);
    const after = await readChanges({ ...query, isAll: false }, options);
    const momentOf = (found: FoundChanges) => (found.kind === 'found' ? [found.before.node, found.before.takenMs] : []);
    expect(momentOf(after)).toEqual(['demo', momentOf(changes)[1]]);
    const bundle =
      changes.kind === 'found' ? changes.found.changes.find(({ resource }) => resource === 'bundles') : undefined;
    const name = { resource: 'bundles', scope: '', recordCommand, key: bundle?.key ?? '' };
    const versions = await readVersions(options.stateFolder, 'demo-chain-1', name, () => readDemo(client));
    expect(versions).toMatchObject({ kind: 'found', versions: [{ change: { change: 'added' } }] });
    const steady = { ...name, resource: 'parameters', key: 'reward.asset' };
    const first = await readVersions(null, 'demo-chain-1', steady, () => readDemo(client));
    expect(first).toMatchObject({ kind: 'found', versions: [{ snapshot: 1 }] });
  });
});

describe('Demo after some time', () => {
  it.each([0, 20, 40, 90, 300, 1500])(
    'The demo does not warn about its own history after %s minutes',
    async minutes => {
      shiftMs = minutes * 60_000;
      onTestFinished(() => {
        shiftMs = 0;
      });
      const env = { XDG_STATE_HOME: folder() };
      const { code, out } = await run(['check', 'history', '--node', node.url, '-o', 'json'], { env, nowMs });
      expect([code, JSON.parse(out)]).toEqual([0, []]);
      // What was recorded meanwhile can be exported, too.
      const place = join(folder(), 'trades.zip');
      const made = await run(['export', '--table', 'trades', '--last', '1', '--out', place, '--node', node.url], {
        nowMs,
      });
      expect(made).toMatchObject({ code: 0, err: expect.not.stringContaining('problem') });
    },
  );
});
