import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { IncomeBound } from '../attention/rules/income.ts';
import type { Severity } from '../attention/rules/rule.ts';
import { mineIdsOnChain, minePath, readMine } from '../base/settings/mine-file.ts';
import { snapshotsFolder, stateFolder } from '../base/settings/state-folder.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine, safeLines, sanitize } from '../base/text/safe-text.ts';
import { shownAddress } from '../chain/api/request.ts';
import { aliasesById } from '../chain/directory/aliases.ts';
import { mineFromLists } from '../chain/directory/mine.ts';
import type { LagLimit } from '../chain/insight/node-lag.ts';
import type { AlarmChange } from './check/alarms.ts';
import { type CheckEntry, datedSentence, ruleWithoutScope } from './check/check-entries.ts';
import { CheckMemory, stateFilePath } from './check/check-state.ts';
import { checkText } from './check/check-text.ts';
import { type AlarmRepetition, type CheckOutcome, NodeChecker } from './check/checker.ts';
import { CHECK_RULES, type CheckSettings, MEMORY_FILE_RULE } from './check/judge-check.ts';
import { nagiosText } from './check/nagios.ts';
import { prometheusText } from './check/prometheus.ts';
import { storedBaseline } from './check/stored-baseline.ts';
import { writeTextfile } from './check/textfile.ts';
import { CHECK_EXIT, checkVerdict, sortWorstFirst } from './check/verdict.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import type { Connection, Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { MAX_DURATION_MS, type ParsedFlags, timeoutFlag } from './flags.ts';
import { lagLimitOfNode, MAX_LAG_FLAG, readLagLimit } from './lag-limit.ts';
import { printReport } from './output.ts';
import { CONTRACT_FLAGS } from './signer-flags.ts';
import { UsageError } from './usage-error.ts';

/** What `check -o` prints. */
const CHECK_FORMATS = ['text', 'json', 'prometheus', 'nagios'] as const;

/** Severities that a user can give a rule. */
const OWN_SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly Severity[];

const RULE_IDS = CHECK_RULES.map(({ id }) => id);

