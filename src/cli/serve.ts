import { once } from 'node:events';
import { safeLine } from '../base/text/safe-text.ts';
import { hasErrorCode } from '../history/plan/destination.ts';
import { type NodeOptions, startNode } from '../node/index.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { ParsedFlags } from './flags.ts';
import { chainPlace } from './record/snapshot-folder.ts';
import { UsageError } from './usage-error.ts';

export const serve: Command = {
  group: 'Set up',
  form: '',
  about: 'run the embedded node until you stop it: on the demo chain, or on a snapshot',
  examples: ['serve', 'serve --port 0 --live'],
  flags: [
    {
      name: 'port',
      kind: 'number',
      least: 0,
      most: 65_535,
      value: 'PORT',
      about: 'port to listen on, 0 for any free one (3008)',
    },
    {
      name: 'live',
      kind: 'switch',
      about: 'simulate a live chain: 2-minute epochs, amendments, votes and intermittent faults',
    },
    {
      name: 'at',
      kind: 'text',
      value: 'TIME',
      about: 'serve a snapshot of blockglass record, not the demo chain: its id, or a time such as yesterday',
    },
    { name: 'chain', kind: 'text', value: 'ID', about: 'with --at: the chain, if there are snapshots of several' },
    { name: 'host', kind: 'text', value: 'ADDRESS', about: 'address to listen on (127.0.0.1)' },
  ],
  uses: [],
  run: async (given, context) => {
    const { stdout, stderr, signal } = context;
    const port = given.number('port') ?? 3008;
    const host = given.text('host') ?? '127.0.0.1';
    const { what, options } = await chainServed(given, context);
    const node = await startNode({ port, host, ...options }).catch((error: unknown) => {
      throw listenProblem(error, host, port);
    });
    await stdout.safe(safeLine(node.url));
    await stderr.safe(safeLine(`serving ${what}; press Ctrl-C to stop`));
    if (!signal.aborted) await once(signal, 'abort');
    await node.close();
    return EXIT.interrupted;
  },
};

function listenProblem(error: unknown, host: string, port: number): unknown {
  const isUnknownHost = hasErrorCode(error, 'ENOTFOUND') || hasErrorCode(error, 'EAI_AGAIN');
  const problem = hasErrorCode(error, 'EADDRINUSE')
    ? `port ${port} is in use. Choose another with --port.`
    : hasErrorCode(error, 'EACCES')
      ? `no permission to listen on port ${port}. Choose one from 1024 with --port.`
      : hasErrorCode(error, 'EADDRNOTAVAIL')
        ? `${host} is not an address of this machine. Choose another with --host.`
        : isUnknownHost
          ? `${host} is not a host name with a known address. Choose another with --host.`
          : undefined;
  return problem === undefined ? error : new UsageError(problem);
}

interface ServedNode {
  /** For a message: `the demo chain`. */
  readonly what: string;
  readonly options: Pick<NodeOptions, 'live' | 'recorded'>;
}

async function chainServed(given: ParsedFlags, context: Context): Promise<ServedNode> {
  const at = given.text('at');
  if (at !== undefined) return snapshotServed(at, given, context);
  if (given.has('chain')) throw new UsageError('--chain selects a chain with snapshots, so it needs --at TIME');
  const isLive = given.has('live');
  return { what: `the demo chain${isLive ? ', live' : ''}`, options: { live: isLive } };
}

async function snapshotServed(at: string, given: ParsedFlags, context: Context): Promise<ServedNode> {
  if (given.has('live'))
    throw new UsageError('--live is for the demo chain, so it cannot be used with --at. Use only one.');
  const { momentLine, readMomentFromFiles } = await import('./snapshot-context.ts');
  const read = await readMomentFromFiles(chainPlace(given, context), at);
  return { what: momentLine(read, context.nowMs()), options: { recorded: read.recorded } };
}
