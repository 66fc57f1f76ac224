import type { FactLead } from '../../../attention/overview/facts/fact.ts';
import type { OwnFact } from '../../../attention/overview/facts/mine.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { wrapWords } from '../../../base/text/width.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { BLANK, type Line, span } from '../../core/line.ts';
import type { ScreenAnnouncement, ScreenContext } from '../../core/screen.ts';
import { TABS } from '../../tabs.ts';
import { attentionSummary, checkedText, findingTarget, requestedText } from './lines.ts';
import { ownLines } from './mine.ts';
import { failureInsteadOfPage, overviewPage } from './page.ts';
import { isAnyWaiting, type NamedFinding, type OverviewState } from './state.ts';

/** The text shown without findings. */
export const emptyText = ({ overview }: OverviewState): string =>
  isAnyWaiting(overview) ? 'looking at bundles, oracle specs, provisions and validators ...' : 'no rule found anything';

/** The sentences about the selected line, as many as the rows below have room for; the first one ends with `…` where not even that has. */
export function overviewFoot(state: OverviewState, context: ScreenContext, rows: number): readonly Line[] {
  const cells = context.area.columns - 2;
  const sentences = failureInsteadOfPage(state, context.shared) === undefined ? selectedSentences(state, context) : [];
  const wrapped = (count: number) => wrapWords(sanitize(sentences.slice(0, count).join(' ')), cells);
  const fitting = sentences.findLastIndex((_, index) => wrapped(index + 1).length <= rows);
  const lines = fitting < 0 ? wrapped(1) : wrapped(fitting + 1);
  const isCut = lines.length > rows;
  return Array.from({ length: rows }, (_, index): Line => {
    const part = lines[index];
    if (part === undefined) return BLANK;
    return [span(safeText` ${part}${sanitize(isCut && index === rows - 1 ? '\u2026' : '')}`)];
  });
}

/** The text of the selected line, with its sources. */
export const selectedSentence = (state: OverviewState, context: ScreenContext): string =>
  selectedSentences(state, context).join(' ');

/** The most important first. */
function selectedSentences(state: OverviewState, context: ScreenContext): readonly string[] {
  const { facts, findings, own, selected, clock } = overviewPage(state, context);
  const fact = [...facts, ...own].find(({ id }) => id === selected);
  if (fact !== undefined)
    return [
      wholeSentence(`${fact.label}: ${fact.sentence}${requestedText(fact.atMs, clock)}`),
      ...leadSentence(fact.lead),
    ];
  const finding = findings.find(({ id }) => id === selected);
  if (finding === undefined) return [wholeSentence(emptyText(state))];
  const looked = checkedText(finding.looked, clock);
  return [
    ...(finding.details ?? [finding.sentence]).map(wholeSentence),
    ...leadSentence(findingTarget(finding, state)),
    ...(looked === '' ? [] : [wholeSentence(looked)]),
  ];
}

const wholeSentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/(?:[.!?]|\.\.\.)$/.test(text) ? '' : '.'}`;

/** What Enter opens; nothing where that is only more of the same text. */
function leadSentence(lead: FactLead): readonly string[] {
  switch (lead.kind) {
    case 'record':
      return [`Enter opens the ${resourceById(lead.resource)?.singular ?? 'record'}.`];
    case 'list':
      return [`Enter opens the ${tabTitle(lead.goal.resource)}.`];
    case 'tab':
      return [`Enter opens the ${tabTitle(lead.tab)}.`];
    case 'nodes':
      return ['Enter opens the list of nodes.'];
    case 'changes':
      return ['Enter opens the changes.'];
    case 'text':
      return [];
  }
}

const tabTitle = (id: string): string => (TABS.find(tab => tab.id === id)?.title ?? 'list').toLowerCase();

/** For a screen reader, once complete: the number of findings, a line for each, and the user's own; without ages and times. */
export function announcedOverview(state: OverviewState, context: ScreenContext): ScreenAnnouncement {
  const failure = failureInsteadOfPage(state, context.shared);
  if (failure !== undefined)
    return { lines: [failure.title, ...failure.lines, `What to try: ${failure.hint}`], selected: '' };
  if (state.overview === null || state.asking?.kind === 'first') return { lines: [], selected: '', isPartial: true };
  const { findings } = overviewPage(state, context);
  return {
    lines: [
      `Needs attention: ${attentionSummary(state).parts.join(', ')}`,
      ...findings.map(announcedFinding),
      ...ownLines(state).map(announcedOwn),
    ],
    selected: announcedSelected(state, context),
  };
}

const announcedOwn = ({ label, sentence }: OwnFact): string => `Mine: ${label}: ${sentence}`;

const announcedFinding = ({ severity, subject, fact }: NamedFinding): string =>
  `${SEVERITY_NAMES[severity]}: ${subject}: ${fact}`;

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
