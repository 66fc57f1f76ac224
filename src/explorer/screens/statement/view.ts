import { EMPTY, repeatSafe, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { nameOf } from '../../../chain/directory/directory.ts';
import type { StatementColumn, StatementRow } from '../../../chain/explain/statement/statement-table.ts';
import { bar } from '../../../chain/insight/bar.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { drawFailure } from '../../core/failure-view.ts';
import { BLANK, type Line, line, type ScreenRow, type Style, span, textLine, toScreenRows } from '../../core/line.ts';
import { linesRangeText } from '../../core/list.ts';
import { fittingParts, type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { ScreenContext } from '../../core/screen.ts';
import type { Wait } from '../../services/wait.ts';
import { statementLayout } from './lines.ts';
import { LAST_EPOCHS, type PreparedStatement, prepareStatement, type ShownStatement } from './state.ts';

/** What a party or a market was allocated, or the state it is in instead. */
export function drawStatement(statement: ShownStatement, context: ScreenContext): readonly ScreenRow[] {
  switch (statement.status) {
    case 'asking':
      return toScreenRows([BLANK, textLine(`  ${askingText(statement)}  Esc stops asking`, 'quiet')]);
    case 'failed':
      return toScreenRows(
        drawFailure(statement.failure, context.shared.node, context.area.columns, { hasRowsBehind: true }),
      );
    case 'known':
      return toScreenRows(drawKnown(statement, context));
  }
}

type AskedStatement = Extract<ShownStatement, { readonly status: 'asking' }>;

function askingText(asked: AskedStatement): string {
  const { waits } = asked.progress ?? {};
  return `${requestText(asked)} ...${waits === undefined ? '' : `  ${waits} `}`;
}

function requestText({ progress }: AskedStatement): string {
  if (progress === null) return 'asking';
  const { request, of } = progress;
  return `asking: request ${request}${of === null ? '' : ` of ${of}`}`;
}

export function statementWait(statement: ShownStatement): Wait | undefined {
  if (statement.status !== 'asking') return undefined;
  const { attempt, progress } = statement;
  const text = [requestText(statement), progress?.waits].filter(Boolean).join(', ');
  return { key: `statement ${attempt}`, text, hint: 'Esc stops asking' };
}

function drawKnown(statement: ShownStatement, context: ScreenContext): readonly Line[] {
  const { shared, area } = context;
  const made = prepareStatement(statement, shared.directory);
  const places = statementLayout(statement, context);
  if (made === undefined || places === undefined) return [];
  const { columns, rows } = made.table;
  const fit = fitWidths(made, area.columns);
  const heading = columns.map(({ title }) => title);
  const scrolled = [
    ...rows.slice(statement.top, statement.top + places.height).map(row => drawRow(row, columns, fit)),
    ...[BLANK, ...places.notes.map(text => line(safeText` ${text}`, 'quiet'))].slice(
      Math.max(0, statement.top - rows.length),
    ),
  ];
  return [
    ...places.totals.map((text, index) => line(safeText` ${text}`, index < places.quiet ? 'quiet' : 'strong')),
    ...places.problems.map(text => line(safeText` ${truncateEnd(text, area.columns - 2)}`, 'bad')),
    rows.length === 0
      ? BLANK
      : [
          ...drawCells(heading, columns, fit, 'quiet'),
          span(barScale(sanitize(made.table.longestBar), fit.barCells), 'quiet'),
        ],
    ...scrolled,
  ].slice(0, area.rows);
}

interface FittedWidths {
  /** Cells of each column; 0 for one that has no room. */
  readonly widths: readonly number[];
  readonly barCells: number;
}

const MARGIN = 1;
const BETWEEN = 2;
const GOOD_BAR = 8;
const MIN_BAR_CELLS = 3;
const MAX_BAR_CELLS = 20;
const MIN_NAME_CELLS = 8;
/** One that is longer is cut before a title is. */
const LONG_NAME = 19;

/** Which columns have room: those that yield go first, then the bar, then titles are cut to their values, and names. */
function fitWidths({ table: { columns }, widths: natural }: PreparedStatement, cells: number): FittedWidths {
  const room = cells - MARGIN;
  const shown = new Set(columns.keys());
  const cellsOf = (width: (index: number) => number): number =>
    [...shown].reduce((sum, index) => sum + width(index) + BETWEEN, 0);
  const widest = (index: number): number => natural[index]?.all ?? 0;
  const least = (index: number): number =>
    columns[index]?.align === 'left' ? Math.min(widest(index), MIN_NAME_CELLS) : (natural[index]?.values ?? 0);
  const yielding = columns
    .flatMap(({ yields }, index) => (yields === 0 ? [] : [{ yields, index }]))
    .toSorted((one, other) => other.yields - one.yields || other.index - one.index);
  // What answers goes last, and only where it would not fit cut either.
  for (const { index, yields } of yielding)
    if (yields === 1 ? cellsOf(least) > room : cellsOf(widest) + GOOD_BAR > room) shown.delete(index);
  const widths = columns.map((_, index) => (shown.has(index) ? widest(index) : 0));
  let over = cellsOf(widest) - room;
  const names = [...shown].filter(index => columns[index]?.align === 'left');
  over = cutWidest(widths, { of: names, to: LONG_NAME, over });
  for (const index of shown) {
    if (columns[index]?.align !== 'right' || over <= 0) continue;
    const cut = Math.min(over, widest(index) - least(index));
    widths[index] = widest(index) - cut;
    over -= cut;
  }
  over = cutWidest(widths, { of: names, to: MIN_NAME_CELLS, over });
  return { widths, barCells: -over < MIN_BAR_CELLS ? 0 : Math.min(-over, MAX_BAR_CELLS) };
}

interface Cut {
  readonly of: readonly number[];
  /** The least cells of each. */
  readonly to: number;
  readonly over: number;
}

/** Takes cells from the widest of these columns, one after the other; returns how many are still too many. */
function cutWidest(widths: number[], { of, to, over }: Cut): number {
  for (let left = over; left > 0; left--) {
    const [widest] = of.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0));
    if (widest === undefined || (widths[widest] ?? 0) <= to) return left;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return Math.min(over, 0);
}

function drawRow(row: StatementRow, columns: readonly StatementColumn[], fit: FittedWidths): Line {
  const cells = drawCells(row.cells, columns, fit, STYLES[row.kind]);
  if (row.bar === null || fit.barCells === 0) return cells;
  return [...cells, span(sanitize(bar(row.bar.part, row.bar.of, fit.barCells)), 'accent')];
}

/** Above the bars, where they begin and the amount at which the longest one ends. */
function barScale(longest: SafeText, cells: number): SafeText {
  const gap = cells - 1 - widthCells(longest);
  return longest === EMPTY || gap < 1 ? EMPTY : safeText`0${repeatSafe(safeText` `, gap)}${longest}`;
}

const STYLES: { readonly [kind in StatementRow['kind']]: Style } = {
  allocated: 'plain',
  none: 'quiet',
  'not-known': 'pending',
  open: 'pending',
  future: 'quiet',
  unreadable: 'bad',
};

function drawCells(
  cells: readonly string[],
  columns: readonly StatementColumn[],
  fit: FittedWidths,
  style: Style,
): Line {
  const shown = columns.flatMap(({ align }, index) => {
    const width = fit.widths[index] ?? 0;
    return width === 0 ? [] : [safeText`${fitCells(sanitize(cells[index] ?? ''), width, align)}  `];
  });
  return [span(safeText` `), ...shown.map(text => span(text, style))];
}

/** Whose statement it is, and which epochs it covers. */
export function statementHead({ question, isAll }: ShownStatement, { shared, area }: ScreenContext): RuleParts {
  const partOf = (name: 'party' | 'market' | 'asset'): Line => {
    const id = question[name];
    const text = id === '' ? safeText`any` : (nameOf(shared.directory, name, id) ?? truncateMiddle(sanitize(id), 12));
    return [span(sanitize(`${name} `), 'quiet'), span(text, id === '' ? 'quiet' : 'accent')];
  };
  const subjects = ['party', 'market', 'asset'] as const;
  const epochs: Line = [
    span(safeText`epochs `, 'quiet'),
    span(sanitize(isAll ? 'all' : `last ${LAST_EPOCHS}`), 'accent'),
  ];
  // The range of epochs is more important than the fact that any asset is included.
  const ways = [subjects, subjects.filter(name => question[name] !== '')].map(names => [
    ruleTitle('Statement'),
    ...names.map(partOf),
    epochs,
  ]);
  return fittingParts(ways, area.columns);
}

export function statementPosition(statement: ShownStatement, context: ScreenContext): string {
  const places = statementLayout(statement, context);
  if (places === undefined) return statement.status === 'asking' ? 'asking' : '';
  const { rows, height } = places;
  if (rows === 0) return 'no lines';
  return rows <= height && statement.top === 0 ? countOf(rows, 'line') : linesRangeText(statement, rows, height);
}
