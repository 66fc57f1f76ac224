import { EMPTY, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells } from '../../../base/text/width.ts';
import type { Bound } from '../../../chain/insight/chain-point.ts';
import type { ExportResult } from '../../../history/download/export-result.ts';
import type { Progress } from '../../../history/download/progress.ts';
import { archiveName, type ExportPlan, sliceFolderName } from '../../../history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../history/plan/export-tables.ts';
import { rangeExtent } from '../../../history/plan/range-lines.ts';
import { drawFailure } from '../../core/failure-view.ts';
import { type DrawnField, fieldRow } from '../../core/field-row.ts';
import { BLANK, type Line, lineWidth, type ScreenRow, span, textLine, toScreenRows } from '../../core/line.ts';
import { listLines } from '../../core/list.ts';
import { drawProgress, spokenProgress } from '../../core/progress-view.ts';
import type { ScreenAnnouncement, ScreenContext, SharedState, TextField } from '../../core/screen.ts';
import { FIRST_LINE, selectLine } from '../../core/window.ts';
import { wrapLine, wrapRows } from '../../core/wrapped-lines.ts';
import type { RunningTransfer } from '../../services/transfer.ts';
import type { Wait } from '../../services/wait.ts';
import { drawResult } from './result-view.ts';
import { drawReview } from './review-view.ts';
import { drawSegments } from './segments.ts';
import {
  checkedRange,
  chosenTable,
  ENTER_FINDS_BLOCK,
  ENTER_FINDS_BOTH,
  parseHeight,
  typedBoundProblem,
  typedNamedRange,
  type Wizard,
  wizardPlan,
} from './state.ts';
import { stepTitle } from './step-title.ts';

/** The export tab, by its step: nothing in it is cut, whatever the width. */
export const drawWizard = (wizard: Wizard, context: ScreenContext): readonly ScreenRow[] =>
  wrapRows(drawStep(wizard, context), context.area.columns, context.area.rows);

function drawStep(wizard: Wizard, context: ScreenContext): readonly ScreenRow[] {
  switch (wizard.step) {
    case 'table':
      return toScreenRows(drawTables(wizard, context));
    case 'range':
      return drawRange(wizard, context);
    case 'destination':
      return drawDestination(wizard, context);
    case 'review':
      return toScreenRows(drawReview(wizard, context));
    case 'progress':
      return toScreenRows(drawExport(wizard, context));
    case 'result':
      return drawResult(context);
  }
}

/** The field in focus; none where an error is shown instead of the bounds. */
export function exportField(wizard: Wizard): Omit<TextField<never>, 'edited'> | undefined {
  const { step, field, cursor, typedIn, destination, failure } = wizard;
  if (step !== 'range' && step !== 'destination') return undefined;
  if (step === 'range' && failure !== null) return undefined;
  const text = step === 'range' ? wizard[field] : destination;
  const isTouched = cursor?.text === text;
  const value = { text, at: isTouched ? cursor.at : text.length };
  if (step === 'range')
    return {
      value,
      label: field === 'from' ? 'first block' : 'last block',
      isProposed: !isTouched && !typedIn.includes(field),
    };
  // Typing starts a new path; after a folder given by the user, a name may be added.
  return {
    value,
    label: 'folder or file',
    isProposed: !isTouched && text === HERE && !typedIn.includes('destination'),
  };
}

const HERE = '.';

function drawnField(wizard: Wizard, { isOnTop }: ScreenContext): DrawnField {
  const { value, isProposed = false } = exportField(wizard) ?? { value: { text: '', at: 0 } };
  return { ...value, isFocused: isOnTop, isProposed };
}

function drawTables(wizard: Wizard, context: ScreenContext): readonly Line[] {
  const { columns, rows: height } = context.area;
  const heading = [
    ...stepTitle(wizard, columns, 'Export network history: which table?'),
    ...lastExport(context.shared),
  ];
  const isWide = EXPORT_TABLES.every(({ about }) => NAME_CELLS + 2 + about.length <= columns);
  // If it does not fit next to the names, only the chosen table has it.
  const about = isWide ? [] : [textLine(`  ${chosenTable(wizard)?.about ?? ''}`, 'quiet')];
  const taken = [...heading, ...about].flatMap(line => wrapLine(line, columns)).length;
  const rows = Math.max(1, height - taken);
  const { top } = selectLine(FIRST_LINE, wizard.table, EXPORT_TABLES.length, rows);
  const lines = listLines(
    EXPORT_TABLES.slice(top, top + rows),
    { row: wizard.table, top },
    context,
    (table, isSelected) => [
      span(safeText` `),
      span(fitCells(sanitize(table.id), NAME_CELLS), isSelected ? 'selected' : 'plain'),
      ...(isWide ? textLine(table.about, 'quiet') : []),
    ],
  );
  return [...heading, ...lines, ...about];
}

