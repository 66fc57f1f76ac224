import { byteCount } from '../../../base/text/byte-count.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateMiddle } from '../../../base/text/width.ts';
import { groupDigits } from '../../../chain/insight/decimal.ts';
import { duration } from '../../../chain/insight/duration.ts';
import { parseEntryName } from '../../../history/check/entry-name.ts';
import { nodeErrorLines } from '../../../history/check/node-error.ts';
import { ALL_IS_RIGHT, howFarRowsGo, isGood, rowsOf, type Verdict } from '../../../history/check/verdict.ts';
import { type ExportResult, savedSlicesText } from '../../../history/download/result.ts';
import { drawFailure } from '../../core/failure.ts';
import { asRows, BLANK, type Line, type ScreenRow, type Style, span, textLine } from '../../core/line.ts';
import type { ScreenContext, Shared } from '../../core/screen.ts';
import { convertCommand, exportCommand } from '../../services/copying/equal-commands.ts';
import { NO_ENGINE, savedPlace } from '../../services/export-job.ts';
import { toFailure } from '../../services/failure.ts';

/** How the last export ended. */
export function drawResult({ shared, area: { columns } }: ScreenContext): readonly ScreenRow[] {
  const { job, node } = shared;
  if (job?.status !== 'ended') return asRows([textLine(' No export has been made yet', 'strong')]);
  const { result } = job;
  switch (result.kind) {
    case 'saved':
      return [
        ...asRows([
          textLine(` ${completeHeading(result.verdict)}`, 'good'),
          indented(rowsLine(result.verdict)),
          item('file', result.path),
          ...summary(result.verdict, result),
        ]),
        ...csvTable(result.verdict, columns),
        ...asRows([...notes(result.verdict), ...namesLine(result), ...askLines(shared)]),
      ];
    case 'not-complete':
      return [
        ...asRows([
          textLine(` The export is ${result.verdict.kind}: do not use it as if it were whole`, 'bad'),
          ...brokenLines(result),
          ...summary(result.verdict, result),
        ]),
        ...csvTable(result.verdict, columns),
        ...asRows(notes(result.verdict)),
      ];
    case 'saved-slices':
      return asRows([
        result.notes.length === 0
          ? textLine(` The export is complete: ${ALL_IS_RIGHT}`, 'good')
          : textLine(' Every slice is complete; read the note on them together', 'pending'),
        indented(howFarRowsGo(result.manifest.table)),
        item('folder', result.folder),
        ...sliceSummary(result),
        ...noteLines(result.notes),
        BLANK,
        textLine('  manifest.json in it has the SHA-256, rows and columns of every slice.', 'quiet'),
        ...namesLine(result),
        ...askLines(shared),
      ]);
    case 'stopped-slices':
      return asRows([
        textLine(
          ` The export ${result.cause.kind === 'cancelled' ? 'was cancelled' : 'stopped'}: ${savedSlicesText(result)}`,
          'pending',
        ),
        item('folder', result.folder),
        ...noteLines(result.notes),
        textLine('  The same export again fetches only what is missing, here or with:', 'quiet'),
        textLine(`  ${exportCommand(node, job.plan)}`),
        ...causeLines(result.cause, shared, columns),
      ]);
    case 'failed':
      return asRows([...drawFailure(toFailure(result.error), node, columns, AGAIN), ...partFile(result.partPath)]);
    case 'cancelled':
      return asRows([textLine(' The export was cancelled', 'pending'), BLANK, ...partFile(result.partPath)]);
  }
}

/** What can be asked of it, or what that takes. */
function askLines({ offers, job }: Shared): readonly Line[] {
  if (offers === null) return [];
  if (!offers.hasEngine) return [indented(NO_ENGINE, 'quiet')];
  const ofParty = offers.questions.find(({ needsParty }) => needsParty);
  const ask =
    offers.questions.length === 0 ? '' : `   a ask${ofParty === undefined ? ' a question' : `: ${ofParty.title}`}`;
  const saved = job?.status === 'ended' ? savedPlace(job.result) : null;
  return [
    indented(`o open the rows${ask}`, 'accent'),
    ...(saved === null
      ? []
      : [indented('A audit   R one page about a party, from all exports in this folder', 'accent')]),
    ...(saved === null ? [] : [item('Parquet', convertCommand(saved))]),
  ];
}

const AGAIN = { again: 'Enter: the same again, and what else can be done' };

const completeHeading = ({ entries }: Verdict): string =>
  rowsOf(entries) === null ? 'The archive is complete' : `The export is complete: ${ALL_IS_RIGHT}`;

