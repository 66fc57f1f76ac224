import type { Client } from '../api/client.ts';
import { shownAddress } from '../api/request.ts';
import type { NamesAsked } from '../directory/keep-export-names.ts';
import { keptFolder } from '../directory/kept-folder.ts';
import { keepHistory, keepSegments } from '../directory/kept-history.ts';
import { type Boundaries, checkRange } from '../export/boundaries.ts';
import { checkDestination } from '../export/destination.ts';
import type { DownloadOptions } from '../export/download.ts';
import { fetchBoundaries } from '../export/fetch-boundaries.ts';
import type { ExportPlan } from '../export/plan.ts';
import { rangeLines, slicesHint } from '../export/range-lines.ts';
import type { FoundRange } from '../export/resolve-range.ts';
import type { ExportResult } from '../export/result.ts';
import type { SliceOptions } from '../export/slice-export.ts';
import { keptRanges } from '../export/snap-outward.ts';
import { type Survey, surveyRange } from '../export/survey-range.ts';
import type { ExportTable } from '../export/tables.ts';
import { safeLine } from '../text/safe-text.ts';
import { ARCHIVE_ONLY } from './archive-only.ts';
import { connectAsked } from './asked-node.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { PRESET_FLAGS, savePreset, withNamedPreset } from './export-presets.ts';
import { progressLine } from './export-progress.ts';
import { foundRange, notesOf, RANGE_FLAGS, rangeFrom, rangeText } from './export-range.ts';
import { tellResult } from './export-result.ts';
import { ASKING, type Flag, type Given } from './options.ts';
import { TABLE_NAMES, tableFrom } from './table-flag.ts';
import { UsageError } from './usage-error.ts';
import { keepYoungMemory } from './young-memory.ts';

/** What says what is exported, and how: a preset keeps these. */
const FLAGS: readonly Flag[] = [
  { name: 'table', kind: 'text', value: 'TABLE', about: `one of ${TABLE_NAMES}` },
  ...RANGE_FLAGS,
  { name: 'out', kind: 'text', value: 'PATH', about: 'folder, or a file name ending in .zip (.)' },
  {
    name: 'slice',
    kind: 'number',
    value: 'N',
    about: 'in slices of N segments, each verified, into a folder; run again, the rest is fetched',
  },
  { name: 'parallel', kind: 'number', value: 'N', about: 'slices on their way at once, 1 or 2 (1)' },
  { name: 'merge', kind: 'switch', about: 'also write one CSV per schema version from the slices' },
  { name: 'plan', kind: 'switch', about: 'say what would be exported, and export nothing' },
  { name: 'overwrite', kind: 'switch', about: 'replace a file of that name' },
  {
    name: 'keep-incomplete',
    kind: 'switch',
    about: 'call a file that is not complete .incomplete.zip instead of .part',
  },
  ARCHIVE_ONLY,
  { name: 'wait', kind: 'number', value: 'SECONDS', about: 'longest wait for the first byte (600)' },
  { name: 'idle', kind: 'number', value: 'SECONDS', about: 'longest silence between two chunks (300)' },
];

