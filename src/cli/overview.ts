import type { OverviewAnswers } from '../attention/overview/answers.ts';
import { createOverview } from '../attention/overview/overview.ts';
import { requestOverview } from '../attention/overview/request-overview.ts';
import { shownAddress } from '../chain/api/request.ts';
import { aliasesById } from '../chain/directory/aliases.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS } from './flags.ts';
import { lagLimitOfNode, MAX_LAG_FLAG, readLagLimit } from './lag-limit.ts';
import { loadMineByChain } from './load-names.ts';
import { printReport, REPORT_FORMATS, readFormat } from './output.ts';
import { overviewJson } from './overview/overview-json.ts';
import { overviewText } from './overview/overview-text.ts';
import { storedChanges } from './overview/stored-changes.ts';
import { CONTRACT_FLAGS } from './signer-flags.ts';
import { UsageError } from './usage-error.ts';

export const overview: Command = {
  group: 'Look at a chain',
  form: '',
  about:
    'show the state of a node and its chain, and what needs attention: node, epoch, network in numbers, fees of the last epochs, and what each rule finds. It sends at most 12 requests, and one for each of up to five parties of yours',
  examples: ['overview --demo', 'overview --demo -o json'],
  formats: REPORT_FORMATS,
  flags: [MAX_LAG_FLAG, ...CONTRACT_FLAGS],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  run: async (given, context) => {
    const format = readFormat(given, REPORT_FORMATS);
    const [threshold, signerCount] = [given.number('threshold'), given.number('signer-count')];
    if (signerCount !== undefined && threshold === undefined) throw new UsageError('--signer-count needs --threshold');
    const connection = await connectToChosenNode(given, context, { judged: true });
    const { client, label } = connection;
    const limit = lagLimitOfNode(await readLagLimit(given, context), connection);
    const { signal, nowMs } = context;
    const { isLive } = limit;
    const mineOn = await loadMineByChain(context);
    const answers = await requestOverview(client, { signal, threshold, signerCount, nowMs, isLive, mineOn });
    const error = failureOfAll(answers);
    // A single error is enough; the table would repeat it in each line.
    if (error !== undefined && format !== 'json') throw error;
    // A settings file that cannot be used has no aliases.
    const { aliases } = await context.settings().catch(() => ({ aliases: {} }));
    const settings = {
      ...{ nowMs: nowMs(), limit, threshold, aliases: aliasesById(aliases) },
      ...{ mineOn, isForPrograms: format === 'json' },
    };
    const made = createOverview(answers, settings);
    const changed = await storedChanges(made.node.kind === 'read' ? made.node.value.chainId : null, context);
    const named = { label, address: shownAddress(client.base), overview: made, changed };
    if (format === 'json') await printReport(overviewJson(named, settings.nowMs), context.stdout);
    else {
      const { isTerminal, columns } = context.stdout;
      const isStored = context.moment !== undefined;
      const drawn = { nowMs: settings.nowMs, columns: isTerminal ? columns : undefined, isStored };
      await context.stdout.safe(overviewText(named, drawn));
    }
    return error === undefined ? EXIT.done : exitCodeFor(error);
  },
};

/** Why nothing was answered; undefined if anything was: then each missing answer has its own line. */
function failureOfAll({
  statistics,
  segments,
  markets,
  validators,
  bundles,
  specs,
  fees,
}: OverviewAnswers): Error | undefined {
  const all = [statistics, segments, markets, validators, bundles, specs, fees];
  if (all.some(({ kind }) => kind === 'answered')) return undefined;
  return all.flatMap(answer => (answer.kind === 'failed' && answer.error !== null ? [answer.error] : []))[0];
}
