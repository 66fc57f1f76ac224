import type { Bound } from '../../export/boundaries.ts';
import { archiveName, type ExportPlan, expectedCsvNames, folderName } from '../../export/plan.ts';
import { bytesPerSecond, type Progress } from '../../export/progress.ts';
import { cutIntoSlices } from '../../export/slices.ts';
import { TABLES } from '../../export/tables.ts';
import { groupDigits } from '../../insight/decimal.ts';
import { duration } from '../../insight/time.ts';
import { exportCommand } from '../../session/model/equivalent.ts';
import { marksWholeLine } from '../../session/model/looks.ts';
import type { SessionState } from '../../session/model/state.ts';
import { select } from '../../session/model/window.ts';
import {
  chosenTable,
  planOf,
  rangeOf,
  TO_BE_FOUND,
  typedBoundProblem,
  type Wizard,
  type WizardStep,
} from '../../session/model/wizard.ts';
import { EMPTY, safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells } from '../../text/width.ts';
import { BLANK, type Line, lineWidth, markedLine, span, textLine } from '../line.ts';
import { drawFailure } from './failure.ts';
import { drawResult } from './result.ts';
import { asRows, type ScreenRow } from './row.ts';
import { drawSegments } from './segments.ts';
import { byteCount } from './size.ts';
import { wholeRows, wrapLine } from './whole-lines.ts';

/** The export tab, by its step: nothing in it is cut, whatever the width. */
export function drawWizard(state: SessionState, bodyRows: number): readonly ScreenRow[] {
  return wholeRows(drawStep(state, bodyRows), state.screen.columns, bodyRows);
}

function drawStep(state: SessionState, bodyRows: number): readonly ScreenRow[] {
  switch (state.wizard.step) {
    case 'table':
      return asRows(drawTables(state, bodyRows));
    case 'range':
      return drawRange(state, bodyRows);
    case 'destination':
      return drawDestination(state);
    case 'review':
      return asRows(drawReview(state));
    case 'progress':
      return asRows(drawProgress(state));
    case 'result':
      return drawResult(state);
  }
}

const STEPS: readonly WizardStep[] = ['table', 'range', 'destination', 'review'];

function title(state: SessionState, text: string): readonly Line[] {
  const at = STEPS.indexOf(state.wizard.step);
  const heading = span(sanitize(` ${text}`), 'strong');
  const steps = span(sanitize(at < 0 ? '' : `   step ${at + 1} of ${STEPS.length}`), 'quiet');
  return [lineWidth([heading, steps]) > state.screen.columns ? [heading] : [heading, steps], BLANK];
}

function drawTables(state: SessionState, bodyRows: number): readonly Line[] {
  const { wizard } = state;
  const { columns } = state.screen;
  const heading = title(state, 'Export network history: which table?');
  const isWide = TABLES.every(({ about }) => NAME_CELLS + 2 + about.length <= columns);
  // Where it does not fit beside the names, only that of the chosen table is told.
  const about = isWide ? [] : [textLine(`  ${chosenTable(wizard)?.about ?? ''}`, 'quiet')];
  const taken = [...heading, ...about].flatMap(line => wrapLine(line, columns)).length;
  const rows = Math.max(1, bodyRows - taken);
  const { top } = select({ row: 0, top: 0 }, wizard.table, TABLES.length, rows);
  const lines = TABLES.slice(top, top + rows).map((table, index): Line => {
    const isSelected = top + index === wizard.table;
    const name = fitCells(sanitize(table.id), NAME_CELLS);
    const line = [
      span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
      span(name, isSelected ? 'selected' : 'plain'),
      ...(isWide ? textLine(table.about, 'quiet') : []),
    ];
    return isSelected && marksWholeLine(state) ? markedLine(line, columns) : line;
  });
  return [...heading, ...lines, ...about];
}

const NAME_CELLS = 22;

function drawRange(state: SessionState, bodyRows: number): readonly ScreenRow[] {
  const { wizard } = state;
  const heading = title(state, `Export ${chosenTable(wizard)?.id ?? ''}: which blocks?`);
  if (wizard.failure !== null)
    return asRows([...heading, ...drawFailure(wizard.failure, state.node, state.screen.columns, false)]);
  if (wizard.boundaries === null)
    return asRows([...heading, textLine('  asking the node for its segments ...', 'quiet')]);
  const { columns } = state.screen;
  const told = [...heading, BLANK, BLANK, BLANK, ...rangeLines(wizard)];
  const taken = told.flatMap(line => wrapLine(line, columns)).length;
  return [
    ...asRows(heading),
    boundRow(state, 'from'),
    boundRow(state, 'to'),
    ...asRows([BLANK, ...rangeLines(wizard)]),
    ...asRows(drawSegments(wizard, columns, bodyRows - taken)),
  ];
}

