import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { bundle } from './explorer.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Beside what every run has: no settings, and no preference of the developer's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly during?: (process: Running) => Promise<void>;
}

export interface Running {
  kill(signal: NodeJS.Signals): void;
  /** The first text on stdout, without the line end behind it. */
  firstOutput(): Promise<string>;
}

/** Runs a command with plain pipes and waits for its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runFile(process.execPath, [bundle, ...args], options);
}

/** Runs a line of a shell in which `blockglass` is the program; the code is that of the program itself. */
export function runShell(line: string, options: RunOptions = {}): Promise<Ran> {
  const program = `blockglass() { '${process.execPath}' '${bundle}' "$@"; }`;
  return runFile('bash', ['-c', `${program}; ${line}; exit \${PIPESTATUS[0]}`], options);
}

async function runFile(file: string, args: readonly string[], { cwd, env, during }: RunOptions): Promise<Ran> {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('BLOCKGLASS_'));
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(plain), XDG_CONFIG_HOME: '/dev/null/none', ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const first = new Promise<string>(resolve => child.stdout.once('data', data => resolve(String(data).trim())));
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    await during?.({ kill: signal => child.kill(signal), firstOutput: () => first });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const code = await closed;
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}
