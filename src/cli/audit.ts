import type { Audit, CheckResult, NamedDifference } from '../audit/index.ts';
import type { Directory } from '../directory/directory.ts';
import { plainNameOf, unitOfAsset } from '../directory/directory.ts';
import { countOf, countText } from '../insight/count-of.ts';
import { groupDigits, scaled } from '../insight/decimal.ts';
import { paidLiquidityFees } from '../resources/paid-liquidity-fees.ts';
import { joinSafe, type SafeText, safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { type IdFlags, withIdsNamed } from './named-ids.ts';
import type { Given } from './options.ts';
import { formatOf, printReport, REPORT_FORMATS } from './output.ts';
import { UsageError } from './usage-error.ts';

export const audit: Command = {
  form: '[file or folder]...',
  about:
    'compare exported tables with each other: do balances, ledger, deposits, withdrawals and rewards add up. Without a file it uses the exports in the current folder. Needs ledger, balances, deposits, withdrawals and blocks of the same blocks; rewards, trades, orders and positions are compared if they are there',
  examples: [
    'audit ledger.zip balances.zip deposits.zip withdrawals.zip blocks.zip',
    'audit . --party c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c -o json',
  ],
  formats: REPORT_FORMATS,
  flags: [{ name: 'party', kind: 'text', value: 'ID', about: 'compare only what concerns this party' }],
  uses: ['output'],
  run: async (typed, context) => {
    const format = formatOf(typed, REPORT_FORMATS);
    const given = await withIdsNamed(typed, PARTY, context);
    const party = partyFrom(given);
    const answers = await import('../answers/index.ts');
    const paths = await exportsToAudit(given.words, context);
    const { signal } = context;
    const { archives } = await answers.openArchives(paths, { evenIncomplete: false, isToAudit: true, signal });
    const chainId = archives.find(archive => archive.chainId !== '')?.chainId ?? '';
    const { directory, notes } = answers.savedNames(paths, chainId);
    const { auditExports } = await import('../audit/index.ts');
    const made = await auditExports({
      archives,
      known: {
        assets: [...directory.assets.keys()],
        markets: [...directory.markets].map(([id, { asset }]) => ({ id, asset: asset.toLowerCase() })),
      },
      ...(party !== undefined && { party }),
      signal,
      onProgress: ({ bytes, totalBytes }) =>
        context.stderr.progress(`comparing: ${totalBytes === 0 ? 0 : Math.floor((100 * bytes) / totalBytes)} %`),
    }).finally(() => context.stderr.progress(''));
    if (format === 'json') await printReport(reportOf(made), context.stdout);
    else await context.stdout.safe(auditText(made, directory));
    for (const note of [...notes, ...made.notes]) await context.stderr.safe(safeLine(`note: ${note}`));
    for (const line of fetchLines(made)) await context.stderr.safe(safeLine(line));
    return made.verdict === 'adds-up' ? EXIT.done : EXIT.untrusted;
  },
};

const PARTY: IdFlags = new Map(
  paidLiquidityFees.filters.flatMap(filter => (filter.name === 'partyIds' ? [['party', filter] as const] : [])),
);

function partyFrom(given: Given): string | undefined {
  const text = given.text('party');
  if (text === undefined) return undefined;
  const id = text.trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(id)) return id;
  throw new UsageError(`--party must be 64 hexadecimal digits or one of your aliases, not "${text}"`);
}

async function exportsToAudit(named: readonly string[], { stderr }: Context): Promise<readonly string[]> {
  const { readParquetManifest, selectExports } = await import('../answers/index.ts');
  const words = named.length > 0 ? named : ['.'];
  for (const path of words) {
    const isParquet = await readParquetManifest(path).then(
      manifest => manifest !== undefined,
      () => false,
    );
    if (isParquet)
      throw new UsageError(`${path} has Parquet files. An audit reads the ZIPs that they were made from: name those`);
  }
  const { paths, isSearched } = await selectExports(words, { isToConvert: true });
  if (isSearched) await stderr.safe(safeLine(`reading ${paths.join(', ')}`));
  return paths;
}

