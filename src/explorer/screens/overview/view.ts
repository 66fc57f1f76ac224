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
  fillRows,
  type Line,
  lineWidth,
  type ScreenRow,
  type Span,
  type Style,
  span,
  textLine,
  toScreenRows,
} from '../../core/line.ts';
import { linesRangeText } from '../../core/list.ts';
import { ruleTitle, titledRule } from '../../core/rule.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { chartLines } from './fee-chart.ts';
import { ageText, attentionSummary, type TimeDisplay } from './lines.ts';
import { noOwnReason } from './mine.ts';
import { FINDINGS_LINE, failureInsteadOfPage, firstFindingIndex, type OverviewPage, overviewPage } from './page.ts';
import { emptyText } from './sentences.ts';
import { startHereLines } from './start-here.ts';
import { isAnyWaiting, type LineId, type NamedFinding, type OverviewState } from './state.ts';

export function drawOverview(state: OverviewState, context: ScreenContext): readonly ScreenRow[] {
  const { shared, area } = context;
  const failure = failureInsteadOfPage(state, shared);
  if (failure !== undefined) return toScreenRows(drawFailure(failure, shared.node, area.columns, { isList: true }));
  return toScreenRows(drawnLines(state, context).map(line => cutLine(line, area.columns)));
}

function drawnLines(state: OverviewState, context: ScreenContext): readonly Line[] {
  const page = overviewPage(state, context);
  const { rows } = page;
  const { shared, area } = context;
  const { columns } = area;
  const marked = (id: LineId, line: Line): Line =>
    id === page.selected
      ? selectedLine([span(safeText`>`, 'selected'), ...line], columns, shared)
      : [span(safeText` `), ...line];
  const gap = Array.from({ length: rows.gap }, () => BLANK);
  return [
    ...rows.facts.map(fact => marked(fact.id, drawFact(fact, columns, page.clock))),
    ...gap,
    attentionHead(state, page, columns),
    ...fillRows(
      [
        ...attentionLines(state, page, columns).map(({ id, line }) => marked(id, line)),
        ...clearRuleLines(state, page, columns),
      ],
      rows.findings,
    ),
    ...(rows.mine === null
      ? []
      : [
          ...gap,
          mineHead(state, page, columns),
          ...page.own.slice(0, rows.mine).map(line => marked(line.id, drawOwn(line, page, columns))),
        ]),
    ...beginAndChart(state, page, columns),
  ];
}

function beginAndChart({ overview }: OverviewState, { rows }: OverviewPage, columns: number): readonly Line[] {
  const fees = overview?.fees ?? { kind: 'waiting' };
  const gap = Array.from({ length: rows.begin === 0 ? 0 : rows.gap }, () => BLANK);
  switch (rows.chart) {
    case 'none':
      return rows.begin === 0 ? [] : [...gap, ...startHereLines(columns)];
    case 'below-begin':
      return [...gap, ...startHereLines(columns), BLANK, ...chartLines(fees, { columns, rows: rows.chartRows })];
    case 'beside-begin': {
      const left = Math.max(BEGIN_CELLS, Math.floor(columns / 2));
      const begin = startHereLines(left - 1);
      const chart = chartLines(fees, { columns: columns - left, rows: rows.chartRows });
      return [
        ...gap,
        ...Array.from({ length: rows.chartRows }, (_, row) => [
          ...fillLine(begin[row] ?? BLANK, left),
          ...(chart[row] ?? BLANK),
        ]),
      ];
    }
  }
}

/** The longest of the lines on where to begin. */
const BEGIN_CELLS = 76;

const LABEL_CELLS = 9;

const AGE_CELLS = 7;

const BAR_CELLS = 20;

