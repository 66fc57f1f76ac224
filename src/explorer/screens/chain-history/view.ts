import { formatByteCount } from '../../../base/text/byte-count.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { groupDigits } from '../../../chain/insight/decimal.ts';
import { rangeLabel } from '../../../chain/insight/range.ts';
import {
  BLANK,
  cutLine,
  fillRows,
  type Line,
  type ScreenRow,
  type Style,
  span,
  textLine,
  toScreenRows,
} from '../../core/line.ts';
import { linesRangeText, listLines } from '../../core/list.ts';
import { drawProgress, spokenProgress } from '../../core/progress-view.ts';
import { fittingParts, type RuleParts, ruleTitle, titledRule } from '../../core/rule.ts';
import type { Area, ScreenAnnouncement, ScreenContext, SharedState } from '../../core/screen.ts';
import { fitTable, type ListColumn, type SteppedColumn, tableHead, tableRow } from '../../core/table.ts';
import { wrapLine } from '../../core/wrapped-lines.ts';
import type { HistoryFetch } from '../../services/chain-history/chain-history.ts';
import {
  HISTORY_TABLES,
  type HistoryRow,
  type HistoryView,
  historyRow,
  isDiskRead,
  partsOf,
  stateWords,
} from './state.ts';
import { type HistoryPart, PART_MARKS, PART_STATES, PART_WORDS, type PartState, stripCells } from './strip.ts';

/** Rows below the tables: the legend, and two lines on the selected table. */
const FOOT_ROWS = 3;

/** On a low screen the tables come first. */
const LOW = 12;

const footRows = (rows: number): number => (rows < LOW ? 1 : FOOT_ROWS);

/** The tables that are drawn at once. */
export const historyHeight = (_: unknown, { area, shared }: Pick<ScreenContext, 'area' | 'shared'>): number =>
  Math.max(
    1,
    area.rows -
      1 -
      footRows(area.rows) -
      fetchLines(shared.chainHistory.fetch, area).length -
      keyLines(shared, area).length,
  );

/** What the keys do, as long as nothing is on disk; only where all tables have room, too. */
function keyLines(shared: SharedState, { columns, rows }: Area): readonly Line[] {
  const needed = 1 + HISTORY_TABLES.length + footRows(rows) + KEY_LINES.length;
  if (!isNothingStored(shared) || rows < needed) return [];
  const lines = KEY_LINES.map(text => cutLine(textLine(text, 'plain'), columns));
  return rows > needed ? [BLANK, ...lines] : lines;
}

const KEY_LINES: readonly string[] = [
  ' f fetch: keeps what a question needs in the history on this disk',
  ' a ask: what a party received, traded or held, from that history',
  ' w export: one ZIP file of a table, over a range of your own',
];

export function drawHistory(view: HistoryView, context: ScreenContext): readonly ScreenRow[] {
  const { area, shared } = context;
  const parts = partsOf(view, shared);
  const isNodeKnown = view.boundaries?.kind === 'listed';
  const isNarrow = area.columns < NARROW;
  const table = fitTable(
    isNothingStored(shared) ? plannedColumns(isNarrow) : historyColumns(isNodeKnown, isNarrow),
    area.columns,
  );
  const height = historyHeight(view, context);
  const keys = keyLines(shared, area);
  const drawn = HISTORY_TABLES.slice(view.top, view.top + height).map(one => historyRow(one, parts, shared));
  const lines = listLines(drawn, view, context, (row, isSelected) => tableRow(table, row, isSelected));
  const selected = HISTORY_TABLES[view.row];
  return toScreenRows([
    tableHead(table, area.columns),
    ...fillRows([...lines, ...keys], height + keys.length),
    ...fetchLines(shared.chainHistory.fetch, area),
    ...(selected === undefined
      ? []
      : footLines(view, historyRow(selected, parts, shared), context).slice(0, footRows(area.rows))),
  ]);
}

const NAME_CELLS = 20;
const FETCHED_CELLS = '2026-10-01'.length;

/** Below it names and strips are cut. */
const NARROW = 60;

/** Nothing of the chain is on disk, and nothing is on its way. */
const isNothingStored = ({ chainHistory: { stored, fetch } }: SharedState): boolean =>
  fetch?.status !== 'running' && stored !== null && stored.tables.length === 0;

const MAX_STRIP_CELLS = 24;

/** While nothing is on disk: what could be. */
function plannedColumns(isNarrow: boolean): readonly (ListColumn<HistoryRow> | SteppedColumn<HistoryRow>)[] {
  return [
    nameColumn(isNarrow),
    { title: 'HOLDS', steps: [20, LONGEST_ABOUT], cell: ({ table }) => textLine(table.about, 'quiet') },
    {
      title: 'ON THE NODE',
      // It widens once descriptions are whole.
      steps: [11, 11, MAX_STRIP_CELLS],
      yields: 1,
      cell: ({ states }, cells) => drawStrip(states, cells),
    },
  ];
}