const NAME_CELLS = 22;

/** The export before, whose result can be come back to. */
function lastExport({ job }: SharedState): readonly Line[] {
  if (job?.status !== 'ended') return [];
  const { table, fromBlock, toBlock } = job.request;
  const words = `  last export: ${table.id} ${fromBlock}-${toBlock}, ${outcomeWord(job.result)}; v shows it`;
  return [textLine(words, 'quiet')];
}

/** How an export ended, in a word. */
function outcomeWord(result: ExportResult): string {
  switch (result.kind) {
    case 'saved':
    case 'saved-slices':
      return 'complete';
    case 'not-complete':
      return result.verdict.kind;
    case 'stopped-slices':
      return result.cause.kind === 'cancelled' ? 'cancelled' : 'stopped';
    case 'failed':
    case 'cancelled':
      return result.kind;
  }
}

function drawRange(wizard: Wizard, context: ScreenContext): readonly ScreenRow[] {
  const { columns, rows } = context.area;
  const heading = stepTitle(wizard, columns, `Export ${chosenTable(wizard)?.id ?? ''}: which blocks?`);
  if (wizard.failure !== null)
    return toScreenRows([
      ...heading,
      ...drawFailure(wizard.failure, context.shared.node, columns, { again: 'Enter asks again' }),
    ]);
  const bounds = [boundRow(wizard, context, 'from'), boundRow(wizard, context, 'to')];
  if (wizard.boundaries === null)
    return [
      ...toScreenRows(heading),
      ...bounds,
      ...toScreenRows([BLANK, textLine('  asking the node for its segments ...', 'quiet')]),
    ];
  const told = [...heading, BLANK, BLANK, BLANK, ...verdictLines(wizard)];
  const taken = told.flatMap(line => wrapLine(line, columns)).length;
  return [
    ...toScreenRows(heading),
    ...bounds,
    ...toScreenRows([BLANK, ...verdictLines(wizard)]),
    ...toScreenRows(drawSegments(wizard, context, rows - taken)),
  ];
}

/** The range of the bounds, or the problem with them, and how the last one was found. */
function verdictLines(wizard: Wizard): readonly Line[] {
  const { locating, notes, problem } = wizard;
  if (locating !== null) return [textLine(locatingText(wizard), 'quiet')];
  const typed = (['from', 'to'] as const).map(bound => typedBoundProblem(wizard, bound));
  const inTheWay = problem === null ? typed : [problem, ...typed.filter(text => !isHintToFind(text))];
  const told = [...new Set(inTheWay)].filter(text => text !== undefined);
  return [
    ...(told.length === 0 ? rangeLine(wizard) : []),
    ...told.map(text => textLine(`  ${text}`, isHintToFind(text) ? 'accent' : 'bad')),
    ...[notes.from, notes.to].flatMap(note => (note === null ? [] : [textLine(`  ${note}`, 'accent')])),
    BLANK,
  ];
}

function locatingText(wizard: Wizard): string {
  if (wizard.advanceTo === 'review') return '  looking for both blocks; the review follows ...';
  return `  looking for ${typedNamedRange(wizard) === undefined ? 'that block' : 'both blocks'} ...`;
}

/** What the node, or the disk, is asked for this tab. */
export function exportWait(wizard: Wizard): Wait | undefined {
  const { asking, locating, surveying, witnessing, checking, verifying, auditing, reporting, previewing } = wizard;
  const waits = [
    { request: asking, text: 'asking the node for its segments' },
    { request: locating, text: locatingText(wizard).replace(' ...', '').trim() },
    { request: surveying, text: 'asking when these blocks were made' },
    { request: checking, text: 'looking at the destination' },
    { request: witnessing, text: 'asking the other profiles for their segments' },
    { request: verifying, text: 'checking the files again' },
    { request: auditing, text: 'comparing the exports in this folder' },
    { request: reporting?.request ?? null, text: 'writing the page about the party' },
    { request: previewing, text: 'reading the first rows' },
  ];
  const [wait] = waits.filter(({ request }) => request !== null);
  return wait && { key: `export tab ${wait.request}`, text: wait.text };
}

const isHintToFind = (text: string | undefined): boolean => text === ENTER_FINDS_BLOCK || text === ENTER_FINDS_BOTH;

const BOUND_TITLES: { readonly [bound in Bound]: string } = {
  from: '  first block  ',
  to: '  last block   ',
};

