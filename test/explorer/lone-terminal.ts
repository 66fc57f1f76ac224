import { Readable, Writable } from 'node:stream';

const PATIENCE_MS = 20_000;

const visible = (written: string): string => written.replaceAll('\u001b', '<esc>');

interface Waiting {
  readonly pattern: RegExp;
  readonly resolve: () => void;
}

/** A terminal in memory with streams of its own: nothing that happens to it concerns the process. */
export class LoneTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly keys = new Readable({ read: () => {} });
  readonly screen: Writable;
  /** Everything written to it. */
  written = '';
  isRaw = false;
  #waiting: Waiting[] = [];

  constructor(columns = 80, rows = 24) {
    this.screen = new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        this.written += chunk;
        this.#tell();
        done();
      },
    });
    const setRawMode = (isRaw: boolean): void => {
      this.isRaw = isRaw;
    };
    this.stdin = standIn(process.stdin, this.keys, { isTTY: true, setRawMode, ref: () => {}, unref: () => {} });
    this.stdout = standIn(process.stdout, this.screen, { isTTY: true, columns, rows });
  }

  /** Listeners that anybody has on it. */
  get listeners(): number {
    return [this.keys, this.screen].flatMap(stream => stream.eventNames().flatMap(name => stream.listeners(name)))
      .length;
  }

  /** Resolves when something like this was written. */
  async until(pattern: RegExp): Promise<void> {
    if (pattern.test(this.written)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = () => reject(new Error(`${pattern} was never written, but\n${visible(this.written)}`));
    const timer = setTimeout(late, PATIENCE_MS);
    this.#waiting.push({ pattern, resolve });
    await promise.finally(() => clearTimeout(timer));
  }

  #tell(): void {
    const met = this.#waiting.filter(({ pattern }) => pattern.test(this.written));
    this.#waiting = this.#waiting.filter(waiting => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

/** The stream, with what it has not taken from `own`; by its type a stream of the process. */
function standIn<Stream extends object>(
  type: Stream,
  stream: object,
  own: { readonly [name: string]: unknown },
): Stream {
  return new Proxy(type, {
    has: () => true,
    get(_, property) {
      if (typeof property === 'string' && Object.hasOwn(own, property)) return own[property];
      const value: unknown = Reflect.get(stream, property, stream);
      return typeof value === 'function' ? value.bind(stream) : value;
    },
    set: (_, property, value) => Reflect.set(stream, property, value, stream),
  });
}
