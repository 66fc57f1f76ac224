import { formatByteCount } from '../../../base/text/byte-count.ts';
import { sanitize } from '../../../base/text/safe-text.ts';
import { fitCells } from '../../../base/text/width.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { type ExportPlan, expectedCsvNames } from '../../../history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../history/plan/export-tables.ts';
import { type RangeLine, rangeLines } from '../../../history/plan/range-lines.ts';
import { cutIntoSlices } from '../../../history/plan/slices.ts';
import { BLANK, type Line, span, textLine } from '../../core/line.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { wrapLine } from '../../core/wrapped-lines.ts';
import { exportCommandText } from '../../services/copying/equal-commands.ts';
import { drawHistoryStrip } from './history-strip.ts';
import { type Wizard, wizardPlan } from './state.ts';
import { stepTitle } from './step-title.ts';

/** What would be exported, and the command that does the same. */
export function drawReview(wizard: Wizard, { area, shared }: ScreenContext): readonly Line[] {
  const { columns } = area;
  const plan = wizardPlan(wizard);
  if (plan === undefined) return stepTitle(wizard, columns, 'The range is no longer valid: Esc goes back');
  const names = expectedCsvNames(plan);
  const item = (label: string, text: string): Line => [
    span(fitCells(sanitize(`  ${label}`), 16), 'quiet'),
    ...textLine(text),
  ];
  const free = wizard.check?.freeBytes;
  const [blocks = [], ...range] = rangeItems(wizard, plan).map(({ label, text }) => item(label, text));
  const extent = [...range, ...drawHistoryStrip(wizard, columns)];
  const choices = [
    ...slicesItem(wizard, plan, item),
    item(
      'if cut short',
      plan.keepsIncomplete
        ? 'the file is called .incomplete.zip (i: .part)'
        : 'the file keeps the name .part (i: .incomplete.zip)',
    ),
  ];
  const file = item('file', wizard.checking === null ? destinationText(wizard) : 'looking ...');
  const space = free === null || free === undefined ? [] : [item('free space', formatByteCount(free))];
  // What its keys change is on a low screen, too.
  const isLow = area.rows < USUAL_ROWS;
  const isHigh = area.rows >= HIGH_ROWS;
  const heading = [
    ...stepTitle(wizard, columns, 'Ready to export'),
    item('table', [plan.table.id, ...laterTables(wizard)].join(', then ')),
    blocks,
  ];
  const command = [
    ...(isHigh ? [BLANK] : []),
    textLine('  The same without the screen:', 'quiet'),
    textLine(`  ${exportCommandText(shared.node, plan)}`),
  ];
  // The lines about the extent give way to the command, which is shown whole or not at all.
  const others = [...heading, file, ...choices];
  const isRoomy = countWrappedRows([...others, ...command], columns) <= area.rows;
  const told = isRoomy ? command : [];
  const said = linesThatFit(extent, columns, area.rows - countWrappedRows([...others, ...told], columns));
  return [
    ...heading,
    ...(isLow ? [...choices, file, ...said] : [...said, file, ...choices]),
    ...told,
    ...space,
    BLANK,
    ...names.slice(0, MAX_NAMES).map((name, index) => item(index === 0 ? 'CSVs expected' : '', name)),
    ...(names.length > MAX_NAMES ? [item('', `and ${names.length - MAX_NAMES} more`)] : []),
  ];
}

const countWrappedRows = (lines: readonly Line[], columns: number): number =>
  lines.reduce((rows, line) => rows + wrapLine(line, columns).length, 0);

/** The lines for which there is room, in their order. */
function linesThatFit(lines: readonly Line[], columns: number, room: number): readonly Line[] {
  let left = room;
  return lines.filter(line => {
    const rows = countWrappedRows([line], columns);
    const isFitting = rows <= left;
    if (isFitting) left -= rows;
    return isFitting;
  });
}

const destinationText = ({ check, mayOverwrite }: Wizard): string =>
  `${check?.path ?? ''}${mayOverwrite ? '  (replaces the one there)' : ''}`;

/** Those that are to come after it. */
const laterTables = ({ tablesAfter }: Wizard): readonly string[] =>
  tablesAfter.flatMap(index => EXPORT_TABLES[index]?.id ?? []);

/** The lines that the export command prints for the same range. */
function rangeItems({ boundaries, notes, survey, check, witnessing }: Wizard, plan: ExportPlan): readonly RangeLine[] {
  if (boundaries === null) return [];
  const found = [notes.from, notes.to].flatMap(note => (note === null ? [] : [note]));
  const lines = rangeLines({ plan, boundaries, notes: found, survey, size: check?.size ?? null });
  return witnessing === null ? lines : [...lines, { label: 'witness', text: 'asking the other profiles ...' }];
}

// Of the body, on screens of 20 and 30 rows.
const USUAL_ROWS = 15;
const HIGH_ROWS = 25;

const MAX_NAMES = 4;

function slicesItem(wizard: Wizard, plan: ExportPlan, item: (label: string, text: string) => Line): readonly Line[] {
  const { slices } = plan;
  if (slices === undefined || wizard.boundaries === null)
    return [item('requests', 'one (s: in slices, which survive a lost connection)')];
  const number = cutIntoSlices(plan, wizard.boundaries, slices.segmentsPerSlice).length;
  return [
    item(
      'slices',
      `${number} of ${countOf(slices.segmentsPerSlice, 'segment')}, each verified and kept (s: one request)`,
    ),
  ];
}
