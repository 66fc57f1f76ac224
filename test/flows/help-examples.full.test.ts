import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { temporaryFolder } from './support/folder.ts';
import { run, runShell } from './support/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Commands that draw: without a terminal they say what to use instead. */
const DRAWING: readonly string[] = ['view'];

/** Commands that go on until they are interrupted. */
const ENDLESS: readonly string[] = ['serve'];

// One after another, and in the order of the help: what an export writes is what the next one verifies.
describe('the examples of the help', () => {
  for (const name of Object.keys(COMMANDS)) {
    it(`of ${name} do what they show, on the embedded node`, async () => {
      const { stdout: help } = await run([name, '--help']);
      const examples = [...help.matchAll(/^ {2}blockglass (.+)$/gm)].map(([, line = '']) => line);
      expect(examples).toHaveLength(2);
      for (const example of examples) {
        expect(example.split(' ')[0]).toBe(name);
        if (ENDLESS.includes(name)) {
          const { stdout, code } = await run(example.split(' '), {
            during: async process => {
              expect(await process.firstOutput()).toMatch(/^http:\/\//);
              process.kill('SIGTERM');
            },
          });
          expect([code, stdout.length > 0]).toEqual([130, true]);
          continue;
        }
        const { code, stdout, stderr } = await runShell(`blockglass ${example}`, {
          cwd: folder.path,
          env: { XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path },
        });
        if (DRAWING.includes(name)) {
          expect([code, stdout]).toEqual([2, '']);
          expect(stderr).toContain('blockglass query');
          continue;
        }
        expect([example, code], stderr).toEqual([example, 0]);
        expect(stdout, example).not.toBe('');
      }
    });
  }
});

describe('flags before a command', () => {
  it('are those of the command', async () => {
    const before = await run(['--demo', '--timeout', '20', 'list', 'parameters', '--first', '2', '-o', 'ndjson']);
    const behind = await run(['list', 'parameters', '--first', '2', '-o', 'ndjson', '--demo', '--timeout', '20']);
    expect(before.code).toBe(0);
    expect(before.stdout).toBe(behind.stdout);
    const log = join(folder.path, 'requests.log');
    await writeFile(log, '');
    expect((await run(['--log', log, 'segments', '--demo'])).code).toBe(0);
    await rm(log);
  });
});
