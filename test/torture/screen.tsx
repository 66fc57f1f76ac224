import { render } from 'ink';
import type { Client } from '../../src/api/client.ts';
import type { Preferences } from '../../src/session/initial.ts';
import { createSession } from '../../src/session/session.ts';
import { realWorld } from '../../src/session/world.ts';
import { App } from '../../src/ui/app.tsx';
import { copyToTerminal } from '../../src/ui/clipboard.ts';
import { cellOutput } from '../../src/ui/output/cell-output.ts';
import { silentKeyboard } from '../ui/output/fake-terminal.ts';

export interface ScreenStart {
  readonly client: Client;
  readonly tab: string;
  /** The terminal that is drawn on. */
  readonly stdout: NodeJS.WriteStream;
  readonly preferences?: Preferences;
  /** Folder that exports are proposed to be put into. */
  readonly destination?: string;
}

const ENV = { TERM: 'xterm-256color' };
const WAITS = { firstByteMs: 10_000, idleMs: 5000 };

/** The explorer as it runs, in this process: a real client, real components, and no waiting for a clock. */
export async function openScreen({ client, tab, stdout, preferences = {}, destination = '.' }: ScreenStart) {
  const world = realWorld({
    connect: async () => ({ client, label: '', preferences, notice: null, ...WAITS }),
    copy: async (text, what) => copyToTerminal(text, what, ENV, sequence => stdout.write(sequence)),
    program: 'blockglass test',
  });
  const screen = { columns: stdout.columns, rows: stdout.rows };
  const session = createSession({ screen, tab, label: '', destination, nowMs: Date.now() }, world);
  const cells = cellOutput(stdout, { env: ENV });
  const app = render(<App session={session} theme={{ hasColour: true, isAscii: false }} repaint={cells.repaint} />, {
    stdin: silentKeyboard(),
    stdout: cells.stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 1000,
    interactive: true,
  });
  /** Resolves when everything asked for has come and is drawn. */
  const settle = async (): Promise<void> => {
    await session.idle();
    await app.waitUntilRenderFlush();
  };
  const close = async (): Promise<void> => {
    await session.close();
    app.unmount();
    cells.release();
  };
  await settle();
  return { session, settle, close };
}
