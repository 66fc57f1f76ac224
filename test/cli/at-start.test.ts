import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addressTarget } from '../../src/cli/context.ts';
import { checkMoment, readMoment } from '../../src/cli/snapshot-context.ts';
import { openRecorder } from '../../src/memory/snapshots/index.ts';

it('The explorer ends with one sentence if it is started at a snapshot that does not exist', async () => {
  const state = mkdtempSync(join(tmpdir(), 'blockglass-at-start-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const takenMs = Date.UTC(2026, 9, 1);
  const check = (name: string) =>
    checkMoment(addressTarget('http://n:3008'), name, { env: { XDG_STATE_HOME: state }, nowMs: () => takenMs });
  await expect(check('1')).rejects.toThrow(
    /^no snapshots in .* Store one with blockglass record --once --node http:\/\/n:3008$/,
  );
  const folder = join(state, 'blockglass', 'snapshots');
  const recorder = openRecorder({ folder, chainId: 'c', nowMs: () => takenMs });
  recorder.add({
    ...{ takenMs, endedMs: takenMs, node: 'http://n:3008', blockHeight: null, blockTimeNs: null, genesisTime: null },
    lists: [],
  });
  recorder.close();
  await check('1');
  const elsewhere = (chainId: string) =>
    readMoment(addressTarget('http://m:1'), '1', { env: { XDG_STATE_HOME: state }, nowMs: () => takenMs }, chainId);
  expect(await elsewhere('c')).toMatchObject({ chainId: 'c', info: { id: 1 } });
  await expect(elsewhere('d')).rejects.toThrow(
    'no snapshots of the chain "d". Store one with blockglass record --once --node http://m:1',
  );
  await expect(check('999')).rejects.toThrow('snapshot 999 not found; the newest is 1, of 2026-10-01 00:00:00 UTC');
});
