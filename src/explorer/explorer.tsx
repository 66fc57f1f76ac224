import { setTimeout as wait } from 'node:timers/promises';
import { render } from 'ink';
import { describeSavedSlices } from '../history/download/export-result.ts';
import { screenText } from './app/frame/screen.ts';
import type { SessionStart } from './app/initial-state.ts';
import { viewToSave } from './app/saved-views.ts';
import { createSession, type Session } from './app/session.ts';
import { App } from './app.tsx';
import { followsBackground } from './core/appearance.ts';
import type { SessionState } from './core/state.ts';
import { exportCommandText } from './services/copying/equal-commands.ts';
import { guestWorld } from './services/guest-world.ts';
import type { Preferences } from './services/preferences.ts';
import { realWorld, type WorldOptions } from './services/real-world.ts';
import { askBackground, type BackgroundQuery } from './terminal/background.ts';
import { terminalClipboard } from './terminal/clipboard.ts';
import { FaultBoundary } from './terminal/fault-boundary.tsx';
import { guestTerminal } from './terminal/guest-terminal.ts';
import type { Ending, Host, SuspendControl } from './terminal/host.ts';
import { type IdleWatch, watchIdle } from './terminal/idle.ts';
import { type TerminalInput, terminalInput } from './terminal/input/terminal-input.ts';
import { type CellOutput, cellOutput } from './terminal/output/cell-output.ts';
import { canBeAskedColours } from './terminal/output/terminal-abilities.ts';
import { restoreTerminal, type TerminalEnds, watchTerminal } from './terminal/terminal.ts';
import { detectDisplaySupport } from './terminal/theme.ts';

export interface ExplorerOptions extends TerminalEnds {
  readonly host: Host;
  readonly env: NodeJS.ProcessEnv;
  readonly tab: string;
  /** What to call the node until it is known. */
  readonly label: string;
  readonly hasColour: boolean;
  /** The user may be new. */
  readonly isFirstStart?: boolean;
  /** Of the node's profile. */
  readonly colour: NonNullable<SessionStart['colour']> | null;
  /** How the lists of the node were left. */
  readonly view: NonNullable<SessionStart['view']>;
  /** Those known before the node is connected. */
  readonly preferences: Preferences;
  /** The first view. */
  readonly viewed?: Pick<SessionStart, 'files' | 'isNodeUnasked'>;
  /** Lines for a screen reader instead of a screen. */
  readonly isScreenReader: boolean;
  /** Ink writes to the terminal itself, without the cell output between. */
  readonly isPlainOutput: boolean;
  /** Program and version. */
  readonly program: string;
  /** Nodes to choose from. The first one is connected to after the first frame. */
  readonly nodes: Pick<
    WorldOptions,
    'connect' | 'clientOf' | 'profiles' | 'keepPreset' | 'historyRoot' | 'maxParquetGiB'
  >;
  readonly namesFolder: WorldOptions['namesFolder'];
  readonly stateFolder: WorldOptions['stateFolder'];
  readonly minePath?: WorldOptions['minePath'];
  /** A user who may only look at the node. */
  readonly guest?: {
    readonly idleMs: number;
    /** Ends the process at once, in its current state. */
    readonly abandon: () => void;
  };
}

export interface ExitResult {
  readonly isInterrupted: boolean;
  /** One line for the restored terminal; '' for none. */
  readonly parting: string;
}

/** What runs has so long to stop. */
const CLOSING_MS = 700;

/**
 * Runs the explorer until the user quits. Throws uncaught errors. In every case the terminal is restored and all
 * listeners on the process and the terminal are removed.
 */
export async function explore(options: ExplorerOptions): Promise<ExitResult> {
  const { host, stdin, env } = options;
  const { promise: ending, resolve: end } = Promise.withResolvers<Ending | null>();
  const { stops, leave } = host.enter({ stdin, end, restore: () => restoreTerminal(options, !options.isScreenReader) });
  const guarded = options.guest === undefined ? undefined : guardGuest(options, options.guest);
  const ends = guarded?.options ?? options;
  const unwatch = watchTerminal(options, () => end({ kind: 'terminal-gone' }));
  const cells = cellOutput(ends.stdout, { env, isPlain: options.isPlainOutput });
  try {
    const circumstances = { cells, stops, ending, end };
    const { ended, state } = await run(ends, circumstances, guarded?.watch);
    await waitAtMost(CLOSING_MS, guarded?.drained() ?? Promise.resolve());
    if (ended?.kind === 'fault') throw ended.error;
    const words = [guarded?.parting() ?? '', await saveLists(state, options), exitMessage(state)];
    const isHeard = ended?.kind !== 'terminal-gone';
    const parting = isHeard ? words.filter(text => text !== '').join('; ') : '';
    return { isInterrupted: ended !== null || state.isInterrupted, parting };
  } finally {
    cells.release();
    guarded?.release();
    unwatch();
    leave();
  }
}

