import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSwitchedNode } from '../cli/switched-node.ts';
import { temporaryFolder } from './support/folder.ts';
import { run } from './support/program.ts';

it('`check` that is killed at any moment leaves a memory that the next one reads', async () => {
  await using folder = await temporaryFolder();
  await using node = await startSwitchedNode(Date.now());
  const env = { XDG_STATE_HOME: folder.path, HOME: folder.path };
  expect((await run(['check', '--node', node.url], { env })).code).toBeLessThan(3);
  const checks = join(folder.path, 'blockglass', 'checks');
  const isBusy = (): boolean => readdirSync(checks).some(name => /\.(?:lock|part)$/.test(name));
  for (let index = 0; index < 8; index++) {
    await run(['check', '--node', node.url, '--watch', '1s'], {
      env,
      during: async process => {
        // After some of its requests, or while it writes.
        const wanted = node.requests.length + 2 * index;
        const isTime = index % 2 === 0 ? isBusy : () => node.requests.length > wanted;
        while (!isTime()) await new Promise(resolve => setImmediate(resolve));
        process.kill('SIGKILL');
      },
    });
    const { stdout } = await run(['check', 'node-behind', '--node', node.url, '-o', 'json'], { env });
    expect(stdout).toBe('[]\n');
  }
  const names = await readdir(checks);
  expect(names).toEqual([expect.stringMatching(/\.json$/)]);
  expect(JSON.parse(await readFile(join(checks, names[0] ?? ''), 'utf8'))).toMatchObject({ format: 1 });
});
