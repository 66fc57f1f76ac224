import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { bundle } from '../flows/support/explorer.ts';
import { temporaryFolder } from '../flows/support/folder.ts';
import { type Gate, startGate } from '../flows/support/gate.ts';
import { Held } from '../flows/support/held.ts';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { openTerminal, type ScreenCondition, type Terminal } from '../support/terminal.ts';
import { masked, type Shot, shotOf } from './shot.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What the explorer is started with. */
export interface Opening {
  /** A tab. */
  readonly words?: readonly string[];
  /** The terminal has a light background. */
  readonly isLight?: true;
  /** Commands that are run before, in the folder of the exports. */
  readonly before?: readonly (readonly string[])[];
  /** Faults of the embedded node. */
  readonly faults?: readonly string[];
  /** After so many bytes an export stands still until it is released; ascending. */
  readonly holds?: readonly number[];
  /** An address instead of the embedded node. */
  readonly address?: string;
}

/** The program on an embedded node, both at one and the same time of the day. */
export interface Stage extends AsyncDisposable {
  readonly terminal: Terminal;
  /** The screen as it is now. */
  shot(): Shot;
  /** Lets a held export go on, up to the next hold. */
  release(): void;
  /** Resolves when so much of an export is on disk, and the program has counted it: it draws that when the clock goes on. */
  arrived(bytes: number): Promise<void>;
  /** Puts the clock forward. */
  pass(seconds: number): Promise<void>;
  /** Resolves when the screen meets the condition and nothing more is drawn on it. */
  still(condition: ScreenCondition, quiet?: Quiet): Promise<string>;
}

export interface Quiet {
  /** How long nothing is drawn; 250: names come behind the rows. */
  readonly quietMs?: number;
}

/** An hour after the recorded history of the demo chain ends. */
const START_MS = Date.UTC(2026, 8, 14, 14, 5, 7);

/** The folder that is seen in pictures. */
const SHOWN_FOLDER = '/home/you/exports';

/** With six letters more it is as long as the one that is shown, so that lines break where they would. */
const FOLDER_START = '/tmp/export';

/** No byte tells that nothing else is about to be drawn. */
const QUIET_MS = 250;

/** Starts the program in a terminal of this size. Close it with `await using`. */
export async function openStage(size: Size, opening: Opening): Promise<Stage> {
  await using opened = new Held();
  const { path: home } = opened.use(await temporaryFolder());
  const { path: cwd } = opened.use(await exportFolder());
  const clock = await startClock(home);
  const node = await startHeldNode(opened, clock.nowMs, opening);
  await writeProfile(home, node.url);
  for (const words of opening.before ?? []) await runBefore(words, { ...program(home, opening), cwd });
  const terminal = opened.use(await openTerminal({ ...size, ...program(home, opening), cwd }));
  const running = opened.move();
  return {
    terminal,
    shot: () => masked(shotOf(terminal, size.rows), { hidden: cwd, shown: SHOWN_FOLDER }),
    release: node.release,
    arrived: bytes => arrived(cwd, bytes),
    pass: clock.pass,
    still: (condition, { quietMs = QUIET_MS } = {}) => still(terminal, condition, quietMs),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function runBefore(
  words: readonly string[],
  { command, env, cwd }: ReturnType<typeof program> & { cwd: string },
) {
  await promisify(execFile)(command, [bundle, ...words], { cwd, env: { ...process.env, ...env } });
}

async function exportFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(FOLDER_START);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function arrived(folder: string, bytes: number): Promise<void> {
  const deadline = Date.now() + MAX_ARRIVAL_MS;
  for (let size = 0; size < bytes; await delay(COUNTED_MS)) {
    if (Date.now() > deadline) throw new Error(`${size} of ${bytes} bytes have arrived in ${folder}`);
    const [part] = (await readdir(folder)).filter(name => name.endsWith('.part'));
    if (part !== undefined) ({ size } = await stat(join(folder, part)));
  }
}

const MAX_ARRIVAL_MS = 20_000;

/** The program counts what has arrived every 100 ms. */
const COUNTED_MS = 400;

interface Clock {
  readonly nowMs: () => number;
  readonly pass: (seconds: number) => Promise<void>;
}

/** A clock that stands unless it is put forward, and a file that says its time to the program. */
async function startClock(home: string): Promise<Clock> {
  let nowMs = START_MS;
  const pass = async (seconds: number): Promise<void> => {
    nowMs += seconds * 1000;
    // Renamed into its place: nobody reads half a time.
    await writeFile(join(home, 'next'), String(nowMs));
    await rename(join(home, 'next'), clockFile(home));
  };
  await pass(0);
  return { nowMs: () => nowMs, pass };
}

const clockFile = (home: string): string => join(home, 'clock');

/** An embedded node behind a gate for each hold; that of the first hold is the outermost. */
async function startHeldNode(
  opened: Held,
  clock: () => number,
  { faults = [], holds = [] }: Opening,
): Promise<Pick<Gate, 'url'> & Pick<Stage, 'release'>> {
  const node = await startFaultyNode({ clock, faults });
  opened.use({ [Symbol.asyncDispose]: () => node.close() });
  const gates: Gate[] = [];
  for (const holdAfter of holds.toReversed())
    gates.push(opened.use(await startGate(gates.at(-1)?.url ?? node.url, { holdAfter })));
  return { url: gates.at(-1)?.url ?? node.url, release: () => gates.pop()?.open() };
}

// The name stands where an address would, whose port is another one on every run: so it does in commands where the
// address has a login.
async function writeProfile(home: string, address: string): Promise<void> {
  const folder = join(home, '.config', 'blockglass');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ node: 'my-node', profiles: { 'my-node': address.replace('://', '://somebody:secret@') } }),
  );
}

function program(home: string, { words = [], address, isLight }: Opening) {
  // Threads take it from the environment, too.
  const options = `--import=${new URL('pinned-world.mjs', import.meta.url).href}`;
  return {
    command: process.execPath,
    args: [bundle, ...words, ...(address === undefined ? [] : ['--node', address])],
    env: {
      HOME: home,
      XDG_CONFIG_HOME: undefined,
      BLOCKGLASS_START_TAB: undefined,
      NODE_OPTIONS: options,
      CLOCK_FILE: clockFile(home),
      TZ: 'UTC',
      COLORFGBG: isLight ? '0;15' : '15;0',
    },
  };
}

async function still(terminal: Terminal, condition: ScreenCondition, quietMs: number): Promise<string> {
  for (let bytes = -1; bytes !== terminal.bytes; ) {
    await terminal.waitFor(condition);
    bytes = terminal.bytes;
    await delay(quietMs);
    await terminal.settled();
  }
  return terminal.screen();
}
