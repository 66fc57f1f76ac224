import { basename, join } from 'node:path';
import { stateFolder } from '../base/settings/state-folder.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { shortenName } from '../base/text/shorten-name.ts';
import type { Client } from '../chain/api/client.ts';
import { shownAddress } from '../chain/api/request.ts';
import type { ExportNamesOptions, ExportOutcome } from '../chain/directory/save-export-names.ts';
import { type EpochsOfRange, fetchEpochsOfRange } from '../chain/range/epochs-of-range.ts';
import type { NamedRange } from '../chain/range/parse-range.ts';
import { createRangeRecord } from '../chain/range/requested-range.ts';
import { fetchBoundaries } from '../chain/range/segment-boundaries.ts';
import { surveyRange } from '../chain/range/survey-range.ts';
import type { DownloadOptions } from '../history/download/download.ts';
import type { ExportResult } from '../history/download/export-result.ts';
import type { SliceOptions } from '../history/download/slice-export.ts';
import { checkDestination } from '../history/plan/destination.ts';
import { archiveName, type ExportPlan } from '../history/plan/export-plan.ts';
import type { ExportTable } from '../history/plan/export-tables.ts';
import { rangeLines, slicesHint } from '../history/plan/range-lines.ts';
import { ARCHIVE_ONLY_FLAG } from './archive-only-flag.ts';
import { acceptedChain } from './check/check-state.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import type { Context } from './context.ts';
import { DOWNLOAD_WAIT_FLAGS, readDownloadWaits } from './download-waits.ts';
import { EXIT } from './exit-code.ts';
import { convertExport, PARQUET_FLAGS, type ParquetOptions, readParquetOptions } from './export-parquet.ts';
import { applyPreset, PRESET_FLAGS, savePreset } from './export-presets.ts';
import { boundNotes, createExportPlan, locateRange, RANGE_FLAGS, rangeText, readNamedRange } from './export-range.ts';
import { reportResult } from './export-result.ts';
import { fetchWitnesses, WITNESS_FLAG } from './export-witnesses.ts';
import { CONNECTION_FLAGS, type Flag, type ParsedFlags } from './flags.ts';
import { readTableFlag, TABLE_NAMES } from './table-flag.ts';
import { transferProgress } from './transfer-progress.ts';
import { UsageError } from './usage-error.ts';
import { limitYoungGeneration } from './young-generation.ts';

/** Flags that a preset saves. */
const FLAGS: readonly Flag[] = [
  { name: 'table', kind: 'text', value: 'TABLE', about: `one of ${TABLE_NAMES}` },
  ...RANGE_FLAGS,
  {
    name: 'out',
    kind: 'text',
    group: 'Destination',
    value: 'PATH',
    about: 'folder, or a file name ending in .zip (.)',
    isDestination: true,
  },
  {
    name: 'slice',
    kind: 'number',
    group: 'Destination',
    least: 1,
    most: 100_000,
    value: 'SEGMENTS',
    about: 'split the export into files of N segments, each verified; run again to fetch the rest',
  },
  {
    name: 'parallel',
    kind: 'number',
    group: 'Destination',
    least: 1,
    most: 2,
    value: 'N',
    about: 'slices to download at once, 1 or 2 (1)',
  },
  { name: 'plan', kind: 'switch', about: 'show what would be exported, and export nothing' },
  { name: 'overwrite', kind: 'switch', group: 'Destination', about: 'replace an existing file' },
  {
    name: 'keep-incomplete',
    kind: 'switch',
    group: 'Destination',
    about: 'name an incomplete file .incomplete.zip instead of .part',
  },
  WITNESS_FLAG,
  ...PARQUET_FLAGS,
  ARCHIVE_ONLY_FLAG,
  ...DOWNLOAD_WAIT_FLAGS,
];