function boundRow(wizard: Wizard, context: ScreenContext, bound: Bound): ScreenRow {
  const { columns } = context.area;
  const isFocused = wizard.field === bound;
  const before = [
    span(
      sanitize(isFocused ? `>${BOUND_TITLES[bound].slice(1)}` : BOUND_TITLES[bound]),
      isFocused ? 'selected' : 'plain',
    ),
  ];
  const text = span(sanitize(wizard[bound]));
  const shown = isFocused && text.text === EMPTY ? span(PLACEHOLDER) : text;
  const verdict = boundVerdict(wizard, bound);
  // The sentence below gives the same in full.
  const after = lineWidth([...before, shown, ...verdict]) >= columns ? [] : verdict;
  if (isFocused) return fieldRow(drawnField(wizard, context), columns, { before, after, placeholder: PLACEHOLDER });
  // A field has a cell for the cursor behind its text.
  return { kind: 'line', line: [...before, text, span(safeText` `), ...after] };
}

const PLACEHOLDER = safeText`block height`;

function boundVerdict(wizard: Wizard, bound: Bound): Line {
  if (wizard.boundaries === null) return [];
  const problem = typedBoundProblem(wizard, bound);
  if (problem === undefined) return textLine('  on a boundary', 'good');
  if (isHintToFind(problem)) return [];
  return textLine(parseHeight(wizard[bound]) === undefined ? '  not a block height' : '  not a boundary', 'bad');
}

function rangeLine(wizard: Wizard): readonly Line[] {
  const range = checkedRange(wizard);
  if (range === undefined) return [];
  if (!range.isValid) return [textLine(`  ${range.problem}`, 'bad')];
  return [textLine(`  ${rangeExtent(range)}`, 'good')];
}

function drawDestination(wizard: Wizard, context: ScreenContext): readonly ScreenRow[] {
  const { columns } = context.area;
  const plan = wizardPlan(wizard);
  return [
    ...toScreenRows(stepTitle(wizard, columns, 'Where to?')),
    fieldRow(drawnField(wizard, context), columns, { before: textLine('> folder or file  ', 'selected') }),
    ...toScreenRows([
      BLANK,
      textLine(
        plan === undefined
          ? ''
          : plan.slices === undefined
            ? `  In a folder: ${archiveName(plan)}, or the file name sent by the node.`
            : `  It gets the folder ${sliceFolderName(plan)}, with a ZIP for each slice.`,
        'quiet',
      ),
      textLine('  During the download it ends in .part; only a complete file gets its name.', 'quiet'),
      ...(wizard.checking === null ? [] : [textLine('  looking ...', 'quiet')]),
      ...(wizard.problem === null ? [] : [BLANK, textLine(`  ${wizard.problem}`, 'bad')]),
    ]),
  ];
}

function drawExport(wizard: Wizard, { area: { columns, rows }, shared: { job } }: ScreenContext): readonly Line[] {
  if (job?.status !== 'running') return stepTitle(wizard, columns, 'No export is running');
  const { progress } = job;
  const heading = stepTitle(wizard, columns, exportHeading(job));
  const notes = [BLANK, ...wrapLine(textLine(`  ${exportNote(progress)}`, 'quiet'), columns)];
  if (progress === null) return [...heading, textLine(' asking the node', 'pending'), ...notes];
  const room = Math.max(MIN_PROGRESS_ROWS, rows - heading.length - notes.length);
  return [...heading, ...drawProgress(progress, { columns, rows: room }, wrapLine), ...notes];
}

/** On a low screen they come before the notes. */
const MIN_PROGRESS_ROWS = 5;

const exportHeading = ({ request, isCancelling }: RunningTransfer<ExportPlan>): string =>
  `${isCancelling ? 'Cancelling' : 'Exporting'} ${request.table.id}, blocks ${request.fromBlock} to ${request.toBlock}`;

function exportNote(progress: Progress | null): string {
  if (progress === null || (progress.phase === 'waiting' && progress.bytes === 0))
    return 'A node sends nothing before its first MiB is packed: this can take minutes.';
  return progress.slices === undefined
    ? 'The file gets its name once every check has passed. Other tabs stay usable.'
    : 'Verified slices are kept, whatever happens. Other tabs stay usable.';
}

/** For a screen reader: what begins, and each quarter that is done. */
export function announcedExport({ step }: Wizard, { shared: { job } }: ScreenContext): ScreenAnnouncement | undefined {
  if (step !== 'progress' || job?.status !== 'running') return undefined;
  return { lines: [exportHeading(job), spokenProgress(job.progress)].filter(text => text !== ''), selected: '' };
}
