import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openExplorer } from '../../flows/support/explorer.ts';
import type { Terminal } from '../../support/terminal.ts';
import type { Random } from '../random.ts';
import { type Course, runUntil } from './process.ts';

/** What a command prints on a home of its own, and how long it takes there. */
export interface Said {
  readonly course: Course;
  readonly stdout: string;
}

const COMMAND = ['list', 'parameters', '-o', 'json', '--node'];

export async function undisturbedCommand(node: string): Promise<Said> {
  await using home = await freshHome();
  const { stdout, ...course } = await runUntil({ args: [...COMMAND, node], home: home.path }, home.path);
  return { course, stdout };
}

/** Kills the first command on a fresh home, while its compiled code is kept; the next has to say the same as ever. */
export async function killCommand(said: Said, node: string, random: Random): Promise<readonly string[]> {
  await using home = await freshHome();
  const start = { args: [...COMMAND, node], home: home.path };
  const afterMs = said.course.elapsedMs * 1.2 * random.next();
  await runUntil(start, home.path, { afterMs, afterChange: undefined });
  for (let run = 0; run < 2; run++) {
    const next = await runUntil(start, home.path);
    if (next.code !== 0 || next.stdout !== said.stdout || next.stderr.includes('blockglass:'))
      return [`a command killed after ${afterMs.toFixed(1)} ms: the next ends with ${next.code}, ${next.stderr}`];
  }
  return [];
}

/** Kills the explorer while it keeps how it was left; the views are the old ones or the new ones, and sound. */
export async function killViews(node: string, random: Random): Promise<readonly string[]> {
  await using home = await freshHome();
  const env = { HOME: home.path, XDG_STATE_HOME: join(home.path, '.local/state') };
  await using first = await openExplorer({ node, env, args: ['parameters'] });
  await hideColumn(first);
  first.send('q');
  const afterMs = 60 * random.next();
  await wait(afterMs);
  killIfThere(first);
  await first.waitForExit();
  const left = await viewsOf(home.path);
  if (left !== undefined && !isJson(left))
    return [`views, killed ${afterMs.toFixed(1)} ms after q: they hold ${JSON.stringify(left)}`];
  await using second = await openExplorer({ node, env, args: ['parameters'] });
  if (second.screen().includes('is not used')) return [`views, killed ${afterMs.toFixed(1)} ms after q: not used`];
  // Turned off by then, or not: either way the choice is changed and kept.
  await hideColumn(second);
  await second.press('q');
  const { exitCode } = await second.waitForExit();
  const kept = await viewsOf(home.path);
  return exitCode === 0 && kept !== undefined && kept !== left && isJson(kept)
    ? []
    : [`views, killed ${afterMs.toFixed(1)} ms after q: they cannot be kept any more: ${kept}`];
}

/** It may have quit by then. */
function killIfThere(terminal: Terminal): void {
  try {
    terminal.kill('SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function hideColumn(terminal: Terminal): Promise<void> {
  await terminal.press('c');
  await terminal.waitFor('Columns');
  await terminal.press('down', 'enter', 'escape');
  await terminal.waitFor(screen => !screen.includes('Columns'));
}

async function viewsOf(home: string): Promise<string | undefined> {
  return readFile(join(home, '.local/state/blockglass/views.json'), 'utf8').catch(() => undefined);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export async function freshHome() {
  const path = await mkdtemp(join(tmpdir(), 'blockglass-home-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
