import type { Answers } from '../attention/overview/answers.ts';
import { askOverview } from '../attention/overview/ask-overview.ts';
import { overviewOf } from '../attention/overview/overview.ts';
import { PREFERENCES } from '../base/settings/preferences.ts';
import { isUtf8In } from '../base/text/locale.ts';
import { shownAddress } from '../chain/api/request.ts';
import { aliasesById } from '../chain/directory/aliases.ts';
import { connectAsked } from './asked-node.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import { limitOf, MAX_LAG_FLAG, maxLagOf } from './max-lag.ts';
import { readMineFor } from './names.ts';
import { ASKING_AT, type Given } from './options.ts';
import { formatOf, printReport, REPORT_FORMATS } from './output.ts';
import { overviewJson } from './overview/overview-json.ts';
import { overviewText } from './overview/overview-text.ts';
import { storedChanges } from './overview/stored-changes.ts';
import { preferencesGiven } from './preference-flags.ts';
import { UsageError } from './usage-error.ts';

export const overview: Command = {
  group: 'Look at a chain',
  form: '',
  about:
    'show what this node and its chain are, and what needs attention: node, epoch, network in numbers, fees of the last epochs, and what each rule finds. It sends at most 12 requests, and one for each of up to five parties of yours',
  examples: ['overview --demo', 'overview --demo -o json'],
  formats: REPORT_FORMATS,
  flags: [
    MAX_LAG_FLAG,
    {
      name: 'threshold',
      kind: 'number',
      value: 'N',
      about: 'the threshold of the multisig contract, in thousandths (700 = 70 %)',
    },
    { name: 'signer-count', kind: 'number', value: 'N', about: 'how many signers the contract has' },
  ],
  uses: [...ASKING_AT, 'output'],
  run: async (given, context) => {
    const format = formatOf(given, REPORT_FORMATS);
    const [threshold, signerCount] = [given.number('threshold', 0, 1000), given.number('signer-count', 1, 100_000)];
    if (signerCount !== undefined && threshold === undefined) throw new UsageError('--signer-count needs --threshold');
    const connection = await connectAsked(given, context, { judged: true });
    const { client, label } = connection;
    const limit = limitOf(await maxLagOf(given, context), connection);
    const { signal, nowMs } = context;
    const { isLive } = limit;
    const mineOn = await readMineFor(context);
    const answers = await askOverview(client, { signal, threshold, signerCount, nowMs, isLive, mineOn });
    const error = whyNothing(answers);
    // One error says it once; the table would repeat it in each line.
    if (error !== undefined && format !== 'json') throw error;
    // A settings file that cannot be used has no aliases.
    const { aliases } = await context.settings().catch(() => ({ aliases: {} }));
    const settings = {
      ...{ nowMs: nowMs(), limit, threshold, aliases: aliasesById(aliases) },
      ...{ mineOn, isForPrograms: format === 'json' },
    };
    const made = overviewOf(answers, settings);
    const changed = await storedChanges(made.node.kind === 'read' ? made.node.value.chainId : null, context);
    const named = { label, address: shownAddress(client.base), overview: made, changed };
    if (format === 'json') await printReport(overviewJson(named, settings.nowMs), context.stdout);
    else {
      const { isTerminal, columns } = context.stdout;
      const isAscii = await drawsAsciiHere(given, context);
      const isStored = context.moment !== undefined;
      const drawn = { nowMs: settings.nowMs, columns: isTerminal ? columns : undefined, isAscii, isStored };
      await context.stdout.safe(overviewText(named, drawn));
    }
    return error === undefined ? EXIT.done : exitCodeFor(error);
  },
};

/** Why nothing was answered; undefined if anything was: what was not says so in its own line. */
function whyNothing({ statistics, segments, markets, validators, bundles, specs, fees }: Answers): Error | undefined {
  const all = [statistics, segments, markets, validators, bundles, specs, fees];
  if (all.some(({ kind }) => kind === 'answered')) return undefined;
  return all.flatMap(answer => (answer.kind === 'failed' && answer.error !== null ? [answer.error] : []))[0];
}

/** Whether charts are drawn in ASCII: the variable or the setting decides, else the locale, as in the explorer. */
async function drawsAsciiHere(given: Given, context: Context): Promise<boolean> {
  const said = preferencesGiven(given, context.env, CHARSET).charset;
  const charset = said ?? (await context.settings().catch(() => ({ charset: undefined }))).charset ?? 'auto';
  return charset === 'auto' ? !isUtf8In(context.env) : charset === 'ascii';
}

const CHARSET = PREFERENCES.filter(({ name }) => name === 'charset');
