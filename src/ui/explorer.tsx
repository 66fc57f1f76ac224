import { setTimeout as wait } from 'node:timers/promises';
import { render } from 'ink';
import { keptText } from '../export/result.ts';
import { exportCommand } from '../session/model/equivalent.ts';
import type { Preferences } from '../session/model/initial.ts';
import type { SessionState } from '../session/model/state.ts';
import { createSession } from '../session/session.ts';
import { realWorld, type WorldOptions } from '../session/world.ts';
import { App } from './app.tsx';
import { copyToTerminal } from './clipboard.ts';
import './early-screen.ts';
import { cellOutput } from './output/cell-output.ts';
import { themeFrom } from './paint.ts';
import { type Ending, guardTerminal } from './terminal.ts';

export interface ExplorerOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly env: NodeJS.ProcessEnv;
  readonly tab: string;
  /** What to call the node until it is known. */
  readonly label: string;
  readonly hasColour: boolean;
  /** Ink writes to the terminal itself, without the cell output between. */
  readonly isPlainOutput: boolean;
  /** Program and version. */
  readonly program: string;
  /** Called once, after the first frame; starts the embedded node when that is the one. */
  readonly connect: WorldOptions['connect'];
  /** Keeps the columns that were turned on and off, when there are any. */
  readonly saveColumns: (columns: NonNullable<Preferences['columns']>) => Promise<void>;
}

export interface Parting {
  readonly isInterrupted: boolean;
  /** One line for the terminal that was given back; '' when there is nothing to say. */
  readonly parting: string;
}

/** What runs has so long to stop. */
const CLOSING_MS = 700;

/** Runs the explorer until the person quits. Throws what nobody caught; the terminal is given back in every case. */
export async function explore(options: ExplorerOptions): Promise<Parting> {
  const { stdin, stdout, env } = options;
  const { promise: ending, resolve: end } = Promise.withResolvers<Ending | null>();
  const hasEarlyScreen = globalThis.blockglassEarlyScreen !== undefined;
  const guard = guardTerminal(stdin, stdout, end);
  const world = realWorld({
    connect: options.connect,
    copy: async (text, what) => copyToTerminal(text, what, env, sequence => stdout.write(sequence)),
    program: options.program,
  });
  const session = createSession(
    {
      screen: { columns: stdout.columns || 80, rows: stdout.rows || 24 },
      tab: options.tab,
      label: options.label,
      destination: '.',
      nowMs: Date.now(),
    },
    world,
  );
  session.subscribe(() => {
    if (session.state().isEnded) end(null);
  });
  const cells = cellOutput(stdout, { env, isPlain: options.isPlainOutput, signals: process });
  // Ink draws where the cursor is; the first frame that is there already makes room for its own.
  if (hasEarlyScreen && options.isPlainOutput) stdout.write('\u001b[H\u001b[2J');
  const theme = themeFrom(env, options.hasColour);
  const app = render(<App session={session} theme={theme} repaint={cells.repaint} />, {
    stdin,
    stdout: cells.stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    incrementalRendering: true,
    // A frame that follows another at once, as when an answer comes behind a key, waits 8 ms at most.
    maxFps: 125,
    interactive: true,
  });
  // A fault while drawing ends Ink; nothing else would say so.
  app.waitUntilExit().catch((error: unknown) => end({ kind: 'fault', error }));
  const ended = await ending;
  if (ended?.kind === 'terminal-gone') return { isInterrupted: true, parting: '' };
  // What does not stop in time is left behind with the process.
  await Promise.race([session.close(), wait(CLOSING_MS)]);
  app.unmount();
  await app.waitUntilExit();
  guard.release();
  cells.release();
  if (ended?.kind === 'fault') throw ended.error;
  const words = [await saveChoices(session.state(), options.saveColumns), partingWords(session.state())];
  const isInterrupted = ended !== null || session.state().isInterrupted;
  return { isInterrupted, parting: words.filter(text => text !== '').join('; ') };
}

/** What kept the choice of columns from being kept; '' when nothing did. */
async function saveChoices(state: SessionState, save: ExplorerOptions['saveColumns']): Promise<string> {
  const chosen = Object.values(state.browsers).filter(
    ({ columnChoice, initialColumns }) => columnChoice !== initialColumns,
  );
  if (chosen.length === 0) return '';
  const columns = Object.values(state.browsers).map(({ resource, columnChoice }) => [resource, columnChoice] as const);
  return save(Object.fromEntries(columns)).then(
    () => '',
    (error: unknown) => `the choice of columns is not kept: ${error instanceof Error ? error.message : String(error)}`,
  );
}

// An export that quitting cancelled has left something behind.
function partingWords({ job, node }: SessionState): string {
  if (job?.status !== 'ended') return '';
  const { result, plan } = job;
  if (result.kind === 'stopped-slices' && result.cause.kind === 'cancelled')
    return `the export was cancelled; ${keptText(result)} in ${result.folder}; go on with: ${exportCommand(node, plan)}`;
  if (result.kind !== 'cancelled' || result.partPath === null) return '';
  return `the export was cancelled; what arrived is kept as ${result.partPath}`;
}
