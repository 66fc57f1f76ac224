import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run as runHere } from '../cli/run-command.ts';
import { unlimited } from '../node/wire.ts';
import { codesOf } from '../support/page-commands.ts';
import { temporaryFolder } from './support/folder.ts';
import { run } from './support/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: RunningNode;
const startFolder = process.cwd();
beforeAll(async () => {
  [folder, node] = await Promise.all([temporaryFolder(), startNode({ rateLimit: unlimited, historyScale: 0.05 })]);
});
afterAll(async () => {
  process.chdir(startFolder);
  await node.close();
  await folder[Symbol.asyncDispose]();
});

/** The words of an example, as a shell reads them. */
const wordsOf = (example: string): readonly string[] =>
  Array.from(example.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = '']) => quoted ?? bare);

/** Commands that draw: without a terminal they say what to use instead. */
const DRAWING: readonly string[] = ['view'];

/** Commands that go on until they are interrupted. */
const ENDLESS: readonly string[] = ['serve'];

/** Commands whose examples name what a first start has not: they say so. */
const WITHOUT_HISTORY: readonly string[] = ['diff'];

/** Exports the tables that an audit needs, each by its own name and as TABLE.zip. */
async function exportTables(cwd: string): Promise<void> {
  await mkdir(cwd);
  for (const table of ['ledger', 'balances', 'deposits', 'withdrawals', 'blocks']) {
    const { code, stderr } = await exampleIn(cwd, `export --table ${table} --from 22501 --to 23500`);
    expect(code, stderr).toBe(0);
    const file = (await readdir(cwd)).find(name => name.includes(table) && name.endsWith('.zip')) ?? '';
    await copyFile(join(cwd, file), join(cwd, `${table}.zip`));
  }
}

/** Runs an example in this process, from that folder; the commands on the pages are run by a shell. */
async function exampleIn(cwd: string, example: string) {
  process.chdir(cwd);
  const stored = {
    XDG_CONFIG_HOME: folder.path,
    XDG_STATE_HOME: folder.path,
    XDG_CACHE_HOME: folder.path,
    XDG_DATA_HOME: folder.path,
  };
  const env = { ...stored, BLOCKGLASS_NODE: node.url };
  const { code, out, err } = await runHere(wordsOf(example), { env, startDemo: async () => node });
  return { code, stdout: out, stderr: err };
}

// One after another, and in the order of the help: what an export writes is what the next one verifies.
describe('Help examples', () => {
  for (const name of Object.keys(COMMANDS)) {
    it(`The help examples of ${name} do what they show, on the embedded node`, async () => {
      const { out: help } = await runHere([name, '--help']);
      const [, shown = ''] = help.split('For example:');
      const examples = [...shown.matchAll(/^ {2}blockglass (.+)$/gm)].map(([, line = '']) => line);
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
        const { code, stdout, stderr } = await exampleIn(cwd, example);
        if (DRAWING.includes(name)) {
          expect([code, stdout]).toEqual([2, '']);
          expect(stderr).toContain('blockglass query');
          continue;
        }
        if (WITHOUT_HISTORY.includes(name)) {
          expect([code, stdout]).toEqual([2, '']);
          expect(stderr).toMatch(
            /[Nn]o snapshots? (of|from|in)|no snapshots yet|"mainnet" is not a snapshot, time, profile or address/,
          );
          continue;
        }
        expect(codesOf(name), `${example}: ${stderr}`).toContain(code);
        expect(stdout, example).not.toBe('');
      }
    });
  }
});

describe('Flags before a command', () => {
  it('Flags before a command are those of the command', async () => {
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
