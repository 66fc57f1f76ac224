import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { bundle } from '../../flows/support/explorer.ts';
import type { Random } from '../random.ts';

/** A command line of the program, where it runs, and what is its home. */
export interface Start {
  readonly args: readonly string[];
  readonly home: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
  /** Changes seen in the folder that was watched. */
  readonly changes: number;
}

/** How long an undisturbed run takes and how often it changes something on the disk. */
export type Course = Pick<Ended, 'elapsedMs' | 'changes'>;

/** When a process is killed: so long after its start, or so long after a change on the disk. */
export interface Moment {
  readonly afterMs: number;
  readonly afterChange: number | undefined;
}

/** A moment somewhere in the course: half of them right where something is written. */
export function momentIn({ elapsedMs, changes }: Course, random: Random): Moment {
  if (random.chance(0.5)) return { afterMs: elapsedMs * 1.1 * random.next(), afterChange: undefined };
  return { afterMs: random.below(3), afterChange: random.below(changes + 1) };
}

/** Runs the program, kills it with SIGKILL at the moment if there is one, and waits for its end. */
export async function runUntil(start: Start, watched: string, moment?: Moment): Promise<Ended> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [bundle, ...start.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: start.home, LANG: 'C.UTF-8' },
  });
  const kill = async (afterMs: number): Promise<void> => {
    if (afterMs > 0) await wait(afterMs);
    child.kill('SIGKILL');
  };
  let changes = 0;
  const watcher = watch(watched, { recursive: true }, () => {
    if (moment !== undefined && changes === moment.afterChange) void kill(moment.afterMs);
    changes++;
  });
  // The folder may have gone before the watcher.
  watcher.on('error', () => {});
  if (moment !== undefined && moment.afterChange === undefined) void kill(moment.afterMs);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  watcher.close();
  const [stdout, stderr] = await output;
  const elapsedMs = performance.now() - startedMs;
  return { code: typeof code === 'number' ? code : null, stdout, stderr, elapsedMs, changes };
}