interface RunContext {
  readonly cells: CellOutput<ExplorerOptions['stdout']>;
  readonly stops: SuspendControl;
  /** Null when the person has quit. */
  readonly ending: Promise<Ending | null>;
  readonly end: (ending: Ending | null) => void;
}

/** Draws until the end has come; when it returns, or throws, the terminal is given back. */
async function run(
  options: ExplorerOptions,
  { cells, stops, ending, end }: RunContext,
  onOpened?: (session: Session) => void,
) {
  const session = openSession(options);
  onOpened?.(session);
  session.subscribe(() => {
    if (session.state().isEnded) end(null);
  });
  const send = (sequence: string): void => void options.stdout.write(sequence);
  const asked = askForBackground(session, options);
  const listening = listenToTerminal(session, options.stdin, asked);
  try {
    const { stdin } = listening;
    const app = options.isScreenReader
      ? await drawForScreenReader(session, { ...options, stdin }, { stops, end, send })
      : draw(session, { ...options, stdin }, { cells, stops, end });
    const ended = await ending;
    await waitAtMost(CLOSING_MS, session.close());
    if (ended?.kind !== 'terminal-gone') await asked?.settled();
    app.unmount();
    // Not before: Ink would listen to the process for each explorer.
    await waitAtMost(CLOSING_MS, app.waitUntilExit());
    return { ended, state: session.state() };
  } catch (error) {
    restoreTerminal(options, !options.isScreenReader);
    throw error;
  } finally {
    listening.release();
  }
}

function openSession(options: ExplorerOptions): Session {
  const { stdout, env, tab, label, preferences, nodes, namesFolder, stateFolder, minePath, program } = options;
  const clipboard = terminalClipboard(env, sequence => stdout.write(sequence));
  const screen = options.isScreenReader ? READER_SCREEN : { columns: stdout.columns || 80, rows: stdout.rows || 24 };
  const start = {
    screen,
    tab,
    label,
    nowMs: Date.now(),
    preferences,
    colour: options.colour,
    view: options.view,
    isFirstStart: options.isFirstStart === true,
    ...(options.guest !== undefined && { access: 'guest' as const }),
    ...options.viewed,
    terminal: detectDisplaySupport(env, options.hasColour),
  };
  const folders = ['.', ...(stateFolder === null ? [] : [stateFolder])];
  const drawn = () => screenText(session.state());
  const world =
    options.guest === undefined
      ? realWorld({ ...nodes, clipboard, folders, drawn, namesFolder, stateFolder, minePath, program })
      : guestWorld({ connect: nodes.connect, clipboard, drawn, program });
  const session = createSession(start, world);
  // A screen reader has no pane next to the list, so nothing is requested for one.
  if (options.isScreenReader) session.dispatch({ type: 'set-looks', said: { preview: 'off' } });
  return session;
}

/** An idle guest is gone after that, whether its terminal could be given back or not. */
const ENDING_MS = 5000;