export const check: Command = {
  group: 'Watch nodes',
  form: '[rule]...',
  about: `check a node and its chain for a monitoring system: by all rules, or the given ones. Exit codes: 0 ok, 1 warning, 2 critical, 3 unknown or a failure of the check itself. It sends at most 13 requests, with --mine up to 25. Rules: ${RULE_IDS.join(', ')}`,
  examples: ['check --demo', 'check node-behind node-stalled --demo -o nagios'],
  words: RULE_IDS,
  failsWith: CHECK_EXIT.unknown,
  flags: [
    { name: 'mine', kind: 'switch', about: 'check only your own ids (see blockglass mine), the node and the chain' },
    {
      name: 'hold',
      kind: 'duration',
      least: 0,
      most: 86_400_000,
      value: 'TIME',
      about: 'a change counts after it has lasted this long, for better or worse, such as 3m (at once)',
    },
    {
      name: 'severity',
      kind: 'text',
      value: 'RULE=SEVERITY',
      repeats: true,
      about: 'findings of this rule are info, warning or critical',
      check: text => parseSeverity(text),
      values: RULE_IDS.flatMap(rule => OWN_SEVERITIES.map(severity => `${rule}=${severity}`)),
    },
    {
      name: 'stalled-after',
      kind: 'duration',
      least: 1000,
      most: MAX_DURATION_MS,
      value: 'TIME',
      about: 'node-stalled: the longest time without a new block (5m)',
    },
    {
      name: 'least-income',
      kind: 'text',
      value: 'ASSET=AMOUNT',
      repeats: true,
      about: 'income: the least that all your parties together are allocated in an epoch',
      check: text => parseIncomeBound(text),
    },
    { name: 'accept', kind: 'switch', about: 'acknowledge current changes and stop alerting on them' },
    {
      name: 'textfile',
      kind: 'text',
      group: 'Destination',
      value: 'PATH',
      about: 'also replace this file of Prometheus metrics',
      isDestination: true,
    },
    {
      name: 'watch',
      kind: 'duration',
      least: 1000,
      most: 86_400_000,
      value: 'TIME',
      about: 'check again and again, and print a JSON line for each change',
    },
    {
      name: 'remind',
      kind: 'duration',
      least: 1000,
      most: MAX_DURATION_MS,
      value: 'TIME',
      about: 'with --watch: repeat what still needs attention after this time, such as 24h (never)',
    },
    MAX_LAG_FLAG,
    ...CONTRACT_FLAGS,
    timeoutFlag('longest time for all requests together (30)'),
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      group: 'Output',
      value: 'FORMAT',
      about: 'text, json, prometheus or nagios',
      values: CHECK_FORMATS,
    },
  ],
  uses: ['node', 'demo', 'at', 'log'],
  run: async (given, context) => {
    const format = readCheckFormat(given);
    const schedule = readSchedule(given);
    readRules(given);
    refuseWithSnapshot(given);
    const connection = await connectToChosenNode(given, context, { judged: true });
    const { checker, node, limit, isKept } = await createChecker(given, context, connection);
    const path = given.text('textfile');
    const run = async (announcing?: AlarmRepetition): Promise<CheckOutcome> => {
      const checked = await checker.check(announcing);
      return path === undefined ? checked : withTextfile(checked, path, node);
    };
    if (schedule !== undefined) return watch(run, schedule, context);
    const checked = await run();
    const { chainId, isNothingMine, accepted, beginning, silence } = checked;
    if (given.has('accept')) await context.stderr.safe(safeLine(`note: ${acceptedText(accepted)}`));
    if (given.has('mine') && isNothingMine)
      throw new UsageError(`nothing is yours on the chain ${chainId}. Add it with blockglass mine add ID.`);
    if (isKept && silence === undefined && beginning.length > 0)
      await context.stderr.safe(
        safeLine(`note: first check by ${beginning.join(', ')}: changes are reported from the next check on`),
      );
    await printCheck(checked, { format, node, limit, context });
    return CHECK_EXIT[checkVerdict(checked.entries)];
  },
};

const acceptedText = (rules: readonly string[]): string =>
  rules.length === 0 ? 'nothing could be accepted' : `accepted the current state for ${rules.join(', ')}`;

type CheckFormat = (typeof CHECK_FORMATS)[number];

function readCheckFormat(given: ParsedFlags): CheckFormat {
  const wanted = given.text('output') ?? (given.has('watch') ? 'json' : 'text');
  const format = CHECK_FORMATS.find(name => name === wanted);
  if (format === undefined)
    throw new UsageError(
      `--output must be one of ${CHECK_FORMATS.join(', ')}, not "${wanted}"${didYouMean(wanted, CHECK_FORMATS)}`,
    );
  if (given.has('watch') && format !== 'json')
    throw new UsageError(`--watch prints JSON lines, so it cannot be used with -o ${format}`);
  return format;
}

interface WatchSchedule {
  readonly everyMs: number;
  readonly remindMs: number | undefined;
}

function readSchedule(given: ParsedFlags): WatchSchedule | undefined {
  const everyMs = given.duration('watch');
  const remindMs = given.duration('remind');
  if (everyMs !== undefined && given.has('accept'))
    throw new UsageError('--accept and --watch cannot be used together');
  if (everyMs !== undefined) return { everyMs, remindMs };
  if (remindMs !== undefined) throw new UsageError('--remind needs --watch');
  return undefined;
}

interface NamedChecker {
  readonly checker: NodeChecker;
  /** The node's name in the output. */
  readonly node: string;
  readonly limit: LagLimit;
  /** The observations are remembered for the next check. */
  readonly isKept: boolean;
}

