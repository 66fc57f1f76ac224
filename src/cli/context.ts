import { constants, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { systemErrorReason } from '../base/disk/ordinary-file.ts';
import type { Profile, Settings } from '../base/settings/settings.ts';
import {
  isWholeFileFault,
  nodeAmbiguity,
  type SettingsWithFaults,
  settingsFaultText,
  settingsFaultTextWithFile,
} from '../base/settings/settings-faults.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine } from '../base/text/safe-text.ts';
import type { ChainDoubt, Client } from '../chain/api/client.ts';
import { NotInSnapshotError, RefusedError } from '../chain/api/errors.ts';
import { baseAddress, isAddress, shownAddress } from '../chain/api/request.ts';
import type { SentRequest } from '../chain/api/sent-request.ts';
import { type ChainClock, chainClock } from '../chain/directory/chain-clock.ts';
import { watchedClient } from '../chain/directory/chain-watch.ts';
import type { RecordedSnapshot } from '../memory/record/recorded-chain.ts';
import type { ParsedFlags } from './flags.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';
import { limitYoungGeneration } from './young-generation.ts';

/** What a command gets from outside. */
export interface Context {
  readonly stdin: () => Readable & { readonly isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Tabs of the explorer. */
  readonly tabs: readonly string[];
  readonly signal: AbortSignal;
  /** Starts the embedded node; it ends with the process. */
  readonly startDemo: () => Promise<{ readonly url: string }>;
  /** Starts the embedded node on recorded data; it ends with the process, or when it is closed. */
  readonly startSnapshot: (
    recorded: RecordedSnapshot,
  ) => Promise<{ readonly url: string; readonly close?: () => Promise<void> }>;
  /** Unix milliseconds; with --at always the time of the snapshot. */
  readonly nowMs: () => number;
  /** The snapshot of --at, which stands for the node. */
  readonly moment?: {
    readonly label: string;
    /** The name of the node that it was recorded from. */
    readonly node: string;
    readonly url: () => Promise<string>;
  };
  readonly settings: () => Promise<SettingsWithFaults>;
}

export interface Target {
  readonly kind: 'demo' | 'node';
  /** What to call it: `demo`, a profile's name, or ''. */
  readonly label: string;
  readonly address: string;
  /** Of its profile. */
  readonly maxLagSeconds?: number;
  /** Of its profile: the folder of all histories. */
  readonly history?: string;
  /** No node was named. */
  readonly isUnnamed?: true;
}

/** The node that comes with the program. */
export const EMBEDDED: Target = { kind: 'demo', label: 'demo', address: '' };

/** Which node: --demo, --node, BLOCKGLASS_NODE, the settings file, else the embedded one. */
export async function chooseTarget(given: ParsedFlags, context: Pick<Context, 'env' | 'settings'>): Promise<Target> {
  const known = targetWithoutSettings(given, context.env);
  if (known !== undefined) return known;
  const settings = await context.settings();
  const wanted = givenNode(given, context.env);
  refuseDoubt(settings, wanted);
  const name = wanted ?? settings.node;
  if (name === undefined) return { ...EMBEDDED, isUnnamed: true };
  return profileTarget(settings, name) ?? (name === EMBEDDED.label ? EMBEDDED : hostTarget(settings, name));
}

/** The node of this name, as if it were that of --node; --demo is another one. */
export function targetByName(
  name: string,
  given: ParsedFlags,
  context: Pick<Context, 'env' | 'settings'>,
): Promise<Target> {
  const text = (flag: string) => (flag === 'node' ? name : given.text(flag));
  return chooseTarget({ ...given, text, has: flag => flag !== 'demo' && given.has(flag) }, context);
}

export function profileTarget({ profiles = {} }: Settings, name: string): Target | undefined {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) return undefined;
  const given: Profile = typeof profile === 'string' ? { url: profile } : profile;
  const { url, maxLagSeconds, history } = given;
  return {
    kind: 'node',
    label: name,
    address: validAddress(url),
    ...(maxLagSeconds !== undefined && { maxLagSeconds }),
    ...(history !== undefined && { history }),
  };
}

/** Throws UsageError when it is not an address. */
export const addressTarget = (address: string): Target => ({ kind: 'node', label: '', address: validAddress(address) });

// A single word is more likely a missing profile than a host.
function hostTarget({ profiles = {} }: Settings, name: string): Target {
  if (isAddress(name)) return addressTarget(name);
  const names = Object.keys(profiles);
  throw new UsageError(`no profile "${name}"${didYouMean(name, names)}`, [
    names.length === 0
      ? 'No profiles are saved. Save one with blockglass node add NAME URL.'
      : `The profiles are ${names.join(', ')}.`,
    `For a host with that name use http://${name}.`,
  ]);
}

/** Throws if the settings leave open which node is meant: answers of another node would mislead. */
function refuseDoubt(settings: SettingsWithFaults, wanted: string | undefined): void {
  const doubt = nodeAmbiguity(settings, wanted);
  if (doubt === undefined) return;
  const file = settings.file ?? 'the settings file';
  const problem = isWholeFileFault(doubt)
    ? `${file} is not used: ${settingsFaultText(doubt)}`
    : settingsFaultTextWithFile(file, doubt);
  throw new UsageError(`${problem}; fix it, or use --node URL or --demo`);
}

/** The target from the command line or the environment; undefined when only the settings can give it. */
function targetWithoutSettings(given: ParsedFlags, env: NodeJS.ProcessEnv): Target | undefined {
  const wanted = givenNode(given, env);
  if (given.has('demo')) {
    if (given.has('node')) throw new UsageError('--demo and --node cannot be used together');
    return EMBEDDED;
  }
  return wanted !== undefined && isAddress(wanted) ? addressTarget(wanted) : undefined;
}

const givenNode = (given: ParsedFlags, env: NodeJS.ProcessEnv): string | undefined =>
  given.text('node') ?? (env.BLOCKGLASS_NODE || undefined);

export interface Connection {
  readonly client: Client;
  readonly label: string;
  /** A node of this process: nothing about it is cached. */
  readonly isEmbedded: boolean;
  /** Of the profile of the node. */
  readonly maxLagSeconds?: number;
  readonly history?: string;
  readonly clock: ChainClock;
}

export interface ConnectOptions {
  readonly tell?: (facts: SentRequest) => void;
  /** The command itself reports whether the answers are of one chain. */
  readonly judged?: boolean;
}

/** A client for the target. It reports its requests to `tell`, and starts the embedded node when that is the target. */
export async function connect(
  target: Target,
  given: ParsedFlags,
  context: Pick<Context, 'env' | 'startDemo' | 'version' | 'moment'> & Partial<Pick<Context, 'stderr' | 'nowMs'>>,
  { tell, judged = false }: ConnectOptions = {},
): Promise<Connection> {
  // The embedded node starts while the client is loaded.
  const { moment } = context;
  const embedded =
    moment !== undefined
      ? moment.url()
      : target.kind === 'demo'
        ? context.startDemo().then(({ url }) => url)
        : undefined;
  const { createClient } = await import('../chain/api/client.ts');
  const address = (await embedded) ?? target.address;
  const timeoutS = given.number('timeout');
  const log = given.text('log');
  const onLost = (why: string): void =>
    void context.stderr?.safe(safeLine(`note: cannot write to --log ${log}: ${why}`));
  const write = log === undefined ? undefined : openRequestLog(log, onLost);
  const listeners = [tell, write, limitAfterLargeAnswer].filter(listener => listener !== undefined);
  const client = createClient({
    base: baseAddress(moment?.node ?? address),
    servedAt: moment === undefined ? undefined : baseAddress(address),
    proxies: context.env,
    clientName: context.env.BLOCKGLASS_CLIENT,
    userAgent: `blockglass/${context.version}`,
    ...(timeoutS !== undefined && { timeoutMs: timeoutS * 1000 }),
    ...(moment !== undefined && { perSecond: 10_000 }),
    onRequest: facts => {
      for (const listener of listeners) listener(facts);
    },
  });
  const { label, kind, maxLagSeconds, history } = target;
  const nowMs = context.nowMs ?? Date.now;
  const clock = chainClock(client, nowMs);
  if (moment !== undefined)
    return { client: asSnapshotClient(client, moment.label, nowMs), clock, label: moment.label, isEmbedded: true };
  const watched = watchedClient(client, judged ? undefined : reportDoubt(context.stderr, label));
  const isEmbedded = kind === 'demo';
  return {
    ...{ client: watched, clock, label, isEmbedded },
    ...(maxLagSeconds !== undefined && { maxLagSeconds }),
    ...(history !== undefined && { history }),
  };
}

/** For every command: answers of two chains, or of nodes that are far apart, must not pass as answers of one node. */
const reportDoubt =
  (stderr: Sink | undefined, label: string) =>
  ({ severity, sentence }: ChainDoubt): void => {
    const name = label === '' ? 'the node' : label;
    const kind = severity === 'untrusted' ? 'warning' : 'note';
    stderr?.progress('');
    void stderr?.safe(safeLine(`${kind}: ${name}${severity === 'untrusted' ? ' cannot be trusted' : ''}: ${sentence}`));
  };

/** A client of a snapshot: its answers are from another time, and requesting missing data again does not help. */
function asSnapshotClient(client: Client, label: string, nowMs: () => number): Client {
  const place = `${label} of ${shownAddress(client.base)}`;
  const get: Client['get'] = async (...request) => {
    try {
      return { ...(await client.get(...request)), headerAtMs: nowMs() };
    } catch (error) {
      throw isUnrecorded(error) ? new NotInSnapshotError(error, place) : error;
    }
  };
  return { ...client, get };
}

/** The embedded node refuses so what a snapshot does not have; all other refusals have details or another status. */
const isUnrecorded = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && [500, 501].includes(error.status) && error.fault.details.length === 0;

/** After a large answer, V8 would let its garbage grow to the limit. */
function limitAfterLargeAnswer({ bodyBytes }: SentRequest): void {
  if ((bodyBytes ?? 0) > LARGE_ANSWER_BYTES) limitYoungGeneration();
}

const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

function validAddress(address: string): string {
  try {
    return baseAddress(address).href;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/**
 * Appends one line per request to a file that only its owner can read. Throws UsageError if it cannot be opened. Lines
 * that are lost later, for example on a full disk, fail no request: the next line counts them, and `onLost` gets the
 * reason of the first.
 */
export function openRequestLog(path: string, onLost: (why: string) => void = () => {}): (facts: SentRequest) => void {
  const descriptor = openLogFile(path);
  let lost = 0;
  let isReported = false;
  const lose = (why: string): void => {
    lost++;
    if (!isReported) onLost(why);
    isReported = true;
  };
  // After a line that was cut off, the next one starts on a new line.
  let isCut = false;
  return facts => {
    const now = new Date().toISOString();
    const before = lost === 0 ? '' : `${now} ${lost} lines could not be written\n`;
    const text = Buffer.from(`${isCut ? '\n' : ''}${before}${now} ${requestLine(facts)}\n`);
    try {
      isCut = writeSync(descriptor, text) < text.length;
      if (isCut) lose('no space for a whole line');
      else lost = 0;
    } catch (error) {
      lose(systemErrorReason(error));
    }
  };
}

/**
 * `GET URL 200 12 ms wire=812 body=4096 attempt=1 left=49`: unknown parts are left out. An error is only its kind, so that
 * the file, which may be read on a terminal, holds no text of a node.
 */
export function requestLine({ url, status, outcome, elapsedMs, ...facts }: SentRequest): string {
  const ended = outcome.kind === 'cancelled' ? 'cancelled' : (status ?? 'failed');
  const took = outcome.kind === 'streaming' ? 'streaming' : `${elapsedMs} ms`;
  const sizes = { wire: facts.wireBytes, body: facts.bodyBytes, attempt: facts.attempt, left: facts.budgetLeft };
  const rest = Object.entries({ ...sizes, error: outcome.kind === 'failed' ? outcome.error : null });
  const known = rest.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return ['GET', url, ended, took, ...known].join(' ');
}

// Non-blocking: a pipe without a reader would hang the program, even on Ctrl-C.
function openLogFile(path: string): number {
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY, 0o600);
  } catch (error) {
    if (hasErrorCode(error, 'ENXIO'))
      throw new UsageError(`--log ${path} is a pipe without a reader. Start its reader first`);
    throw new UsageError(
      `--log ${path} cannot be written. Choose a file in a folder that exists and that you can write to`,
    );
  }
}

const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
