import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AnswerError } from './answer-error.ts';
import {
  type EngineReply,
  type EngineRequest,
  type FromEngine,
  receivedError,
  type ToEngine,
} from './engine-messages.ts';
import { requireEngine } from './load-engine.ts';

/** Starts the file that answers; it is this module's neighbour in the sources and beside the built program. */
const CHILD = new URL(import.meta.url.endsWith('.ts') ? './engine-child.ts' : './engine.js', import.meta.url);

interface Waiting {
  readonly resolve: (reply: EngineReply) => void;
  readonly reject: (error: unknown) => void;
}

/** A process with the SQL engine. Whatever ends it rejects what is asked of it, then and later, in one sentence. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<unknown>;
  /** Why it answers no more. */
  #failure: unknown;
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => {});
    child.on('message', (message: FromEngine) => this.#hear(message));
    child.on('exit', (code, signal) => this.#fail(crash(signal ?? `exit code ${code}`)));
    child.on('error', error => this.#fail(crash(error.message)));
  }

  /** Throws AnswerError where DuckDB is not there or cannot be loaded. An abort ends the process. */
  static async start(
    open: Extract<EngineRequest, { readonly act: 'open' }>,
    signal?: AbortSignal,
  ): Promise<EngineProcess> {
    requireEngine();
    signal?.throwIfAborted();
    const child = fork(fileURLToPath(CHILD), {
      // What the engine writes past this program has nowhere to go, and it inherits no login.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.test(name))),
      execArgv: [],
      serialization: 'advanced',
    });
    const engine = new EngineProcess(child);
    const onAbort = (): void => void engine.end(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    void engine.#exited.then(() => signal?.removeEventListener('abort', onAbort));
    const late = setTimeout(
      () => void engine.end(new AnswerError(LATE, 'try again when the machine is less busy')),
      MOST_START_MS,
    );
    try {
      await engine.ask(open);
      void engine.#watch(open.limits.memoryMiB);
      return engine;
    } catch (error) {
      await engine.end(error);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Throws AnswerError with the engine's words, or the reason of the abort, which it does not wait for. */
  async ask(request: EngineRequest, signal?: AbortSignal): Promise<EngineReply> {
    return await this.begin(request, signal).reply;
  }

  /** The same, with the number of the request, by which more is asked for. */
  begin(request: EngineRequest, signal?: AbortSignal): { readonly id: number; readonly reply: Promise<EngineReply> } {
    const id = ++this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<EngineReply>();
    if (signal?.aborted === true) reject(signal.reason);
    else if (this.#failure !== undefined) reject(this.#failure);
    else {
      const onAbort = (): void => {
        this.interrupt(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, { resolve, reject });
      this.#send({ ...request, id });
      void promise.catch(() => {}).then(() => signal?.removeEventListener('abort', onAbort));
    }
    // Whoever asks for more before it is needed may not come for it.
    promise.catch(() => {});
    return { id, reply: promise };
  }

  /** Ends a request, or the result that it began; nobody waits for it any more. */
  interrupt(id: number): void {
    this.#waiting.delete(id);
    this.#send({ act: 'interrupt', id });
  }

  /** Ends the process whatever it is at, and resolves when it is gone. */
  async end(reason: unknown = new Error('the SQL engine is closed')): Promise<void> {
    this.#fail(reason);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #send(message: ToEngine): void {
    // A process that has ended says so itself.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #hear(message: FromEngine): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(receivedError(message.error));
    else waiting?.resolve(message.reply);
  }

  #fail(reason: unknown): void {
    this.#failure ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  /** The engine counts only some of what it takes: the process may have so much more than when it began. */
  async #watch(memoryMiB: number): Promise<void> {
    const { pid = 0 } = this.#child;
    const mostKiB = (await residentKiB(pid)) + (memoryMiB + SLACK_MIB) * 1024;
    while (this.#failure === undefined) {
      await wait(LOOK_MS, undefined, { ref: false });
      if ((await residentKiB(pid)) > mostKiB) await this.end(tooMuchMemory(memoryMiB));
    }
  }
}

/** What a program needs to be loaded, and where temporary files go. */
const INHERITED = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_PATH|(?:LD|DYLD)_LIBRARY_PATH)$/i;

const MOST_START_MS = 60_000;
const LATE = 'the SQL engine did not start within a minute';

/** An expression makes a gigabyte of text in a second. */
const LOOK_MS = 10;

/** Rows on their way out, and what an engine takes for its files. */
const SLACK_MIB = 512;

/** Memory of a process; 0 when it is gone, or where nothing tells. */
async function residentKiB(pid: number): Promise<number> {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return 0;
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({
      stdout: '0',
    }));
    return Number(stdout);
  }
}

const crash = (how: string): AnswerError =>
  new AnswerError(
    `the SQL engine crashed (${how}) and gave no answer`,
    'ask in a simpler way: fewer levels of nesting, a shorter pattern',
    'untrusted',
  );

const tooMuchMemory = (memoryMiB: number): AnswerError =>
  new AnswerError(
    `Out of Memory: the SQL engine took more than it may have (${memoryMiB} MiB)`,
    'ask for fewer columns or groups, or give it more with --memory',
  );
