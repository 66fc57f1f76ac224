import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm, { type Terminal as Emulator } from '@xterm/headless';
import { type EnvironmentChanges, terminalEnvironment } from './terminal-env.ts';
import { boxedText, type Cell, cellsOfRow, visibleText } from './terminal-frame.ts';
import { escapeFlushed, handOver } from './terminal-handover.ts';
import { bytesOfPaste, writesOfKey } from './terminal-keys.ts';

export interface TerminalOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  /** On top of a bare environment; `undefined` takes a variable away. */
  readonly env?: EnvironmentChanges;
  readonly cwd?: string;
  /** What the terminal replies when it is asked for its background (OSC 11); nothing if left out. */
  readonly backgroundReply?: string;
}

export interface Exit {
  /** 0 where a signal ended the program. */
  readonly exitCode: number;
  readonly signal: string | undefined;
}

export interface Deadline {
  readonly deadlineMs?: number;
}

/** Far more than anything takes on a machine that is busy with other tests: what takes longer hangs. */
const PATIENCE_MS = 20_000;

/** How long the second half of a frame that was cut in two may take: no byte says that one is to come. */
const READ_GAP_MS = 8;

/** Text to be found, a pattern to match, or a condition on the visible lines. */
export type ScreenCondition = string | RegExp | ((screen: string) => boolean);

