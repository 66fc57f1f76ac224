import { limitedInput } from './input/limited-input.ts';
import { overrideMethods } from './override-methods.ts';
import type { TerminalEnds } from './terminal.ts';

/** Limits for the screen size of a guest, whatever size a client sends. */
const COLUMNS = { least: 20, most: 300 } as const;
const ROWS = { least: 5, most: 100 } as const;

/** A held key repeats 30 to 60 times a second, with three characters each for an arrow. */
const TYPED_PER_SECOND = 250;
const PASTED_AT_ONCE = 4096;

interface GuestTerminal extends TerminalEnds {
  readonly release: () => void;
}

/**
 * A guest's terminal: of a size that can be drawn, with keys that come no faster than they can be answered. When much
 * waits for a client to read it, the keys of the client wait too, so nothing piles up.
 */
export function guestTerminal({ stdin, stdout }: TerminalEnds, onTyped: () => void): GuestTerminal {
  const { awaken, release, ...limited } = limitedInput(stdin, {
    burst: PASTED_AT_ONCE,
    perSecond: TYPED_PER_SECOND,
    onTyped,
    isHeld: () => stdout.writableNeedDrain,
  });
  stdout.on('drain', awaken);
  return {
    stdin: limited.stdin,
    stdout: overrideMethods(stdout, {
      get columns() {
        return clampSize(stdout.columns, COLUMNS);
      },
      get rows() {
        return clampSize(stdout.rows, ROWS);
      },
    }),
    release: () => {
      stdout.off('drain', awaken);
      release();
    },
  };
}

/** Node writes to a terminal synchronously: a client that stops reading would stop the program, its timers included. */
export function unblock(stream: NodeJS.WriteStream): void {
  const handle: unknown = Reflect.get(stream, '_handle');
  if (typeof handle !== 'object' || handle === null) return;
  const setBlocking: unknown = Reflect.get(handle, 'setBlocking');
  if (typeof setBlocking === 'function') setBlocking.call(handle, false);
}

const clampSize = (size: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.min(most, Math.max(least, size));