const LONGEST_ABOUT = Math.max(...HISTORY_TABLES.map(({ about }) => about.length));

const nameColumn = (isNarrow: boolean): ListColumn<HistoryRow> => ({
  title: 'TABLE',
  cells: NAME_CELLS,
  least: isNarrow ? 8 : NAME_CELLS,
  isName: true,
  cell: ({ table }) => textLine(table.id),
});

function historyColumns(isNodeKnown: boolean, isNarrow: boolean): readonly ListColumn<HistoryRow>[] {
  const right = { align: 'right' } as const;
  return [
    nameColumn(isNarrow),
    {
      title: 'ON DISK',
      cells: 'rest',
      least: isNarrow ? 6 : 14,
      cell: ({ states }, cells) => drawStrip(states, cells),
    },
    {
      ...{ title: 'ROWS', cells: 11, ...right, yields: 2 },
      cell: ({ stored }) => textLine(stored === undefined ? '' : groupDigits(String(stored.rows))),
    },
    {
      ...{ title: 'SIZE', cells: 8, ...right, yields: 1 },
      cell: ({ stored }) => textLine(stored === undefined ? '' : formatByteCount(stored.bytes)),
    },
    {
      ...{ title: 'FETCHED', cells: FETCHED_CELLS, yields: 3 },
      cell: ({ stored }) => textLine(stored?.finished.slice(0, FETCHED_CELLS) ?? '', 'quiet'),
    },
    {
      ...{ title: 'STATE', cells: 12, least: 11 },
      cell: row => textLine(stateWords(row, isNodeKnown), stateStyle(row)),
    },
  ];
}

function stateStyle({ stored, states, isFetching }: HistoryRow): Style {
  if (states.includes('damaged')) return 'bad';
  if (isFetching) return 'pending';
  if (stored === undefined) return 'quiet';
  return states.includes('on-node') || states.includes('missing') ? 'pending' : 'good';
}

const PART_STYLES: { readonly [state in PartState]: Style } = {
  'on-disk': 'good',
  partly: 'good',
  fetching: 'accent',
  'on-node': 'quiet',
  missing: 'pending',
  damaged: 'bad',
};

const drawStrip = (states: readonly PartState[], cells: number): Line =>
  stripCells(states, cells).map(state => span(sanitize(PART_MARKS[state]), PART_STYLES[state]));

/** What the strip's marks mean, and all of the selected table. */
function footLines(view: HistoryView, row: HistoryRow, { area, shared }: ScreenContext): readonly Line[] {
  const { table, stored, isRead } = row;
  const there =
    stored === undefined
      ? isRead
        ? 'nothing on disk'
        : 'reading the files on disk'
      : `${countOf(stored.rows, 'row')}, ${blocksText(stored.ranges)}`;
  const files =
    stored === undefined ? '' : ` in ${countOf(stored.slices.length, 'file')}, ${formatByteCount(stored.bytes)}`;
  const when = stored === undefined ? '' : `; fetched ${stored.finished.slice(0, 16).replace('T', ' ')} UTC`;
  const about: Line = [...textLine(` ${table.id}: `, 'strong'), ...textLine(table.about, 'quiet')];
  const facts = textLine(` ${there}${files}${when}`, 'quiet');
  const problem = nodeProblem(view, shared);
  return [
    cutLine(problem === undefined ? legend(row, area.columns) : textLine(` ${problem}`, 'pending'), area.columns),
    cutLine(about, area.columns),
    cutLine(facts, area.columns),
  ];
}

const MAX_RANGES = 3;

function blocksText(ranges: readonly { readonly from: bigint; readonly to: bigint }[]): string {
  const more = ranges.length > MAX_RANGES ? ` and ${ranges.length - MAX_RANGES} more` : '';
  return `blocks ${ranges.slice(0, MAX_RANGES).map(rangeLabel).join(', ')}${more}`;
}

/** The marks that are on screen. */
function legend({ states }: HistoryRow, columns: number): Line {
  const shown = PART_STATES.filter(state => state === 'on-disk' || state === 'on-node' || states.includes(state));
  if (columns < 50) return BLANK;
  return [
    span(safeText` `),
    ...shown.flatMap(state => [
      span(sanitize(PART_MARKS[state]), PART_STYLES[state]),
      span(sanitize(` ${PART_WORDS[state]}   `), 'quiet'),
    ]),
  ];
}

/** Why the strip lacks the segments of the node, or how they contradict the disk. */
function nodeProblem({ failure, boundaries }: HistoryView, { node, chainHistory }: SharedState): string | undefined {
  const [note] = chainHistory.stored?.notes ?? [];
  if (note !== undefined) return note;
  if (node.moment !== null) return 'a snapshot has no history to fetch; history on disk can be queried';
  if (node.status === 'failed' || node.contact.silentSinceMs !== null)
    return 'the node does not answer; history on disk can be queried without it';
  if (failure !== null) return `${failure.title}: ${failure.lines[0] ?? failure.hint}; r asks again`;
  if (boundaries?.kind === 'rule') return 'this node does not list its segments: w exports steps of 1000 blocks';
  if (boundaries?.kind === 'listed' && boundaries.segments.length === 0) return 'this node keeps no history';
  if (chainHistory.stored?.hasEngine === false) return NO_ENGINE_HERE;
  return undefined;
}

