import type { Host } from './host.ts';
import { ProcessGuard } from './process-guard.ts';

/** The terminal of the process in raw mode: typed keys wait in it, in order and without echo, until they are read. */
interface ClaimedTerminal {
  /** For the explorer, which handles the terminal once it listens to stops. */
  readonly host: Host;
  /** Restores the terminal, which is empty or was cleared before. */
  readonly release: () => void;
}

declare global {
  /** The claimed terminal, until it is released. */
  var blockglassTerminal: ClaimedTerminal | undefined;
}

const INTERRUPTED = 130;

/**
 * Turns on raw mode before anything is loaded or drawn, and turns it off however the process ends or stops. A second
 * claim returns the same terminal. Without `mayStop` the user cannot stop the process and reach the shell behind it.
 */
export function claimTerminal(mayStop = true): ClaimedTerminal {
  globalThis.blockglassTerminal ??= claim(mayStop);
  return globalThis.blockglassTerminal;
}

/** Releases the terminal, if it was claimed. */
export const releaseTerminal = (): void => globalThis.blockglassTerminal?.release();

function claim(mayStop: boolean): ClaimedTerminal {
  const { stdin } = process;
  const guard = new ProcessGuard(process, mayStop);
  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode(isRaw);
    } catch {
      // The terminal is gone.
    }
  };
  const restore = (): void => setRaw(false);
  const { stops, leave } = guard.enter({
    stdin,
    restore,
    end: ending => {
      restore();
      if (ending.kind === 'fault') process.stderr.write(`blockglass: ${String(ending.error)}\n`);
      process.exit(ending.kind === 'fault' ? 1 : INTERRUPTED);
    },
  });
  const unlisten = stops.listen({
    onStopAsked: () => {
      restore();
      void stops.stop().then(() => setRaw(true));
    },
    onContinued: () => setRaw(true),
  });
  const handOver = (): void => {
    unlisten();
    leave();
  };
  setRaw(true);
  return {
    host: { enter: resident => handOverOnListen(guard.enter(resident), handOver) },
    release: () => {
      handOver();
      guard.release();
      restore();
      globalThis.blockglassTerminal = undefined;
    },
  };
}

function handOverOnListen(
  { stops, leave }: ReturnType<Host['enter']>,
  handOver: () => void,
): ReturnType<Host['enter']> {
  const listen: typeof stops.listen = hearer => {
    const unlisten = stops.listen(hearer);
    handOver();
    return unlisten;
  };
  return { stops: { ...stops, listen }, leave };
}
