import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { codesOf } from '../support/page-commands.ts';
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

/** Commands whose examples name what a first start has not: they say so. */
const WITHOUT_HISTORY: readonly string[] = ['diff'];

/** Exports the tables that an audit needs from one node, each by its own name and as TABLE.zip. */
async function exportTables(cwd: string): Promise<void> {
  await mkdir(cwd);
  await run(['serve', '--port', '0'], {
    during: async process => {
      const [address = ''] = (await process.firstOutput()).split('\n');
      for (const table of ['ledger', 'balances', 'deposits', 'withdrawals', 'blocks']) {
        const range = ['--from', '22501', '--to', '23500', '--node', address];
        const { code, stderr } = await run(['export', '--table', table, ...range], { cwd });
        expect(code, stderr).toBe(0);
        const file = (await readdir(cwd)).find(name => name.includes(table) && name.endsWith('.zip')) ?? '';
        await copyFile(join(cwd, file), join(cwd, `${table}.zip`));
      }
      process.kill('SIGTERM');
    },
  });
}

// One after another, and in the order of the help: what an export writes is what the next one verifies.
describe('the examples of the help', () => {
  for (const name of Object.keys(COMMANDS)) {
    it(`of ${name} do what they show, on the embedded node`, async () => {
      const { stdout: help } = await run([name, '--help']);
      const examples = [...help.matchAll(/^ {2}blockglass (.+)$/gm)].map(([, line = '']) => line);
      expect(examples).toHaveLength(2);
      const cwd = name === 'audit' ? join(folder.path, 'audit') : folder.path;
      if (name === 'audit') await exportTables(cwd);
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
          cwd,
          env: { XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path },
        });
        if (DRAWING.includes(name)) {
          expect([code, stdout]).toEqual([2, '']);
          expect(stderr).toContain('blockglass query');
          continue;
        }
        if (WITHOUT_HISTORY.includes(name)) {
          expect([code, stdout]).toEqual([2, '']);
          expect(stderr).toMatch(
            /there are no snapshots|there is no snapshot from|"mainnet" is no snapshot, time, profile or address/,
          );
          continue;
        }
        expect(codesOf(name), `${example}: ${stderr}`).toContain(code);
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
