import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { bundle } from './explorer.ts';

/** A program and its engines. */
export async function familyOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
  return [
    pid,
    ...children
      .split(' ')
      .filter(text => text !== '')
      .map(Number),
  ];
}

export interface Measured {
  readonly cwd: string;
  /** Where the program makes its temporary files. */
  readonly temporary: string;
  readonly read?: (child: ChildProcess) => void;
}

/** Runs a query; resolves with the most memory that it has taken, in MiB, and how it ended. */
export async function measured(
  words: readonly string[],
  { cwd, temporary, read = child => child.stdout?.resume() }: Measured,
) {
  const child = spawn(process.execPath, [bundle, 'query', ...words], {
    cwd,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', text => {
    stderr += text;
  });
  read(child);
  let peak = 0;
  const timer = setInterval(async () => {
    let now = 0;
    for (const member of await familyOf(child.pid ?? 0)) {
      const status = await readFile(`/proc/${member}/status`, 'latin1').catch(() => '');
      now += Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
    }
    peak = Math.max(peak, now);
  }, 20);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  return { code, stderr, peak };
}
