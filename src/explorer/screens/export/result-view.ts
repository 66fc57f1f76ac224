import { formatByteCount } from '../../../base/text/byte-count.ts';
import { shortDuration } from '../../../base/text/duration.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateMiddle } from '../../../base/text/width.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { groupDigits } from '../../../chain/insight/decimal.ts';
import { parseEntryName } from '../../../history/check/entry-name.ts';
import { nodeErrorLines } from '../../../history/check/node-error.ts';
import {
  ALL_CHECKS_PASSED,
  countRows,
  isFlawless,
  rowCompletenessText,
  type Verdict,
} from '../../../history/check/verdict.ts';
import { describeSavedSlices, type ExportResult } from '../../../history/download/export-result.ts';
import { drawFailure } from '../../core/failure-view.ts';
import { BLANK, type Line, type ScreenRow, type Style, span, textLine, toScreenRows } from '../../core/line.ts';
import type { ScreenContext, SharedState } from '../../core/screen.ts';
import { convertCommandText, exportCommandText } from '../../services/copying/equal-commands.ts';
import { NO_ENGINE, savedExportLocation } from '../../services/export-job.ts';
import { toScreenFailure } from '../../services/failure.ts';

/** How the last export ended. */
export function drawResult({ shared, area: { columns } }: ScreenContext): readonly ScreenRow[] {
  const { job, node } = shared;
  if (job?.status !== 'ended') return toScreenRows([textLine(' No export has been made yet', 'strong')]);
  const { result } = job;
  switch (result.kind) {
    case 'saved':
      return [
        ...toScreenRows([
          textLine(` ${completeHeading(result.verdict)}`, 'good'),
          labelledLine('file', result.path),
          ...summary(result.verdict, result),
          rowsLine(result.verdict),
        ]),
        ...csvTable(result.verdict, columns),
        ...toScreenRows([...notes(result.verdict), ...namesLine(result), ...askLines(shared)]),
      ];
    case 'not-complete':
      return [
        ...toScreenRows([
          textLine(` The export is ${result.verdict.kind}: do not use it as a complete export`, 'bad'),
          ...brokenLines(result),
          ...summary(result.verdict, result),
        ]),
        ...csvTable(result.verdict, columns),
        ...toScreenRows(notes(result.verdict)),
      ];
    case 'saved-slices':
      return toScreenRows([
        result.notes.length === 0
          ? textLine(` The export is complete: ${ALL_CHECKS_PASSED}`, 'good')
          : textLine(' Every slice is complete, but not all of them may belong together: see the notes', 'pending'),
        labelledLine('folder', result.folder),
        ...sliceSummary(result),
        indented(rowCompletenessText(result.manifest.table), 'quiet'),
        ...noteLines(result.notes),
        BLANK,
        textLine('  manifest.json in it has the SHA-256, rows and columns of every slice.', 'quiet'),
        ...namesLine(result),
        ...askLines(shared),
      ]);
    case 'stopped-slices':
      return toScreenRows([
        textLine(
          ` The export ${result.cause.kind === 'cancelled' ? 'was cancelled' : 'stopped'}: ${describeSavedSlices(result)}`,
          'pending',
        ),
        labelledLine('folder', result.folder),
        ...noteLines(result.notes),
        textLine('  Run the same export again to fetch the rest, here or with:', 'quiet'),
        textLine(`  ${exportCommandText(node, job.request)}`),
        ...causeLines(result.cause, shared, columns),
      ]);
    case 'failed':
      return toScreenRows([
        ...drawFailure(toScreenFailure(result.error), node, columns, ENTER_AGAIN),
        ...partFile(result.partPath),
      ]);
    case 'cancelled':
      return toScreenRows([textLine(' The export was cancelled', 'pending'), BLANK, ...partFile(result.partPath)]);
  }
}

/** What the keys of the footer need, or the command for what has no key. */
function askLines({ offers, job }: SharedState): readonly Line[] {
  if (offers === null) return [];
  if (!offers.hasEngine) return [indented(NO_ENGINE, 'quiet')];
  const saved = job?.status === 'ended' ? savedExportLocation(job.result) : null;
  return saved === null ? [] : [labelledLine('Parquet', convertCommandText(saved))];
}

const ENTER_AGAIN = { again: 'Enter: export again, and more actions' };

const completeHeading = ({ entries }: Verdict): string =>
  countRows(entries) === null ? 'The archive is complete' : `The export is complete: ${ALL_CHECKS_PASSED}`;