/** What the bounds come to, or what is in their way, and how the last one was found. */
function rangeLines(wizard: Wizard): readonly Line[] {
  const { locating, located, problem } = wizard;
  if (locating !== null) return [textLine('  looking for that block ...', 'quiet')];
  const typed = (['from', 'to'] as const).map(bound => typedBoundProblem(wizard, bound));
  const inTheWay = problem === null ? typed : [problem, ...typed.filter(text => text !== TO_BE_FOUND)];
  const told = [...new Set(inTheWay)].filter(text => text !== undefined);
  return [
    ...(told.length === 0 ? rangeLine(wizard) : []),
    ...told.map(text => textLine(`  ${text}`, text === TO_BE_FOUND ? 'accent' : 'bad')),
    ...(located === null ? [] : [textLine(`  ${located}`, 'accent')]),
    BLANK,
  ];
}

const BOUND_TITLES: { readonly [bound in Bound]: string } = {
  from: '  first block  ',
  to: '  last block   ',
};

function boundRow({ wizard, screen }: SessionState, bound: Bound): ScreenRow {
  const isFocused = wizard.field === bound;
  const before = [
    span(
      sanitize(isFocused ? `>${BOUND_TITLES[bound].slice(1)}` : BOUND_TITLES[bound]),
      isFocused ? 'selected' : 'plain',
    ),
  ];
  const text = span(sanitize(wizard[bound]));
  const verdict = boundVerdict(wizard, bound);
  // The sentence below says the same at length.
  const after = lineWidth([...before, text, ...verdict]) > screen.columns ? [] : verdict;
  if (isFocused) return { kind: 'field', before, after, placeholder: safeText`block height` };
  return { kind: 'line', line: [...before, text, ...after] };
}

function boundVerdict(wizard: Wizard, bound: Bound): Line {
  const problem = typedBoundProblem(wizard, bound);
  if (problem === undefined) return textLine('  on a boundary', 'good');
  return problem === TO_BE_FOUND ? [] : textLine('  no boundary', 'bad');
}

function rangeLine(wizard: Wizard): readonly Line[] {
  const range = rangeOf(wizard);
  if (range === undefined) return [];
  if (!range.isValid) return [textLine(`  ${range.problem}`, 'bad')];
  const csvs =
    range.runs === undefined
      ? ''
      : `, ${range.runs.length === 1 ? 'one CSV' : `${range.runs.length} CSVs: the schema changes inside`}`;
  return [textLine(`  ${count(range.blocks, 'block')} in ${count(range.segments, 'segment')}${csvs}`, 'good')];
}

function drawDestination(state: SessionState): readonly ScreenRow[] {
  const { wizard } = state;
  const plan = planOf(wizard);
  return [
    ...asRows(title(state, 'Where to?')),
    { kind: 'field', before: textLine('> folder or file  ', 'selected'), after: [], placeholder: EMPTY },
    ...asRows([
      BLANK,
      textLine(
        plan === undefined
          ? ''
          : plan.slices === undefined
            ? `  A folder gets ${archiveName(plan)}, or the name the node gives.`
            : `  It gets the folder ${folderName(plan)}, with a ZIP for each slice.`,
        'quiet',
      ),
      textLine('  While it arrives the file is called .part; only a complete one gets its name.', 'quiet'),
      ...(wizard.checking === null ? [] : [textLine('  looking ...', 'quiet')]),
      ...(wizard.problem === null ? [] : [BLANK, textLine(`  ${wizard.problem}`, 'bad')]),
    ]),
  ];
}

