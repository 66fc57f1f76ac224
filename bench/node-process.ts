import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A benchmark server in its own process. */
export interface NodeProcess {
  readonly url: string;
  readonly stop: () => void;
}

export async function startServer(
  options: {
    readonly rows?: number;
    readonly delayMs?: number;
    readonly archive?: string;
    readonly bytesPerSecond?: number;
    /** It says what markets, assets and parties are called. */
    readonly hasNames?: boolean;
  } = {},
): Promise<NodeProcess> {
  const { rows = 5000, delayMs = 0, archive = '', bytesPerSecond = 0, hasNames = false } = options;
  const child: ChildProcess = spawn(
    process.execPath,
    ['bench/server.ts', String(rows), String(delayMs), archive, String(bytesPerSecond), hasNames ? 'names' : ''],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (child.stdout === null) throw new Error('no output of the server');
  const [url] = await once(createInterface(child.stdout), 'line');
  return { url: String(url), stop: () => child.kill('SIGKILL') };
}