/** A past snapshot has no next check, and no reason to alert anyone. */
function refuseWithSnapshot(given: ParsedFlags): void {
  const flag = ['watch', 'remind', 'accept', 'hold', 'textfile'].find(name => given.has(name));
  if (given.has('at') && flag !== undefined)
    throw new UsageError(`--at checks one snapshot, so --${flag} cannot be used with it. Use only one.`);
}

async function createChecker(given: ParsedFlags, context: Context, connection: Connection): Promise<NamedChecker> {
  const { client, label } = connection;
  const { env, signal, stderr, nowMs, moment } = context;
  const [threshold, signerCount] = [given.number('threshold'), given.number('signer-count')];
  if (signerCount !== undefined && threshold === undefined) throw new UsageError('--signer-count needs --threshold');
  const limit = lagLimitOfNode(await readLagLimit(given, context), connection);
  const state = stateFolder(env);
  const address = shownAddress(client.base);
  // The embedded node starts from the beginning each time, and a snapshot is not a check of the node.
  const isKept = !connection.isEmbedded;
  if (state === null && isKept)
    throw new UsageError('no home folder for the memory of checks. Set HOME or XDG_STATE_HOME.');
  const { chains, problem } = readMine(minePath(env));
  if (problem !== undefined) await stderr.safe(safeLine(`warning: ${problem}`));
  // A settings file that cannot be used has no aliases.
  const { aliases } = await context.settings().catch(() => ({ aliases: {} }));
  const settings: CheckSettings & { readonly signerCount: number | undefined } = {
    ...readRules(given),
    ...{ isMine: given.has('mine'), isAccepting: given.has('accept'), limit, threshold, signerCount },
    // Without a memory, how long something has lasted is not known.
    holdMs: isKept || given.has('watch') ? (given.duration('hold') ?? 0) : 0,
    stalledAfterMs: given.duration('stalled-after') ?? USUAL_STALL_MS,
    bounds: given.texts('least-income').map(parseIncomeBound),
    severities: new Map(given.texts('severity').map(parseSeverity)),
    aliases: aliasesById(aliases),
    mineOn: chainId => mineFromLists(mineIdsOnChain(chains, chainId)),
    mineProblem: problem,
    ...((isKept || moment !== undefined) &&
      state !== null &&
      (await loadStoredBaseline(snapshotsFolder(state), context))),
  };
  const memory = new CheckMemory(isKept && state !== null ? stateFilePath(join(state, 'checks'), address) : null);
  const timeoutMs = (given.number('timeout') ?? 30) * 1000;
  const checker = new NodeChecker({ client, memory, settings, signal, timeoutMs, nowMs });
  return { checker, node: label === '' ? address : label, limit, isKept };
}

const USUAL_STALL_MS = 300_000;

/** Loads the snapshots only where there are some. */
async function loadStoredBaseline(folder: string, { stderr, nowMs }: Context): Promise<Pick<CheckSettings, 'stored'>> {
  if (!existsSync(folder)) return {};
  const door = await import('../memory/snapshots/index.ts');
  const onProblem = (problem: string): void => void stderr.safe(safeLine(`note: ${problem}`));
  return { stored: chainId => storedBaseline(door, chainId, { folder, nowMs: nowMs(), onProblem }) };
}

function readRules({ words }: ParsedFlags): Pick<CheckSettings, 'rules' | 'isNamed'> {
  for (const word of words) requireRule(word);
  return {
    rules: words.length === 0 ? RULE_IDS : RULE_IDS.filter(id => words.includes(id)),
    isNamed: words.length > 0,
  };
}

function requireRule(word: string): string {
  if (RULE_IDS.includes(word)) return word;
  throw new UsageError(`unknown rule "${word}"${didYouMean(word, RULE_IDS)}`, [`rules: ${RULE_IDS.join(', ')}`]);
}

