import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

  it('`check` that is killed at any moment leaves a memory that the next one reads', async () => {
    const checks = join(folder.path, 'blockglass', 'checks');
    const isBusy = (): boolean => readdirSync(checks).some(name => /\.(?:lock|part)$/.test(name));
    for (let index = 0; index < 8; index++) {
      await run(['check', '--node', node.url, '--watch', '1s'], {
        env: env(),
        during: async process => {
          // After some of its requests, or while it writes.
          const wanted = node.requests.length + 2 * index;
          const isTime = index % 2 === 0 ? isBusy : () => node.requests.length > wanted;
          while (!isTime()) await new Promise(resolve => setImmediate(resolve));
          process.kill('SIGKILL');
        },
      });
      const { stdout } = await run(['check', 'node-behind', '--node', node.url, '-o', 'json'], { env: env() });
      expect(stdout).toBe('[]\n');
    }
    const names = await readdir(checks);
    expect(names).toEqual([expect.stringMatching(/\.json$/)]);
    expect(JSON.parse(await readFile(join(checks, names[0] ?? ''), 'utf8'))).toMatchObject({ format: 1 });
  }, 120_000);

  it('`check` exits with 3 when its output cannot be written', async () => {
    const full = await runShell('blockglass check node-behind --demo > /dev/full', { env: env() });
    expect([full.code, full.stderr]).toEqual([3, expect.stringMatching(/no space left on device/i)]);
    expect((await run(['check', '--bad'], { env: env() })).code).toBe(3);
  });
});
