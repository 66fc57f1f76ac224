import type { Fact } from '../../../attention/overview/facts/fact.ts';
import type { OwnFact } from '../../../attention/overview/facts/mine.ts';
import type { Severity } from '../../../attention/rules/rule.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells, wrapWords } from '../../../base/text/width.ts';
import { selectedLine } from '../../core/appearance.ts';
import { drawFailure } from '../../core/failure-view.ts';
import {
  BLANK,
  cutLine,
  fillLine,
  type Line,
  lineWidth,
  type ScreenRow,
  type Span,
  type Style,
  span,
  textLine,
  toScreenRows,
} from '../../core/line.ts';
import type { ScreenAnnouncement, ScreenContext, SharedState } from '../../core/screen.ts';
import { toScreenFailure } from '../../services/failure.ts';
import { chartLines } from './fee-chart.ts';
import { CHART_ROWS, type OverviewRows, overviewRows, START_HERE_LINES } from './layout.ts';
import { ageText, attentionSummary, checkedText, factLines, requestedText, type TimeDisplay } from './lines.ts';
import { noOwnReason, ownLines } from './mine.ts';
import { startHereLines } from './start-here.ts';
import {
  answeredAtMs,
  answerParts,
  isAnyWaiting,
  type LineId,
  type NamedFinding,
  type OverviewState,
  orderedFindings,
} from './state.ts';

/** What is drawn, from the top; lines with an id can be selected. */
interface DrawnLine {
  readonly id: LineId | null;
  readonly line: Line;
}

interface OverviewPage {
  readonly rows: OverviewRows;
  readonly facts: readonly Fact[];
  readonly findings: readonly NamedFinding[];
  /** What is the user's. */
  readonly own: readonly OwnFact[];
  /** The selected line. */
  readonly selected: LineId;
  readonly clock: TimeDisplay;
}

/** The line that is shown when there are no findings. */
const NO_FINDINGS: LineId = 'findings';

export function overviewPage(state: OverviewState, { shared, area }: ScreenContext): OverviewPage {
  const clock = timeDisplay(state, shared);
  const facts = factLines(state, { nowMs: clock.nowMs, isSilent: isSilent(shared) });
  const findings = orderedFindings(state);
  const own = ownLines(state);
  const rows = overviewRows(area, {
    facts,
    mine: own.length,
    isNew: shared.isFirstStart,
  });
  const ids = selectableIds({ rows, findings, own });
  const first = findings[0]?.id ?? NO_FINDINGS;
  const selected = state.selected !== null && ids.includes(state.selected) ? state.selected : first;
  return { rows, facts, findings, own, selected, clock };
}

/** Every line that can be selected, from the top. */
export const selectableIds = ({
  rows,
  findings,
  own,
}: Pick<OverviewPage, 'rows' | 'findings' | 'own'>): readonly LineId[] => [
  ...rows.facts.map(({ id }) => id),
  ...(findings.length === 0 ? [NO_FINDINGS] : findings.map(({ id }) => id)),
  ...own.slice(0, rows.mine).map(({ id }) => id),
];

const isSilent = ({ node }: SharedState): boolean => node.contact.silentSinceMs !== null;

const timeDisplay = (state: OverviewState, { node, times }: SharedState): TimeDisplay => ({
  nowMs: Math.max(node.nowMs, answeredAtMs(state) ?? 0),
  isOfClock: times === 'clock',
});

/** The failure to show instead of the page: the node failed, or every part did and the first round is done. */
export function pageFailure({ asking, answers }: OverviewState, { node }: SharedState) {
  if (node.status === 'failed') return node.failure;
  const { statistics } = answers;
  const hasAllFailed = asking?.kind !== 'first' && answerParts(answers).every(({ kind }) => kind === 'failed');
  if (!hasAllFailed || statistics.kind !== 'failed') return undefined;
  return toScreenFailure(statistics.error ?? new Error(statistics.why));
}

export function drawOverview(state: OverviewState, context: ScreenContext): readonly ScreenRow[] {
  const { shared, area } = context;
  const failure = pageFailure(state, shared);
  if (failure !== undefined) return toScreenRows(drawFailure(failure, shared.node, area.columns, { isList: true }));
  return toScreenRows(drawnLines(state, context).map(({ line }) => cutLine(line, area.columns)));
}

/** The line that is drawn in a row. */
export const lineIdAtRow = (state: OverviewState, row: number, context: ScreenContext): LineId | undefined =>
  pageFailure(state, context.shared) === undefined ? (drawnLines(state, context)[row]?.id ?? undefined) : undefined;

