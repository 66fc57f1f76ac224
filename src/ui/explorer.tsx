import { render } from 'ink';
import type { Client } from '../api/client.ts';
import type { Preferences } from '../session/initial.ts';
import { createSession } from '../session/session.ts';
import { realWorld } from '../session/world.ts';
import { App } from './app.tsx';
import { copyToTerminal } from './clipboard.ts';
import { themeFrom } from './paint.ts';
import { type Ending, guardTerminal } from './terminal.ts';

export interface ExplorerOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly env: NodeJS.ProcessEnv;
  readonly tab: string;
  readonly label: string;
  readonly hasColour: boolean;
  readonly preferences: Preferences;
  /** Called once, after the first frame; starts the embedded node when that is the one. */
  readonly connect: () => Promise<{ readonly client: Client; readonly label: string }>;
  /** Told the columns that were turned on and off, when the explorer ends. */
  readonly onColumns: (columns: NonNullable<Preferences['columns']>) => void;
}

/** Runs the explorer until the person quits. Throws what nobody caught; the terminal is given back in every case. */
export async function explore(options: ExplorerOptions): Promise<'quit' | 'interrupted'> {
  const { stdin, stdout, env } = options;
  const { promise: ending, resolve: end } = Promise.withResolvers<Ending | null>();
  const guard = guardTerminal(stdin, stdout, end);
  const world = realWorld({
    connect: options.connect,
    copy: async (text, what) => copyToTerminal(text, what, env, sequence => stdout.write(sequence)),
    firstByteMs: 600_000,
    idleMs: 300_000,
  });
  const session = createSession(
    {
      screen: { columns: stdout.columns || 80, rows: stdout.rows || 24 },
      tab: options.tab,
      label: options.label,
      destination: '.',
      preferences: options.preferences,
      nowMs: Date.now(),
    },
    world,
  );
  session.subscribe(() => {
    if (session.state().isEnded) end(null);
  });
  const app = render(<App session={session} theme={themeFrom(env, options.hasColour)} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 60,
    interactive: true,
  });
  const ended = await ending;
  if (ended?.kind === 'terminal-gone') return 'interrupted';
  await session.close();
  app.unmount();
  await app.waitUntilExit();
  guard.release();
  options.onColumns(columnChoices(session.state().browsers));
  if (ended?.kind === 'fault') throw ended.error;
  return ended === null ? 'quit' : 'interrupted';
}

function columnChoices(browsers: ReturnType<ReturnType<typeof createSession>['state']>['browsers']) {
  return Object.fromEntries(
    Object.values(browsers).flatMap(({ resource, columnChoice }) =>
      Object.keys(columnChoice).length === 0 ? [] : [[resource, columnChoice] as const],
    ),
  );
}