export const exportHistory: Command = {
  group: 'Export history',
  form: '',
  about: 'export network history as a checked ZIP of CSV files',
  examples: ['export --table ledger --last 3', 'export --table rewards --from 22501 --to 23500 --out rewards.zip'],
  flags: [...FLAGS, ...PRESET_FLAGS],
  uses: CONNECTION_FLAGS,
  run: async (typed, context) => {
    limitYoungGeneration();
    const given = await applyPreset(typed, FLAGS, context);
    const table = requireExportTable(given);
    const asked = {
      table,
      named: readNamedRange(given),
      parquet: await readParquetOptions(given, table.id),
      ...readDownloadWaits(given),
    };
    return await runExport(asked, { given, context });
  },
};

interface ExportRequest {
  readonly table: ExportTable;
  readonly named: NamedRange | undefined;
  readonly parquet: ParquetOptions | undefined;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

interface CommandLine {
  readonly given: ParsedFlags;
  readonly context: Context;
}

async function runExport(
  { table, named, parquet, firstByteMs, idleMs }: ExportRequest,
  { given, context }: CommandLine,
): Promise<number> {
  const { client, isEmbedded } = await connectToChosenNode(given, context);
  const { boundaries, hint } = await fetchBoundaries(client, context.signal);
  if (hint !== null) await context.stderr.safe(safeLine(hint));
  if (!isEmbedded && boundaries.kind === 'listed') await warnOtherChain(boundaries.chainId, client, context);
  const ground = { asker: client, boundaries, nowMs: Date.now(), signal: context.signal };
  const found = await locateRange(given, named, ground);
  const unwitnessed = createExportPlan(given, { table, boundaries, named }, found);
  const destination = await checkDestination(unwitnessed);
  if (destination.problem !== null) throw new UsageError(destination.problem);
  const isPlanOnly = given.has('plan');
  const [survey, witnesses] = await Promise.all([
    surveyRange(client, unwitnessed, context.signal),
    isEmbedded ? [] : fetchWitnesses({ plan: unwitnessed, boundaries, base: client.base }, given, context),
  ]);
  const plan = { ...unwitnessed, witnesses };
  const lines = rangeLines({ plan, boundaries, notes: boundNotes(found), survey, size: destination.size ?? null });
  await savePreset(given, FLAGS, context);
  if (isPlanOnly) await context.stdout.safe(rangeText([...lines, { label: 'file', text: destination.path }]));
  else await context.stderr.safe(rangeText(lines));
  const suggestion = slicesHint(plan, boundaries);
  if (suggestion !== undefined) await context.stderr.safe(safeLine(suggestion));
  const names = {
    table: table.id,
    chainId: plan.chainId,
    ...createRangeRecord(plan, boundaries),
    witnesses,
    signal: context.signal,
  };
  if (destination.exists && !plan.mayOverwrite) {
    if (!isPlanOnly && isDefaultName(destination.path, plan))
      await addMissingNames(client, destination.path, { plan, names }, context);
    throw new UsageError(`${destination.path} exists. --overwrite replaces it when the new one is complete.`);
  }
  if (isPlanOnly) return EXIT.done;
  const readsRows = !given.has(ARCHIVE_ONLY_FLAG.name);
  const { signal } = context;
  const options = { client, plan, signal, onProgress: transferProgress(context), firstByteMs, idleMs, readsRows };
  const program = `blockglass ${context.version}`;
  const { slices } = plan;
  const { hasNamesFile } = await import('../chain/directory/save-export-names.ts');
  const stop = new AbortController();
  const times = hasNamesFile(table.id)
    ? fetchEpochsOfRange(client, plan, AbortSignal.any([signal, stop.signal]))
    : undefined;
  // A failed export reports why, and saves no times.
  times?.catch(() => {});
  const result = await (slices === undefined
    ? exportArchive(options)
    : exportInSlices({ ...options, slices, boundaries, program }));
  context.stderr.progress('');
  if (result.kind !== 'saved' && result.kind !== 'saved-slices') stop.abort();
  await saveNames(client, result, await addEpochTimes(names, times, context), context);
  const code = await reportResult(result, context);
  if (parquet !== undefined) await convertExport(result, parquet, context);
  return code;
}

/** The times of every epoch in the range too; an export that was interrupted has none. */
async function addEpochTimes(
  names: ExportNamesOptions,
  asked: Promise<EpochsOfRange> | undefined,
  { stderr }: Context,
): Promise<ExportNamesOptions> {
  const { epochs = [], missing = null } = (await asked?.catch(() => undefined)) ?? {};
  if (missing !== null) await stderr.safe(safeLine(`note: ${missing}`));
  return { ...names, epochs: [...(names.epochs ?? []), ...epochs] };
}

/** Behind a load balancer, the export may be from another chain than the one checked at this address. */
async function warnOtherChain(chainId: string, { base }: Client, { env, stderr }: Context): Promise<void> {
  const folder = stateFolder(env);
  const accepted = folder === null ? null : acceptedChain(join(folder, 'checks'), shownAddress(base));
  if (accepted === null || chainId === '' || accepted === chainId) return;
  const sentence = `its history is from ${shortenName(chainId)}, and checks of this address know ${shortenName(accepted)}`;
  await stderr.safe(safeLine(`warning: the node cannot be trusted: ${sentence}`));
}

async function saveNames(
  client: Client,
  ended: ExportOutcome,
  asked: ExportNamesOptions,
  { stderr }: Context,
): Promise<void> {
  const { saveExportNames } = await import('../chain/directory/save-export-names.ts');
  const problem = await saveExportNames(client, ended, asked);
  if (problem !== undefined) await stderr.safe(safeLine(`note: ${problem}`));
}

const rangeName = ({ ranges = [] }: ExportNamesOptions): string => ranges.map(({ name }) => name).join(', ');

/** False if it was saved already. */
async function saveRequestedRange(
  archive: string,
  { chainId = '', ranges = [], epochs = [], witnesses = [] }: ExportNamesOptions,
): Promise<boolean> {
  const { saveRange, archiveNamesPath } = await import('../chain/directory/names-file.ts');
  return await saveRange(archiveNamesPath(archive), { chainId, ranges, epochs, witnesses });
}

/** A file name chosen by the user proves nothing about its content. */
const isDefaultName = (path: string, plan: ExportPlan): boolean => basename(path) === archiveName(plan);

/**
 * An existing archive may have been requested for another range of the same blocks, which answers use. A run that was
 * killed may have saved an archive without its names.
 */
async function addMissingNames(
  client: Client,
  path: string,
  { plan, names }: { readonly plan: ExportPlan; readonly names: ExportNamesOptions },
  context: Context,
): Promise<void> {
  const { hasSavedNames, archiveNamesPath } = await import('../chain/directory/names-file.ts');
  const file = archiveNamesPath(path);
  const say = (text: string): Promise<void> => context.stderr.safe(safeLine(`note: ${text}`));
  const asked = await addEpochTimes(names, fetchEpochsOfRange(client, plan, context.signal), context);
  if (hasSavedNames(file)) {
    if (await saveRequestedRange(path, asked)) await say(`answers from ${path} now use the range ${rangeName(asked)}`);
    return;
  }
  await saveNames(client, { kind: 'saved', path }, asked, context);
  if (hasSavedNames(file)) await say(`saved missing names for answers in ${file}`);
}

const exportArchive = async (options: DownloadOptions): Promise<ExportResult> =>
  (await import('../history/download/download.ts')).download(options);
const exportInSlices = async (options: SliceOptions): Promise<ExportResult> =>
  (await import('../history/download/slice-export.ts')).exportSlices(options);

function requireExportTable(given: ParsedFlags): ExportTable {
  const table = readTableFlag(given);
  if (table === undefined)
    throw new UsageError(`missing --table TABLE: one of ${TABLE_NAMES}`, [
      'blockglass explore export lets you choose on a screen',
    ]);
  return table;
}
