import { setTimeout as wait } from 'node:timers/promises';
import { shortDuration } from '../base/text/duration.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { NodeError } from '../chain/api/errors.ts';
import { fetchChainId } from '../chain/directory/load-directory.ts';
import { MOMENT_FORMS } from '../memory/record/parse-moment.ts';
import { readChainFlag } from './chain-flag.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import type { Context } from './context.ts';
import { describeError } from './describe-error.ts';
import { isSnapshotError } from './errors-by-name.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import { findAction } from './find-action.ts';
import { CONNECTION_FLAGS, MAX_DURATION_MS, type ParsedFlags } from './flags.ts';
import { printReport, REPORT_FORMATS, readFormat } from './output.ts';
import { Recording } from './record/recording.ts';
import { snapshotFolder } from './record/snapshot-folder.ts';
import { STORED_SNAPSHOT_ACTIONS } from './record/stored-snapshots.ts';
import { type StoredSnapshot, storedJson, storedText, unreadListsText } from './record/stored-text.ts';
import { UsageError } from './usage-error.ts';

/** One line or one JSON object for each snapshot. */
const FORMATS_OF_RECORD = ['table', 'ndjson'] as const;

export const record: Command = {
  group: 'Watch nodes',
  form: '[list|check|prune|export] [snapshot]',
  about: `store the current state of a node, to compare it later: parameters, bundles, oracle specs, markets, assets, validators, provisions, providers, fees, segments and status. It repeats every 10 minutes until you stop it, and only changes take space. list, check, prune and export work on stored snapshots, and contact no node. export prints one snapshot as JSON lines: its id, ${MOMENT_FORMS}; without one the newest`,
  examples: ['record --demo --once', 'record list'],
  flags: [
    { name: 'once', kind: 'switch', about: 'store one snapshot and end' },
    {
      name: 'every',
      kind: 'duration',
      least: 10_000,
      most: 7 * 86_400_000,
      value: 'TIME',
      about: 'store one every 30s, 10m or 1h (10m)',
    },
    {
      name: 'for',
      kind: 'duration',
      least: 1000,
      most: MAX_DURATION_MS,
      value: 'TIME',
      about: 'end after this time, such as 24h',
    },
    {
      name: 'keep',
      kind: 'duration',
      least: 60_000,
      most: MAX_DURATION_MS,
      value: 'TIME',
      about: 'remove snapshots older than this, such as 90d (keep all); prune needs it',
    },
    {
      name: 'chain',
      kind: 'text',
      value: 'ID',
      about:
        'the chain of a node that does not report one; with list, check, prune and export only this chain, which export needs if there are several',
    },
    {
      name: 'last',
      kind: 'number',
      least: 1,
      most: 1_000_000,
      value: 'N',
      about: 'list: the newest N of each chain (20; with -o json all)',
    },
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      group: 'Output',
      value: 'FORMAT',
      values: [...new Set([...FORMATS_OF_RECORD, ...REPORT_FORMATS])],
      about: 'table or ndjson; of list and check table or json',
    },
  ],
  uses: CONNECTION_FLAGS,
  run: async (given, context) => {
    const [action, surplus] = given.words;
    const onStored = action === undefined ? undefined : findAction('record', action, STORED_SNAPSHOT_ACTIONS);
    if (surplus !== undefined && action !== 'export')
      throw new UsageError(`unexpected argument "${surplus}". Only record export takes a snapshot.`);
    refuseUnused(action, given);
    return onStored === undefined ? recordNode(given, context) : onStored(given, context);
  },
};

/** What each flag is for, by the first word; undefined without one. */
const ACTIONS_OF_FLAG: { readonly [flag: string]: readonly (string | undefined)[] } = {
  ...Object.fromEntries([...CONNECTION_FLAGS, 'once', 'every', 'for'].map(flag => [flag, [undefined]])),
  keep: [undefined, 'prune'],
  last: ['list'],
  output: [undefined, 'list', 'check'],
};

function refuseUnused(action: string | undefined, given: ParsedFlags): void {
  const spelled = (word: string | undefined): string => (word === undefined ? 'record' : `record ${word}`);
  for (const [flag, owners] of Object.entries(ACTIONS_OF_FLAG))
    if (given.has(flag) && !owners.includes(action))
      throw new UsageError(refusalText(spelled(action), flag, owners.map(spelled)));
}

const refusalText = (command: string, flag: string, owners: readonly string[]): string =>
  CONNECTION_FLAGS.some(name => name === flag)
    ? `${command} reads stored snapshots and contacts no node. Leave --${flag} out${flag === 'node' || flag === 'demo' ? ', or choose a chain with --chain ID' : ''}.`
    : `${command} does not accept --${flag}. Only ${owners.join(' and ')} ${owners.length === 1 ? 'does' : 'do'}.`;

