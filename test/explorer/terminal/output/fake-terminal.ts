import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { type Emulator, emulatorOf, feed } from './emulator.ts';

/** A terminal in memory: what is written to `stdout` appears on `emulator`. */
export class FakeTerminal {
  emulator: Emulator;
  readonly writes: string[] = [];
  readonly events = new EventEmitter();
  readonly stdout: NodeJS.WriteStream;

  constructor(columns: number, rows: number) {
    this.emulator = emulatorOf(columns, rows);
    // A real terminal's stream in all that is not said here, its type above all.
    this.stdout = new Proxy(process.stdout, {
      get: (target, property) => this.#member(target, property),
      has: () => true,
    });
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.events.emit('resize');
  }

  #member(target: NodeJS.WriteStream, property: string | symbol): unknown {
    if (property === 'columns') return this.emulator.cols;
    if (property === 'rows') return this.emulator.rows;
    if (property === 'isTTY') return true;
    if (property === 'write') return this.#write;
    if (property === 'on') return this.events.on.bind(this.events);
    if (property === 'off') return this.events.off.bind(this.events);
    return Reflect.get(target, property, target);
  }

  readonly #write = (text: string, written?: () => void): boolean => {
    this.writes.push(text);
    feed(this.emulator, text);
    if (written !== undefined) setImmediate(written);
    return true;
  };
}

/** The stream, and every text written to it also to `also`. */
export function copied(stream: NodeJS.WriteStream, also: (text: string) => void): NodeJS.WriteStream {
  const write = (text: string, written?: () => void): boolean => {
    also(text);
    return stream.write(text, written);
  };
  return new Proxy(stream, {
    get: (target, property) => (property === 'write' ? write : Reflect.get(target, property, target)),
  });
}

/** A keyboard on which nobody types, unless something is pushed into `keys`. */
export function silentKeyboard(keys = new Readable({ read: () => {} })): NodeJS.ReadStream {
  const own: { readonly [name: string | symbol]: unknown } = {
    isTTY: true,
    setRawMode: () => {},
    ref: () => {},
    unref: () => {},
  };
  return new Proxy(process.stdin, {
    has: () => true,
    get(_, property) {
      if (property in own) return own[property];
      const value: unknown = Reflect.get(keys, property, keys);
      return typeof value === 'function' ? value.bind(keys) : value;
    },
  });
}