/** The report for programs. */
const reportOf = ({ verdict, checks }: Audit) => ({
  verdict,
  checks: checks.map(({ name, kind, compared, agreed, differences, blindSpots }) => ({
    ...{ name, kind, compared, agreed, differences, blindSpots },
  })),
});

/** Differences of a check that are printed; -o json has more. */
const MOST_SHOWN = 10;

function auditText({ verdict, reason, checks }: Audit, names: Directory): SafeText {
  return joinSafe([safeLine(`${verdict}: ${reason}`), ...checks.flatMap(check => checkLines(check, names))]);
}

function checkLines(check: CheckResult, names: Directory): readonly SafeText[] {
  const { name, title, kind, differences, total, blindSpots, unjudged } = check;
  const state =
    unjudged !== undefined
      ? 'not compared'
      : total === 0
        ? check.compared.values === 0
          ? 'nothing to compare'
          : 'agrees'
        : kind === 'look'
          ? 'worth a look'
          : 'differs';
  const shown = differences.slice(0, MOST_SHOWN);
  const more = total - shown.length;
  return [
    `\n${name}: ${state}. ${title[0]?.toUpperCase()}${title.slice(1)}.`,
    `  ${unjudged ?? `compared ${comparedText(check)}`}`,
    ...shown.map(difference => `  ${differenceText(difference, names)}`),
    ...(more > 0 ? [`  and ${countText(more)} more, ${countText(total)} in all`] : []),
    ...(unjudged === undefined ? blindSpots : []).map(spot => `  cannot detect: ${spot}`),
  ].flatMap(text => text.split('\n').map(safeLine));
}

function comparedText({ compared, agreed }: CheckResult): string {
  const { values, accounts, blocks, rows } = compared;
  if (values === 0) return `nothing: there was nothing to compare in ${countOf(rows, 'row')}`;
  const among = [
    ...(accounts > 0 ? [countOf(accounts, 'account')] : []),
    ...(blocks > 0 ? [countOf(blocks, 'block')] : []),
  ];
  const of = among.length === 0 ? '' : ` of ${among.join(' in ')}`;
  return `${countOf(values, 'value')}${of}, from ${countOf(rows, 'row')}: ${values === agreed ? 'all agree' : `${countText(agreed)} agree`}`;
}

function differenceText(difference: NamedDifference, names: Directory): string {
  const { what, amount, block, time, account, party, asset, market, type } = difference;
  const unit = asset === null ? undefined : unitOfAsset(names, asset);
  const inUnits = unit === undefined || amount === null ? undefined : scaled(amount, unit.decimals);
  const parts = [
    block === null ? time : `block ${block}`,
    party === null ? null : `party ${party}`,
    type === null ? null : `${type} account`,
    market === null ? null : `market ${plainNameOf(names, 'market', market) ?? market}`,
    asset === null ? null : `asset ${plainNameOf(names, 'asset', asset) ?? asset}`,
    party === null && account !== null ? `account ${account}` : null,
    amount === null
      ? null
      : `amount ${inUnits === undefined ? groupDigits(amount) : `${groupDigits(inUnits)} ${unit?.symbol}`}`,
  ].filter(part => part !== null);
  return [what, ...parts].join(', ');
}

/** The commands that fetch what is missing for a verdict. */
function fetchLines({ verdict, missing }: Audit): readonly string[] {
  if (missing.length === 0) return [];
  const commands = missing.map(
    ({ table, blocks }) =>
      `  blockglass export --table ${table}${blocks === undefined ? ' --all' : ` --from ${blocks.from} --to ${blocks.to}`}`,
  );
  const why =
    verdict === 'cannot-be-judged' ? 'Fetch what is missing, then audit again:' : 'These tables were not there:';
  return [why, ...commands];
}
