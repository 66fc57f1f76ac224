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
  type MessageFromEngine,
  type MessageToEngine,
  restoreError,
} from './engine-messages.ts';
import { requireEngine } from './load-engine.ts';

/** Starts `engine-child`, which is next to this module in the sources and next to the built program. */
const CHILD = new URL(import.meta.url.endsWith('.ts') ? './engine-child.ts' : './engine.js', import.meta.url);

interface PendingRequest {
  readonly resolve: (reply: EngineReply) => void;
  readonly reject: (error: unknown) => void;
}

/** The process of the SQL engine, seen from the program. When it ends, current and later requests fail with one message. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PendingRequest>();
  readonly #exited: Promise<unknown>;
  /** Why the process has ended. */
  #failure: unknown;
  #lastId = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => {});
    child.on('message', (message: MessageFromEngine) => this.#hear(message));
    child.on('exit', (code, signal) => this.#fail(crashError(signal ?? `exit code ${code}`)));
    child.on('error', error => this.#fail(crashError(error.message)));
  }

  /** Throws AnswerError if DuckDB is not installed or cannot be loaded. An abort ends the process. */
  static async start(
    open: Extract<EngineRequest, { readonly act: 'open' }>,
    signal?: AbortSignal,
  ): Promise<EngineProcess> {
    requireEngine();
    signal?.throwIfAborted();
    const child = fork(fileURLToPath(CHILD), {
      // The engine has no output of its own and inherits no credentials.
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
      () => void engine.end(new AnswerError(NOT_STARTED, 'try again when the machine is less busy')),
      MAX_START_MS,
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

  /** Throws AnswerError with the engine's message, or at once the reason of an abort. */
  async ask(request: EngineRequest, signal?: AbortSignal): Promise<EngineReply> {
    return await this.begin(request, signal).reply;
  }

  /** The same, with the id of the request, to fetch more of its result. */
  begin(request: EngineRequest, signal?: AbortSignal): { readonly id: number; readonly reply: Promise<EngineReply> } {
    const id = ++this.#lastId;
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
    // A prefetched part may never be read.
    promise.catch(() => {});
    return { id, reply: promise };
  }

  /** Ends a request or its result; no caller waits for it. */
  interrupt(id: number): void {
    this.#waiting.delete(id);
    this.#send({ act: 'interrupt', id });
  }

  /** Ends the process at once, and resolves when it has ended. */
  async end(reason: unknown = new Error('the SQL engine is closed')): Promise<void> {
    this.#fail(reason);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #send(message: MessageToEngine): void {
    // If the process has ended, its exit event reports that.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #hear(message: MessageFromEngine): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(restoreError(message.error));
    else waiting?.resolve(message.reply);
  }

  #fail(reason: unknown): void {
    this.#failure ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  /** The engine's own limit misses some memory: this limits the growth of the whole process. */
  async #watch(memoryMiB: number): Promise<void> {
    const { pid = 0 } = this.#child;
    const mostKiB = (await residentKiB(pid)) + (memoryMiB + SLACK_MIB) * 1024;
    while (this.#failure === undefined) {
      await wait(MEMORY_CHECK_MS, undefined, { ref: false });
      if ((await residentKiB(pid)) > mostKiB) await this.end(outOfMemoryError(memoryMiB));
    }
  }
}

/** The variables needed to load programs, and for temporary files. */
const INHERITED = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_PATH|NODE_COMPILE_CACHE|(?:LD|DYLD)_LIBRARY_PATH)$/i;

const MAX_START_MS = 60_000;
const NOT_STARTED = 'the SQL engine did not start within a minute';

/** An expression can produce a gigabyte of text in a second. */
const MEMORY_CHECK_MS = 10;

/** Rows being sent, and what the engine needs for files. */
const SLACK_MIB = 512;

/** The memory of a process; 0 if it has ended, or if the system does not report it. */
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

const crashError = (how: string): AnswerError =>
  new AnswerError(
    `the SQL engine crashed (${how})`,
    'simplify the query: less nesting, a shorter pattern',
    'untrusted',
  );

const outOfMemoryError = (memoryMiB: number): AnswerError =>
  new AnswerError(
    `Out of Memory: the SQL engine needs more than its limit of ${memoryMiB} MiB`,
    'select fewer columns or groups, or raise --memory',
  );
