import { overrideMethods } from '../override-methods.ts';
import { CellScreen, type ScreenSink } from './cell-screen.ts';
import { abilitiesOf } from './terminal-abilities.ts';

interface CellOutputOptions {
  /** TERM and TMUX determine the terminal's features. */
  readonly env: NodeJS.ProcessEnv;
  /** Gives Ink the terminal itself (`--plain-output`). */
  readonly isPlain?: boolean;
}

export interface CellOutput<Terminal> {
  /** To be given to Ink instead of the terminal; in everything but `write` it is the terminal. */
  readonly stdout: Terminal;
  /** Redraws the whole screen, as Ctrl-L does. */
  readonly repaint: () => void;
  /** Lets go of the terminal's events. */
  readonly release: () => void;
}

/**
 * Lets only changed cells through to the terminal. To be made before Ink is started, so that it hears of a new size
 * first.
 */
export function cellOutput<Terminal extends NodeJS.WriteStream>(
  terminal: Terminal,
  { env, isPlain = false }: CellOutputOptions,
): CellOutput<Terminal> {
  if (isPlain) return { stdout: terminal, repaint: () => {}, release: () => {} };
  const sink: ScreenSink = { write: (text, written) => terminal.write(text, written) };
  const screen = new CellScreen(sink, sizeOf(terminal), abilitiesOf(env));
  const release = listen(terminal, screen);
  return { stdout: overrideMethods(terminal, { write: writeInto(screen) }), repaint: () => screen.repaint(), release };
}

const sizeOf = ({ columns, rows }: NodeJS.WriteStream) => ({ columns: columns || 80, rows: rows || 24 });

// Ink draws at once for the old layout and then, within a frame's time, for the new one: the first is not shown.
const RESIZED_MS = 30;

function listen(terminal: NodeJS.WriteStream, screen: CellScreen): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onResize = (): void => {
    screen.resize(sizeOf(terminal));
    clearTimeout(timer);
    timer = setTimeout(() => screen.settled(), RESIZED_MS);
  };
  const onDrain = (): void => screen.drained();
  const onClose = (): void => screen.closed();
  terminal.on('resize', onResize);
  terminal.on('drain', onDrain);
  terminal.on('close', onClose);
  return () => {
    clearTimeout(timer);
    terminal.off('resize', onResize);
    terminal.off('drain', onDrain);
    terminal.off('close', onClose);
  };
}

type Write = (chunk: unknown, ...rest: readonly unknown[]) => boolean;

function writeInto(screen: CellScreen): Write {
  const decoder = new TextDecoder();
  return (chunk, ...rest) => {
    const text = chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : String(chunk);
    const written = rest.find(isCallback);
    return screen.write(text, written);
  };
}

const isCallback = (value: unknown): value is (error?: Error | null) => void => typeof value === 'function';
