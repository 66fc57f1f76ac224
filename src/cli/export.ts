import { basename, join } from 'node:path';
import { stateFolder } from '../base/settings/state-folder.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { shortName } from '../base/text/short-name.ts';
import type { Client } from '../chain/api/client.ts';
import { shownAddress } from '../chain/api/request.ts';
import type { EndedExport, ExportedNames } from '../chain/directory/save-export-names.ts';
import { groupDigits } from '../chain/insight/decimal.ts';
import { duration } from '../chain/insight/duration.ts';
import { fetchBoundaries } from '../chain/range/boundaries.ts';
import { type EpochsWithin, epochsWithin } from '../chain/range/epochs-within.ts';
import type { NamedRange } from '../chain/range/named-range.ts';
import { recordedRange } from '../chain/range/requested-range.ts';
import { surveyRange } from '../chain/range/survey-range.ts';
import type { DownloadOptions } from '../history/download/download.ts';
import { bytesPerSecond, type Pause, type Progress } from '../history/download/progress.ts';
import type { ExportResult } from '../history/download/result.ts';
import type { SliceOptions } from '../history/download/slice-export.ts';
import { checkDestination } from '../history/plan/destination.ts';
import { archiveName, type ExportPlan } from '../history/plan/plan.ts';
import { rangeLines, slicesHint } from '../history/plan/range-lines.ts';
import type { ExportTable } from '../history/plan/tables.ts';
import { ARCHIVE_ONLY } from './archive-only.ts';
import { connectAsked } from './asked-node.ts';
import { acceptedChain } from './check/check-state.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { convertExport, PARQUET_FLAGS, type ParquetChoice, parquetChoice } from './export-parquet.ts';
import { PRESET_FLAGS, savePreset, withNamedPreset } from './export-presets.ts';
import { foundRange, notesOf, planFrom, RANGE_FLAGS, rangeFrom, rangeText } from './export-range.ts';
import { reportResult } from './export-result.ts';
import { WITNESS_FLAG, witnessesOf } from './export-witnesses.ts';
import { ASKING, type Flag, type Given } from './options.ts';
import { TABLE_NAMES, tableFrom } from './table-flag.ts';
import { UsageError } from './usage-error.ts';
import { limitYoungMemory } from './young-memory.ts';

/** Flags that a preset saves. */
const FLAGS: readonly Flag[] = [
  { name: 'table', kind: 'text', value: 'TABLE', about: `one of ${TABLE_NAMES}` },
  ...RANGE_FLAGS,
  { name: 'out', kind: 'text', value: 'PATH', about: 'folder, or a file name ending in .zip (.)' },
  {
    name: 'slice',
    kind: 'number',
    value: 'SEGMENTS',
    about: 'export a folder of slices with so many segments, each verified; run again to fetch the rest',
  },
  { name: 'parallel', kind: 'number', value: 'N', about: 'slices to download at once, 1 or 2 (1)' },
  { name: 'plan', kind: 'switch', about: 'show what would be exported, and export nothing' },
  { name: 'overwrite', kind: 'switch', about: 'replace an existing file' },
  {
    name: 'keep-incomplete',
    kind: 'switch',
    about: 'name an incomplete file .incomplete.zip instead of .part',
  },
  WITNESS_FLAG,
  ...PARQUET_FLAGS,
  ARCHIVE_ONLY,
  { name: 'wait', kind: 'number', value: 'SECONDS', about: 'longest wait for the first byte (--timeout, or 600)' },
  { name: 'idle', kind: 'number', value: 'SECONDS', about: 'longest silence between two chunks (--timeout, or 300)' },
];

export const exportHistory: Command = {
  group: 'Export history',
  form: '',
  about: 'export network history as a checked ZIP of CSV files',
  examples: ['export --table ledger --last 3', 'export --table rewards --from 22501 --to 23500 --out rewards.zip'],
  flags: [...FLAGS, ...PRESET_FLAGS],
  uses: ASKING,
  run: async (typed, context) => {
    limitYoungMemory();
    const given = await withNamedPreset(typed, FLAGS, context);
    const timeoutS = given.number('timeout', 1, 86_400);
    const asked = {
      table: neededTable(given),
      named: rangeFrom(given),
      parquet: await parquetChoice(given),
      firstByteMs: (given.number('wait', 1, 86_400) ?? timeoutS ?? 600) * 1000,
      idleMs: (given.number('idle', 1, 86_400) ?? timeoutS ?? 300) * 1000,
    };
    return await exportAsked(asked, { given, context });
  },
};