const rowsLine = ({ entries }: Verdict): string =>
  rowsOf(entries) === null
    ? 'the rows in it were not read'
    : howFarRowsGo(parseEntryName(entries[0]?.name ?? '')?.table);

type Slices = Extract<ExportResult, { readonly kind: 'saved-slices' }>;
type Saved = Extract<ExportResult, { readonly kind: 'saved' | 'saved-slices' }>;

function sliceSummary({ manifest, elapsedMs }: Slices): readonly Line[] {
  const sum = (count: (slice: Slices['manifest']['slices'][number]) => number) =>
    manifest.slices.reduce((total, slice) => total + count(slice), 0);
  return [
    item('slices', `${manifest.slices.length}, all verified`),
    item(
      'size',
      `${byteCount(sum(({ bytes }) => bytes))} in ${duration(elapsedMs)}, ${groupDigits(String(sum(({ rows }) => rows)))} rows`,
    ),
  ];
}

function causeLines(cause: ExportResult, { node }: Shared, columns: number): readonly Line[] {
  if (cause.kind === 'failed') return drawFailure(toFailure(cause.error), node, columns, AGAIN).slice(0, -1);
  if (cause.kind === 'not-complete')
    return [BLANK, textLine(`  a slice is ${cause.verdict.kind}`, 'bad'), ...brokenLines(cause)];
  return [];
}

/** What is wrong with a file, and where it is. */
const brokenLines = ({
  verdict,
  brokenBy,
  partPath,
}: Extract<ExportResult, { readonly kind: 'not-complete' }>): readonly Line[] => [
  indented(verdict.reason),
  ...(brokenBy === null ? [] : [indented(brokenBy)]),
  ...nodeErrorLines(verdict).map(text => indented(`the node: ${text}`)),
  item('saved as', partPath),
];

const LABEL_CELLS = 12;

const item = (label: string, text: string): Line => [
  span(fitCells(sanitize(`  ${label}`), LABEL_CELLS), 'quiet'),
  ...textLine(text),
];

const partFile = (partPath: string | null): readonly Line[] =>
  partPath === null ? [textLine('  nothing had arrived', 'quiet')] : [item('saved as', partPath)];

const indented = (text: string, style?: Style): Line => textLine(`  ${text}`, style);

function summary(verdict: Verdict, { elapsedMs }: ExportResult): readonly Line[] {
  return [
    item('size', `${byteCount(verdict.bytes)} in ${duration(elapsedMs)}, ${rowCount(rowsOf(verdict.entries))} rows`),
    item('SHA-256', verdict.sha256),
  ];
}

const rowCount = (rows: number | null): string => (rows === null ? 'unread' : groupDigits(String(rows)));

// The CSVs of an archive are a handful; more are counted.
const MOST_CSVS = 4;

// Rows of 17 digits leave so much for the name; a wider table would be wrapped by Ink.
const NARROWEST_TABLE = 76;

function csvTable(verdict: Verdict, columns: number): readonly ScreenRow[] {
  const { entries } = verdict;
  if (entries.length === 0) return [];
  const shown = entries.slice(0, MOST_CSVS);
  const left = entries.length - shown.length;
  const more = left > 0 ? asRows([textLine(`  and ${left} more ${left === 1 ? 'CSV' : 'CSVs'}`, 'quiet')]) : [];
  if (columns < NARROWEST_TABLE) {
    const lines = shown.map(entry =>
      item(isGood(entry) ? 'good' : 'bad', `${entry.name}, ${rowCount(entry.rows)} rows`),
    );
    return [...asRows(lines), ...more];
  }
  const nameCells = columns - 52;
  const rows = shown.map(entry => [
    truncateMiddle(sanitize(entry.name), nameCells),
    sanitize(rowCount(entry.rows)),
    sanitize(String(entry.columns.length)),
    sanitize(entry.schemaVersion === undefined ? '' : String(entry.schemaVersion)),
    isGood(entry) ? safeText`good` : safeText`bad`,
  ]);
  const heading = [safeText`CSV`, safeText`rows`, safeText`columns`, safeText`schema`, safeText`check`];
  return [{ kind: 'table', heading, rows }, ...more];
}

const notes = (verdict: Verdict): readonly Line[] => noteLines(verdict.notes);

const namesLine = ({ ofNames }: Saved): readonly Line[] => (ofNames === undefined ? [] : noteLines([ofNames]));

const noteLines = (texts: readonly string[]): readonly Line[] => texts.map(note => indented(`note: ${note}`, 'quiet'));