function drawnLines(state: OverviewState, context: ScreenContext): readonly DrawnLine[] {
  const page = overviewPage(state, context);
  const { rows } = page;
  const { shared, area } = context;
  const { columns } = area;
  const marked = (id: LineId, line: Line): DrawnLine => ({
    id,
    line:
      id === page.selected
        ? selectedLine([span(safeText`>`, 'selected'), ...line], columns, shared)
        : [span(safeText` `), ...line],
  });
  const text = (line: Line): DrawnLine => ({ id: null, line });
  const gap = Array.from({ length: rows.gap }, () => text(BLANK));
  return [
    ...rows.facts.map(fact => marked(fact.id, drawFact(fact, columns, page.clock))),
    ...gap,
    text(attentionHead(state, page, columns)),
    ...padLines(
      [
        ...attentionLines(state, page, columns).map(({ id, line }) => marked(id, line)),
        ...clearRuleLines(state, page, columns).map(text),
      ],
      rows.findings,
    ),
    ...(rows.mine === 0 ? [] : gap),
    ...(page.own.length === 0
      ? [text(nothingMarked(state, columns))]
      : page.own.map(line => marked(line.id, drawOwn(line, page, columns)))
    ).slice(0, rows.mine),
    ...(rows.begin >= START_HERE_LINES ? gap : []),
    ...beginAndChart(state, page, columns).map(text),
  ];
}

function beginAndChart({ overview }: OverviewState, { rows }: OverviewPage, columns: number): readonly Line[] {
  const fees = overview?.fees ?? { kind: 'waiting' };
  const begin = startHereLines(rows.begin, columns);
  switch (rows.chart) {
    case 'none':
      return begin;
    case 'below-begin':
      return [...begin, BLANK, ...chartLines(fees, columns)];
    case 'beside-begin': {
      const left = Math.max(BEGIN_CELLS, Math.floor(columns / 2));
      const chart = chartLines(fees, columns - left);
      return Array.from({ length: CHART_ROWS }, (_, row) => [
        ...fillLine(cutLine(begin[row] ?? BLANK, left - 1), left),
        ...(chart[row] ?? BLANK),
      ]);
    }
  }
}

/** The longest of the lines on where to begin. */
const BEGIN_CELLS = 78;

const padLines = (lines: readonly DrawnLine[], rows: number): readonly DrawnLine[] => [
  ...lines.slice(0, rows),
  ...Array.from({ length: Math.max(0, rows - lines.length) }, () => ({ id: null, line: BLANK })),
];

const LABEL_CELLS = 8;
const AGE_CELLS = 7;
const BAR_CELLS = 20;

function drawFact(fact: Fact, columns: number, clock: TimeDisplay): Line {
  const { label, progress, chart, status } = fact;
  const head: Line = [span(safeText` ${fitCells(sanitize(label), LABEL_CELLS)}`, 'quiet')];
  const cells = columns - 2 - LABEL_CELLS;
  if (status !== 'known') {
    const text = truncateEnd(sanitize(fact.parts.join(', ')), cells);
    return [...head, span(text, status === 'unknown' ? 'bad' : 'quiet')];
  }
  const room = cells - AGE_CELLS;
  const [whole = '', ...rest] = fact.parts;
  const forms = [whole, ...(fact.shorter ?? [])];
  const first = forms.find(form => widthCells(sanitize(form)) <= room) ?? forms.at(-1) ?? '';
  const bar = progress === undefined || room < MIN_CELLS_FOR_BAR ? [] : drawBar(progress);
  const drawn: Span[] = [
    ...(chart === undefined ? [] : [span(sanitize(chart), 'accent'), span(safeText`  `)]),
    span(sanitize(first)),
    ...bar,
  ];
  const separator = span(sanitize(progress === undefined ? ' \u00b7 ' : '  '), 'quiet');
  for (const part of rest) {
    const more = [separator, span(sanitize(part))];
    if (lineWidth([...drawn, ...more]) <= room) drawn.push(...more);
  }
  const age = ageText(fact.atMs, clock);
  return [...head, ...fillLine(drawn, room), ...textLine(age.padStart(AGE_CELLS), 'quiet')];
}

/** In less room the bar is left out: the percentage is enough. */
const MIN_CELLS_FOR_BAR = 44;

function drawBar(progress: number): Line {
  const over = Math.round(progress * BAR_CELLS);
  return [
    span(safeText`  `),
    span(sanitize('\u2501'.repeat(over)), 'accent'),
    span(sanitize('\u2500'.repeat(BAR_CELLS - over)), 'quiet'),
  ];
}

