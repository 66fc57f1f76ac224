import type { Audit } from '../answers/audit/index.ts';
import type { SelectedExports } from '../answers/index.ts';
import { joinSafe, safeLine } from '../base/text/safe-text.ts';
import { tablesFor } from '../history/store/purposes.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { FETCH_FLAG } from './fetch-first.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { userAliases } from './load-names.ts';
import { findExports, findSource } from './open-exports.ts';
import { printReport, REPORT_FORMATS, readFormat } from './output.ts';
import { PARTY_FLAG, readParty, resolveIdFlags } from './resolve-id-flags.ts';
import { HISTORY_FLAGS } from './stored-history.ts';

export const audit: Command = {
  group: 'Export history',
  form: '[file or folder]...',
  about:
    'compare the tables of the history on disk, or of the given exports: do balances, ledger, deposits, withdrawals and rewards add up. Needs ledger, balances, deposits, withdrawals and blocks of the same blocks; rewards, trades, orders and positions are compared if present',
  examples: [
    'audit ledger.zip balances.zip deposits.zip withdrawals.zip blocks.zip',
    'audit . --party c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c -o json',
  ],
  formats: REPORT_FORMATS,
  flags: [
    { name: 'party', kind: 'text', value: 'ID', about: 'compare only what concerns this party' },
    FETCH_FLAG,
    ...HISTORY_FLAGS,
  ],
  uses: [...CONNECTION_FLAGS, 'output'],
  run: async (given, context) => {
    const format = readFormat(given, REPORT_FORMATS);
    const answers = await import('../answers/index.ts');
    const source = await findSource(given.words, { given, context, needs: { tables: tablesFor('audit') } });
    const { isHistory } = source;
    const selected = await findExports(source, context, {
      isToConvert: true,
      ...(isHistory && { tables: tablesFor('audit'), naming: answers.NAMING_TABLES }),
    });
    const { made, directory, left, notes } = await answers.withHistoryWhole(selected.history, () =>
      compare(selected, { given, context, isHistory }),
    );
    const { auditText, fetchLines } = await import('../answers/audit/index.ts');
    if (format === 'json') await printReport(auditReport(made), context.stdout);
    else {
      const { summary, details } = auditText(made, directory);
      await context.stdout.safe(joinSafe([...summary, ...details].map(safeLine)));
    }
    const coverage = [...(selected.history?.notes ?? []), ...left.map(answers.leftNote)];
    for (const note of [...notes, ...coverage, ...made.notes]) await context.stderr.safe(safeLine(`note: ${note}`));
    // A fetch has just brought everything that the node has.
    for (const line of given.has('fetch') ? [] : fetchLines(made, { isHistory }))
      await context.stderr.safe(safeLine(line));
    // Tables that the node does not export are why it cannot be judged.
    const isLacking = made.verdict === 'cannot-be-judged' && source.exitCode !== EXIT.done;
    return made.verdict === 'adds-up' || isLacking ? source.exitCode : EXIT.untrusted;
  },
};

interface CompareOptions {
  readonly given: ParsedFlags;
  readonly context: Context;
  readonly isHistory: boolean;
}

/** Audits exports, with the names saved with them. */
async function compare(selected: SelectedExports, { given, context, isHistory }: CompareOptions) {
  const answers = await import('../answers/index.ts');
  const { signal } = context;
  const how = { evenIncomplete: false, isToAudit: true, isHistory, signal };
  const { archives, left } = await answers.openArchives(selected.paths, how);
  const chainId = archives.find(archive => archive.chainId !== '')?.chainId ?? '';
  const { directory, saved, notes } = answers.readExportNames(selected, chainId);
  const names = async () => ({ ...directory, aliases: await userAliases(context) });
  const party = given.has('party') ? readParty(await resolveIdFlags(given, PARTY_FLAG, { names })) : undefined;
  const { auditExports } = await import('../answers/audit/index.ts');
  const made = await auditExports({
    archives,
    known: {
      assets: [...directory.assets.keys()],
      markets: [...directory.markets].map(([id, { asset }]) => ({ id, asset: asset.toLowerCase() })),
    },
    segments: saved.ranges,
    ...(party !== undefined && { party }),
    signal,
    onProgress: ({ bytes, totalBytes }) =>
      context.stderr.progress(`comparing: ${totalBytes === 0 ? 0 : Math.floor((100 * bytes) / totalBytes)} %`),
  }).finally(() => context.stderr.progress(''));
  return { made, directory, left, notes };
}

/** The report for programs. */
const auditReport = ({ verdict, reason, chainId, blocks, counts, lastRows, checks }: Audit) => ({
  ...{ verdict, sentence: reason, chainId, blocks, counts, lastRows },
  checks: checks.map(({ name, title, kind, compared, agreed, total, differences, blindSpots, unjudged }) => ({
    ...{ name, title, kind, isCompared: unjudged === undefined, compared, agreed, total, differences, blindSpots },
  })),
});