function parseSeverity(text: string): readonly [rule: string, severity: Severity] {
  const [, rule = '', word = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const severity = OWN_SEVERITIES.find(one => one === word);
  if (severity === undefined)
    throw new UsageError(`--severity must be RULE=SEVERITY with ${OWN_SEVERITIES.join(', ')}, not "${text}"`);
  return [requireRule(rule), severity];
}

function parseIncomeBound(text: string): IncomeBound {
  const [, asset, least] = /^(.{1,100})=(\d{1,30}(?:\.\d{1,30})?)$/s.exec(text) ?? [];
  if (asset !== undefined && least !== undefined) return { asset, least };
  throw new UsageError(`--least-income must be ASSET=AMOUNT in whole units, such as USDC=100, not "${text}"`);
}

interface CheckPrintOptions {
  readonly format: CheckFormat;
  readonly node: string;
  readonly limit: LagLimit;
  readonly context: Context;
}

async function printCheck(
  checked: CheckOutcome,
  { format, node, limit, context: { stdout } }: CheckPrintOptions,
): Promise<void> {
  switch (format) {
    case 'json':
      return printReport(sortWorstFirst(checked.entries).map(entryJson), stdout);
    case 'prometheus':
      return stdout.data(prometheusText(checked, node), safeLines);
    case 'nagios':
      return stdout.safe(nagiosText(checked, limit));
    case 'text':
      return stdout.safe(checkText(checked, node, stdout.isTerminal ? stdout.columns : undefined));
  }
}

/** The members that docs/guides/check.md names: they stay as they are. */
const entryJson = ({ rule, severity, sentence, sinceMs }: CheckEntry) => ({
  rule,
  severity,
  sentence,
  since: timeText(sinceMs),
});

const timeText = (timeMs: number): string => new Date(timeMs).toISOString();

/** Writes the file of metrics. If that fails, the check is not ok, whatever it found. */
async function withTextfile(checked: CheckOutcome, path: string, node: string): Promise<CheckOutcome> {
  try {
    await writeTextfile(path, prometheusText(checked, node));
    return checked;
  } catch (error) {
    const sentence = sanitize(error instanceof Error ? error.message : String(error));
    const lost = { rule: 'textfile', severity: 'unknown' as const, sentence, sinceMs: checked.atMs };
    return { ...checked, entries: [...checked.entries, lost] };
  }
}

/** Checks until the process is asked to end, which is how it ends well. */
async function watch(
  run: (announcing: AlarmRepetition) => Promise<CheckOutcome>,
  { everyMs, remindMs }: WatchSchedule,
  { stdout, stderr, signal }: Context,
): Promise<number> {
  const said = new Set<string>();
  try {
    for (let dueMs = performance.now(); ; dueMs = Math.max(dueMs + everyMs, performance.now())) {
      await wait(Math.max(0, dueMs - performance.now()), undefined, { signal });
      const { changes, entries, atMs } = await run({ remindMs });
      for (const change of changes) await printReport(changeJson(change, atMs), stdout, 'ndjson');
      // A failure of the check itself is not an alarm of the node.
      const problems = entries
        .filter(({ rule }) => rule === MEMORY_FILE_RULE || rule === 'textfile')
        .map(({ sentence }) => sentence);
      for (const problem of problems.filter(one => !said.has(one))) await stderr.safe(safeLine(`note: ${problem}`));
      said.clear();
      for (const problem of problems) said.add(problem);
    }
  } catch (error) {
    if (signal.aborted) return EXIT.done;
    throw error;
  }
}

const changeJson = (changed: AlarmChange, atMs: number) => {
  const { change, rule, severity, was, sentence, sinceMs } = changed;
  // A cleared alarm was found earlier.
  const said = change === 'cleared' ? sanitize(sentence) : datedSentence(changed, atMs);
  return {
    at: timeText(atMs),
    change,
    rule: ruleWithoutScope(rule),
    severity,
    was,
    sentence: said,
    since: timeText(sinceMs),
  };
};
