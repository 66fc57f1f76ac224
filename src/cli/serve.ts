import { once } from 'node:events';
import { baseAddress } from '../api/request.ts';
import { FAULTS_EXPLAINED, FaultListError, type NodeOptions, startNode } from '../node/index.ts';
import { safeJson, safeLine, safeText } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { type Context, targetNamed } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Flag, Given } from './options.ts';
import { chainPlace } from './record/snapshot-folder.ts';
import { UsageError } from './usage-error.ts';

const PROXY_FLAGS: readonly Flag[] = [
  {
    name: 'rate',
    kind: 'number',
    value: 'N',
    about: 'with --proxy: most requests to the node per second (what the node allows, 20 until it says)',
  },
  { name: 'cache', kind: 'number', value: 'MIB', about: 'with --proxy: size of the cache (64)' },
  {
    name: 'log-filters',
    kind: 'switch',
    about: 'with --proxy: log the query of each request too, which shows what people look for',
  },
];

/** Flags of the embedded node alone. */
const NODE_FLAGS = ['live', 'at', 'chain', 'faults'] as const;

export const serve: Command = {
  form: '',
  about: 'run the embedded node until you stop it, on the demo chain or on a snapshot; or a proxy before a real node',
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
    {
      name: 'proxy',
      kind: 'text',
      value: 'URL',
      about: 'be a caching proxy before this node (URL or profile), which shares its rate limit fairly between clients',
    },
    ...PROXY_FLAGS,
  ],
  uses: [],
  run: async (given, context) => {
    const proxied = given.text('proxy');
    if (proxied !== undefined) return serveProxy(proxied, given, context);
    const misplaced = PROXY_FLAGS.find(({ name }) => given.has(name));
    if (misplaced !== undefined) throw new UsageError(`--${misplaced.name} needs --proxy URL`);
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

/** Requests under way get this long to end; the process allows a little more (`src/main.ts`). */
const DRAIN_MS = 10_000;

async function serveProxy(name: string, given: Given, context: Context): Promise<number> {
  const { stdout, stderr, signal, env, version } = context;
  const other = NODE_FLAGS.find(flag => given.has(flag));
  if (other !== undefined)
    throw new UsageError(
      `--${other} is for the embedded node, so it cannot be used with --proxy. Leave one of them out.`,
    );
  const target = await targetNamed(name, given, context);
  const port = given.number('port', 0, 65_535) ?? 3008;
  const options = {
    port,
    host: given.text('host') ?? '127.0.0.1',
    perSecond: given.number('rate', 1, 10_000),
    cacheBytes: (given.number('cache', 0, 4096) ?? 64) * 2 ** 20,
    logsFilters: given.has('log-filters'),
  };
  const address = target.kind === 'demo' ? (await context.startDemo()).url : target.address;
  const { startProxy } = await import('../proxy/index.ts');
  const proxy = await startProxy({
    ...options,
    base: baseAddress(address),
    userAgent: `blockglass/${version}`,
    proxies: env,
    timeoutMs: 30_000,
    drainMs: DRAIN_MS,
    log: line => stderr.safe(safeText`${safeJson(line)}\n`),
  }).catch((error: unknown) => {
    throw portProblem(error, port);
  });
  await stdout.safe(safeLine(proxy.url));
  if (!signal.aborted) await once(signal, 'abort');
  await proxy.close();
  return EXIT.interrupted;
}

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
