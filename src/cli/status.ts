import {
  type AnsweredNode,
  type JudgedNode,
  judgeNodes,
  type NodesJudgement,
} from '../attention/status/compare-nodes.ts';
import type { ProblemKind } from '../attention/status/problems.ts';
import { requestNodeAnswers } from '../attention/status/request-answers.ts';
import { isWholeFileFault, settingsFaultTextWithFile } from '../base/settings/settings-faults.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { addressWithoutLogin, shownAddress } from '../chain/api/request.ts';
import type { Command } from './command.ts';
import { warnAboutDemoData } from './connect-to-node.ts';
import { type Context, chooseTarget, connect, EMBEDDED, type Target, targetByName } from './context.ts';
import { EXIT } from './exit-code.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS, type ParsedFlags } from './flags.ts';
import { lagLimitOfNode, MAX_LAG_FLAG, readLagLimit } from './lag-limit.ts';
import { printReport, REPORT_FORMATS, readFormat } from './output.ts';
import { statusText } from './status-text.ts';
import { UsageError } from './usage-error.ts';

export const status: Command = {
  group: 'Watch nodes',
  form: '',
  about:
    'check whether a node is healthy, and how far behind. Repeat --node to compare nodes; --all checks every profile. The exit code is that of the worst node: 0 healthy, 3 refused, 4 unreachable, 5 invalid data, 6 behind by more than --max-lag',
  examples: ['status --demo', 'status --demo --max-lag 30 -o json'],
  formats: REPORT_FORMATS,
  flags: [
    { name: 'all', kind: 'switch', about: 'check every profile of the settings, and each --node as well' },
    MAX_LAG_FLAG,
  ],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  asksSeveral: true,
  run: async (given, context) => {
    const format = readFormat(given, REPORT_FORMATS);
    const general = await readLagLimit(given, context);
    const targets = await readTargets(given, context);
    for (const target of targets) await warnAboutDemoData(target, context);
    const asked = await Promise.all(
      targets.map(async target => ({
        ...(await askNode(target, given, context)),
        limit: lagLimitOfNode(general, target),
      })),
    );
    const judgement = judgeNodes(asked, context.nowMs());
    const { stdout } = context;
    if (format === 'json') await printReport(statusJson(judgement, general.ms / 1000), stdout);
    else await stdout.safe(statusText(judgement, stdout.isTerminal ? stdout.columns : undefined));
    return exitCodeOf(judgement.worst);
  },
};

const exitCodeOf = (worst: ProblemKind | null): number => (worst === null ? EXIT.done : PROBLEM_EXIT[worst]);

const PROBLEM_EXIT = {
  unreachable: EXIT.unreachable,
  untrusted: EXIT.untrusted,
  refused: EXIT.refused,
  busy: EXIT.refused,
  behind: EXIT.behind,
  stalled: EXIT.behind,
} as const satisfies { readonly [kind in ProblemKind]: number };

/** Every named node, including the embedded one; else the default node. */
async function readTargets(given: ParsedFlags, context: Context): Promise<readonly Target[]> {
  const profiles = given.has('all') ? await profileNames(context) : [];
  const names = [...new Set([...profiles, ...given.texts('node')])];
  if (names.length === 0) return [await chooseTarget(given, context)];
  const named = names.map(name => targetByName(name, given, context));
  const demo = given.has('demo') ? [EMBEDDED] : [];
  const targets = [...(await Promise.all(named)), ...demo];
  return given.has('all') ? dropRepeats(targets, context) : refuseRepeats(targets);
}

/** Two profiles may be of one node: prints which is left out. */
async function dropRepeats(targets: readonly Target[], context: Context): Promise<readonly Target[]> {
  const once = new Map<string, Target>();
  for (const target of targets) {
    const same = once.get(target.address);
    if (same === undefined) once.set(target.address, target);
    else
      await context.stderr.safe(
        safeLine(`note: ${target.label} is the same node as ${same.label}, so it is checked once`),
      );
  }
  return [...once.values()];
}

/** Throws a usage error if there are none, or if a fault in the settings may hide one. */
async function profileNames(context: Context): Promise<readonly string[]> {
  const { profiles = {}, faults = [], file = '' } = await context.settings();
  const fault = faults.find(found => isWholeFileFault(found) || found.path[0] === 'profiles');
  if (fault !== undefined) throw new UsageError(`--all: ${settingsFaultTextWithFile(file, fault)}`);
  const names = Object.keys(profiles);
  if (names.length > 0) return names;
  throw new UsageError('--all: no profiles are saved. Add one with blockglass node add NAME URL.');
}

/** Checking a node twice at once may exceed its rate limit, and adds nothing. */
function refuseRepeats(targets: readonly Target[]): readonly Target[] {
  const repeated = targets.find(({ address }, index) => targets.findIndex(other => other.address === address) < index);
  if (repeated === undefined) return targets;
  throw new UsageError(`--node has the same node twice: ${addressWithoutLogin(repeated.address)}`);
}

async function askNode(target: Target, given: ParsedFlags, context: Context): Promise<Omit<AnsweredNode, 'limit'>> {
  const { client, label } = await connect(target, given, context, { judged: true });
  const shown = shownAddress(client.base);
  const address = client.hasLogin ? shown.replace('://', '://***@') : shown;
  const answers = await requestNodeAnswers(client, context.signal);
  return { name: label, address, answers, doubts: client.doubts?.() ?? [] };
}

/** The members that docs/guides/status.md names: they stay as they are. */
export function statusJson({ nodes, chains, worst }: NodesJudgement, maxLagSeconds: number) {
  return { maxLagSeconds, chains, exitCode: exitCodeOf(worst), nodes: nodes.map(nodeJson) };
}

const nodeJson = ({ name, address, isReached, lag, problems, worst, notes, facts }: JudgedNode) => ({
  name: name === '' ? null : name,
  address,
  isReachable: isReached,
  isHealthy: worst === null,
  isArchive: lag.kind === 'archive',
  exitCode: exitCodeOf(worst),
  problems: problems.map(({ kind, text }) => ({ exitCode: exitCodeOf(kind), text })),
  notes,
  ...Object.fromEntries(facts.flatMap(({ json }) => Object.entries(json?.() ?? {}))),
});
