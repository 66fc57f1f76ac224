import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEntryName } from '../export/check/entry-name.ts';
import { unreadable } from '../export/check/regular-file.ts';
import type { Expectation, Verdict } from '../export/check/verdict.ts';
import { askedByName } from '../export/plan/plan.ts';
import { verifyFile, verifyPipe } from '../export/verify/verify-file.ts';
import { type FolderVerdict, verifyFolder } from '../export/verify/verify-folder.ts';
import { joinSafe, type SafeText, safeLine } from '../text/safe-text.ts';
import { ARCHIVE_ONLY } from './archive-only.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Flag, Given } from './options.ts';
import { formatOf, printReport } from './output.ts';
import { tableFrom } from './table-flag.ts';
import { UsageError } from './usage-error.ts';
import { verdictText } from './verdict-text.ts';

/** What an export should hold, instead of what its file name says. */
const ASKED: readonly Flag[] = [
  { name: 'table', kind: 'text', value: 'TABLE', about: 'the table you requested (default: from the file name)' },
  { name: 'from', kind: 'text', value: 'BLOCK', about: 'the first block you requested (default: from the file name)' },
  { name: 'to', kind: 'text', value: 'BLOCK', about: 'the last block you requested (default: from the file name)' },
  { name: 'chain', kind: 'text', value: 'ID', about: 'the chain it must be from (default: from the file name)' },
];

const VERDICT_FORMATS = ['table', 'json', 'ndjson'] as const;

