import type { Book, ReportInput } from '../answers/report/index.ts';
import { safeLine, safeLines } from '../base/text/safe-text.ts';
import { tablesFor } from '../history/store/purposes.ts';
import { loadExportNames } from './answer.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { FETCH_FLAG } from './fetch-first.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { type ExportSource, findExports, findSource, openExports } from './open-exports.ts';
import { readFormat } from './output.ts';
import { PERIOD_FLAGS, readPeriod } from './period-flags.ts';
import { BOUND_FLAGS, readWorkBounds, runWithinBounds } from './query/work-bounds.ts';
import { PARTY_FLAG, readParty, resolveIdFlags } from './resolve-id-flags.ts';
import { HISTORY_FLAGS } from './stored-history.ts';
import { UsageError } from './usage-error.ts';

const FORMATS = ['html', 'markdown', 'json'] as const;
/** Programs with their own file format. */
export const REPORT_PROGRAMS = ['rotki', 'hledger'] as const;

type ReportForm = (typeof FORMATS)[number] | (typeof REPORT_PROGRAMS)[number];

/** How a file of each form ends. */
const ENDINGS: { readonly [form in ReportForm]: string } = {
  html: 'html',
  markdown: 'md',
  json: 'json',
  rotki: 'csv',
  hledger: 'journal',
};

/** The tables for other programs; a page has all that are reported. */
const TABLES_BY_FORM: { readonly [form in ReportForm]?: readonly string[] } = {
  rotki: ['ledger'],
  hledger: ['ledger', 'balances'],
};

export const report: Command = {
  group: 'Read exports',
  form: '[file or folder]...',
  needs: '--party ID',
  about:
    'write one page about a party: money in and out, fees, rewards, trades and balances, with the SQL of every figure and an audit, from the history on disk or from the given exports. Without --out and -o it writes a page into the current folder. Needs ledger, balances, rewards and trades; a section without its table shows how to fetch it',
  examples: [
    'report . --party c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c --year 2026',
    'report . --party c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c -o markdown',
  ],
  formats: FORMATS,
  flags: [
    { name: 'party', kind: 'text', value: 'ID', about: 'the party' },
    {
      name: 'year',
      kind: 'number',
      group: 'Range',
      least: 1970,
      most: 9999,
      value: 'YEAR',
      about: 'this year (UTC); default: everything on disk, or the exported range',
    },
    { name: 'from', kind: 'text', group: 'Range', value: 'PLACE', about: 'start at this epoch (e20), day or UTC time' },
    { name: 'to', kind: 'text', group: 'Range', value: 'PLACE', about: 'end of this epoch, day or minute (inclusive)' },
    { name: 'asset', kind: 'text', value: 'ID', about: 'only this asset, by id or name' },
    {
      name: 'for',
      kind: 'text',
      value: 'PROGRAM',
      about: 'write for another program instead: rotki (CSV) or hledger (journal)',
    },
    {
      name: 'identifier',
      kind: 'text',
      value: 'ASSET=ID',
      repeats: true,
      about: 'what rotki calls an asset; can be repeated',
    },
    {
      name: 'out',
      kind: 'text',
      group: 'Destination',
      value: 'FILE',
      about: 'write to this file; it must not exist yet',
      isDestination: true,
    },
    {
      name: 'even-incomplete',
      kind: 'switch',
      group: 'History on disk',
      about: 'from incomplete exports too, with a note on the page',
    },
    { name: 'no-audit', kind: 'switch', about: 'do not compare the exports with each other' },
    ...PERIOD_FLAGS,
    FETCH_FLAG,
    ...HISTORY_FLAGS,
    ...BOUND_FLAGS,
  ],
  uses: [...CONNECTION_FLAGS.filter(flag => flag !== 'timeout'), 'output'],
  run: async (given, context) => {
    const form = readForm(given);
    const range = readRange(given, context.nowMs());
    if (!given.has('party')) throw new UsageError('missing argument: --party ID');
    const bounds = readWorkBounds(given);
    const { REPORTED_TABLES } = await import('../answers/report/index.ts');
    const { NAMING_TABLES } = await import('../answers/index.ts');
    return runWithinBounds(bounds, context, async bounded => {
      const needs = {
        tables: given.has('no-audit') ? tablesFor('answer') : tablesFor('report'),
        range: {
          ...(range.from !== undefined && { from: range.from }),
          ...(range.to !== undefined && { to: range.to }),
        },
      };
      const source = await findSource(given.words, { given, context, needs, asksNode: true });
      const compared = await auditedPaths(given, source);
      const tables = TABLES_BY_FORM[form] ?? REPORTED_TABLES;
      const evenIncomplete = given.has('even-incomplete');
      const selected = await findExports(source, context, {
        ...{ tables, naming: NAMING_TABLES, evenIncomplete },
        elsewhere: compared.audited,
      });
      const limits = { memoryMiB: bounds.memoryMiB };
      const dataset = await openExports(selected, { evenIncomplete, limits, signal: bounded.signal }, context);
      try {
        const { names, saved, witnesses } = await loadExportNames(selected, dataset.chainId, {
          given,
          values: range,
          context,
        });
        const request = {
          ...range,
          party: readParty(await resolveIdFlags(given, PARTY_FLAG, { names: async () => names })),
        };
        const path = outputPath(given, form, request);
        bounded.begin();
        const ground = {
          ...{ dataset, names, saved, witnesses, ...compared, isHistory: source.isHistory },
          program: `blockglass ${context.version}`,
          nowMs: context.nowMs(),
          signal: bounded.signal,
          onProgress: context.stderr.progress,
        };
        const text = await createText(request, ground, { form, given, context });
        await bounded.elsewhere(deliver(text, path, context));
      } finally {
        context.stderr.progress('');
        await dataset.close();
      }
      return source.exitCode;
    });
  },
};