function attentionHead(state: OverviewState, { rows, findings, selected }: OverviewPage, columns: number): Line {
  const { text, isGood, critical } = attentionSummary(state);
  const top = firstFindingIndex(state, { rows, findings, selected });
  const place =
    findings.length > rows.findings
      ? ` ${top + 1}-${Math.min(findings.length, top + rows.findings)} of ${findings.length} `
      : '';
  const head: Line = [
    span(safeText` Needs attention  `, 'strong'),
    span(sanitize(critical), 'bad'),
    span(sanitize(text.slice(critical.length)), isGood ? 'good' : 'quiet'),
  ];
  const room = columns - widthCells(sanitize(place));
  return [...fillLine(head, room), ...textLine(place, 'quiet')];
}

/** The index of the first finding drawn, scrolled so that the selected one is visible. */
export function firstFindingIndex(
  state: OverviewState,
  { rows, findings, selected }: Pick<OverviewPage, 'rows' | 'findings' | 'selected'>,
): number {
  const last = Math.max(0, findings.length - rows.findings);
  const index = findings.findIndex(({ id }) => id === selected);
  const top = Math.min(state.top, last);
  if (index < 0) return top;
  return Math.min(Math.max(top, index - rows.findings + 1), index);
}

function attentionLines(
  state: OverviewState,
  page: OverviewPage,
  columns: number,
): readonly { readonly id: LineId; readonly line: Line }[] {
  const { findings, rows } = page;
  if (findings.length === 0) return [{ id: NO_FINDINGS, line: textLine(` ${emptyText(state)}`, 'quiet') }];
  const top = firstFindingIndex(state, page);
  return findings
    .slice(top, top + rows.findings)
    .map(finding => ({ id: finding.id, line: drawFinding(finding, columns) }));
}

/** The rules that found nothing, below the findings. Left out if they do not all fit. */
function clearRuleLines(
  { overview }: OverviewState,
  { findings, rows }: OverviewPage,
  columns: number,
): readonly Line[] {
  if (overview === null || isAnyWaiting(overview)) return [];
  const names = overview.attention
    .filter(judged => judged.findings.length === 0)
    .map(({ about, looked }) =>
      looked.some(({ source }) => source === 'provisions') ? `${about} (one market)` : about,
    );
  if (names.length === 0) return [];
  const lines = wrapWords(sanitize(`none found: ${names.join(' \u00b7 ')}`), columns - BEFORE_FINDING);
  const spare = rows.findings - Math.max(1, findings.length) - lines.length;
  if (spare < 0) return [];
  return [
    ...(spare === 0 ? [] : [BLANK]),
    ...lines.map((line, index): Line => {
      const head: Line =
        index === 0 ? [span(safeText`  `), span(safeText`ok`, 'good'), span(safeText` `)] : [span(safeText`     `)];
      return [...head, span(line, 'quiet')];
    }),
  ];
}

/** The text shown when there are no findings. */
const emptyText = ({ overview }: OverviewState): string =>
  isAnyWaiting(overview)
    ? ' looking at bundles, oracle specs, provisions and validators ...'
    : ' nothing needs attention; provisions are checked on one market only';

const nothingMarked = (state: OverviewState, columns: number): Line => [
  span(safeText`  ${fitCells(safeText`Mine`, LABEL_CELLS)}`, 'strong'),
  span(sanitize(noOwnReason(state, columns - 2 - LABEL_CELLS)), 'quiet'),
];

function drawOwn(
  { id, label, sentence, status, atMs }: OwnFact,
  { own, rows, clock }: OverviewPage,
  columns: number,
): Line {
  const isFirst = own[0]?.id === id;
  const hidden = own.length - rows.mine;
  const isLast = hidden > 0 && own[rows.mine - 1]?.id === id;
  const head = fitCells(isFirst ? safeText`Mine` : safeText``, LABEL_CELLS);
  const age = ageText(atMs, clock);
  const more = [
    ...(age === '' ? [] : textLine(age.padStart(AGE_CELLS), 'quiet')),
    ...(isLast ? textLine(` +${hidden} more`, 'quiet') : []),
  ];
  const room = columns - 2 - LABEL_CELLS - lineWidth(more);
  const name = truncateMiddle(sanitize(label), MAX_TITLE_CELLS);
  const line: Line = [
    span(name, 'accent'),
    span(
      safeText`  ${cutAfterWord(sanitize(sentence), room - widthCells(name) - 2)}`,
      status === 'known' ? 'plain' : 'quiet',
    ),
  ];
  return [span(safeText` ${head}`, 'strong'), ...fillLine(line, room), ...more];
}

const MAX_TITLE_CELLS = 24;

const MARKS: { readonly [severity in Severity]: readonly [mark: SafeText, style: Style] } = {
  critical: [safeText`!!`, 'bad'],
  warning: [safeText`!`, 'pending'],
  info: [safeText`-`, 'plain'],
  unknown: [safeText`?`, 'quiet'],
};