export const exportHistory: Command = {
  form: '',
  about: 'export network history as a checked ZIP of CSV files',
  examples: ['export --table ledger --last 3', 'export --table rewards --from 22501 --to 23500 --out rewards.zip'],
  flags: [...FLAGS, ...PRESET_FLAGS],
  uses: ASKING,
  run: async (typed, context) => {
    keepYoungMemory();
    const given = await withNamedPreset(typed, FLAGS, context);
    const table = neededTable(given);
    const firstByteMs = (given.number('wait', 1, 86_400) ?? 600) * 1000;
    const idleMs = (given.number('idle', 1, 86_400) ?? 300) * 1000;
    const named = rangeFrom(given);
    const { client, label } = await connectAsked(given, context);
    const { boundaries, hint } = await fetchBoundaries(client, context.signal);
    if (hint !== null) await context.stderr.safe(safeLine(hint));
    const ground = { asker: client, boundaries, nowMs: Date.now(), signal: context.signal };
    const found = await foundRange(given, named, ground);
    const plan = planFrom(given, { table, boundaries }, found);
    const destination = await checkDestination(plan);
    const isPlanOnly = given.has('plan');
    const survey = await surveyRange(client, plan, context.signal);
    const lines = rangeLines({ plan, boundaries, notes: notesOf(found), survey, size: destination.size ?? null });
    if (label !== 'demo') await keepKnown(keptFolder(context.env), shownAddress(client.base), { boundaries, survey });
    const { path, exists, problem } = destination;
    await savePreset(given, FLAGS, context);
    if (isPlanOnly) await context.stdout.safe(rangeText([...lines, { label: 'file', text: path }]));
    else await context.stderr.safe(rangeText(lines));
    const suggestion = slicesHint(plan, boundaries);
    if (suggestion !== undefined) await context.stderr.safe(safeLine(suggestion));
    if (problem !== null) throw new UsageError(problem);
    if (exists && !plan.mayOverwrite)
      throw new UsageError(`${path} exists: --overwrite replaces it when the new one is complete`);
    if (isPlanOnly) return EXIT.done;
    const report = progressLine(context);
    const readsRows = !given.has(ARCHIVE_ONLY.name);
    const options = { client, plan, signal: context.signal, onProgress: report.show, firstByteMs, idleMs, readsRows };
    const program = `blockglass ${context.version}`;
    const { slices } = plan;
    const result = await (slices === undefined ? single(options) : sliced({ ...options, slices, boundaries, program }));
    report.clear();
    await keepNames(client, result, { table: table.id, chainId: plan.chainId, signal: context.signal }, context);
    return tellResult(result, context);
  },
};

async function keepNames(client: Client, result: ExportResult, asked: NamesAsked, { stderr }: Context): Promise<void> {
  const { keepExportNames } = await import('../directory/keep-export-names.ts');
  const problem = await keepExportNames(client, result, asked);
  if (problem !== undefined) await stderr.safe(safeLine(`note: ${problem}`));
}

const single = async (options: DownloadOptions): Promise<ExportResult> =>
  (await import('../export/download.ts')).download(options);
const sliced = async (options: SliceOptions): Promise<ExportResult> =>
  (await import('../export/slice-export.ts')).exportSlices(options);

function neededTable(given: Given): ExportTable {
  const table = tableFrom(given);
  if (table === undefined) throw new UsageError(`--table is needed: one of ${TABLE_NAMES}`);
  return table;
}

function planFrom(
  given: Given,
  { table, boundaries }: { readonly table: ExportTable; readonly boundaries: Boundaries },
  found: FoundRange,
): ExportPlan {
  const [from, to] = [found.from.height, found.to.height];
  const range = checkRange(boundaries, from, to);
  if (!range.isValid) throw new UsageError(`${range.problem}; ${keptRanges(boundaries)}`);
  return {
    table,
    fromBlock: from,
    toBlock: to,
    ...(boundaries.kind === 'listed' && { chainId: boundaries.chainId }),
    ...(range.runs !== undefined && { runs: range.runs }),
    destination: given.text('out') ?? '.',
    mayOverwrite: given.has('overwrite'),
    keepsIncomplete: given.has('keep-incomplete'),
    ...slicesFrom(given),
  };
}

function slicesFrom(given: Given): Pick<ExportPlan, 'slices'> {
  const segmentsPerSlice = given.number('slice', 1, 100_000);
  const parallel = given.number('parallel', 1, 2) ?? 1;
  const isMerged = given.has('merge');
  if (segmentsPerSlice !== undefined && given.has(ARCHIVE_ONLY.name))
    throw new UsageError(
      'slices are kept and merged on the word of their check: --archive-only does not go with --slice',
    );
  if (segmentsPerSlice !== undefined) return { slices: { segmentsPerSlice, parallel, isMerged } };
  if (given.has('parallel') || isMerged) throw new UsageError('--parallel and --merge go with --slice');
  return {};
}

/** What a shell may complete later. */
async function keepKnown(
  folder: string | null,
  node: string,
  { boundaries, survey }: { readonly boundaries: Boundaries; readonly survey: Survey },
): Promise<void> {
  if (boundaries.kind === 'listed') await keepSegments(folder, node, boundaries.segments);
  if (survey.kind === 'known') await keepHistory(folder, node, { epoch: String(survey.newest) });
}