export const verify: Command = {
  form: '<file or folder>',
  about: 'check an export again: a ZIP, a folder of slices by its manifest, or - for standard input',
  examples: ['verify rewards.zip --table rewards --from 22501 --to 23500', 'verify rewards.zip -o json'],
  formats: VERDICT_FORMATS,
  flags: [ARCHIVE_ONLY, ...ASKED],
  uses: ['output'],
  run: async (given, context) => {
    const format = formatOf(given, VERDICT_FORMATS);
    const path = given.words[0];
    if (path === undefined)
      throw new UsageError(
        'missing argument <file or folder>: a ZIP, a folder of slices, or - for standard input. Usage: blockglass verify <file or folder>',
      );
    if (/^s3:\/\//i.test(path))
      throw new UsageError(`${path} is in a bucket. Verify reads files on disk and pipes`, [
        `aws s3 cp ${path} - | blockglass verify -`,
        'or run blockglass export --out s3://... again to check what is there',
      ]);
    const readsRows = !given.has(ARCHIVE_ONLY.name);
    const verdict = await verdictOn(path, { readsRows, given, context });
    if (format === 'table') await context.stdout.safe(verdictWords(path, verdict));
    else await printReport(verdict, context.stdout, format);
    if (format === 'table' && readsRows && isAuditWorthIt(path, verdict))
      await context.stderr.safe(safeLine(AUDIT_TOO));
    return verdict.kind === 'complete' ? EXIT.done : EXIT.untrusted;
  },
};

const AUDIT_TOO = 'To see whether its rows agree with those of other tables, run blockglass audit on all of them.';

/** Tables whose rows have to agree with those of others. */
const AUDITED: readonly string[] = ['ledger', 'balances', 'deposits', 'withdrawals'];

function isAuditWorthIt(path: string, verdict: Verdict | FolderVerdict): boolean {
  if (verdict.kind !== 'complete') return false;
  const named =
    'slices' in verdict ? askedByName(`${resolve(path)}.zip`) : parseEntryName(verdict.entries[0]?.name ?? '');
  return AUDITED.includes(named?.table ?? '');
}

interface How {
  readonly readsRows: boolean;
  readonly given: Given;
  readonly context: Context;
}

async function verdictOn(path: string, { readsRows, given, context }: How): Promise<Verdict | FolderVerdict> {
  const { signal } = context;
  try {
    const found = await stat(path === '-' ? STDIN : path).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    const { asked, contradictions, unknowns } = askedFor(given, found.isDirectory() ? `${resolve(path)}.zip` : path);
    const notes = [...contradictions, ...unknowns];
    if (path === '-' || (NAMES_OF_STDIN.has(path) && !found.isFile()))
      return withNotes(await verifyPipe(pipeOf(context), asked, { readsRows, signal }), notes);
    if (!found.isDirectory()) return withNotes(await verifyFile(path, asked, { readsRows, signal }), notes);
    if (!readsRows) throw new UsageError('--archive-only is for a ZIP file, not for a folder');
    await refuseHolding(path);
    return withNotes(await verifyFolder(path, signal, asked), contradictions);
  } catch (error) {
    if (signal.aborted) await context.stderr.safe(safeLine('Cancelled before the check was complete'));
    throw error;
  }
}

/** Throws for a folder that only contains exports, and names them: a verdict is about one export. */
async function refuseHolding(folder: string): Promise<void> {
  const { selectExports } = await import('../answers/index.ts');
  const { paths, isSearched } = await selectExports([folder], { isToConvert: true });
  if (isSearched)
    throw new UsageError(
      `${folder} holds exports but is not one. Verify one of them:`,
      paths.map(path => `blockglass verify ${path}`),
    );
}

const withNotes = <V extends Verdict | FolderVerdict>(verdict: V, notes: readonly string[]): V => ({
  ...verdict,
  notes: [...verdict.notes, ...notes],
});

const STDIN = '/dev/stdin';
const NAMES_OF_STDIN: ReadonlySet<string> = new Set([STDIN, '/dev/fd/0', '/proc/self/fd/0']);

function pipeOf({ stdin }: Context) {
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
interface Asked {
  readonly asked: Expectation;
  /** Differences between the name and the flags. */
  readonly contradictions: readonly string[];
  /** What cannot be checked, because neither names it. */
  readonly unknowns: readonly string[];
}

function askedFor(given: Given, name: string): Asked {
  const byName = askedByName(name) ?? {};
  const byFlags = flagged(given);
  const asked = { ...byName, ...byFlags };
  if (asked.fromBlock !== undefined && asked.toBlock !== undefined && asked.fromBlock > asked.toBlock)
    throw new UsageError(`the first block ${asked.fromBlock} is above the last block ${asked.toBlock}`);
  return { asked, contradictions: contradictionsOf(byName, byFlags), unknowns: unknownsOf(asked) };
}

function flagged(given: Given): Expectation {
  const table = tableFrom(given);
  const [fromBlock, toBlock] = [height(given, 'from'), height(given, 'to')];
  const chainId = given.text('chain');
  return {
    ...(table !== undefined && { table: table.id }),
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    ...(chainId !== undefined && { chainId }),
  };
}

function height(given: Given, name: 'from' | 'to'): bigint | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`--${name} must be a block height, not "${text}"`);
  return BigInt(text);
}

const WORDS = [
  ['table', 'table'],
  ['fromBlock', 'first block'],
  ['toBlock', 'last block'],
  ['chainId', 'chain'],
] as const;

function contradictionsOf(byName: Expectation, byFlags: Expectation): readonly string[] {
  return WORDS.flatMap(([field, word]) => {
    const [named, wanted] = [byName[field], byFlags[field]];
    if (named === undefined || wanted === undefined || named === wanted) return [];
    return [
      `The file name says ${word} ${named}, the command line ${wanted}. It was checked against the command line.`,
    ];
  });
}

function unknownsOf({ fromBlock, toBlock, table }: Expectation): readonly string[] {
  const ends = fromBlock === undefined ? (toBlock === undefined ? 'either end' : 'its beginning') : 'its end';
  const isRangeKnown = fromBlock !== undefined && toBlock !== undefined;
  const range = `The requested range is unknown, so a CSV missing at ${ends} would go unnoticed. Pass --from and --to.`;
  const which = 'The requested table is unknown, so an export of another table would go unnoticed. Pass --table.';
  return [...(isRangeKnown ? [] : [range]), ...(table === undefined ? [which] : [])];
}
