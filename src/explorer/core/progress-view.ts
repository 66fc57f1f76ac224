import { formatByteCount } from '../../base/text/byte-count.ts';
import { shortDuration } from '../../base/text/duration.ts';
import { sanitize } from '../../base/text/safe-text.ts';
import { fitCells } from '../../base/text/width.ts';
import { sparkline } from '../../chain/insight/bar.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import type { Range } from '../../chain/insight/range.ts';
import { parseEntryName } from '../../history/check/entry-name.ts';
import { type Progress, partCells, type WorkState } from '../../history/download/progress.ts';
import { idleText, leftText, partsText } from '../../history/download/progress-text.ts';
import { averages, MAX_INTERVALS, type RatedProgress } from '../../history/download/rate.ts';
import { drawBarChart } from './bar-chart.ts';
import { BLANK, type Line, type Style, span, textLine } from './line.ts';
import type { Area } from './screen.ts';

/**
 * How far a transfer is, in at most so many rows: what is done, the rate over time, and what was checked. With room, the rate
 * is a chart. `toRows`: what becomes of a line that is too long.
 */
export function drawProgress(
  progress: RatedProgress,
  { columns, rows }: Area,
  toRows: (line: Line, columns: number) => readonly Line[],
): readonly Line[] {
  const hasChart = rows >= CHART_ROWS && columns >= CHART_COLUMNS;
  const lines = (hasChart ? longLines(progress, columns) : shortLines(progress, columns)).flatMap(line =>
    toRows(line, columns),
  );
  const chart = hasChart ? drawChart(progress, { columns, rows: Math.min(MAX_CHART_ROWS, rows - lines.length) }) : [];
  return [...lines, ...chart].slice(0, rows);
}

const CHART_ROWS = 11;
const CHART_COLUMNS = MAX_INTERVALS + 16;
const MAX_CHART_ROWS = 8;

function shortLines(progress: RatedProgress, columns: number): readonly Line[] {
  const { parts, bytes, leftMs } = progress;
  const done = [partsText(parts, true), formatByteCount(bytes), leftText(leftMs)]
    .filter(text => text !== '')
    .join(', ');
  const isWide = chartCells(columns - MAX_RATE_CELLS) > 0;
  const cells = chartCells(columns - Math.max(done.length, isWide ? MAX_RATE_CELLS : MAX_SCALE_CELLS));
  const idle = idleText(progress);
  const rate = idle === undefined ? drawRate(progress, cells, isWide) : textLine(idle, 'pending');
  return [
    labelled(PARTS[parts.unit], [...drawStrip(progress, cells), ...textLine(done)]),
    labelled('Rate', rate),
    labelled('Checks', checks(progress)),
  ];
}

const MAX_SCALE_CELLS = '0-999.9 kB/s'.length;
const MAX_RATE_CELLS = '0-999.9 kB/s in 59 min, average 999.9 kB/s'.length;

function longLines(progress: RatedProgress, columns: number): readonly Line[] {
  const { parts, bytes, elapsedMs, bytesPerS, leftMs } = progress;
  const done = [partsText(parts, true), leftText(leftMs)].filter(text => text !== '').join(', ');
  const received = `${formatByteCount(bytes)} in ${shortDuration(elapsedMs)}, on average ${formatByteCount(bytesPerS)}/s`;
  const idle = idleText(progress);
  return [
    labelled(PARTS[parts.unit], [...drawStrip(progress, chartCells(columns - done.length)), ...textLine(done)]),
    labelled('', legend(progress)),
    labelled('Checks', checks(progress)),
    labelled('', textLine(progress.slices === undefined ? CHECKS_OF_CSV : CHECKS_OF_FILE, 'quiet')),
    BLANK,
    labelled('Received', idle === undefined ? textLine(received) : textLine(idle, 'pending')),
  ];
}

const CHECKS_OF_CSV = 'per CSV name, header, rows, CRC-32; at the end directory, blocks';
const CHECKS_OF_FILE = 'per file names, headers, rows, CRC-32, ZIP directory, blocks';

function drawChart({ rates: { values, intervalMs } }: RatedProgress, area: Area): readonly Line[] {
  const places = Array.from({ length: MAX_INTERVALS }, (_, at) => at);
  const end = shortDuration(MAX_INTERVALS * intervalMs);
  return drawBarChart(
    {
      values: places.map(at => wholeBytes(values[at])),
      highest: sanitize(`${formatByteCount(Math.max(0, ...values))}/s`),
      names: places.map(at => (at === 0 ? '0 s' : at === MAX_INTERVALS - 1 ? end : '')),
    },
    area,
  );
}

const wholeBytes = (rate: number | undefined): bigint | null => (rate === undefined ? null : BigInt(Math.round(rate)));

const PARTS: { readonly [unit in Progress['parts']['unit']]: string } = {
  segment: 'Segments',
  block: 'Blocks',
  file: 'Files',
};

