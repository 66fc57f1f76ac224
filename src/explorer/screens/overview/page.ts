import type { Fact } from '../../../attention/overview/facts/fact.ts';
import type { OwnFact } from '../../../attention/overview/facts/mine.ts';
import type { ScreenContext, SharedState } from '../../core/screen.ts';
import { toScreenFailure } from '../../services/failure.ts';
import { type OverviewRows, overviewRows } from './layout.ts';
import { factLines, type TimeDisplay } from './lines.ts';
import { ownLines } from './mine.ts';
import {
  answeredAtMs,
  answerParts,
  type LineId,
  type NamedFinding,
  type OverviewState,
  orderedFindings,
} from './state.ts';

export interface OverviewPage {
  readonly rows: OverviewRows;
  readonly facts: readonly Fact[];
  readonly findings: readonly NamedFinding[];
  /** The user's own records. */
  readonly own: readonly OwnFact[];
  /** The selected line. */
  readonly selected: LineId;
  readonly clock: TimeDisplay;
}

/** The line shown without findings. */
export const FINDINGS_LINE: LineId = 'findings';

export function overviewPage(state: OverviewState, { shared, area }: ScreenContext): OverviewPage {
  const clock = timeDisplay(state, shared);
  const facts = factLines(state, { nowMs: clock.nowMs, isSilent: isSilent(shared) });
  const findings = orderedFindings(state);
  const own = ownLines(state);
  const rows = overviewRows(area, { facts, mine: own.length });
  const ids = selectableIds({ rows, findings, own });
  const first = findings[0]?.id ?? FINDINGS_LINE;
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
  ...(findings.length === 0 ? [FINDINGS_LINE] : findings.map(({ id }) => id)),
  ...own.slice(0, rows.mine ?? 0).map(({ id }) => id),
];

const isSilent = ({ node }: SharedState): boolean => node.contact.silentSinceMs !== null;

const timeDisplay = (state: OverviewState, { node, times }: SharedState): TimeDisplay => ({
  nowMs: Math.max(node.nowMs, answeredAtMs(state) ?? 0),
  isOfClock: times === 'clock',
});

/** The failure to show instead of the page: the node failed, or every part did and the first round is done. */
export function failureInsteadOfPage({ asking, answers }: OverviewState, { node }: SharedState) {
  if (node.status === 'failed') return node.failure;
  const { statistics } = answers;
  const hasAllFailed = asking?.kind !== 'first' && answerParts(answers).every(({ kind }) => kind === 'failed');
  if (!hasAllFailed || statistics.kind !== 'failed') return undefined;
  return toScreenFailure(statistics.error ?? new Error(statistics.why));
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
