import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';

export interface RecorderOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** What one key did: bytes out, and milliseconds from the key to the last of them. */
export interface KeyFigures {
  readonly bytes: number;
  readonly lastByteMs: number;
}

export interface TreeFigures {
  readonly rssBytes: number;
  readonly cpuMs: number;
}

const TICK_MS = 10;

/** Runs a program in a pseudo-terminal and notes every byte it writes with its time. */
export class Recorder {
  readonly startedMs = performance.now();
  readonly #pty: IPty;
  #text = '';
  #bytes = 0;
  #lastMs = 0;
  #hasEnded = false;
  readonly #marks: { readonly pattern: string; readonly times: number; readonly reached: (atMs: number) => void }[] =
    [];

  constructor({ command, args, env = {}, cwd, columns = 120, rows = 40 }: RecorderOptions) {
    this.#pty = spawn(command, [...args], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: cwd ?? process.cwd(),
      env: { ...bareEnvironment(), ...env },
    });
    this.#pty.onData(data => this.#take(data));
    this.#pty.onExit(() => {
      this.#hasEnded = true;
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  get text(): string {
    return this.#text;
  }

  /** Milliseconds from the start to the first byte after which the output holds the text so many times. */
  reached(pattern: string, times = 1, deadlineMs = 20_000): Promise<number> {
    if (this.#holds(pattern, times)) return Promise.resolve(this.#lastMs - this.startedMs);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`"${pattern}" did not come; last: ${this.#text.slice(-300)}`)),
        deadlineMs,
      );
      this.#marks.push({
        pattern,
        times,
        reached: atMs => {
          clearTimeout(timer);
          resolve(atMs - this.startedMs);
        },
      });
    });
  }

  /** Resolves when nothing was written for a while. */
  async quiet(forMs = 80, deadlineMs = 20_000): Promise<void> {
    const from = performance.now();
    while (performance.now() - from < deadlineMs) {
      const since = performance.now() - Math.max(this.#lastMs, from);
      if (since >= forMs || this.#hasEnded) return;
      await wait(Math.max(1, forMs - since));
    }
  }

  send(keys: string): void {
    this.#pty.write(keys);
  }

  /** Presses a key and waits until nothing follows any more. */
  async press(keys: string, quietMs = 60): Promise<KeyFigures> {
    const bytes = this.#bytes;
    const from = performance.now();
    this.send(keys);
    await this.quiet(quietMs);
    return { bytes: this.#bytes - bytes, lastByteMs: this.#bytes === bytes ? Number.NaN : this.#lastMs - from };
  }

  /** Milliseconds from now back to the last byte written. */
  get sinceLastByteMs(): number {
    return performance.now() - this.#lastMs;
  }

  get lastByteAtMs(): number {
    return this.#lastMs;
  }

  /** Memory and processor time of the program and all it started. */
  tree(): TreeFigures {
    const figures = processTree(this.#pty.pid).map(figuresOf);
    return {
      rssBytes: figures.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
      cpuMs: figures.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#pty.kill('SIGKILL');
    while (!this.#hasEnded) await wait(5);
  }

  /** Milliseconds from the start to the end of the program. */
  async ended(): Promise<number> {
    while (!this.#hasEnded) await wait(0.2);
    return performance.now() - this.startedMs;
  }

  #holds(pattern: string, times: number): boolean {
    return this.#text.split(pattern).length > times;
  }

  #take(data: string): void {
    this.#lastMs = performance.now();
    this.#bytes += Buffer.byteLength(data);
    this.#text = (this.#text + data).slice(-200_000);
    for (const mark of [...this.#marks]) {
      if (!this.#holds(mark.pattern, mark.times)) continue;
      this.#marks.splice(this.#marks.indexOf(mark), 1);
      mark.reached(this.#lastMs);
    }
  }
}

/** No CI, no colour wishes, nobody's node. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  // What is measured are lists, as in the peers.
  return { PATH, HOME, LANG: 'C.UTF-8', TERM: 'xterm-256color', BLOCKGLASS_START_TAB: 'parameters' };
}

function processTree(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const tree = [root];
  for (const id of tree) tree.push(...[...parents].filter(([, parent]) => parent === id).map(([child]) => child));
  return tree;
}

function figuresOf(id: number): TreeFigures {
  const stat = read(`/proc/${id}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const rss = /VmRSS:\s+(\d+)/.exec(read(`/proc/${id}/status`))?.[1];
  return { rssBytes: Number(rss ?? 0) * 1024, cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
