import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { crowd } from '../support/crowd.ts';
import { writeArchive } from '../support/long-archive.ts';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { type Manner, quickArchive, slowArchive, startHaltingNode } from './support/halting-node.ts';

/** A second, and as much more as the machine has work waiting for each of its processors. */
const withinMs = (): number => 1000 * crowd();

/** A command that runs, what it has written, and the folder it works in. */
interface Run {
  readonly child: ChildProcess;
  readonly folder: string;
  stderr: string;
}

interface Phase {
  readonly name: string;
  readonly manner?: Manner;
  readonly words: (at: { readonly node: string; readonly folder: string }) => readonly string[];
  readonly prepare?: (folder: string) => Promise<void>;
  readonly during?: (run: Run) => void;
  /** Whether the phase has begun. */
  readonly isThere: (run: Run) => Promise<boolean>;
  readonly sentence: RegExp;
  /** Files below the folder when it has ended. */
  readonly files: readonly string[];
}

const ZIP = 'c-balances-000001-000010.zip';
const SLICES = 'c-balances-000001-000020';

const one = ({ node, folder }: { readonly node: string; readonly folder: string }) =>
  ['export', '--node', node, '--table', 'balances', '--from', '1', '--to', '10', '--out', folder] as const;
const sliced = ({ node, folder }: { readonly node: string; readonly folder: string }) =>
  [...'export --table balances --from 1 --to 20 --slice 1 --node'.split(' '), node, '--out', folder] as const;

const filesBelow = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).toSorted();
const sizeOf = async (path: string): Promise<number> => (await readFile(path).catch(() => '')).length;

