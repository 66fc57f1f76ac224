import { LONG_IDS } from '../../../../base/text/ids.ts';
import { type SafeText, safeText, sanitize } from '../../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells, wrapWords } from '../../../../base/text/width.ts';
import { type Brief, briefOf } from '../../../../chain/explain/brief.ts';
import type { ExplainedLine } from '../../../../chain/explain/explanation.ts';
import { spellAddresses } from '../../../../chain/insight/address.ts';
import { cachedColumnForm, cellText } from '../../../../chain/resources/cell-text.ts';
import { columnWords } from '../../../../chain/resources/columns.ts';
import type { Column } from '../../../../chain/resources/resource.ts';
import { BLANK, cutLine, fillLine, fillRows, type Line, type Style, span } from '../../../core/line.ts';
import { columnLayout, descriptorColumnId } from '../list/column-layout.ts';
import { cellStyle, type ListFrame } from '../list/table.ts';
import { shownColumns } from '../list/visible-rows.ts';
import type { Meaning, Preview } from '../state.ts';

// The record beside its list, in brief. Every line and every value has its place, whatever the record holds: from one
// record to the next little changes on the screen, which costs a slow link little.

/** What the record means, the columns that the table has no room for, the facts one looks for, and where it leads. */
export function drawPreview(list: ListFrame, preview: Preview, nowMs: number): readonly Line[] {
  const { inspectorColumns: cells, bodyRows } = list.layout;
  const { meaning } = preview;
  const brief = briefOf(list.resource.id, meaning.status === 'known' ? meaning.explanation : undefined);
  const isWide = cells >= MIN_CELLS_FOR_TWO;
  const half = isWide ? Math.floor(cells / 2) : cells;
  const facts = [
    ...columnLines(list, preview, { cells: half, nowMs, without: brief.without }),
    ...brief.facts.map(({ label, line }) => factLine(label, line ?? missingFact(meaning), half)),
  ];
  const next = nextLines(brief, meaning, {
    count: isWide ? MAX_NEXT_BESIDE : MAX_NEXT_BELOW,
    cells: isWide ? cells - half : cells,
  });
  const lines = [
    titleLine(list, preview),
    ...meaningLines(list, preview, brief),
    BLANK,
    ...(isWide ? sideBySide(facts, next, half) : [...facts, ...(facts.length === 0 ? [] : [BLANK]), ...next]),
  ];
  // At least a blank line above the keys.
  return [...fillRows(lines.slice(0, bodyRows - 2), bodyRows - 1), keysLine(preview, cells)].map(line =>
    cutLine(line, cells - 1),
  );
}

/** While the selection moves: nothing of a record that was left, and the places of what stays. */
export const drawNoPreview = (list: ListFrame): readonly Line[] => {
  const { inspectorColumns: cells, bodyRows } = list.layout;
  return [...fillRows([singularLine(list)], bodyRows - 1), keysLine(null, cells)];
};

/** From here on what comes next has room beside the facts: on a screen of 200 columns, and on none of 199. */
const MIN_CELLS_FOR_TWO = 120;
const MAX_NEXT_BESIDE = 4;
const MAX_NEXT_BELOW = 3;

const MARGIN = safeText`  `;
const LABEL_CELLS = 20;
const SHORT_ID_CELLS = 10;

const titleLine = (list: ListFrame, { row }: Preview): Line => [
  ...singularLine(list),
  span(safeText`  ${inBrief(spellAddresses(list.resource.keyOf(row)))}`),
];

const singularLine = ({ resource }: ListFrame): Line => [span(MARGIN), span(sanitize(resource.singular), 'strong')];

/** The sentences that its explanation begins with, or until that is there what its list says of the row. */
function meaningLines(
  { resource, layout }: ListFrame,
  { row, around, meaning }: Preview,
  brief: Brief,
): readonly Line[] {
  const about = (): string => resource.about?.(row) ?? resource.aboutAmong?.(row, around.rows) ?? '';
  const sentences =
    meaning.status === 'known' ? brief.sentences : [{ text: about(), short: undefined, tone: undefined }];
  const room = layout.inspectorColumns - MARGIN.length - 1;
  const lines = sentences.flatMap(({ text, short, tone }) =>
    wrapWords(inBrief(short ?? text), room).map(
      (part): Line => [span(MARGIN), span(part, tone === 'bad' || tone === 'pending' ? tone : 'plain')],
    ),
  );
  return fillRows(lines, MEANING_ROWS);
}

const MEANING_ROWS = 3;

interface FactView {
  readonly cells: number;
  readonly nowMs: number;
  readonly without: Brief['without'];
}