/** Runs a program in a pseudo-terminal whose output goes to a terminal emulator. Close it, or use `await using`. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { command, args, columns = 80, rows = 24, env, cwd = process.cwd() } = options;
  const home = await mkdtemp(join(tmpdir(), 'blockglass-terminal-'));
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const environment = terminalEnvironment(home, env);
  const pty = spawn(command, [...args], {
    name: environment.TERM ?? 'dumb',
    cols: columns,
    rows,
    cwd,
    env: environment,
  });
  if (options.backgroundReply !== undefined) replyBackground(pty, emulator, options.backgroundReply);
  return new Terminal(pty, emulator, { home });
}

function replyBackground(pty: IPty, emulator: Emulator, reply: string): void {
  emulator.parser.registerOscHandler(11, asked => {
    if (asked === '?') pty.write(reply);
    return true;
  });
}

interface Circumstances {
  readonly home: string;
}

export class Terminal {
  /** The folder given to the program as HOME, unless `env` named another. */
  readonly home: string;
  readonly pid: number;
  readonly #pty: IPty;
  readonly #emulator: Emulator;
  readonly #watchers = new Set<() => void>();
  readonly #keys: string[] = [];
  #raw = '';
  #bytes = 0;
  #title = '';
  #isCursorVisible = true;
  #hasEnded = false;
  #exit: Exit | undefined;

  constructor(pty: IPty, emulator: Emulator, { home }: Circumstances) {
    this.#pty = pty;
    this.#emulator = emulator;
    this.home = home;
    this.pid = pty.pid;
    this.#connect();
  }

  /** Output so far, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Output so far, as it came. */
  get raw(): string {
    return this.#raw;
  }

  get title(): string {
    return this.#title;
  }

  get inAlternateScreen(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  get cursorVisible(): boolean {
    return this.#isCursorVisible;
  }

  get bracketedPaste(): boolean {
    return this.#emulator.modes.bracketedPasteMode;
  }

  /** The visible lines, right-trimmed: as many as the terminal has rows. */
  screen(): string {
    return visibleText(this.#emulator);
  }

  cells(row: number): readonly Cell[] {
    return cellsOfRow(this.#emulator, row);
  }

  /** Where the cursor is; the top left is 0, 0. */
  cursor(): { readonly column: number; readonly row: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { column: cursorX, row: cursorY };
  }

  /** Presses named keys (`enter`, `ctrl-c`, ...) and types any other text, each key as one write, read before the next. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      if (this.#exit) throw this.#failure(`The program had ended before the key ${key}`);
      this.#keys.push(key);
      for (const write of writesOfKey(key, this.#emulator.modes.applicationCursorKeysMode)) {
        await handOver(this.pid, () => this.#pty.write(write));
        if (write === '\u001b') await escapeFlushed(this.pid);
      }
    }
  }

  /** Pastes as a terminal does: in brackets if the program asked for that, else like typing. */
  async paste(text: string): Promise<void> {
    await this.settled();
    this.#keys.push(`paste ${JSON.stringify(text)}`);
    const bytes = bytesOfPaste(text, this.bracketedPaste);
    await handOver(this.pid, () => this.#pty.write(bytes));
  }

  /** Writes bytes to the program as they are, all at once, and waits for nothing. */
  send(raw: string): void {
    this.#keys.push(`send ${JSON.stringify(raw)}`);
    this.#pty.write(raw);
  }

  /** The same, and resolves when the program has read them. */
  hand(raw: string): Promise<void> {
    return handOver(this.pid, () => this.send(raw));
  }

  /** Resolves when the emulator has parsed all bytes received so far. */
  settled(): Promise<void> {
    return new Promise(resolve => this.#emulator.write('', resolve));
  }

  /** The screen, as soon as it meets the condition. Looks after every parsed output, never inside a synchronized update. */
  async waitFor(condition: ScreenCondition, { deadlineMs = PATIENCE_MS }: Deadline = {}): Promise<string> {
    await this.settled();
    const frame = await this.#watch(deadlineMs, () => {
      if (this.#emulator.modes.synchronizedOutputMode && !this.#exit) return undefined;
      const screen = this.screen();
      if (isMet(condition, screen)) return { screen };
      if (this.#exit) throw this.#failure(`The program ended before the screen met ${String(condition)}`);
      return undefined;
    }).catch((error: unknown) => {
      throw error === late ? this.#failure(`After ${deadlineMs} ms the screen had not met ${condition}`) : error;
    });
    return (await this.#isWhole(condition)) ? this.screen() : frame.screen;
  }

  // A frame is one write, but a pseudo-terminal may hand it over in two reads: the second is given the time to come.
  async #isWhole(condition: ScreenCondition): Promise<boolean> {
    for (let bytes = -1; bytes !== this.#bytes && !this.#exit; ) {
      bytes = this.#bytes;
      await delay(READ_GAP_MS);
      await this.settled();
    }
    return isMet(condition, this.screen());
  }

  /** How the program ended; all its output is on the screen by then. */
  waitForExit({ deadlineMs = PATIENCE_MS }: Deadline = {}): Promise<Exit> {
    return this.#watch(deadlineMs, () => this.#exit).catch((error: unknown) => {
      throw error === late ? this.#failure(`After ${deadlineMs} ms the program had not ended`) : error;
    });
  }

  /** Resizes emulator and pseudo-terminal (the program gets SIGWINCH), once what was drawn for the old size is parsed. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.settled();
    this.#emulator.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Sends a signal to the program alone, not to its children. */
  kill(signal: NodeJS.Signals = 'SIGTERM'): void {
    process.kill(this.pid, signal);
  }

  /** Kills the program and its children if it still runs, and removes its home folder. */
  async close(): Promise<void> {
    if (!this.#hasEnded) killGroup(this.pid);
    await this.waitForExit();
    this.#emulator.dispose();
    await rm(this.home, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #connect(): void {
    const cursorMode = (isVisible: boolean) => (params: readonly (number | number[])[]) => {
      if (params.includes(25)) this.#isCursorVisible = isVisible;
      return false; // the emulator handles the sequence too
    };
    this.#emulator.parser.registerCsiHandler({ prefix: '?', final: 'h' }, cursorMode(true));
    this.#emulator.parser.registerCsiHandler({ prefix: '?', final: 'l' }, cursorMode(false));
    this.#emulator.onTitleChange(title => {
      this.#title = title;
    });
    this.#emulator.onData(answer => {
      if (!this.#hasEnded) this.#pty.write(answer); // answers to the program's questions, as a terminal gives them
    });
    this.#pty.onData(chunk => {
      this.#raw += chunk;
      this.#bytes += Buffer.byteLength(chunk);
      this.#emulator.write(chunk, () => this.#notify());
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#hasEnded = true;
      this.#emulator.write('', () => {
        this.#exit = { exitCode, signal: signalName(signal ?? 0) };
        this.#notify();
      });
    });
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** The first result `look` gives, asked now and after every parsed output and the end; rejects with `late`. */
  #watch<Found extends object>(deadlineMs: number, look: () => Found | undefined): Promise<Found> {
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const check = () => {
      try {
        const found = look();
        if (found) resolve(found);
      } catch (error) {
        reject(error);
      }
    };
    const timer = setTimeout(() => reject(late), deadlineMs);
    this.#watchers.add(check);
    check();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(check);
    });
  }

  #failure(what: string): Error {
    const keys = this.#keys.slice(-20).join(' ') || 'none';
    const end = this.#exit ? `\nended: code ${this.#exit.exitCode}, signal ${this.#exit.signal ?? 'none'}` : '';
    return new Error(`${what}\n${boxedText(this.#emulator)}\nkeys: ${keys}${end}`);
  }
}

const late = new Error('deadline');

function isMet(condition: ScreenCondition, screen: string): boolean {
  if (typeof condition === 'string') return screen.includes(condition);
  return typeof condition === 'function' ? condition(screen) : screen.search(condition) >= 0;
}

/** The program may have ended on its own a moment ago, and the news not be here yet. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function signalName(signal: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === signal)?.[0];
}