/** The differences for a guest: the terminal, and the end of an idle session. */
function guardGuest(options: ExplorerOptions, { idleMs, abandon }: NonNullable<ExplorerOptions['guest']>) {
  const { stdout } = options;
  let idle: IdleWatch | undefined;
  let isIdle = false;
  const terminal = guestTerminal(options, () => {
    // Keys of a client that does not read the output do not count as a user's activity.
    if (stdout.writableLength === 0) idle?.seen();
  });
  const watch = (session: Session): void => {
    idle = watchIdle({
      idleMs,
      onWarned: leftMs => {
        const text = `no key for a while: the session ends in ${Math.round(leftMs / 1000)} s; any key keeps it open`;
        session.dispatch({ type: 'noticed', text, tone: 'bad' });
      },
      onIdle: () => {
        // A client that has stopped reading would keep its process for as long as it likes.
        if (stdout.writableLength > 0) abandon();
        setTimeout(abandon, ENDING_MS).unref();
        isIdle = true;
        session.dispatch({ type: 'end' });
      },
    });
  };
  return {
    options: { ...options, ...terminal },
    watch,
    drained: () => new Promise<void>(resolve => stdout.write('', () => resolve())),
    parting: () => (isIdle ? 'the session has ended, as no key was pressed for a while' : ''),
    release: () => {
      idle?.release();
      terminal.release();
    },
  };
}

/** Nothing is cut for a screen reader; a page is what its keys turn. */
const READER_SCREEN = { columns: 400, rows: 50 };

async function drawForScreenReader(
  session: Session,
  { stdin, stdout }: ExplorerOptions,
  { stops, end, send }: Omit<Drawing, 'cells'> & { readonly send: (sequence: string) => void },
) {
  const { openScreenReader } = await import('./terminal/screen-reader/open-screen-reader.tsx');
  return openScreenReader(session, { stdin, stdout, stops, send, onFault: error => end({ kind: 'fault', error }) });
}

type Drawing = Omit<RunContext, 'ending'>;

function draw(session: Session, options: ExplorerOptions, { cells, stops, end }: Drawing) {
  const app = (
    <FaultBoundary onFault={error => end({ kind: 'fault', error })}>
      <App session={session} repaint={cells.repaint} stops={stops} />
    </FaultBoundary>
  );
  return render(app, {
    stdin: options.stdin,
    stdout: cells.stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    // Changes are detected cell by cell in Ink's output: detecting changed lines first would repeat that work.
    incrementalRendering: options.isPlainOutput,
    // A frame that follows another at once, as when an answer comes behind a key, waits 8 ms at most.
    maxFps: 125,
    interactive: true,
  });
}

/** Waits for the work, at most `ms` milliseconds; work that does not stop in time is abandoned. */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = wait(ms, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([work, late]).finally(() => timer.abort());
}

/** Why the lists cannot be restored at the next start; empty if they can. */
async function saveLists(state: SessionState, { stateFolder }: ExplorerOptions): Promise<string> {
  const view = viewToSave(state);
  if (view === undefined || stateFolder === null) return '';
  const { saveView } = await import('./services/views/save-view.ts');
  return saveView(stateFolder, view).then(
    () => '',
    (error: unknown) =>
      `the state of the lists was not saved: ${error instanceof Error ? error.message : String(error)}`,
  );
}

// An export that quitting cancelled has left something behind.
function exitMessage({ job, node }: SessionState): string {
  if (job?.status !== 'ended') return '';
  const { result, request } = job;
  if (result.kind === 'stopped-slices' && result.cause.kind === 'cancelled')
    return `the export was cancelled; ${describeSavedSlices(result)} in ${result.folder}; continue with: ${exportCommandText(node, request)}`;
  if (result.kind !== 'cancelled' || result.partPath === null) return '';
  return `the export was cancelled; the received part is saved as ${result.partPath}`;
}

/** Asks only where the colours depend on it; nothing waits for the reply. */
function askForBackground(
  session: Session,
  { stdout, env, isScreenReader }: Pick<ExplorerOptions, 'stdout' | 'env' | 'isScreenReader'>,
): BackgroundQuery | undefined {
  if (isScreenReader || !canBeAskedColours(env) || !followsBackground(session.state())) return undefined;
  return askBackground(
    sequence => stdout.write(sequence),
    background => session.dispatch({ type: 'background-known', background }),
  );
}

/** Reads the keys of the terminal. */
function listenToTerminal(
  session: Session,
  stdin: NodeJS.ReadStream,
  asked: BackgroundQuery | undefined,
): TerminalInput<NodeJS.ReadStream> {
  return terminalInput(stdin, {
    onBackground: background => asked?.onBackground(background),
    onAttributes: () => asked?.onAttributes(),
    onLinesDropped: () => session.dispatch({ type: 'noticed', text: FIRST_LINE_ONLY }),
  });
}

const FIRST_LINE_ONLY = 'several lines came at once: only the first was typed';