function drawReview(state: SessionState): readonly Line[] {
  const { wizard } = state;
  const plan = planOf(wizard);
  if (plan === undefined) return title(state, 'The range is not valid any more: Esc goes back');
  const names = expectedCsvNames(plan);
  const item = (label: string, text: string): Line => [
    span(fitCells(sanitize(`  ${label}`), 16), 'quiet'),
    ...textLine(text),
  ];
  const free = wizard.check?.freeBytes;
  return [
    ...title(state, 'Ready to export'),
    item('table', plan.table.id),
    item('blocks', `${plan.fromBlock} to ${plan.toBlock}, ${count(plan.toBlock - plan.fromBlock + 1n, 'block')}`),
    item('file', `${wizard.check?.path ?? ''}${wizard.mayOverwrite ? '  (replaces the one there)' : ''}`),
    ...(free === null || free === undefined ? [] : [item('free space', byteCount(free))]),
    ...slicesItem(wizard, plan, item),
    item(
      'if cut short',
      plan.keepsIncomplete
        ? 'the file is called .incomplete.zip (i: .part)'
        : 'the file keeps the name .part (i: .incomplete.zip)',
    ),
    BLANK,
    textLine('  The same without the screen:', 'quiet'),
    textLine(`  ${exportCommand(state.node, plan)}`),
    BLANK,
    ...names.slice(0, MOST_NAMES).map((name, index) => item(index === 0 ? 'CSVs expected' : '', name)),
    ...(names.length > MOST_NAMES ? [item('', `and ${names.length - MOST_NAMES} more`)] : []),
  ];
}

const MOST_NAMES = 4;

function slicesItem(wizard: Wizard, plan: ExportPlan, item: (label: string, text: string) => Line): readonly Line[] {
  const { slices } = plan;
  if (slices === undefined || wizard.boundaries === null)
    return [item('requests', 'one (s: in slices, which survive a broken line)')];
  const number = cutIntoSlices(plan, wizard.boundaries, slices.segmentsPerSlice).length;
  return [
    item(
      'slices',
      `${number} of ${count(BigInt(slices.segmentsPerSlice), 'segment')}, each verified and kept (s: one request)`,
    ),
  ];
}

function drawProgress(state: SessionState): readonly Line[] {
  const { job } = state;
  if (job?.status !== 'running') return title(state, 'No export is running');
  const { progress, plan } = job;
  const item = (label: string, text: string): Line => [
    span(fitCells(sanitize(`  ${label}`), 14), 'quiet'),
    ...textLine(text),
  ];
  const heading = title(
    state,
    `${job.isCancelling ? 'Cancelling' : 'Exporting'} ${plan.table.id}, blocks ${plan.fromBlock} to ${plan.toBlock}`,
  );
  if (progress?.pause !== undefined) {
    const { reason, leftMs } = progress.pause;
    const seconds = Math.ceil(leftMs / 1000);
    return [
      ...heading,
      textLine(
        reason === 'rate-limit'
          ? `  the node asks to wait, ${seconds} s`
          : `  the line broke; it is tried again in ${seconds} s`,
        'pending',
      ),
      ...slicesDone(progress, item),
      BLANK,
      textLine('  It goes on by itself. Other tabs can be used meanwhile.', 'quiet'),
    ];
  }
  if (progress === null || progress.phase === 'waiting') {
    const waited = progress === null ? '' : ` for ${duration(progress.elapsedMs)}`;
    return [
      ...heading,
      textLine(`  waiting for the first byte${waited}`),
      ...(progress === null ? [] : slicesDone(progress, item)),
      textLine('  A node sends nothing before its first MiB is packed: this can take minutes.', 'quiet'),
    ];
  }
  return [
    ...heading,
    item(
      'received',
      `${byteCount(progress.bytes)}${progress.phase === 'checking' && progress.slices === undefined ? ', all of it; the check is catching up' : ''}`,
    ),
    item('rate', `${byteCount(bytesPerSecond(progress))}/s`),
    item('elapsed', duration(progress.elapsedMs)),
    item('CSVs so far', String(progress.entries)),
    item('rows so far', groupDigits(String(progress.rows))),
    ...slicesDone(progress, item),
    item('now in', progress.entryName),
    ...progress.csvs
      .slice(-4)
      .map(({ name, rows, isGood }) =>
        textLine(`    ${name}: ${groupDigits(String(rows))} rows, ${isGood ? 'good' : 'bad'}`, isGood ? 'good' : 'bad'),
      ),
    BLANK,
    textLine(
      progress.slices === undefined
        ? '  The node does not say how much there is. Other tabs can be used meanwhile.'
        : '  Other tabs can be used meanwhile. Verified slices are kept, whatever happens.',
      'quiet',
    ),
  ];
}

const slicesDone = ({ slices }: Progress, item: (label: string, text: string) => Line): readonly Line[] =>
  slices === undefined ? [] : [item('slices', `${slices.done} of ${slices.total} verified`)];

const count = (number: bigint, noun: string): string =>
  `${groupDigits(String(number))} ${noun}${number === 1n ? '' : 's'}`;
