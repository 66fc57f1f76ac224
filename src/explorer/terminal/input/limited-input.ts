import { standIn } from '../stand-in.ts';

export interface InputLimit {
  /** Characters that may come at once, such as a paste. */
  readonly burst: number;
  readonly perSecond: number;
  /** Something was typed. */
  readonly onTyped: () => void;
  /** Whether nothing is read now. `awaken` is called when this may have changed. */
  readonly isHeld: () => boolean;
}

/** The rest of a key, or of a mark of a paste, is no longer. */
const LONGEST_SEQUENCE = 16;

const ESCAPE = '\u001b';

/**
 * Input that is read no faster than this: what comes faster waits, in the end at its sender. No key is lost, and none is
 * cut in two.
 */
export function limitedInput<Terminal extends NodeJS.ReadStream>(
  terminal: Terminal,
  { burst, perSecond, onTyped, isHeld }: InputLimit,
): { readonly stdin: Terminal; readonly awaken: () => void; readonly release: () => void } {
  let waiting = '';
  let allowed = burst;
  let atMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const wake = (): void => {
    clearTimeout(timer);
    timer = undefined;
    terminal.emit('readable');
  };
  const read = (): string | null => {
    if (isHeld()) return null;
    const nowMs = performance.now();
    allowed = Math.min(burst, allowed + ((nowMs - atMs) * perSecond) / 1000);
    atMs = nowMs;
    if (waiting === '') {
      const chunk: unknown = terminal.read();
      if (chunk === null) return null;
      waiting = String(chunk);
      onTyped();
    }
    const part = waiting.slice(0, cutAt(waiting, Math.floor(allowed)));
    waiting = waiting.slice(part.length);
    allowed -= part.length;
    if (waiting !== '') timer ??= setTimeout(wake, WAKE_MS);
    return part === '' ? null : part;
  };
  return { stdin: standIn(terminal, { read }), awaken: wake, release: () => clearTimeout(timer) };
}

/** Long enough for a whole sequence. */
const WAKE_MS = 100;

/** Where a text can be cut that no more of it is taken than that. */
function cutAt(text: string, most: number): number {
  if (text.length <= most) return text.length;
  if (most < LONGEST_SEQUENCE) return 0;
  const start = text.lastIndexOf(ESCAPE, most - 1);
  const cut = start > most - LONGEST_SEQUENCE && start > 0 ? start : most;
  const isInPair = /[\ud800-\udbff]/.test(text[cut - 1] ?? '');
  return isInPair ? cut - 1 : cut;
}