/** True while the program has a file open whose name ends so. */
async function hasOpen({ child }: Run, ending: string): Promise<boolean> {
  const folder = `/proc/${child.pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map(name => readlink(join(folder, name)).catch(() => '')));
  return links.some(link => link.endsWith(ending));
}

const manifest = (file: string, bytes: number) => ({
  format: 1,
  program: 'blockglass',
  node: 'http://node',
  chainId: 'c',
  table: 'balances',
  fromBlock: '1',
  toBlock: '20',
  segmentsPerSlice: 1,
  started: '2026-01-01T00:00:00.000Z',
  finished: null,
  slices: [
    {
      ...{ fromBlock: '1', toBlock: '10', file, bytes, sha256: '0'.repeat(64), rows: 0, csvs: [], notes: [] },
      ...{ started: '2026-01-01T00:00:00.000Z', finished: '2026-01-01T00:00:00.000Z' },
    },
  ],
});

/** A folder of slices, one of which takes long to look at. */
async function keptFolder(folder: string, isArchive: boolean): Promise<void> {
  execFileSync('mkdir', [join(folder, SLICES)]);
  const path = join(folder, SLICES, ZIP);
  const bytes = isArchive ? slowArchive().bytes : 12e9;
  if (isArchive) await writeArchive(path, slowArchive());
  else await writeFile(path, '').then(() => truncate(path, bytes));
  await writeFile(join(folder, SLICES, 'manifest.json'), JSON.stringify(manifest(ZIP, bytes)));
}

const kept = (folder: string): readonly string[] => [folder, `${folder}/${ZIP}`, `${folder}/manifest.json`];

const phases: readonly Phase[] = [
  {
    name: 'waits for the first byte',
    manner: 'silent',
    words: one,
    isThere: async ({ child }) => (child.pid === undefined ? false : asked()),
    sentence: /^Cancelled: nothing had arrived\.$/m,
    files: [],
  },
  {
    name: 'receives',
    manner: 'half',
    words: one,
    isThere: async ({ folder }) => (await sizeOf(join(folder, `${ZIP}.part`))) > 0,
    sentence: /^Cancelled: the received part is in .*\.zip\.part, not fully checked\.$/m,
    files: [`${ZIP}.part`],
  },
  {
    name: 'checks what has arrived',
    manner: 'long',
    words: one,
    isThere: async ({ folder }) => (await sizeOf(join(folder, `${ZIP}.part`))) === slowArchive().bytes,
    sentence: /^Cancelled: the received part is in .*\.zip\.part, not fully checked\.$/m,
    files: [`${ZIP}.part`],
  },
  {
    name: 'waits before it tries again',
    manner: 'breaks',
    words: sliced,
    isThere: async ({ stderr }) => (stderr.match(/connection lost; retrying in \d+ s\n/g)?.length ?? 0) > 1,
    sentence: /^Cancelled: 0 of 2 slices are verified and saved in .*\. Run the same command again to finish\.$/m,
    files: [SLICES, `${SLICES}/manifest.json`],
  },
  {
    name: 'waits as the node asked it to',
    manner: 'too-many',
    words: sliced,
    isThere: async ({ stderr }) => (stderr.match(/rate limited; retrying in \d+ s\n/g)?.length ?? 0) > 1,
    sentence: /^Cancelled: 0 of 2 slices are verified and saved in .*\. Run the same command again to finish\.$/m,
    files: [SLICES, `${SLICES}/manifest.json`],
  },
  {
    name: 'looks at the slices that are there',
    manner: 'silent',
    words: sliced,
    prepare: folder => keptFolder(folder, false),
    isThere: run => hasOpen(run, ZIP),
    sentence:
      /^Cancelled: the slices of earlier runs are saved, but not all were checked in .*\. Run the same command again/m,
    files: kept(SLICES),
  },
  {
    name: 'checks a slice that no manifest tells of',
    manner: 'silent',
    words: sliced,
    prepare: async folder => {
      execFileSync('mkdir', [join(folder, SLICES)]);
      await writeArchive(join(folder, SLICES, ZIP), slowArchive());
    },
    isThere: run => hasOpen(run, ZIP),
    sentence: /^Cancelled: the slices of earlier runs are saved/m,
    files: kept(SLICES),
  },
  {
    name: 'verifies a file',
    words: ({ folder }) => ['verify', join(folder, ZIP)],
    prepare: folder => writeArchive(join(folder, ZIP), slowArchive()),
    isThere: run => hasOpen(run, ZIP),
    sentence: /^Cancelled before the check was complete$/m,
    files: [ZIP],
  },
  {
    name: 'verifies a folder',
    words: ({ folder }) => ['verify', join(folder, SLICES)],
    prepare: folder => keptFolder(folder, true),
    isThere: run => hasOpen(run, ZIP),
    sentence: /^Cancelled before the check was complete$/m,
    files: kept(SLICES),
  },
  {
    name: 'verifies what comes through a pipe, and waits for more of it',
    words: () => ['verify', '-'],
    during: ({ child }) => child.stdin?.write([...slowArchive().parts()][0]),
    isThere: run => hasOpen(run, 'pipe.zip (deleted)'),
    sentence: /^Cancelled before the check was complete$/m,
    files: [],
  },
];

let asked = (): boolean => false;

function start(words: readonly string[], folder: string): Run {
  const env = { ...process.env, TMPDIR: folder, XDG_CONFIG_HOME: folder, BLOCKGLASS_NODE: '' };
  const child = spawn(process.execPath, [bundle, ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const run: Run = { child, folder, stderr: '' };
  child.stderr.on('data', data => {
    run.stderr += String(data);
  });
  child.stdout.resume();
  return run;
}

async function until(isThere: () => Promise<boolean>, run: Run): Promise<void> {
  for (const end = Date.now() + 30_000; !(await isThere()); ) {
    if (run.child.exitCode !== null || Date.now() > end) throw new Error(`it never came so far: ${run.stderr}`);
    await wait(10);
  }
}

describe('Command that receives a signal', () => {
  beforeAll(() => void slowArchive(), 60_000);

  describe.each(['SIGINT', 'SIGTERM'] as const)('Command that receives %s', signal => {
    // Both signals are handled in one place.
    it.each(phases.filter((_, at) => signal === 'SIGINT' || at % 2 === 0))(
      'A command that $name ends within a second, with code 130 and a true report',
      async phase => {
        await using node = await startHaltingNode(phase.manner ?? 'silent');
        await using folder = await temporaryFolder();
        asked = () => node.asked > 0;
        await phase.prepare?.(folder.path);
        const run = start(phase.words({ node: node.url, folder: folder.path }), folder.path);
        const closed = once(run.child, 'close');
        try {
          phase.during?.(run);
          await until(() => phase.isThere(run), run);
          const askedAt = performance.now();
          run.child.kill(signal);
          const [code] = await closed;
          expect(performance.now() - askedAt).toBeLessThan(withinMs());
          expect({ code, stderr: run.stderr }).toEqual({ code: 130, stderr: expect.stringMatching(phase.sentence) });
          expect(await filesBelow(folder.path)).toEqual(phase.files);
        } finally {
          run.child.kill('SIGKILL');
        }
      },
      60_000,
    );
  });

  it('A command that receives two signals at once ends as after one', async () => {
    await using node = await startHaltingNode('half');
    await using folder = await temporaryFolder();
    const run = start(one({ node: node.url, folder: folder.path }), folder.path);
    const closed = once(run.child, 'close');
    await until(async () => (await sizeOf(join(folder.path, `${ZIP}.part`))) > 0, run);
    run.child.kill('SIGTERM');
    run.child.kill('SIGINT');
    run.child.kill('SIGTERM');
    expect((await closed)[0]).toBe(130);
    expect(run.stderr).toContain('the received part is in');
  });
});

describe('Command with endless input', () => {
  it.each([
    ['a pipe', 'pipe', 'is a pipe or a device, not a file'],
    ['a device', '/dev/zero', 'is a pipe or a device, not a file'],
    ['a circle of links', 'circle', 'its links form a loop'],
  ])('A command with endless input says so at once, and exits with 2: %s', async (_, name, sentence) => {
    await using folder = await temporaryFolder();
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    execFileSync('ln', ['-s', 'circle', join(folder.path, 'circle')]);
    const run = start(['verify', name.startsWith('/') ? name : join(folder.path, name)], folder.path);
    const [code] = await once(run.child, 'close');
    expect({ code, stderr: run.stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  it.each(['pipe', '/dev/zero'])(
    'A command that needs settings ends when they are endless, and no other does: %s',
    async target => {
      await using folder = await temporaryFolder();
      execFileSync('mkdir', [join(folder.path, 'blockglass')]);
      const path = join(folder.path, 'blockglass', 'config.json');
      if (target === 'pipe') execFileSync('mkfifo', [path]);
      else execFileSync('ln', ['-s', target, path]);
      const run = start(['segments'], folder.path);
      const [code] = await once(run.child, 'close');
      expect({ code, stderr: run.stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('config.json is not used: it is not a regular file; fix it, or use --node'),
      });
      const named = start(['segments', '--demo'], folder.path);
      expect({ code: (await once(named.child, 'close'))[0], stderr: named.stderr }).toEqual({ code: 0, stderr: '' });
    },
  );
});

describe('Verification of a pipe', () => {
  it.each(['-', '/dev/stdin'])(
    'A pipe is verified to its end, and leaves nothing behind: %s',
    async word => {
      await using folder = await temporaryFolder();
      const run = start(['verify', word], folder.path);
      for (const part of quickArchive().parts()) run.child.stdin?.write(part);
      run.child.stdin?.end();
      const [code] = await once(run.child, 'close');
      expect(code).toBe(0);
      expect(await filesBelow(folder.path)).toEqual([]);
    },
    60_000,
  );
});
