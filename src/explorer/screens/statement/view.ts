import { EMPTY, repeatSafe, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateEnd, widthCells } from '../../../base/text/width.ts';
import { nameOrEnds } from '../../../chain/directory/directory.ts';
import type { StatementRow } from '../../../chain/explain/statement/statement-table.ts';
import { bar } from '../../../chain/insight/bar.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { drawFailure } from '../../core/failure-view.ts';
import { BLANK, type Line, line, type ScreenRow, type Style, span, textLine, toScreenRows } from '../../core/line.ts';
import { linesRangeText } from '../../core/list.ts';
import { fittingParts, type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { type FittedTable, fitTable, GAPS, type SteppedColumn, tableHead, tableRow } from '../../core/table.ts';
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
  const { rows, longestBar } = made.table;
  const table = fittedStatement(made, area.columns);
  const scrolled = [
    ...rows.slice(statement.top, statement.top + places.height).map(row => tableRow(table, row)),
    ...[BLANK, ...places.notes.map(text => line(safeText` ${text}`, 'quiet'))].slice(
      Math.max(0, statement.top - rows.length),
    ),
  ];
  return [
    ...places.totals.map((text, index) =>
      line(safeText` ${text}`, index < places.totals.length - places.quiet ? 'strong' : 'quiet'),
    ),
    ...places.problems.map(text => line(safeText` ${truncateEnd(text, area.columns - 2)}`, 'bad')),
    rows.length === 0 ? BLANK : statementHeads(table, sanitize(longestBar), area.columns),
    ...scrolled,
  ].slice(0, area.rows);
}

const MARGIN = 1;
const MIN_NAME_CELLS = 8;
/** One that is longer is cut before a title is. */
const LONG_NAME = 19;
const MIN_BAR_CELLS = 3;
const GOOD_BAR = 8;
const MAX_BAR_CELLS = 20;

/**
 * On a narrow screen the columns go that answer nothing, before a good bar does; then the bar, and long names are cut. What
 * answers goes last, where it would not fit with titles cut to their values, and names short.
 */
function fittedStatement({ table, widths }: PreparedStatement, screen: number): FittedTable<StatementRow> {
  const columns = table.columns.map(({ title, align, yields }, index): SteppedColumn<StatementRow> => {
    const { values = 0, all = 0 } = widths[index] ?? {};
    const upTo = (most: number): number => Math.min(all, most);
    return {
      ...{ title, align, yields: yields > 1 ? BAR_YIELDS + yields : yields, yieldsAt: yields > 1 ? 4 : 0 },
      steps: align === 'left' ? [upTo(MIN_NAME_CELLS), upTo(LONG_NAME), upTo(LONG_NAME), all] : [values, values, all],
      cell: ({ cells, kind }) => textLine(cells[index] ?? '', STYLES[kind]),
    };
  });
  const bars: SteppedColumn<StatementRow> = {
    ...{ title: '', yields: BAR_YIELDS, yieldsAt: 3 },
    steps: [MIN_BAR_CELLS, MIN_BAR_CELLS, MIN_BAR_CELLS, MIN_BAR_CELLS, GOOD_BAR, MAX_BAR_CELLS],
    cell: ({ bar: of }, cells) => (of === null ? BLANK : textLine(bar(of.part, of.of, cells), 'accent')),
  };
  return fitTable([...columns, bars], screen, { ...GAPS, margin: MARGIN });
}

/** After the columns that answer nothing, and before those that do. */
const BAR_YIELDS = 2;

/** The heads, and above the bars their scale. */
function statementHeads({ fitted, ...gaps }: FittedTable<StatementRow>, longest: SafeText, screen: number): Line {
  const scaled = fitted.map(({ column, cells }) => ({
    column: column.title === '' ? { ...column, title: barScale(longest, cells) } : column,
    cells,
  }));
  return tableHead({ fitted: scaled, ...gaps }, screen);
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

/** Whose statement it is, and which epochs it covers. */
export function statementHead({ question, isAll }: ShownStatement, { shared, area }: ScreenContext): RuleParts {
  const partOf = (name: 'party' | 'market' | 'asset'): Line => {
    const id = question[name];
    if (id === '') return textLine(ALL_OF[name], 'quiet');
    return [span(sanitize(`${name} `), 'quiet'), span(nameOrEnds(shared.directory, name, id, 12), 'accent')];
  };
  const subjects = ['party', 'market', 'asset'] as const;
  const epochs: Line = [
    span(safeText`epochs `, 'quiet'),
    span(sanitize(isAll ? 'all' : `last ${LAST_EPOCHS}`), 'accent'),
  ];
  // The range of epochs is more important than the fact that every asset is included.
  const ways = [subjects, subjects.filter(name => question[name] !== '')].map(names => [
    ruleTitle('Fee statement'),
    ...names.map(partOf),
    epochs,
  ]);
  return fittingParts(ways, area.columns);
}

const ALL_OF = { party: 'all parties', market: 'all markets', asset: 'all assets' } as const;

export function statementPosition(statement: ShownStatement, context: ScreenContext): string {
  const places = statementLayout(statement, context);
  if (places === undefined) return statement.status === 'asking' ? 'asking' : '';
  const { rows, height } = places;
  if (rows === 0) return 'no lines';
  return rows <= height && statement.top === 0 ? countOf(rows, 'line') : linesRangeText(statement, rows, height);
}
