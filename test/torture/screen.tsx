import { render } from 'ink';
import type { Client } from '../../src/chain/api/client.ts';
import { createSession } from '../../src/explorer/app/session.ts';
import { App } from '../../src/explorer/app.tsx';
import { realWorld } from '../../src/explorer/services/real-world.ts';
import type { World } from '../../src/explorer/services/world.ts';
import { terminalClipboard } from '../../src/explorer/terminal/clipboard.ts';
import { cellOutput } from '../../src/explorer/terminal/output/cell-output.ts';
import { NO_STOPS } from '../explorer/support/frame.ts';
import { silentKeyboard } from '../explorer/terminal/output/fake-terminal.ts';

export interface ScreenStart {
  readonly world: World;
  readonly tab: string;
  /** The terminal that is drawn on. */
  readonly stdout: NodeJS.WriteStream;
  readonly stdin?: NodeJS.ReadStream;
  /** Folder that exports are proposed to be put into. */
  readonly destination?: string;
}

const ENV = { TERM: 'xterm-256color' };
const WAITS = { firstByteMs: 10_000, idleMs: 5000 };

/** The real world behind a client; what is copied goes to the terminal. */
export const worldOf = (client: Client, stdout: NodeJS.WriteStream): World =>
  realWorld({
    connect: async () => ({ client, label: '', preferences: {}, notice: null, ...WAITS }),
    clientOf: async () => client,
    profiles: async () => ({ profiles: [], problem: null }),
    clipboard: terminalClipboard(ENV, sequence => stdout.write(sequence)),
    folders: [],
    drawn: () => '',
    namesFolder: null,
    stateFolder: null,
    program: 'blockglass test',
  });

/** The explorer as it runs, in this process: real components, and no waiting for a clock. */
export function openScreen({ world, tab, stdout, stdin = silentKeyboard(), destination = '.' }: ScreenStart) {
  const screen = { columns: stdout.columns, rows: stdout.rows };
  const session = createSession({ screen, tab, label: '', destination, nowMs: world.nowMs() }, world);
  const cells = cellOutput(stdout, { env: ENV });
  const app = render(<App session={session} repaint={cells.repaint} stops={NO_STOPS} />, {
    stdin,
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
  return { session, settle, drawn: () => app.waitUntilRenderFlush(), close };
}
