import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ran, type Running, run } from '../../flows/support/program.ts';

/** The commands that ask a node; each ends as it does whatever its answers take. */
export const COMMANDS = {
  list: ['list', 'parameters', '-o', 'ndjson'],
  'list --all': ['list', 'parameters', '--all', '--page-size', '20', '-o', 'ndjson'],
  show: ['show', 'parameters', 'market.fee.factors.makerFee', '-o', 'json'],
  status: ['status', '-o', 'json'],
  names: ['list', 'fees', '-o', 'csv'],
  segments: ['segments', '-o', 'ndjson'],
  export: ['export', '--table', 'blocks', '--from', '1', '--to', '1000', '--wait', '2', '--idle', '2'],
} as const satisfies { readonly [name: string]: readonly string[] };

export type CommandName = keyof typeof COMMANDS;

export interface CommandRun extends Ran {
  /** What was exported: the files with a final name, as text. They may be called otherwise when the chain is unknown. */
  readonly files: string;
  readonly elapsedMs: number;
  /** It was interrupted because it took too long. */
  readonly isLate: boolean;
}

/** A run that takes so much longer than a request may is interrupted; what then still runs is killed. */
const PATIENCE_MS = 13_000;
const LAST_MS = 5000;

export async function runCommand(name: CommandName, node: string, timeoutS = 2): Promise<CommandRun> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-faults-'));
  const timers: NodeJS.Timeout[] = [];
  let isLate = false;
  const during = async (process: Running): Promise<void> => {
    const interrupt = (): void => {
      isLate = true;
      process.kill('SIGINT');
    };
    timers.push(setTimeout(interrupt, timeoutS * 1000 + PATIENCE_MS));
    timers.push(setTimeout(() => process.kill('SIGKILL'), timeoutS * 1000 + PATIENCE_MS + LAST_MS));
  };
  const startedMs = performance.now();
  try {
    const ran = await run([...COMMANDS[name], '--timeout', String(timeoutS), '--node', node], {
      cwd: folder,
      env: { HOME: folder, XDG_CACHE_HOME: folder },
      during,
    });
    return { ...ran, files: await filesIn(folder), elapsedMs: performance.now() - startedMs, isLate };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
  }
}

async function filesIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.zip')).toSorted();
  const files = await Promise.all(names.map(name => readFile(join(folder, name), 'base64')));
  return files.join('\n');
}