const rowsLine = ({ entries }: Verdict): Line =>
  indented(
    countRows(entries) === null
      ? 'not checked: the rows in it'
      : rowCompletenessText(parseEntryName(entries[0]?.name ?? '')?.table),
    'quiet',
  );

type Slices = Extract<ExportResult, { readonly kind: 'saved-slices' }>;
type Saved = Extract<ExportResult, { readonly kind: 'saved' | 'saved-slices' }>;

function sliceSummary({ manifest, elapsedMs }: Slices): readonly Line[] {
  const sum = (count: (slice: Slices['manifest']['slices'][number]) => number) =>
    manifest.slices.reduce((total, slice) => total + count(slice), 0);
  return [
    labelledLine('slices', `${manifest.slices.length}, all verified`),
    labelledLine(
      'size',
      `${formatByteCount(sum(({ bytes }) => bytes))} in ${shortDuration(elapsedMs)}, ${groupDigits(String(sum(({ rows }) => rows)))} rows`,
    ),
  ];
}

function causeLines(cause: ExportResult, { node }: SharedState, columns: number): readonly Line[] {
  if (cause.kind === 'failed')
    return drawFailure(toScreenFailure(cause.error), node, columns, ENTER_AGAIN).slice(0, -1);
  if (cause.kind === 'not-complete')
    return [BLANK, textLine(`  a slice is ${cause.verdict.kind}`, 'bad'), ...brokenLines(cause)];
  return [];
}

/** The problem with a file, and its position. */
const brokenLines = ({
  verdict,
  brokenBy,
  partPath,
}: Extract<ExportResult, { readonly kind: 'not-complete' }>): readonly Line[] => [
  indented(verdict.reason),
  ...(brokenBy === null ? [] : [indented(brokenBy)]),
  ...nodeErrorLines(verdict).map(text => indented(`the node: ${text}`)),
  ...(partPath === null ? [] : [labelledLine('saved as', partPath)]),
];

const LABEL_CELLS = 12;

const labelledLine = (label: string, text: string): Line => [
  span(fitCells(sanitize(`  ${label}`), LABEL_CELLS), 'quiet'),
  ...textLine(text),
];

const partFile = (partPath: string | null): readonly Line[] =>
  partPath === null ? [textLine('  nothing had arrived', 'quiet')] : [labelledLine('saved as', partPath)];

const indented = (text: string, style?: Style): Line => textLine(`  ${text}`, style);

function summary(verdict: Verdict, { elapsedMs }: ExportResult): readonly Line[] {
  return [
    labelledLine(
      'size',
      `${formatByteCount(verdict.bytes)} in ${shortDuration(elapsedMs)}, ${rowCount(countRows(verdict.entries))} rows`,
    ),
    labelledLine('SHA-256', verdict.sha256),
  ];
}

const rowCount = (rows: number | null): string => (rows === null ? 'unread' : groupDigits(String(rows)));

// The CSVs of an archive are a handful; more are counted.
const MAX_CSVS = 4;

// Rows of 17 digits leave so much for the name; a wider table would be wrapped by Ink.
const MIN_TABLE_COLUMNS = 76;

function csvTable(verdict: Verdict, columns: number): readonly ScreenRow[] {
  const { entries } = verdict;
  if (entries.length === 0) return [];
  const shown = entries.slice(0, MAX_CSVS);
  const left = entries.length - shown.length;
  const more = left > 0 ? toScreenRows([textLine(`  and ${countOf(left, 'more CSV')}`, 'quiet')]) : [];
  if (columns < MIN_TABLE_COLUMNS) {
    const lines = shown.map(entry =>
      labelledLine(isFlawless(entry) ? 'ok' : 'bad', `${entry.name}, ${rowCount(entry.rows)} rows`),
    );
    return [...toScreenRows(lines), ...more];
  }
  const nameCells = columns - 33;
  const rows = shown.map(entry => [
    truncateMiddle(sanitize(entry.name), nameCells),
    sanitize(rowCount(entry.rows)),
    isFlawless(entry) ? safeText`ok` : safeText`bad`,
  ]);
  const heading = [safeText`CSV`, safeText`rows`, safeText`check`];
  return [{ kind: 'table', heading, rows }, ...more];
}

const notes = (verdict: Verdict): readonly Line[] => noteLines(verdict.notes);

const namesLine = ({ ofNames }: Saved): readonly Line[] => (ofNames === undefined ? [] : noteLines([ofNames]));

const noteLines = (texts: readonly string[]): readonly Line[] => texts.map(note => indented(`note: ${note}`, 'quiet'));