function drawFact(fact: Fact, columns: number, clock: TimeDisplay): Line {
  const { label, progress, chart, status } = fact;
  const head: Line = [span(fitCells(sanitize(label), LABEL_CELLS), 'strong')];
  const cells = columns - 1 - LABEL_CELLS;
  if (status !== 'known') {
    const text = truncateEnd(sanitize(fact.parts.join(', ')), cells);
    return [...head, span(text, status === 'unknown' ? 'pending' : 'quiet')];
  }
  // A continued line has the age of the fact above.
  const room = fact.isBelow === true ? cells : cells - AGE_CELLS;
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
  if (fact.isBelow === true) return [...head, ...drawn];
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

function attentionHead(state: OverviewState, page: OverviewPage, columns: number): Line {
  const { rows, findings } = page;
  const { parts, isGood, isCritical } = attentionSummary(state);
  const counts = parts.flatMap((text, index): Line => {
    const style = index === 0 && isCritical ? 'bad' : isGood ? 'good' : 'plain';
    return [...(index === 0 ? [] : textLine(' \u00b7 ')), ...textLine(text, style)];
  });
  const place =
    findings.length === 0
      ? ''
      : linesRangeText({ top: firstFindingIndex(state, page) }, findings.length, rows.findings);
  return titledRule([ruleTitle('Needs attention'), counts], columns, place === '' ? [] : textLine(place));
}

function attentionLines(
  state: OverviewState,
  page: OverviewPage,
  columns: number,
): readonly { readonly id: LineId; readonly line: Line }[] {
  const { findings, rows } = page;
  if (findings.length === 0) return [{ id: FINDINGS_LINE, line: textLine(emptyText(state)) }];
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
  const lines = wrapWords(sanitize(`none of these: ${names.join(' \u00b7 ')}`), columns - BEFORE_SUBJECT);
  const spare = rows.findings - Math.max(1, findings.length) - lines.length;
  if (spare < 0) return [];
  return [
    ...(spare === 0 ? [] : [BLANK]),
    ...lines.map((line, index): Line => {
      const head: Line =
        index === 0
          ? [span(safeText` `), span(fitCells(safeText`ok`, SEVERITY_CELLS), 'good')]
          : [span(sanitize(' '.repeat(BEFORE_SUBJECT)))];
      return [...head, span(line)];
    }),
  ];
}

/** The user's own, or why there is nothing to show. */
function mineHead(state: OverviewState, { own, rows }: OverviewPage, columns: number): Line {
  const title = ruleTitle('Mine');
  const hidden = own.length - (rows.mine ?? 0);
  if (own.length === 0) return titledRule([title, textLine(noOwnReason(state, columns - MINE_RULE_CELLS))], columns);
  return titledRule([title], columns, hidden > 0 ? textLine(`+${hidden} more`) : []);
}

/** The title and the dashes around it. */
const MINE_RULE_CELLS = 13;

function drawOwn({ label, sentence, status, atMs }: OwnFact, { clock }: OverviewPage, columns: number): Line {
  const age = ageText(atMs, clock);
  const more = age === '' ? [] : textLine(age.padStart(AGE_CELLS), 'quiet');
  const room = columns - 1 - lineWidth(more);
  const name = truncateMiddle(sanitize(label), MAX_TITLE_CELLS);
  const line: Line = [
    span(name, 'accent'),
    span(
      safeText`  ${cutAfterWord(sanitize(sentence), room - widthCells(name) - 2)}`,
      status === 'known' ? 'plain' : 'quiet',
    ),
  ];
  return [...fillLine(line, room), ...more];
}

const MAX_TITLE_CELLS = 24;

const SEVERITIES: { readonly [severity in Severity]: readonly [word: SafeText, style: Style] } = {
  critical: [safeText`CRITICAL`, 'bad'],
  warning: [safeText`WARNING`, 'pending'],
  info: [safeText`note`, 'plain'],
  unknown: [safeText`not known`, 'plain'],
};

/** The longest word and a space. */
const SEVERITY_CELLS = 10;

/** Cells of the mark and the severity. */
const BEFORE_SUBJECT = 1 + SEVERITY_CELLS;

function drawFinding({ severity, subject, fact }: NamedFinding, columns: number): Line {
  const [word, style] = SEVERITIES[severity];
  // The space is a span of its own: a theme may underline a word or give it a background.
  const padding = sanitize(' '.repeat(SEVERITY_CELLS - widthCells(word)));
  const cells = subjectCells(columns);
  const room = columns - BEFORE_SUBJECT;
  const about = sanitize(subject);
  const isInColumn = cells > 0 && widthCells(about) <= cells;
  const rest = isInColumn ? room - cells - 2 : room - widthCells(about) - 2;
  return [
    span(word, style),
    span(padding),
    span(isInColumn ? fitCells(about, cells) : about, severity === 'critical' ? 'strong' : 'plain'),
    span(isInColumn ? safeText`  ` : safeText`: `),
    span(cutAfterWord(sanitize(fact), rest)),
  ];
}

/** The column of subjects, as wide whatever is found; none on a narrow screen. */
const subjectCells = (columns: number): number =>
  columns < MIN_CELLS_FOR_COLUMNS ? 0 : Math.min(MAX_SUBJECT_CELLS, Math.floor((columns - BEFORE_SUBJECT) * 0.38));

const MIN_CELLS_FOR_COLUMNS = 70;

const MAX_SUBJECT_CELLS = 32;

/** Shortens a sentence at the end of a word. A lone word after a `;` is left out. A word is cut only if it is longer than the line. */
function cutAfterWord(text: SafeText, cells: number): SafeText {
  if (widthCells(text) <= cells) return text;
  const [first = EMPTY] = wrapWords(text, cells - 1);
  return sanitize(`${first.replace(/; \S*$|[,;:]$/, '')}\u2026`);
}
