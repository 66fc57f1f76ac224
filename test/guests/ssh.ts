import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import type { GuestServer } from './server.ts';

export interface Ran {
  /** Null when it had to be ended. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end, or ends it after a while. */
export async function run(command: string, args: readonly string[], input = '', patienceMs = 15_000): Promise<Ran> {
  const child = spawn(command, args, { env: environment() });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { code: typeof code === 'number' ? code : null, output };
}

export const environment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' });

/** A guest at a terminal, as soon as the screen is drawn. */
export async function openGuest(server: GuestServer, ...options: readonly string[]): Promise<Terminal> {
  const guest = await openTerminal({
    ...{ command: 'ssh', args: ['-tt', ...server.client(...options)], columns: 100, rows: 30 },
    env: { NO_COLOR: '1' },
  });
  try {
    await guest.waitFor('in sync', PATIENCE);
    return guest;
  } catch (error) {
    await guest.close();
    throw error;
  }
}

/** The machine may be busy with other guests. */
export const PATIENCE = { deadlineMs: 60_000 };
