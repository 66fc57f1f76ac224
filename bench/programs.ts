import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from './recorder.ts';

/** The built program, as it ships. */
export const PROGRAM = join(process.cwd(), 'dist/start.js');

/** A home of the benchmark's own: compiled code is kept in it by the first starts. It goes when the benchmark ends. */
export const HOME = mkdtempSync(join(tmpdir(), 'blockglass-bench-'));
process.once('exit', () => rmSync(HOME, { recursive: true, force: true }));

export const environment = (): Record<string, string> => ({ ...bareEnvironment(), HOME });

/** Whether a peer is there; one that is not is named in the table. */
export const isInstalled = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

export interface Run {
  readonly wallS: number;
  readonly peakRssMib: number;
  readonly code: number;
}

/** Runs a shell script to its end; what it prints is thrown away. */
export async function runShell(script: string): Promise<Run> {
  const startedMs = performance.now();
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'ignore', 'inherit'], env: environment() });
  let peakKib = 0;
  const timer = setInterval(() => {
    peakKib = Math.max(peakKib, treePeakKib(child.pid ?? 0));
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  return { wallS: (performance.now() - startedMs) / 1000, peakRssMib: peakKib / 1024, code: Number(code) };
}

/** Wall milliseconds of a command that is run and waited for. */
export function timed(command: string, args: readonly string[]): number {
  const startedMs = performance.now();
  spawnSync(command, [...args], { env: environment() });
  return performance.now() - startedMs;
}

/** Highest memory of a process and its children so far, in KiB: read, not asked of a program that would cost as well. */
function treePeakKib(id: number): number {
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readProc(`/proc/${id}/status`))?.[1] ?? 0);
  const children = readProc(`/proc/${id}/task/${id}/children`)
    .split(' ')
    .filter(child => child !== '');
  return Math.max(peak, ...children.map(child => treePeakKib(Number(child))));
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
