import type { Fact, FactContext, FactLead } from '../../../attention/overview/facts/fact.ts';
import { overviewFacts } from '../../../attention/overview/facts/facts.ts';
import type { Overview } from '../../../attention/overview/overview.ts';
import {
  countAttention,
  nothingFoundText,
  severityText,
  severityTexts,
} from '../../../attention/rules/finding-counts.ts';
import { type CheckedSource, SOURCE_TITLES } from '../../../attention/rules/rule.ts';
import { shortDuration } from '../../../base/text/duration.ts';
import { MINUTE_MS } from '../../../base/text/time.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import type { AttentionCount } from '../../core/screen.ts';
import { isAnyWaiting, type NamedFinding, type OverviewState, orderedFindings } from './state.ts';

/** The lines about the chain. */
export const factLines = ({ overview, changed = null }: OverviewState, moment: FactContext): readonly Fact[] =>
  overviewFacts(overview ?? NOTHING, changed, moment).filter(({ id }) => id !== IN_HEADER);

/** The header has the node, and the findings its problems. */
const IN_HEADER = 'node';

const WAITING = { kind: 'waiting' } as const;

const NOTHING: Pick<Overview, 'node' | 'epoch' | 'network' | 'fees'> = {
  node: WAITING,
  epoch: WAITING,
  network: { markets: WAITING, validators: WAITING, assets: WAITING, specs: WAITING, bundles: WAITING },
  fees: WAITING,
};

/** What Enter opens on a finding. A node lists provisions by market or party only. */
export function findingTarget({ resource, key, rule }: NamedFinding, { answers }: OverviewState): FactLead {
  if (resource === null || key === null) return rule === 'node-behind' ? { kind: 'nodes' } : { kind: 'text' };
  const { provisions } = answers;
  if (resource !== 'provisions' || provisions.kind !== 'answered') return { kind: 'record', resource, key };
  return { kind: 'record', resource, key, filters: { marketId: [provisions.value.marketId] } };
}

/** `1 critical`, `5 warnings`, or what the rules still wait for. */
export function attentionSummary(state: OverviewState): {
  readonly parts: readonly string[];
  readonly isGood: boolean;
  /** The first part is about critical findings. */
  readonly isCritical: boolean;
} {
  const { overview } = state;
  const attention = overview?.attention ?? [];
  const counts = countAttention(attention, orderedFindings(state));
  const { all, waiting } = counts.rules;
  if (overview === null || waiting === all) return { parts: ['looking ...'], isGood: false, isCritical: false };
  const found = severityTexts(counts);
  const rest = waiting === 0 ? [] : [`${waiting} of ${all} rules wait for answers`];
  const isCritical = counts.bySeverity.critical > 0;
  if (found.length > 0 || waiting > 0) return { parts: [...found, ...rest], isGood: false, isCritical };
  return { parts: [nothingFoundText(counts)], isGood: true, isCritical };
}

/** The findings that the header of every screen counts, once no rule waits for an answer. */
export function overviewAlarms(state: OverviewState): readonly AttentionCount[] {
  if (isAnyWaiting(state.overview)) return [];
  const counts = countAttention(state.overview?.attention ?? [], orderedFindings(state));
  return (['critical', 'warning'] as const).flatMap(severity => {
    const text = severityText(counts, severity);
    return text === '' ? [] : [{ severity, text }];
  });
}

/** What a rule looked at, and how long ago. */
export function checkedText(looked: readonly CheckedSource[], clock: TimeDisplay): string {
  const sources = looked.map(({ source, records, atMs }) => {
    const title = SOURCE_TITLES[source];
    const what = records === null ? title : countOf(records, title.replace(/s(?= of |$)/, ''), title);
    return `${what}${requestedText(atMs, clock)}`;
  });
  return sources.length === 0 ? '' : `checked ${sources.join(', ')}`;
}

/** The time of now, and how times are shown. */
export interface TimeDisplay {
  readonly nowMs: number;
  /** As times of the day, not as ages. */
  readonly isOfClock: boolean;
}

/** How old an answer is, or when it came; '' while it is younger than a minute. */
export function ageText(atMs: number | null, { nowMs, isOfClock }: TimeDisplay): string {
  if (atMs === null || nowMs - atMs < MINUTE_MS) return '';
  return isOfClock ? new Date(atMs).toISOString().slice(11, 16) : shortDuration(nowMs - atMs);
}

/** The same behind a sentence. */
export function requestedText(atMs: number | null, clock: TimeDisplay): string {
  const age = ageText(atMs, clock);
  if (age === '') return '';
  return clock.isOfClock ? ` (asked at ${age} UTC)` : ` (asked ${age} ago)`;
}
