import { mkdir, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { crowd } from '../support/crowd.ts';
import { writeArchive } from '../support/long-archive.ts';
import type { Terminal } from '../support/terminal.ts';
import { openExplorer } from './support/explorer.ts';
import { reviewExport } from './support/export-steps.ts';
import { temporaryFolder } from './support/folder.ts';
import { type Manner, slowArchive, startHaltingNode } from './support/halting-node.ts';
import { Held } from './support/held.ts';

/** A second, and as much more as the machine has work waiting. */
const withinMs = (): number => 1000 * crowd();

const SLICES = 'c-balances-000001-000020';
const FIRST = 'c-balances-000001-000010.zip';

interface Phase {
  readonly name: string;
  readonly manner: Manner;
  readonly isSliced: boolean;
  readonly prepare?: (folder: string) => Promise<void>;
  readonly isThere: (terminal: Terminal) => Promise<boolean>;
  /** What is said of what is kept. */
  readonly cancelled: RegExp;
  /** Ends of the names of what is kept. */
  readonly kept: readonly string[];
}

const shows = (text: RegExp) => async (terminal: Terminal) => text.test(terminal.screen());
const none = /0 of 2 slices are verified and saved/;

const phases: readonly Phase[] = [
  {
    name: 'waits for the first byte',
    manner: 'silent',
    isSliced: false,
    isThere: shows(/waiting for the first byte/),
    cancelled: /nothing had arrived/,
    kept: [],
  },
  {
    name: 'receives',
    manner: 'half',
    isSliced: false,
    isThere: shows(/Received +\d/),
    cancelled: /saved as .*\.zip\.part/s,
    kept: ['.zip.part'],
  },
  {
    name: 'checks what has arrived',
    manner: 'long',
    isSliced: false,
    isThere: shows(/checks are catching up/),
    cancelled: /saved as .*\.zip\.part/s,
    kept: ['.zip.part'],
  },
  {
    name: 'waits before it tries again',
    manner: 'breaks',
    isSliced: true,
    isThere: shows(/connection lost; retrying in \d+ s/),
    cancelled: none,
    kept: [SLICES, `${SLICES}/manifest.json`],
  },
  {
    name: 'waits as the node asked it to',
    manner: 'too-many',
    isSliced: true,
    isThere: shows(/rate limited; retrying in \d+ s/),
    cancelled: none,
    kept: [SLICES, `${SLICES}/manifest.json`],
  },
  {
    name: 'looks at the slices that are there',
    manner: 'silent',
    isSliced: true,
    prepare: async folder => {
      await mkdir(join(folder, SLICES));
      await writeArchive(join(folder, SLICES, FIRST), slowArchive());
    },
    isThere: ({ pid }) => hasOpen(pid, FIRST),
    cancelled: /the slices of earlier runs are saved/,
    kept: [SLICES, `${SLICES}/${FIRST}`, `${SLICES}/manifest.json`],
  },
];

/** True while the program has a file open whose name ends so. */
async function hasOpen(pid: number, ending: string): Promise<boolean> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(names.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return links.some(link => link.endsWith(ending));
}

async function inPhase(phase: Phase) {
  await using started = new Held();
  const node = started.use(await startHaltingNode(phase.manner));
  const folder = started.use(await temporaryFolder());
  await phase.prepare?.(folder.path);
  const terminal = started.use(await openExplorer({ node: node.url, cwd: folder.path, until: /Parameters/ }));
  await reviewExport(terminal, { table: 'balances', from: '1', to: phase.isSliced ? '20' : '10' });
  if (phase.isSliced) {
    await terminal.press('s');
    await terminal.waitFor(/slices +2 of 1 segment/);
  }
  await terminal.press('enter');
  for (const end = Date.now() + 20_000; !(await phase.isThere(terminal)); await wait(10))
    if (Date.now() > end) throw new Error(`it never came so far:\n${terminal.screen()}`);
  const kept = started.move();
  const files = async () => (await readdir(folder.path, { recursive: true })).toSorted();
  return { terminal, files, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

function expectKept(files: readonly string[], { kept }: Phase): void {
  expect(files.length).toBe(kept.length);
  for (const [index, name] of files.entries()) expect(name.endsWith(kept[index] ?? '?')).toBe(true);
}

describe('Explorer export that is stopped', () => {
  it.each(phases)('An explorer export is cancelled within a second with x while it $name', async phase => {
    await using run = await inPhase(phase);
    await run.terminal.press('x');
    await run.terminal.waitFor('Cancel the export?');
    const askedAt = performance.now();
    await run.terminal.press('y');
    const screen = await run.terminal.waitFor(/The export was cancelled/);
    expect(performance.now() - askedAt).toBeLessThan(withinMs());
    expect(screen).toMatch(phase.cancelled);
    expectKept(await run.files(), phase);
  });

  it.each(phases)('An explorer export ends with the program within a second with q while it $name', async phase => {
    await using run = await inPhase(phase);
    await run.terminal.press('q', 'q');
    await run.terminal.waitFor('Quit and cancel it?');
    const askedAt = performance.now();
    await run.terminal.press('y');
    expect(await run.terminal.waitForExit()).toMatchObject({ exitCode: 0 });
    expect(performance.now() - askedAt).toBeLessThan(withinMs());
    if (phase.kept.length > 0) expect(run.terminal.screen().replaceAll('\n', '')).toMatch(phase.cancelled);
    expectKept(await run.files(), phase);
  });
});