const NO_ENGINE_HERE = 'rows and answers need DuckDB: npm install -g @duckdb/node-api';

/** The fetch that runs, or how the last one ended, below the tables. */
function fetchLines(fetch: HistoryFetch | null, { columns, rows }: Area): readonly Line[] {
  if (fetch === null) return [];
  if (fetch.status === 'ended') {
    const { kind, lines } = fetch.result;
    const [first = '', ...more] = lines;
    const style = kind === 'fetched' ? 'good' : kind === 'cancelled' ? 'pending' : 'bad';
    return [
      ...wrapLine(textLine(` ${first}`, style), columns),
      ...more.flatMap(text => wrapLine(textLine(` ${text}`, 'quiet'), columns)),
    ].slice(0, MAX_END_LINES);
  }
  const { progress } = fetch;
  const heading = textLine(fetchHeading(fetch), fetch.isCancelling ? 'pending' : 'accent');
  const rest = rows - 1 - footRows(rows) - HISTORY_TABLES.length - 1;
  const room = rows < LOW ? 1 : Math.max(MIN_PROGRESS_ROWS, rest);
  const lines =
    progress === null
      ? [textLine(' asking the node for its segments', 'pending')]
      : drawProgress(progress, { columns, rows: room }, (line, cells) => [cutLine(line, cells)]);
  return [titledRule([heading], columns), ...lines];
}

const MAX_END_LINES = 4;
const MIN_PROGRESS_ROWS = 3;

const fetchHeading = ({ request, isCancelling }: Extract<HistoryFetch, { readonly status: 'running' }>): string =>
  `${isCancelling ? 'Cancelling the fetch' : 'Fetching'} for ${request.title}`;

/** A chain id comes from the node, and has to leave room for the rest of the title. */
const MAX_CHAIN_CELLS = 30;

/** The chain, and the blocks that the node has. */
export function historyHead({ boundaries, asking }: HistoryView, { shared, area }: ScreenContext): RuleParts {
  const { stored } = shared.chainHistory;
  const chain = shared.node.chainId || stored?.chainId || '';
  const name = ruleTitle(chain === '' ? 'History' : `History of ${truncateMiddle(sanitize(chain), MAX_CHAIN_CELLS)}`);
  const node = boundaries?.kind === 'listed' ? nodeText(boundaries.segments) : asking === null ? '' : 'asking the node';
  const parts = [node, diskText(stored)].filter(text => text !== '').map(text => textLine(text, 'quiet'));
  return fittingParts([[name, ...parts], [name, ...parts.slice(1)], [name]], area.columns);
}

function nodeText(segments: readonly { readonly fromHeight: bigint; readonly toHeight: bigint }[]): string {
  const [first, last] = [segments[0], segments.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `blocks ${first.fromHeight}-${last.toHeight}, ${countOf(segments.length, 'segment')}`;
}

function diskText(stored: SharedState['chainHistory']['stored']): string {
  if (stored === null) return '';
  if (stored.tables.length === 0) return 'nothing on disk yet';
  return `${formatByteCount(stored.tables.reduce((sum, { bytes }) => sum + bytes, 0))} on disk`;
}

export const historyPlace = (view: HistoryView, context: ScreenContext): string =>
  linesRangeText(view, HISTORY_TABLES.length, historyHeight(view, context));

/** For a screen reader: the tables on disk, or the one being fetched. Single slices are not announced. */
export function announcedHistory(view: HistoryView, { shared }: ScreenContext): ScreenAnnouncement {
  const { stored, fetch } = shared.chainHistory;
  const text = fetch === null ? (stored?.description ?? '') : announcedFetch(fetch);
  return {
    lines: text === '' ? [] : [text],
    selected: isDiskRead(shared) ? tableSentence(view, partsOf(view, shared), shared) : '',
  };
}

const announcedFetch = (fetch: HistoryFetch): string =>
  fetch.status === 'running'
    ? `${fetchHeading(fetch)}: ${spokenProgress(fetch.progress)}`
    : (fetch.result.lines[0] ?? '');

/** A table in one sentence. */
function tableSentence(view: HistoryView, parts: readonly HistoryPart[], shared: SharedState): string {
  const table = HISTORY_TABLES[view.row];
  if (table === undefined) return '';
  const row = historyRow(table, parts, shared);
  const { stored } = row;
  const rows =
    stored === undefined
      ? ''
      : `, ${countOf(stored.rows, 'row')}, ${formatByteCount(stored.bytes)}, ${blocksText(stored.ranges)}`;
  return `${table.id}: ${stateWords(row, view.boundaries?.kind === 'listed')}${rows}`;
}