interface Asked {
  readonly table: ExportTable;
  readonly named: NamedRange | undefined;
  readonly parquet: ParquetChoice | undefined;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

interface CommandLine {
  readonly given: Given;
  readonly context: Context;
}

async function exportAsked(
  { table, named, parquet, firstByteMs, idleMs }: Asked,
  { given, context }: CommandLine,
): Promise<number> {
  const { client, isEmbedded } = await connectAsked(given, context);
  const { boundaries, hint } = await fetchBoundaries(client, context.signal);
  if (hint !== null) await context.stderr.safe(safeLine(hint));
  if (!isEmbedded && boundaries.kind === 'listed') await warnOtherChain(boundaries.chainId, client, context);
  const ground = { asker: client, boundaries, nowMs: Date.now(), signal: context.signal };
  const found = await foundRange(given, named, ground);
  const unwitnessed = planFrom(given, { table, boundaries, named }, found);
  const destination = await checkDestination(unwitnessed);
  if (destination.problem !== null) throw new UsageError(destination.problem);
  const isPlanOnly = given.has('plan');
  const [survey, witnesses] = await Promise.all([
    surveyRange(client, unwitnessed, context.signal),
    isEmbedded ? [] : witnessesOf({ plan: unwitnessed, boundaries, base: client.base }, given, context),
  ]);
  const plan = { ...unwitnessed, witnesses };
  const lines = rangeLines({ plan, boundaries, notes: notesOf(found), survey, size: destination.size ?? null });
  await savePreset(given, FLAGS, context);
  if (isPlanOnly) await context.stdout.safe(rangeText([...lines, { label: 'file', text: destination.path }]));
  else await context.stderr.safe(rangeText(lines));
  const suggestion = slicesHint(plan, boundaries);
  if (suggestion !== undefined) await context.stderr.safe(safeLine(suggestion));
  const names = {
    table: table.id,
    chainId: plan.chainId,
    ...recordedRange(plan, boundaries),
    witnesses,
    signal: context.signal,
  };
  if (destination.exists && !plan.mayOverwrite) {
    if (!isPlanOnly && isOwnName(destination.path, plan))
      await addMissingNames(client, destination.path, { plan, names }, context);
    throw new UsageError(`${destination.path} exists. --overwrite replaces it when the new one is complete.`);
  }
  if (isPlanOnly) return EXIT.done;
  const readsRows = !given.has(ARCHIVE_ONLY.name);
  const { signal } = context;
  const options = { client, plan, signal, onProgress: exportProgress(context), firstByteMs, idleMs, readsRows };
  const program = `blockglass ${context.version}`;
  const { slices } = plan;
  const { hasNamesFile } = await import('../chain/directory/save-export-names.ts');
  const stop = new AbortController();
  const times = hasNamesFile(table.id) ? epochsWithin(client, plan, AbortSignal.any([signal, stop.signal])) : undefined;
  // A failed export reports why, and saves no times.
  times?.catch(() => {});
  const result = await (slices === undefined ? single(options) : sliced({ ...options, slices, boundaries, program }));
  context.stderr.progress('');
  if (result.kind !== 'saved' && result.kind !== 'saved-slices') stop.abort();
  await saveNames(client, result, await withEpochs(names, times, context), context);
  const code = await reportResult(result, context);
  if (parquet !== undefined) await convertExport(result, parquet, context);
  return code;
}

/** The times of every epoch in the range too; an export that was interrupted has none. */
async function withEpochs(
  names: ExportedNames,
  asked: Promise<EpochsWithin> | undefined,
  { stderr }: Context,
): Promise<ExportedNames> {
  const { epochs = [], missing = null } = (await asked?.catch(() => undefined)) ?? {};
  if (missing !== null) await stderr.safe(safeLine(`note: ${missing}`));
  return { ...names, epochs: [...(names.epochs ?? []), ...epochs] };
}

/** Behind a load balancer, what is exported may be of another chain than what was checked at this address. */
async function warnOtherChain(chainId: string, { base }: Client, { env, stderr }: Context): Promise<void> {
  const folder = stateFolder(env);
  const accepted = folder === null ? null : acceptedChain(join(folder, 'checks'), shownAddress(base));
  if (accepted === null || chainId === '' || accepted === chainId) return;
  const sentence = `its history is from ${shortName(chainId)}, and checks of this address know ${shortName(accepted)}`;
  await stderr.safe(safeLine(`warning: the node cannot be trusted: ${sentence}`));
}

async function saveNames(client: Client, ended: EndedExport, asked: ExportedNames, { stderr }: Context): Promise<void> {
  const { saveExportNames } = await import('../chain/directory/save-export-names.ts');
  const problem = await saveExportNames(client, ended, asked);
  if (problem !== undefined) await stderr.safe(safeLine(`note: ${problem}`));
}

const rangeName = ({ ranges = [] }: ExportedNames): string => ranges.map(({ name }) => name).join(', ');

/** False if it was saved already. */
async function saveAskedRange(
  archive: string,
  { chainId = '', ranges = [], epochs = [], witnesses = [] }: ExportedNames,
): Promise<boolean> {
  const { saveRange, namesOfArchive } = await import('../chain/directory/names-file.ts');
  return await saveRange(namesOfArchive(archive), { chainId, ranges, epochs, witnesses });
}

/** A file name chosen by the user says nothing about its content. */
const isOwnName = (path: string, plan: ExportPlan): boolean => basename(path) === archiveName(plan);

/**
 * An existing archive may have been requested for another range of the same blocks, which answers use. A run that was
 * killed may have saved an archive without its names.
 */
async function addMissingNames(
  client: Client,
  path: string,
  { plan, names }: { readonly plan: ExportPlan; readonly names: ExportedNames },
  context: Context,
): Promise<void> {
  const { hasSavedNames, namesOfArchive } = await import('../chain/directory/names-file.ts');
  const file = namesOfArchive(path);
  const say = (text: string): Promise<void> => context.stderr.safe(safeLine(`note: ${text}`));
  const asked = await withEpochs(names, epochsWithin(client, plan, context.signal), context);
  if (hasSavedNames(file)) {
    if (await saveAskedRange(path, asked)) await say(`answers from ${path} now use the range ${rangeName(asked)}`);
    return;
  }
  await saveNames(client, { kind: 'saved', path }, asked, context);
  if (hasSavedNames(file)) await say(`saved missing names for answers in ${file}`);
}

const single = async (options: DownloadOptions): Promise<ExportResult> =>
  (await import('../history/download/download.ts')).download(options);
const sliced = async (options: SliceOptions): Promise<ExportResult> =>
  (await import('../history/download/slice-export.ts')).exportSlices(options);

function neededTable(given: Given): ExportTable {
  const table = tableFrom(given);
  if (table === undefined)
    throw new UsageError(`missing --table TABLE: one of ${TABLE_NAMES}`, [
      'blockglass explore export lets you choose on a screen',
    ]);
  return table;
}

/** Shows the progress of an export. Without a terminal, each wait is one line. */
function exportProgress({ stderr }: Context): (progress: Progress) => void {
  let isPaused = false;
  return progress => {
    if (!stderr.isTerminal && progress.pause !== undefined && !isPaused)
      void stderr.safe(safeLine(pauseText(progress.pause)));
    isPaused = progress.pause !== undefined;
    stderr.progress(progressText(progress));
  };
}

const pauseText = ({ reason, leftMs }: Pause): string =>
  `${reason === 'rate-limit' ? 'rate limited' : 'connection lost'}; retrying in ${Math.ceil(leftMs / 1000)} s`;

function progressText(progress: Progress): string {
  const elapsed = duration(progress.elapsedMs);
  const slices = progress.slices === undefined ? '' : `, ${progress.slices.done} of ${progress.slices.total} slices`;
  if (progress.pause !== undefined) return `${pauseText(progress.pause)}, ${elapsed}${slices}`;
  if (progress.phase === 'waiting') return `waiting for the first byte, ${elapsed}${slices}`;
  const rate = (bytesPerSecond(progress) / 1e6).toFixed(1);
  const checking = progress.phase === 'checking' ? ', checking the rest' : '';
  return `${(progress.bytes / 1e6).toFixed(1)} MB, ${rate} MB/s, ${elapsed}, ${groupDigits(String(progress.rows))} rows in ${progress.entries} CSV${slices}${checking}`;
}
