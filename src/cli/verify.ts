import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RecognisedPath } from '../answers/index.ts';
import { bucketCopyCommand, isBucketAddress } from '../base/text/bucket-address.ts';
import { joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import { shellWord } from '../base/text/shell-word.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { parseEntryName } from '../history/check/entry-name.ts';
import { toUnreadableError } from '../history/check/regular-file.ts';
import { countRows, type Expectation, type Verdict } from '../history/check/verdict.ts';
import { exportFromFileName } from '../history/plan/export-plan.ts';
import { verifyFile, verifyPipe } from '../history/verify/verify-file.ts';
import { type FolderVerdict, verifyFolder } from '../history/verify/verify-folder.ts';
import { ARCHIVE_ONLY_FLAG } from './archive-only-flag.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { printReport, readFormat } from './output.ts';
import { readTableFlag } from './table-flag.ts';
import { UsageError } from './usage-error.ts';
import { verdictText } from './verdict-text.ts';

/** The expected content of an export, instead of the values in its file name. */
const EXPECTATION_FLAGS: readonly Flag[] = [
  { name: 'table', kind: 'text', value: 'TABLE', about: 'the table you requested (default: from the file name)' },
  {
    name: 'from',
    kind: 'text',
    group: 'Range',
    value: 'BLOCK',
    about: 'the first block you requested (default: from the file name)',
  },
  {
    name: 'to',
    kind: 'text',
    group: 'Range',
    value: 'BLOCK',
    about: 'the last block you requested (default: from the file name)',
  },
  {
    name: 'chain',
    kind: 'text',
    group: 'Range',
    value: 'ID',
    about: 'the chain it must be from (default: from the file name)',
  },
];

const VERDICT_FORMATS = ['table', 'json', 'ndjson'] as const;
type VerdictFormat = (typeof VERDICT_FORMATS)[number];

export const verify: Command = {
  group: 'Export history',
  form: '<file or folder>...',
  about:
    'check exports on disk again: ZIPs, folders of slices or of Parquet by their manifest, every export in another folder, or - for standard input. Of several exports it prints one line each',
  examples: ['verify rewards.zip --table rewards --from 22501 --to 23500', 'verify . -o json'],
  formats: VERDICT_FORMATS,
  flags: [ARCHIVE_ONLY_FLAG, ...EXPECTATION_FLAGS],
  uses: ['output'],
  run: async (given, context) => {
    const format = readFormat(given, VERDICT_FORMATS);
    const [path, ...others] = given.words;
    if (path === undefined)
      throw new UsageError(
        'missing argument <file or folder>: a ZIP, a folder of exports, or - for standard input. Usage: blockglass verify <file or folder>...',
      );
    const bucket = given.words.find(isBucketAddress);
    if (bucket !== undefined)
      throw new UsageError(`${bucket} is in a bucket. Verify reads files on disk and pipes`, [
        `${bucketCopyCommand(bucket)} ${bucket} - | blockglass verify -`,
      ]);
    const readsRows = !given.has(ARCHIVE_ONLY_FLAG.name);
    const several = await findSeveralExports(given.words);
    if (several !== undefined) return await verifyAll(several, format, { readsRows, given, context });
    if (others.length > 0) throw new UsageError('- is standard input and cannot be combined with files');
    const verdict = await verifyPath(path, { readsRows, given, context });
    if (format === 'table') await context.stdout.safe(verdictWords(path, verdict));
    else await printReport(verdict, context.stdout, format);
    if (format === 'table' && readsRows && isAuditWorthIt(path, verdict))
      await context.stderr.safe(safeLine(AUDIT_HINT));
    return verdict.kind === 'complete' ? EXIT.done : EXIT.untrusted;
  },
};

const AUDIT_HINT = 'To compare rows across tables, run blockglass audit on all their files.';

/** Tables whose rows have to agree with those of others. */
const TABLES_TO_AUDIT: readonly string[] = ['ledger', 'balances', 'deposits', 'withdrawals'];

function isAuditWorthIt(path: string, verdict: Verdict | FolderVerdict | undefined): boolean {
  if (verdict?.kind !== 'complete') return false;
  const named =
    'slices' in verdict ? exportFromFileName(`${resolve(path)}.zip`) : parseEntryName(verdict.entries[0]?.name ?? '');
  return TABLES_TO_AUDIT.includes(named?.table ?? '');
}

interface VerifyOptions {
  readonly readsRows: boolean;
  readonly given: ParsedFlags;
  readonly context: Context;
}

async function verifyPath(
  path: string,
  { readsRows, given, context }: VerifyOptions,
): Promise<Verdict | FolderVerdict> {
  const { signal } = context;
  try {
    const found = await stat(path === '-' ? STDIN : path).catch((error: unknown) => {
      throw toUnreadableError(path, error);
    });
    const isPipe = path === '-' || (NAMES_OF_STDIN.has(path) && !found.isFile());
    const { findRequestedExport, isExport, recognise, verifyParquet } = await import('../answers/index.ts');
    const known = found.isDirectory()
      ? exportFromFileName(`${resolve(path)}.zip`)
      : isPipe
        ? undefined
        : await findRequestedExport(path);
    const { asked, contradictions, unknowns } = readExpectation(given, known);
    const notes = [...contradictions, ...unknowns];
    if (isPipe) return withNotes(await verifyPipe(requirePipe(context), asked, { readsRows, signal }), notes);
    if (!found.isDirectory()) return withNotes(await verifyFile(path, asked, { readsRows, signal }), notes);
    if (!readsRows) throw new UsageError('--archive-only is for a ZIP file, not for a folder');
    const folder = await recognise(path);
    if (isExport(folder) && folder.kind === 'parquet') return await verifyParquet(path, signal);
    return withNotes(await verifyFolder(path, signal, asked), contradictions);
  } catch (error) {
    if (signal.aborted) await context.stderr.safe(safeLine('Cancelled before the check was complete'));
    throw error;
  }
}

/** The exports at several paths or in a plain folder; undefined for a single export given by its own path. */
async function findSeveralExports(words: readonly string[]): Promise<readonly RecognisedPath[] | undefined> {
  if (words.some(word => word === '-' || NAMES_OF_STDIN.has(word))) return undefined;
  const { gatherExports, recognise } = await import('../answers/index.ts');
  const [only = '', ...others] = words;
  // An unreadable file is reported with its verdict.
  const isFolder = others.length === 0 && (await recognise(only).catch(() => undefined))?.kind === 'folder';
  return isFolder || others.length > 0 ? (await gatherExports(words)).found : undefined;
}

/** Checks every export, and prints a line or a report for each. */
async function verifyAll(found: readonly RecognisedPath[], format: VerdictFormat, how: VerifyOptions): Promise<number> {
  const { isExport } = await import('../answers/index.ts');
  const { given, context } = how;
  const { stdout, stderr } = context;
  const exports = found.filter(isExport);
  if (exports.length === 0)
    throw new UsageError(`no export found in ${given.words.join(', ')}. Pass a ZIP file or a folder of exports.`);
  const flag = EXPECTATION_FLAGS.find(({ name }) => name !== 'chain' && given.has(name));
  if (flag !== undefined && exports.length > 1)
    throw new UsageError(`--${flag.name} needs exactly one export, not ${exports.length}. Choose one.`);
  const verdicts: (Verdict | FolderVerdict)[] = [];
  for (const { path, kind } of exports) {
    const verdict = await verifyPath(path, { ...how, readsRows: kind !== 'archive' || how.readsRows }).catch(
      unreadableVerdict,
    );
    verdicts.push(verdict);
    if (format === 'table') await stdout.safe(safeLine(verdictLine(path, verdict)));
    else if (format === 'ndjson') await printReport({ path, ...verdict }, stdout, format);
  }
  if (format === 'json')
    await printReport(
      exports.map(({ path }, at) => ({ path, ...verdicts[at] })),
      stdout,
    );
  // Its name suggests an export: an empty download, a page of a proxy.
  const isNamedSo = (path: string): boolean => given.words.includes(path) || /\.zip$/i.test(path);
  const skipped = found.filter(({ path, kind }) => kind === 'other' && isNamedSo(path));
  if (skipped.length > 0)
    await stderr.safe(safeLine(`not checked (not an export): ${skipped.map(({ path }) => path).join(', ')}`));
  if (format === 'table' && exports.some(({ path }, at) => isAuditWorthIt(path, verdicts[at])))
    await stderr.safe(safeLine(AUDIT_HINT));
  return verdicts.every(({ kind }) => kind === 'complete') ? EXIT.done : EXIT.untrusted;
}

/** The others are checked all the same. */
function unreadableVerdict(error: unknown): FolderVerdict {
  if (!(error instanceof Error) || !READING_ERRORS.includes(error.name)) throw error;
  return { kind: 'damaged', reason: error.message, notes: [], slices: [] };
}

const READING_ERRORS: readonly string[] = ['AnswerError', 'DestinationError', 'UnreadableError'];

/** `complete: ledger.zip: ledger of blocks 1 to 1000, 12 rows` */
function verdictLine(path: string, verdict: Verdict | FolderVerdict): string {
  const { kind, reason, notes } = verdict;
  const more = notes.length === 0 ? '' : ` (${countOf(notes.length, 'note')}: blockglass verify ${shellWord(path)})`;
  if (kind !== 'complete' || 'slices' in verdict) return `${kind}: ${path}: ${reason}${more}`;
  const [first, last] = [verdict.entries[0], verdict.entries.at(-1)];
  const table = parseEntryName(first?.name ?? '')?.table ?? 'no table';
  const rows = countRows(verdict.entries);
  const counted = rows === null ? 'rows not read' : countOf(rows, 'row');
  return `${kind}: ${path}: ${table} of blocks ${first?.fromBlock ?? '?'} to ${last?.toBlock ?? '?'}, ${counted}${more}`;
}

const withNotes = <V extends Verdict | FolderVerdict>(verdict: V, notes: readonly string[]): V => ({
  ...verdict,
  notes: [...verdict.notes, ...notes],
});

const STDIN = '/dev/stdin';
const NAMES_OF_STDIN: ReadonlySet<string> = new Set([STDIN, '/dev/fd/0', '/proc/self/fd/0']);

function requirePipe({ stdin }: Context) {
  const pipe = stdin();
  if (pipe.isTTY === true) throw new UsageError('standard input is a terminal. Give a file, or pipe one in.');
  return pipe;
}

function verdictWords(path: string, verdict: Verdict | FolderVerdict): SafeText {
  if (!('slices' in verdict)) return verdictText(verdict);
  const slices = verdict.slices.map(
    ({ file, verdict: slice }) =>
      `  ${join(path, file)}: ${slice.kind}${slice.kind === 'complete' ? '' : `, ${slice.reason}`}`,
  );
  const notes = verdict.notes.map(note => `  note: ${note}`);
  return joinSafe([`${verdict.kind}: ${verdict.reason}`, ...notes, ...slices].map(safeLine));
}

/** The expected export, from the flags or else from the name, with notes on both. */
interface RequestedExport {
  readonly asked: Expectation;
  /** Differences between the name and the flags. */
  readonly contradictions: readonly string[];
  /** Values that cannot be checked, because neither gives them. */
  readonly unknowns: readonly string[];
}

function readExpectation(given: ParsedFlags, byName: Expectation = {}): RequestedExport {
  const byFlags = expectationFromFlags(given);
  const asked = { ...byName, ...byFlags };
  if (asked.fromBlock !== undefined && asked.toBlock !== undefined && asked.fromBlock > asked.toBlock)
    throw new UsageError(`the first block ${asked.fromBlock} is above the last block ${asked.toBlock}`);
  return { asked, contradictions: findContradictions(byName, byFlags), unknowns: unknownRangeNotes(asked) };
}

function expectationFromFlags(given: ParsedFlags): Expectation {
  const table = readTableFlag(given);
  const [fromBlock, toBlock] = [readHeight(given, 'from'), readHeight(given, 'to')];
  const chainId = given.text('chain');
  return {
    ...(table !== undefined && { table: table.id }),
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    ...(chainId !== undefined && { chainId }),
  };
}

function readHeight(given: ParsedFlags, name: 'from' | 'to'): bigint | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`--${name} must be a block height, not "${text}"`);
  return BigInt(text);
}

const FIELD_NOUNS = [
  ['table', 'table'],
  ['fromBlock', 'first block'],
  ['toBlock', 'last block'],
  ['chainId', 'chain'],
] as const;

function findContradictions(byName: Expectation, byFlags: Expectation): readonly string[] {
  return FIELD_NOUNS.flatMap(([field, word]) => {
    const [named, wanted] = [byName[field], byFlags[field]];
    if (named === undefined || wanted === undefined || named === wanted) return [];
    return [`The file name has ${word} ${named}, the command line ${wanted}. It was checked against the command line.`];
  });
}

function unknownRangeNotes({ fromBlock, toBlock, table }: Expectation): readonly string[] {
  const ends = fromBlock === undefined ? (toBlock === undefined ? 'either end' : 'its beginning') : 'its end';
  const isRangeKnown = fromBlock !== undefined && toBlock !== undefined;
  const range = `The requested range is unknown, so a CSV missing at ${ends} would go unnoticed. Pass --from and --to.`;
  const which = 'The requested table is unknown, so an export of another table would go unnoticed. Pass --table.';
  return [...(isRangeKnown ? [] : [range]), ...(table === undefined ? [which] : [])];
}
