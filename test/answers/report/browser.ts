import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as v from 'valibot';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The Chromium that CHROMIUM names, or the first on the PATH; undefined if there is none. */
export const chromium = (env: NodeJS.ProcessEnv): string | undefined =>
  [env.CHROMIUM ?? '', ...NAMES].find(
    name => name !== '' && spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );

const message = v.looseObject({
  id: v.optional(v.number()),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.string() })),
});

export interface BrowserEvent {
  readonly method: string;
  readonly params: unknown;
}

/** One page in a Chromium without a window, through its DevTools protocol. */
export class Browser {
  readonly #program: ChildProcess;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: v.InferOutput<typeof message>) => void>();
  readonly #events: BrowserEvent[] = [];
  #onEvent = (): void => undefined;
  #last = 0;

  /** `profile` is an empty folder. */
  static async open(path: string, profile: string): Promise<Browser> {
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
    const program = spawn(path, [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for await (const line of createInterface({ input: program.stderr })) {
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
      if (port !== undefined) return new Browser(program, await pageSocket(port));
    }
    throw new Error(`${path} ended before a page could be opened`);
  }

  private constructor(program: ChildProcess, socket: WebSocket) {
    this.#program = program;
    this.#socket = socket;
    // Nobody reads what else it says.
    program.stderr?.resume();
    socket.addEventListener('message', ({ data }) => this.#receive(v.parse(message, JSON.parse(String(data)))));
  }

  /** Runs a method of the protocol. */
  async call(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<v.InferOutput<typeof message>>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { error, result } = await promise;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** All events so far. */
  get events(): readonly BrowserEvent[] {
    return this.#events;
  }

  /** Resolves when the next event of this name arrives. */
  async next(method: string): Promise<void> {
    const seen = this.#events.length;
    while (!this.#events.slice(seen).some(event => event.method === method)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onEvent = resolve;
      await promise;
    }
  }

  async close(): Promise<void> {
    const exit = once(this.#program, 'exit');
    this.#program.kill('SIGTERM');
    await exit;
  }

  #receive({ id, method, params, ...answer }: v.InferOutput<typeof message>): void {
    if (id !== undefined) this.#waiting.get(id)?.(answer);
    if (method === undefined) return;
    this.#events.push({ method, params });
    this.#onEvent();
  }
}

const targets = v.array(v.looseObject({ type: v.string(), webSocketDebuggerUrl: v.string() }));

async function pageSocket(port: string): Promise<WebSocket> {
  const listed = v.parse(targets, await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  const socket = new WebSocket(listed.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the page could not be opened')));
  });
  return socket;
}
