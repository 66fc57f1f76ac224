import { Readable, Writable } from 'node:stream';
import type { Context } from '../../src/cli/context.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { createSink } from '../../src/cli/sink.ts';
import { TAB_IDS } from '../../src/explorer/tabs.ts';

/** A stream that keeps what is written to it. */
export class TextStream extends Writable {
  text = '';
  readonly isTTY: boolean;
  #held: Promise<void> | undefined;

  constructor(isTTY = false) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }

  /** Takes nothing more until the function returned is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    if (this.#held === undefined) done();
    else void this.#held.then(done);
  }
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function contextWith(members: Partial<Context> = {}) {
  const stdout = new TextStream();
  const stderr = new TextStream();
  const context: Context = {
    stdin: () => Readable.from([]),
    stdout: createSink(stdout),
    stderr: createSink(stderr),
    env: {},
    version: '1.2.3',
    tabs: TAB_IDS,
    signal: new AbortController().signal,
    startDemo: () => Promise.reject(new Error('no demo here')),
    startSnapshot: () => Promise.reject(new Error('no snapshot here')),
    nowMs: Date.now,
    settings: async () => ({}),
    ...members,
  };
  return { context, stdout, stderr };
}

/** Runs a command line as the program does, with streams in memory. */
export async function run(line: readonly string[], members: Partial<Context> = {}): Promise<Ran> {
  const { context, stdout, stderr } = contextWith(members);
  const code = await runCommandLine(line, context);
  return { code, out: stdout.text, err: stderr.text };
}