/** Columns of the list that the table has no room for. */
function columnLines({ resource, browser, directory, layout }: ListFrame, preview: Preview, view: FactView) {
  const { row, page } = preview;
  if (browser.page === null) return [];
  const { fitted } = columnLayout(resource, browser, browser.page, layout.tableColumns);
  const inTable = new Set(fitted.map(({ column }) => descriptorColumnId(column.id)));
  // The title has the id. A record without one keeps its lines.
  const isTold = ({ id }: Column): boolean => inTable.has(id) || id === 'id' || view.without.includes(id);
  return shownColumns(resource, browser)
    .filter(column => !isTold(column))
    .slice(0, MAX_COLUMNS)
    .map(column => {
      const [longest] = cachedColumnForm(column, page, directory).titles;
      const label = longest.replace(column.title, columnWords(column)).replace(/, rounded$/, '');
      const text = inBrief(cellText(column, row, page, directory, { nowMs: view.nowMs }));
      return text === ''
        ? factLine(label, NO_FACT, view.cells)
        : valueLine(label, text, cellStyle(column, row, page), view.cells);
    });
}

const MAX_COLUMNS = 5;

const NO_FACT: ExplainedLine = { label: '', text: '-', tone: 'quiet' };
const FACT_TO_COME: ExplainedLine = { ...NO_FACT, text: '\u2026' };
const FACT_NOT_KNOWN: ExplainedLine = { ...NO_FACT, text: 'not known' };

function missingFact({ status }: Meaning): ExplainedLine {
  switch (status) {
    case 'asked':
      return FACT_TO_COME;
    case 'failed':
      return FACT_NOT_KNOWN;
    case 'known':
    case 'none':
      return NO_FACT;
  }
}

const factLine = (label: string, { text, short, tone }: ExplainedLine, cells: number): Line =>
  valueLine(label, inBrief(short ?? text), tone ?? 'plain', cells);

const valueLine = (label: string, text: SafeText, style: Style, cells: number): Line =>
  cutLine([...labelSpans(label), span(text, style)], cells - 1);

const labelSpans = (label: string): Line => [
  span(MARGIN),
  span(fitCells(truncateEnd(sanitize(label), LABEL_CELLS - 1), LABEL_CELLS), 'quiet'),
];

/** What one would open next, or compare, with its figures and bars. */
function nextLines(
  { next: { title, lines } }: Brief,
  meaning: Meaning,
  { count, cells }: { readonly count: number; readonly cells: number },
): readonly Line[] {
  if (title === '') return [];
  return [
    cutLine([span(MARGIN), span(sanitize(title), 'strong')], cells - 1),
    ...lines.slice(0, count).map(({ label, line }) => {
      const { text, short, tone, bar = '' } = line ?? missingFact(meaning);
      const figure = span(inBrief(short ?? text), tone ?? 'plain');
      return cutLine([...labelSpans(label), figure, span(safeText`  ${sanitize(bar)}`)], cells - 1);
    }),
  ];
}

function sideBySide(left: readonly Line[], right: readonly Line[], cells: number): readonly Line[] {
  const rows = Math.max(left.length, right.length);
  const others = fillRows(right, rows);
  return fillRows(left, rows).map((line, index) => [...fillLine(line, cells), ...(others[index] ?? BLANK)]);
}

/** The keys that lead on, or instead of those that depend on what is not there, that it is missing. */
function keysLine(preview: Preview | null, cells: number): Line {
  const missing = preview === null ? '' : (MISSING[preview.meaning.status] ?? '');
  const related = fittingLabels(missing === '' ? (preview?.leadsOn?.labels ?? []) : [], cells - KEYS_CELLS).join(', ');
  return [
    span(safeText`  enter `, 'accent'),
    span(safeText`all fields`, 'quiet'),
    span(sanitize(missing), 'quiet'),
    ...(related === '' ? [] : [span(safeText`  g `, 'accent'), span(sanitize(related), 'quiet')]),
  ];
}

const MISSING: { readonly [status in Meaning['status']]?: string } = {
  asked: '  loading the rest',
  failed: '  the rest could not be loaded',
};

/** Cells of that line before the first of the labels, and a margin. */
const KEYS_CELLS = 24;

/** As many labels as fit whole. */
const fittingLabels = (labels: readonly string[], room: number): readonly string[] =>
  labels.filter((_, index) => widthCells(sanitize(labels.slice(0, index + 1).join(', '))) <= room);

/** The text with both ends of each id, and of a time only how far it is away. */
const inBrief = (text: string): SafeText =>
  sanitize(text.replace(LONG_IDS, id => truncateMiddle(sanitize(id), SHORT_ID_CELLS)).replace(CLOCK_TIME, ''));

/** ` (2026-11-28 08:10:51 UTC)` behind the distance. */
const CLOCK_TIME = / \(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/g;
