import { safeLine } from '../base/text/safe-text.ts';
import type { Client } from '../chain/api/client.ts';
import { requestUrl } from '../chain/api/request.ts';
import { type EpochChoice, type FeeQuery, feeNode } from '../chain/explain/statement/fee-node.ts';
import { incompleteIdProblem } from '../chain/explain/statement/fee-page.ts';
import { type FeeStatement, feeStatement } from '../chain/explain/statement/fee-statement.ts';
import { type FeeProgress, fetchFees } from '../chain/explain/statement/fetch-fees.ts';
import { statementForms } from '../chain/explain/statement/statement-forms.ts';
import { statementText } from '../chain/explain/statement/statement-table.ts';
import { parseEpochRange } from '../chain/range/parse-range.ts';
import { filterProblem, normalizeValue } from '../chain/resources/filter.ts';
import { paidLiquidityFees } from '../chain/resources/paid-liquidity-fees.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import type { Connection, Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS, type ParsedFlags } from './flags.ts';
import { loadNames, loadNamesForReader } from './load-names.ts';
import { FORMATS, type Format, printAll, readFormat } from './output.ts';
import { type IdFlags, nodeNamesSource, resolveIdFlags } from './resolve-id-flags.ts';
import { UsageError } from './usage-error.ts';
import { createWalkProgress } from './walk-progress.ts';

export const statement: Command = {
  group: 'Look at a chain',
  form: '',
  needs: '--party ID | --market ID',
  about: 'add up liquidity fees of a party or a market: those allocated to it in each epoch, with shares and totals',
  examples: [
    'statement --party c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c --last 10',
    'statement --market f4288f1a005c813707dc6ccc4b8742b164d5878b0836233b797d4431b23f2f2f --epochs 30..35 -o csv',
  ],
  flags: [
    {
      name: 'party',
      kind: 'text',
      value: 'ID',
      about: 'fees of this party; with --market only on that market',
    },
    { name: 'market', kind: 'text', value: 'ID', about: 'fees on this market' },
    { name: 'asset', kind: 'text', value: 'ID', about: 'only in this asset' },
    {
      name: 'epochs',
      kind: 'text',
      group: 'Range',
      value: 'A..B',
      about: 'epochs A to B, inclusive, or one (all)',
    },
    {
      name: 'last',
      kind: 'number',
      group: 'Range',
      least: 1,
      most: 1_000_000,
      value: 'EPOCHS',
      about: 'the last epochs that are over',
    },
  ],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  run: async (given, context) => {
    const format = readFormat(given, FORMATS);
    const choice = readEpochChoice(given);
    if (!given.has('party') && !given.has('market'))
      throw new UsageError('missing --party ID or --market ID. Example: blockglass statement --party ID --last 10');
    const connection = await connectToChosenNode(given, context);
    const { node, directory, requests } = await withRequestCount(connection, context, format === 'table');
    const names = { ...nodeNamesSource(async () => connection, context), names: async () => directory };
    const question = readFeeQuery(await resolveIdFlags(given, ID_FLAGS, names), choice);
    const fetched = await fetchFees(question, node, { directory, onProgress: createProgressLine(context) });
    context.stderr.progress('');
    const made = feeStatement({ ...fetched, requests: requests() }, choice);
    if (made.totals.length === 0) refusePartOfId(question);
    const table = () => statementText(made, directory);
    await printAll(format, { ...statementForms(made, directory), table }, context.stdout);
    await printNotes(made, format, context);
    return EXIT.done;
  },
};

function readFeeQuery(given: ParsedFlags, choice: EpochChoice): FeeQuery {
  const [party, market, asset] = [readId(given, 'party'), readId(given, 'market'), readId(given, 'asset')];
  return { party, market, asset, epochs: choice };
}

const FILTER_OF = { party: 'partyIds', market: 'marketId', asset: 'assetId' } as const;

const ID_FLAGS: IdFlags = new Map(
  Object.entries(FILTER_OF).flatMap(([flag, name]) =>
    paidLiquidityFees.filters.flatMap(filter => (filter.name === name ? [[flag, filter] as const] : [])),
  ),
);

function readId(given: ParsedFlags, name: keyof typeof FILTER_OF): string {
  const [value, filter] = [given.text(name), ID_FLAGS.get(name)];
  if (value === undefined || filter === undefined) return '';
  const problem = filterProblem(filter, value, `--${name}`);
  if (problem !== undefined) throw new UsageError(problem);
  return normalizeValue(filter, value);
}

function refusePartOfId(question: FeeQuery): void {
  const problem = incompleteIdProblem(question);
  if (problem !== undefined) throw new UsageError(problem);
}

function readEpochChoice(given: ParsedFlags): EpochChoice {
  const [text, count] = [given.text('epochs'), given.number('last')];
  if (text !== undefined && count !== undefined) throw new UsageError('--epochs and --last cannot be used together');
  if (count !== undefined) return { kind: 'last', count };
  if (text === undefined) return { kind: 'all' };
  const range = parseEpochRange(text);
  if (range === undefined) throw new UsageError(`--epochs must be epochs such as 20..25 or e20..e25, not "${text}"`);
  if (range.from > range.to) throw new UsageError(`--epochs: ${range.from} comes after ${range.to}`);
  return { kind: 'range', ...range };
}

/** The node, with a client that counts all requests and sends none twice. */
async function withRequestCount({ client, isEmbedded }: Connection, context: Context, isForReader: boolean) {
  const sent = new Map<string, ReturnType<Client['get']>>();
  let count = 0;
  const counting: Client = {
    ...client,
    get: (request, signal) => {
      const url = requestUrl(client.base, request);
      const known = sent.get(url);
      if (known !== undefined) return known;
      const reply = client.get(request, signal, { onSend: () => count++ });
      sent.set(url, reply);
      reply.catch(() => sent.delete(url));
      return reply;
    },
  };
  const { signal } = context;
  const node = feeNode({ client: counting, signal, ...createWalkProgress(context) });
  const directory = await (isForReader ? loadNamesForReader : loadNames)({ client: counting, isEmbedded }, context);
  return { node, directory, requests: () => count };
}

const createProgressLine =
  ({ stderr }: Context) =>
  ({ request, of }: FeeProgress): void =>
    stderr.progress(`request ${request}${of === null ? '' : ` of ${of}`}`);

const MAX_PROBLEMS = 20;

async function printNotes(made: FeeStatement, format: Format, { stderr }: Context): Promise<void> {
  const { span, basis, notes, problems, requests } = made;
  const more = problems.length - MAX_PROBLEMS;
  const lines = [
    span,
    ...(format === 'table' ? [] : [basis]),
    ...problems.slice(0, MAX_PROBLEMS).map(problem => `problem: ${problem}`),
    ...(more > 0 ? [`problem: ${more} more like these; -o json has them all`] : []),
    ...notes.map(note => `note: ${note}`),
    `${requests} ${requests === 1 ? 'request' : 'requests'}`,
  ];
  for (const line of lines) await stderr.safe(safeLine(line));
}
