import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { run } from './support/program.ts';

describe('record command', () => {
  it('`record` ends cleanly on SIGTERM, and shows no Node warning', async () => {
    await using folder = await temporaryFolder();
    const env = { XDG_STATE_HOME: folder.path };
    const recorded = await run(['record', '--demo', '--every', '1h'], {
      env,
      during: async process => {
        expect(await process.firstOutput()).toMatch(/^snapshot 1 of demo-chain-1, /);
        process.kill('SIGTERM');
      },
    });
    expect([recorded.code, recorded.stderr]).toEqual([0, '']);
    const checked = await run(['record', 'check'], { env });
    expect([checked.code, checked.stdout, checked.stderr]).toEqual([0, 'demo-chain-1: 1 snapshot, ok\n', '']);
  });

  it('`record` that is killed leaves the chain to the next run', async () => {
    await using folder = await temporaryFolder();
    const env = { XDG_STATE_HOME: folder.path };
    await run(['record', '--demo', '--every', '10s'], {
      env,
      during: async process => {
        await process.firstOutput();
        process.kill('SIGKILL');
      },
    });
    const { code } = await run(['record', '--demo', '--once'], { env });
    expect(code).toBe(0);
    expect((await run(['record', 'check'], { env })).stdout).toBe('demo-chain-1: 2 snapshots, ok\n');
  });
});