function readForm(given: ParsedFlags): ReportForm {
  const [format, program] = [given.text('output'), given.text('for')];
  if (format !== undefined && program !== undefined) throw new UsageError('--for cannot be used with --output');
  if (program !== undefined) {
    const known = REPORT_PROGRAMS.find(name => name === program);
    if (known !== undefined) return known;
    throw new UsageError(`--for must be ${REPORT_PROGRAMS.join(' or ')}, not "${program}"`);
  }
  return format === undefined ? 'html' : readFormat(given, FORMATS);
}

function readRange(given: ParsedFlags, nowMs: number) {
  const [year, asset] = [given.number('year'), given.text('asset')];
  const { from, to } = readPeriod(given, nowMs) ?? { from: given.text('from'), to: given.text('to') };
  if (year !== undefined && (from !== undefined || to !== undefined))
    throw new UsageError('--year cannot be used with --from or --to');
  const range = year === undefined ? { from, to } : { from: `${year}-01-01`, to: `${year}-12-31` };
  return {
    year,
    asked: requestedRangeText(range, year),
    ...(asset !== undefined && { asset }),
    ...(range.from !== undefined && { from: range.from }),
    ...(range.to !== undefined && { to: range.to }),
  };
}

type Request = ReturnType<typeof readRange> & { readonly party: string };

function requestedRangeText(
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  year: number | undefined,
): string {
  if (year !== undefined) return `${year} (UTC)`;
  if (from === undefined && to === undefined) return 'everything available';
  return `from ${from ?? 'the beginning'} to ${to ?? 'the end'} (UTC, both included)`;
}

/** The file to write; undefined for stdout. */
function outputPath(given: ParsedFlags, form: ReportForm, { party, year }: Request): string | undefined {
  const out = given.text('out');
  if (out !== undefined) return out;
  if (given.has('output') || given.has('for')) return undefined;
  return `report-${party.slice(0, 8)}${year === undefined ? '' : `-${year}`}.${ENDINGS[form]}`;
}

async function auditedPaths(
  given: ParsedFlags,
  { paths: named, isHistory }: ExportSource,
): Promise<{ readonly audited: readonly string[]; readonly noAudit?: string }> {
  if (given.has('no-audit')) return { audited: [], noAudit: 'it was left out (--no-audit)' };
  const { NAMING_TABLES, selectExports } = await import('../answers/index.ts');
  try {
    const tables = isHistory ? { tables: tablesFor('audit'), naming: NAMING_TABLES } : {};
    const { paths } = await selectExports(named, { isToConvert: true, ...tables });
    return { audited: paths };
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AnswerError')) throw error;
    return { audited: [], noAudit: error.message };
  }
}

interface WriteOptions {
  readonly form: ReportForm;
  readonly given: ParsedFlags;
  readonly context: Context;
}

async function createText(
  request: Request,
  ground: ReportInput,
  { form, given, context: { stderr } }: WriteOptions,
): Promise<string> {
  const { htmlReport, makeJournal, makeReport, markdownReport } = await import('../answers/report/index.ts');
  const say = async (notes: readonly string[]): Promise<void> => {
    stderr.progress('');
    for (const note of notes) await stderr.safe(safeLine(`note: ${note}`));
  };
  if (form === 'hledger' || form === 'rotki') {
    const { text, notes } = await (form === 'hledger'
      ? makeJournal(request, ground)
      : createEvents(request, ground, given));
    await say(notes);
    return text;
  }
  const made = await makeReport(request, ground);
  await say(made.warnings);
  switch (form) {
    case 'html':
      return htmlReport(made);
    case 'markdown':
      return markdownReport(made);
    case 'json':
      return `${JSON.stringify(made, null, 2)}\n`;
  }
}

async function createEvents(request: Request, ground: ReportInput, given: ParsedFlags): Promise<Book> {
  const { makeEvents } = await import('../answers/report/index.ts');
  const { unknown, ...book } = await makeEvents(request, ground, await readIdentifiers(given, ground));
  if (unknown.length === 0) return book;
  throw new UsageError(
    `the decimals of asset ${unknown.join(', ')} are not known, so its amounts cannot be written. Add --node URL`,
  );
}

/** `--identifier ASSET=ID`: what rotki calls an asset. */
async function readIdentifiers(
  given: ParsedFlags,
  { names }: Pick<ReportInput, 'names'>,
): Promise<ReadonlyMap<string, string>> {
  const { resolveAssetId } = await import('../answers/index.ts');
  return new Map(
    given.texts('identifier').map(text => {
      const at = text.indexOf('=');
      if (at < 1 || at === text.length - 1)
        throw new UsageError(`--identifier must be ASSET=ID, for example VEGA=eip155:1/erc20:0x..., not "${text}"`);
      return [resolveAssetId(names, text.slice(0, at)), text.slice(at + 1)] as const;
    }),
  );
}

async function deliver(text: string, path: string | undefined, { stdout }: Context): Promise<void> {
  if (path === undefined) return stdout.data(text, exact => safeLines(exact));
  const { writeNewFile } = await import('../base/disk/replace-file-content.ts');
  try {
    await writeNewFile(path, text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new UsageError(`${path} exists and is not replaced. Choose another file with --out`);
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  await stdout.safe(safeLine(path));
}
