import { overrideMethods } from '../override-methods.ts';

interface InputLimit {
  /** Bytes that may come at once, such as a paste. */
  readonly burst: number;
  readonly perSecond: number;
  /** Something was typed. */
  readonly onTyped: () => void;
  /** Whether nothing is read now. `awaken` is called when this may have changed. */
  readonly isHeld: () => boolean;
}

/** The rest of a key, or of a mark of a paste, is no longer. */
const MAX_SEQUENCE_LENGTH = 16;

const ESCAPE = 0x1b;
const NOTHING = new Uint8Array();

/** Input with a limited reading rate: faster input waits, in the end at its sender. No key is lost or split. */
export function limitedInput<Terminal extends NodeJS.ReadStream>(
  terminal: Terminal,
  { burst, perSecond, onTyped, isHeld }: InputLimit,
): { readonly stdin: Terminal; readonly awaken: () => void; readonly release: () => void } {
  let waiting: Uint8Array = NOTHING;
  let allowed = burst;
  let atMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const wake = (): void => {
    clearTimeout(timer);
    timer = undefined;
    terminal.emit('readable');
  };
  const read = (): Uint8Array | null => {
    if (isHeld()) return null;
    const nowMs = performance.now();
    allowed = Math.min(burst, allowed + ((nowMs - atMs) * perSecond) / 1000);
    atMs = nowMs;
    if (waiting.length === 0) {
      const chunk: unknown = terminal.read();
      if (chunk === null) return null;
      waiting = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
      onTyped();
    }
    const part = waiting.subarray(0, cutPosition(waiting, Math.floor(allowed)));
    waiting = waiting.subarray(part.length);
    allowed -= part.length;
    if (waiting.length > 0) timer ??= setTimeout(wake, WAKE_MS);
    return part.length === 0 ? null : part;
  };
  return { stdin: overrideMethods(terminal, { read }), awaken: wake, release: () => clearTimeout(timer) };
}

/** Long enough for a whole sequence. */
const WAKE_MS = 100;

/** A position to cut bytes at, for at most `most` bytes. */
function cutPosition(bytes: Uint8Array, most: number): number {
  if (bytes.length <= most) return bytes.length;
  if (most < MAX_SEQUENCE_LENGTH) return 0;
  const start = bytes.lastIndexOf(ESCAPE, most - 1);
  return start > most - MAX_SEQUENCE_LENGTH && start > 0 ? start : most;
}