/** The sentence of a critical finding has the colour of its mark. */
const SENTENCES: { readonly [severity in Severity]: Style } = {
  critical: 'bad',
  warning: 'plain',
  info: 'plain',
  unknown: 'quiet',
};

const MARK_CELLS = 3;

function drawFinding({ severity, sentence }: NamedFinding, columns: number): Line {
  const [mark, style] = MARKS[severity];
  // The space is a span of its own: a theme may underline a mark or give it a background.
  const padding = sanitize(' '.repeat(MARK_CELLS - widthCells(mark)));
  return [
    span(safeText` `),
    span(mark, style),
    span(padding),
    span(cutAfterWord(sanitize(sentence), columns - BEFORE_FINDING), SENTENCES[severity]),
  ];
}

/** Cells of the marks before a finding. */
const BEFORE_FINDING = 5;

/** Shortens a sentence at the end of a word. A lone word after a `;` is left out. A word is cut only if it is longer than the line. */
function cutAfterWord(text: SafeText, cells: number): SafeText {
  if (widthCells(text) <= cells) return text;
  const [first = EMPTY] = wrapWords(text, cells - 1);
  return sanitize(`${first.replace(/; \S*$|[,;:]$/, '')}\u2026`);
}

/** The text of the selected line, on the two lines below; it ends with `…` if it does not fit. */
export function overviewFoot(state: OverviewState, context: ScreenContext, rows: number): readonly Line[] {
  const { columns } = context.area;
  const text = pageFailure(state, context.shared) === undefined ? selectedSentence(state, context) : '';
  const lines = wrapWords(sanitize(text), columns - 3);
  const isCut = lines.length > rows;
  return Array.from({ length: rows }, (_, index): Line => {
    const part = lines[index];
    if (part === undefined) return BLANK;
    return [span(safeText` ${part}${sanitize(isCut && index === rows - 1 ? '\u2026' : '')}`, 'quiet')];
  });
}

/** The text of the selected line, with its sources. */
export function selectedSentence(state: OverviewState, context: ScreenContext): string {
  const { facts, findings, own, selected, clock } = overviewPage(state, context);
  const fact = facts.find(({ id }) => id === selected);
  if (fact !== undefined) {
    return `${fact.label}: ${fact.sentence}${requestedText(fact.atMs, clock)}`;
  }
  const mine = own.find(({ id }) => id === selected);
  if (mine !== undefined) return `${mine.label}: ${mine.sentence}${requestedText(mine.atMs, clock)}`;
  const finding = findings.find(({ id }) => id === selected);
  if (finding === undefined) return emptyText(state);
  const looked = checkedText(finding.looked, clock);
  return `${finding.sentence}${looked === '' ? '' : `; ${looked}`}`;
}

/** For a screen reader: what is known, the findings and what is yours, uncut, without ages and times. */
export function announcedOverview(state: OverviewState, context: ScreenContext): ScreenAnnouncement {
  const failure = pageFailure(state, context.shared);
  if (failure !== undefined)
    return { lines: [failure.title, ...failure.lines, `What to try: ${failure.hint}`], selected: '' };
  const { findings } = overviewPage(state, context);
  const facts = factLines(state, { nowMs: 0, isSilent: isSilent(context.shared) }).map(
    ({ label, status, sentence, steady }) => (status === 'waiting' ? '' : `${label}: ${steady ?? sentence}`),
  );
  return {
    lines: [
      ...facts.filter(line => line !== ''),
      `Needs attention: ${attentionSummary(state).text}`,
      ...findings.map(announcedFinding),
      ...ownLines(state).map(announcedOwn),
    ],
    selected: announcedSelected(state, context),
  };
}

const announcedOwn = ({ label, sentence }: OwnFact): string => `Mine: ${label}: ${sentence}`;

const announcedFinding = ({ severity, sentence }: NamedFinding): string => `${SEVERITY_NAMES[severity]}: ${sentence}`;

const SEVERITY_NAMES = { critical: 'critical', warning: 'warning', info: 'note', unknown: 'not known' } as const;

function announcedSelected(state: OverviewState, context: ScreenContext): string {
  const { facts, findings, own, selected } = overviewPage(state, context);
  const mine = own.find(({ id }) => id === selected);
  if (mine !== undefined) return announcedOwn(mine);
  const finding = findings.find(({ id }) => id === selected);
  if (finding !== undefined) return announcedFinding(finding);
  const fact = facts.find(({ id }) => id === selected);
  return fact === undefined ? emptyText(state) : `${fact.label}: ${fact.steady ?? fact.sentence}`;
}