async function recordNode(given: ParsedFlags, context: Context): Promise<number> {
  const format = readFormat(given, FORMATS_OF_RECORD);
  const schedule = readSchedule(given);
  const keepMs = given.duration('keep');
  const folder = snapshotFolder(context.env);
  const namedChain = readChainFlag(given);
  const { client } = await connectToChosenNode(given, context, { judged: true });
  const store = await import('../memory/snapshots/index.ts');
  const print = async (stored: StoredSnapshot): Promise<void> => {
    if (format === 'ndjson') await printReport(storedJson(stored), context.stdout, 'ndjson');
    else await context.stdout.safe(safeLine(storedText(stored)));
    for (const note of unreadListsText(stored)) await context.stderr.safe(safeLine(`note: ${note}`));
  };
  const { signal, stderr } = context;
  const onNote = (note: string): void => {
    stderr.progress('');
    void stderr.safe(safeLine(`note: ${note}`));
  };
  const onList = (list: string): void => stderr.progress(`reading ${list}`);
  const recording = new Recording({
    client,
    store,
    folder,
    namedChain,
    keepMs,
    signal,
    onNote,
    onList,
    nowMs: context.nowMs,
  });
  const take = (): Promise<StoredSnapshot> => recording.take().finally(() => stderr.progress(''));
  try {
    if (schedule.everyMs === undefined) {
      await print(await take());
      return EXIT.done;
    }
    const chainId = (await fetchChainId(client, signal)) || (namedChain ?? '');
    const sinceMs = chainId === '' ? undefined : recording.sinceLast(chainId);
    const { everyMs } = schedule;
    if (sinceMs !== undefined && sinceMs < everyMs)
      onNote(
        `waiting: the last snapshot of ${chainId} is ${shortDuration(sinceMs)} old, the next one is due in ${shortDuration(everyMs - sinceMs)}`,
      );
    return await recordRepeatedly({ ...schedule, everyMs, sinceMs }, { recording, take, print, context });
  } finally {
    recording.close();
  }
}

interface RecordSchedule {
  /** undefined for one snapshot. */
  readonly everyMs: number | undefined;
  readonly forMs: number | undefined;
}

function readSchedule(given: ParsedFlags): RecordSchedule {
  const surplus = ['every', 'for'].find(flag => given.has('once') && given.has(flag));
  if (surplus !== undefined) throw new UsageError(`--once and --${surplus} cannot be used together`);
  const everyMs = given.duration('every') ?? USUAL_MS;
  return { everyMs: given.has('once') ? undefined : everyMs, forMs: given.duration('for') };
}

const USUAL_MS = 600_000;

interface Repetition {
  readonly everyMs: number;
  readonly forMs: number | undefined;
  /** How long ago the last snapshot was taken, possibly by a recorder before this one. */
  readonly sinceMs: number | undefined;
}

interface Round {
  readonly recording: Recording;
  readonly take: () => Promise<StoredSnapshot>;
  readonly print: (stored: StoredSnapshot) => Promise<void>;
  readonly context: Context;
}

/** Takes snapshots until the time is over or the process is asked to end. A failure is reported, and the next one is tried. */
async function recordRepeatedly({ everyMs, forMs, sinceMs }: Repetition, round: Round): Promise<number> {
  const { signal } = round.context;
  // Not the machine's clock, which may be set during the run.
  const endMs = performance.now() + (forMs ?? Number.POSITIVE_INFINITY);
  let dueMs = performance.now() + Math.max(0, everyMs - (sinceMs ?? everyMs));
  let [stored, said] = [0, ''];
  let code: number = EXIT.done;
  try {
    while (dueMs < endMs) {
      await wait(Math.max(0, dueMs - performance.now()), undefined, { signal });
      const problem = await recordOnce(round);
      if (problem === undefined) stored++;
      // The same failure every ten minutes is reported only once.
      else if (problem.message !== said) await round.context.stderr.safe(describeError(problem));
      said = problem?.message ?? '';
      if (problem !== undefined) code = exitCodeFor(problem);
      dueMs = Math.max(dueMs + everyMs, performance.now());
    }
    await wait(Math.max(0, endMs - performance.now()), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    // Without --for, being stopped is how it ends.
    return forMs === undefined ? EXIT.done : EXIT.interrupted;
  }
  return stored > 0 ? EXIT.done : code;
}

/** The error, if the next attempt may succeed. */
async function recordOnce({ recording, take, print, context }: Round): Promise<Error | undefined> {
  try {
    await print(await take());
    return undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof NodeError) return error;
    if (isSnapshotError(error) && (error.because === 'disk' || error.because === 'damaged')) {
      // When it is opened again, a damaged file is set aside.
      recording.close();
      return error;
    }
    throw error;
  }
}
