import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SwitchedNode, startSwitchedNode } from '../cli/switched-node.ts';
import { temporaryFolder } from './support/folder.ts';
import { run, runShell } from './support/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: SwitchedNode;
beforeAll(async () => {
  folder = await temporaryFolder();
  node = await startSwitchedNode(Date.now());
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const env = () => ({ XDG_STATE_HOME: folder.path, HOME: folder.path });

describe('check command', () => {
  it('`check --watch` prints a line for each change, and exits with 0 on SIGTERM', async () => {
    const watched = await run(['check', 'oracle-overdue', '--node', node.url, '--watch', '1s'], {
      env: env(),
      during: async process => {
        expect(JSON.parse((await process.firstOutput()).split('\n')[0] ?? '')).toMatchObject({
          ...{ change: 'raised', rule: 'oracle-overdue', severity: 'warning', was: 'ok' },
        });
        process.kill('SIGTERM');
      },
    });
    expect([watched.code, watched.stderr]).toEqual([0, expect.stringMatching(/^(?:note: the first check .*\n)?$/)]);
    // The same again: a restart raises nothing.
    const again = await run(['check', 'oracle-overdue', '--node', node.url, '-o', 'json'], { env: env() });
    expect([again.code, JSON.parse(again.stdout).length]).toEqual([1, watched.stdout.trim().split('\n').length]);
  });

  it('`check` exits with 3 when its output cannot be written', async () => {
    const full = await runShell('blockglass check node-behind --demo > /dev/full', { env: env() });
    expect([full.code, full.stderr]).toEqual([3, expect.stringMatching(/no space left on device/i)]);
    expect((await run(['check', '--bad'], { env: env() })).code).toBe(3);
  });
});
