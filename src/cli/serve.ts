import { once } from 'node:events';
import { FAULTS_EXPLAINED, FaultListError, type NodeOptions, startNode } from '../node/index.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Given } from './options.ts';
import { chainPlace } from './record/snapshot-folder.ts';
import { UsageError } from './usage-error.ts';

export const serve: Command = {
  form: '',
  about: 'run the embedded node until you stop it, on the demo chain or on a snapshot',
  examples: ['serve', 'serve --port 0 --faults too-many:2'],
  flags: [
    { name: 'port', kind: 'number', value: 'PORT', about: 'port to listen on, 0 for any free one (3008)' },
    {
      name: 'live',
      kind: 'switch',
      about: 'a chain that goes on: epochs of two minutes, amendments, votes, and trouble that comes and goes',
    },
    {
      name: 'at',
      kind: 'text',
      value: 'TIME',
      about: 'serve a snapshot of blockglass record, not the demo chain: its id, or a time such as yesterday',
    },
    { name: 'chain', kind: 'text', value: 'ID', about: 'with --at: the chain, if there are snapshots of several' },
    { name: 'host', kind: 'text', value: 'ADDRESS', about: 'address to listen on (127.0.0.1)' },
    {
      name: 'faults',
      kind: 'text',
      value: 'LIST',
      about: `simulate faults; NAME:2 for the first two times only:\n${FAULTS_EXPLAINED.join('\n')}`,
    },
  ],
  uses: [],
  run: async (given, context) => {
    const { stdout, stderr, signal } = context;
    const port = given.number('port', 0, 65_535) ?? 3008;
    const host = given.text('host') ?? '127.0.0.1';
    const { what, options } = await chainServed(given, context);
    const node = await startNode({ port, host, ...options }).catch((error: unknown) => {
      if (error instanceof FaultListError) throw new UsageError(error.message);
      throw portProblem(error, port);
    });
    await stdout.safe(safeLine(node.url));
    await stderr.safe(safeLine(`serving ${what}; press Ctrl-C to stop`));
    const interrupted = signal.aborted ? undefined : once(signal, 'abort').then(() => undefined);
    const cause = await Promise.race([interrupted, node.died]);
    await node.close();
    if (cause === undefined) return EXIT.interrupted;
    await stderr.safe(safeLine(`the node died: ${cause.message}`));
    return EXIT.fault;
  },
};

const portProblem = (error: unknown, port: number): unknown =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? new UsageError(`port ${port} is in use. Choose another with --port.`)
    : error;

interface Served {
  /** For a message: `the demo chain`. */
  readonly what: string;
  readonly options: Pick<NodeOptions, 'faults' | 'live' | 'recorded'>;
}

async function chainServed(given: Given, context: Context): Promise<Served> {
  const at = given.text('at');
  if (at !== undefined) return snapshotServed(at, given, context);
  if (given.has('chain')) throw new UsageError('--chain names a chain with snapshots, so it needs --at TIME');
  const faults = given.text('faults')?.split(',') ?? [];
  const isLive = given.has('live');
  const manner = faults.length === 0 ? '' : `, with faults: ${faults.join(', ')}`;
  return { what: `the demo chain${isLive ? ', which goes on' : ''}${manner}`, options: { faults, live: isLive } };
}

async function snapshotServed(at: string, given: Given, context: Context): Promise<Served> {
  const flag = ['live', 'faults'].find(name => given.has(name));
  if (flag !== undefined)
    throw new UsageError(`--${flag} is for the demo chain, so it cannot be used with --at. Leave one of them out.`);
  const { momentLine, readMomentIn } = await import('./at.ts');
  const read = await readMomentIn(chainPlace(given, context), at);
  return { what: momentLine(read, context.nowMs()), options: { recorded: read.recorded } };
}