const LABEL_CELLS = 11;

const labelled = (label: string, line: Line): Line => [
  span(fitCells(sanitize(` ${label}`), LABEL_CELLS), 'quiet'),
  ...line,
];

/** Cells of a strip next to a text; 0 where there are too few. */
function chartCells(columns: number): number {
  const cells = Math.min(MAX_INTERVALS, columns - LABEL_CELLS - GAP.length - 1);
  return cells < MIN_CELLS ? 0 : cells;
}

const MIN_CELLS = 10;
const GAP = '  ';

const MARKS: { readonly [state in WorkState]: string } = {
  done: '\u2588',
  failed: '!',
  'under-way': '\u2592',
  'to-come': '\u2591',
};

const STYLES: { readonly [state in WorkState]: Style } = {
  done: 'good',
  failed: 'bad',
  'under-way': 'accent',
  'to-come': 'quiet',
};

const WORDS: { readonly [state in WorkState]: string } = {
  done: 'verified',
  failed: 'failed',
  'under-way': 'under way',
  'to-come': 'to come',
};

function drawStrip({ parts }: Progress, cells: number): Line {
  if (cells === 0) return [];
  const drawn = partCells(parts, cells);
  const rest = ' '.repeat(cells - drawn.length);
  return [
    ...ALL_STATES.map(state =>
      span(sanitize(MARKS[state].repeat(drawn.filter(one => one === state).length)), STYLES[state]),
    ),
    span(sanitize(`${rest}${GAP}`)),
  ];
}

const ALL_STATES = ['done', 'failed', 'under-way', 'to-come'] as const satisfies readonly WorkState[];

function legend({ parts }: Progress): Line {
  const shown = new Set(partCells(parts, ALL_STATES.length));
  return ALL_STATES.filter(state => shown.has(state)).flatMap(state => [
    span(sanitize(MARKS[state]), STYLES[state]),
    span(sanitize(` ${WORDS[state]}   `), 'quiet'),
  ]);
}

/** The oldest at the left; each cell has as many intervals, so that it fills as time passes. Its scale and the average follow. */
function drawRate({ rates, bytesPerS, elapsedMs }: RatedProgress, cells: number, isWide: boolean): Line {
  const drawn = averages(rates, cells);
  const average = `average ${formatByteCount(bytesPerS)}/s`;
  if (cells === 0 || drawn.length === 0) return textLine(average);
  const scale = `0-${formatByteCount(Math.max(...drawn))}/s`;
  return [
    span(fitCells(sanitize(sparkline(drawn.map(BigInt))), cells), 'accent'),
    ...textLine(`${GAP}${scale}${isWide ? ` in ${shortDuration(elapsedMs)}, ${average}` : ''}`),
  ];
}

/** The checks that passed, those that failed, and the file under check. */
function checks({ csvs, slices, parts, rows, entryName, table, blocks }: RatedProgress): Line {
  const bad = csvs.filter(({ isGood }) => !isGood).length;
  const [good, unit] = slices === undefined ? [csvs.length - bad, 'CSV'] : [slices.done, 'file'];
  const failed = parts.failed > 0 && slices !== undefined ? countOf(parts.failed, parts.unit) : countOf(bad, 'CSV');
  const now = slices === undefined ? entryLabel(entryName) : blocks === null ? table : `${table} ${blocksText(blocks)}`;
  const outcomes = [
    ...(good === 0 ? [] : [[...textLine('ok ', 'good'), ...textLine(countOf(good, unit))]]),
    ...(bad + parts.failed === 0 ? [] : [[...textLine('bad ', 'bad'), ...textLine(failed)]]),
  ];
  const known = outcomes.length === 0 ? [textLine(`no ${unit} checked yet`, 'quiet')] : outcomes;
  return [
    ...known.flatMap(outcome => [...outcome, ...textLine('   ')]),
    ...textLine(`${countOf(rows, 'row')} so far`, 'quiet'),
    ...(now === '' ? [] : [...textLine('   now ', 'accent'), ...textLine(now)]),
  ];
}

/** A CSV by its table and blocks, or by its name where that says neither. */
function entryLabel(name: string): string {
  const { table, fromBlock: from, toBlock: to } = parseEntryName(name) ?? {};
  return table === undefined || from === undefined || to === undefined ? name : `${table} ${blocksText({ from, to })}`;
}

const blocksText = ({ from, to }: Range): string => `${from}-${to}`;

/** The milestones that are read aloud: the start, and each quarter that is done. */
export function spokenProgress(progress: RatedProgress | null): string {
  if (progress === null) return '';
  const { table, parts } = progress;
  const quarters = parts.of === 0 ? 0 : Math.floor((4 * parts.done) / parts.of);
  return quarters === 0 ? table : `${table}, ${25 * quarters} % of ${countOf(parts.of, parts.unit)} done`;
}
