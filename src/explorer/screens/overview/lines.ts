import { type Extent, SOURCE_TITLES } from '../../../attention/rule.ts';
import type { Loading } from '../../../attention/seen.ts';
import { changedParts, shorterChanged } from '../../../diff/changed-text.ts';
import type { RecentChanges } from '../../../diff/recent-changes.ts';
import { sparkline } from '../../../insight/bar.ts';
import { countOf, countText } from '../../../insight/count-of.ts';
import { duration } from '../../../insight/duration.ts';
import type { FeeFacts } from '../../../overview/fees.ts';
import type { NetworkFacts, NodeFacts, Overview } from '../../../overview/overview.ts';
import type { EpochFacts } from '../../../overview/seen.ts';
import {
  epochEnd,
  feesText,
  historyText,
  NO_FEES,
  NOT_ANSWERED,
  networkParts,
  nodeParts,
  notKnown,
  seriesText,
} from '../../../overview/sentences.ts';
import type { FilterValues } from '../../../resources/filter.ts';
import type { Goal } from '../../../resources/leads.ts';
import { findingsOf, type LineId, type NamedFinding, type OverviewState } from './state.ts';

/** A line about the chain. */
export interface FactLine {
  readonly id: LineId;
  readonly label: string;
  /** Whole thoughts, the most important first: those that fit are drawn. */
  readonly parts: readonly string[];
  /** Shorter forms of the first part, the longest first. */
  readonly shorter?: readonly string[];
  /** Waited for, known, or why it is not known. */
  readonly status: 'waiting' | 'known' | 'unknown';
  /** When it was answered; null if it was not. */
  readonly atMs: number | null;
  /** The part that is over, 0 to 1, as a bar behind the first part. */
  readonly progress?: number;
  /** Drawn before the parts. */
  readonly chart?: string;
  readonly sentence: string;
  /** The same without ages and times, for a screen reader. */
  readonly steady?: string;
  readonly target: LineTarget;
}

/** What Enter opens. */
export type LineTarget =
  | { readonly kind: 'record'; readonly resource: string; readonly key: string; readonly filters?: FilterValues }
  | { readonly kind: 'list'; readonly goal: Goal }
  | { readonly kind: 'tab'; readonly tab: string }
  | { readonly kind: 'nodes' | 'changes' }
  /** It leads to no record: the whole sentence. */
  | { readonly kind: 'text' };

export interface FactsAt {
  readonly nowMs: number;
  /** The node does not answer now. */
  readonly isSilent: boolean;
}

export function factLines({ overview, changed }: OverviewState, { nowMs, isSilent }: FactsAt): readonly FactLine[] {
  const { node, epoch, network, fees } = overview ?? NOTHING;
  const history = node.kind === 'read' ? node.value.history : node;
  return [
    factLine({ id: 'node', label: 'Node', source: node, target: { kind: 'nodes' } }, facts =>
      nodeLine(facts, isSilent),
    ),
    factLine({ id: 'history', label: 'History', source: history, target: HISTORY_TARGET }, value => ({
      parts: [historyText(value)],
    })),
    factLine({ id: 'epoch', label: 'Epoch', source: epoch, target: EPOCH_LENGTH }, value =>
      epochLine(value, epoch.kind === 'read' ? nowMs - epoch.atMs : 0),
    ),
    networkLine(network),
    factLine({ id: 'fees', label: 'Fees', source: fees, target: feesTarget(fees) }, feesLine),
    factLine({ id: 'trend', label: 'Trend', source: trendOf(fees), target: trendTarget(fees) }, trendLine),
    ...(changed === null || changed === undefined ? [] : [changedLine(changed, nowMs)]),
  ];
}

/** What stored snapshots say. */
function changedLine(changed: RecentChanges, nowMs: number): FactLine {
  const parts = changedParts(changed, nowMs);
  const sentence = `${parts.join('; ')}. D compares with the node now.`;
  return {
    ...{ id: 'changed', label: 'Changed', parts, shorter: shorterChanged(changed, nowMs), sentence },
    ...{ status: 'known', atMs: null, target: { kind: 'changes' } },
  };
}

const WAITING = { kind: 'waiting' } as const;

const NOTHING: Pick<Overview, 'node' | 'epoch' | 'network' | 'fees'> = {
  node: WAITING,
  epoch: WAITING,
  network: { markets: WAITING, validators: WAITING, assets: WAITING, specs: WAITING, bundles: WAITING },
  fees: WAITING,
};

/** It shows the segments where a range is chosen. */
const HISTORY_TARGET: LineTarget = { kind: 'tab', tab: 'export' };

/** It says how long an epoch takes. */
const EPOCH_LENGTH: LineTarget = { kind: 'record', resource: 'parameters', key: 'validators.epoch.length' };

interface Fact<Value> extends Pick<FactLine, 'id' | 'label' | 'target'> {
  readonly source: Loading<Value>;
}

type Known = Pick<FactLine, 'parts' | 'shorter' | 'progress' | 'chart' | 'steady'> & { readonly sentence?: string };

function factLine<Value>({ source, ...line }: Fact<Value>, say: (value: Value) => Known): FactLine {
  switch (source.kind) {
    case 'waiting':
      return { ...line, parts: [NOT_ANSWERED], status: 'waiting', atMs: null, sentence: NOT_ANSWERED };
    case 'unread': {
      const why = notKnown(source.why);
      return { ...line, parts: [why], status: 'unknown', atMs: null, sentence: why, target: { kind: 'text' } };
    }
    case 'read': {
      const known = say(source.value);
      const gap = source.gap === '' ? [] : [`in part: ${source.gap}`];
      const parts = [...known.parts, ...gap];
      const sentence = [known.sentence ?? known.parts.join(', '), ...gap].join(', ');
      return { ...line, ...known, parts, status: 'known', atMs: source.atMs, sentence };
    }
  }
}

/** Chain and block are in the header. */
function nodeLine(facts: NodeFacts, isSilent: boolean): Known {
  if (facts.gone !== null) return { parts: [notKnown(facts.gone)] };
  const [version = '', chain = '', block = '', beside = ''] = nodeParts(facts);
  const core = isSilent && facts.behindBlocks !== null ? `was ${beside}` : beside;
  const steady = [version, chain, core].join(', ');
  return { parts: [version, core], sentence: [version, chain, block, core].join(', '), steady };
}

function epochLine(facts: EpochFacts, answeredBeforeMs: number): Known {
  const { seq, progress, startMs, endMs, isLast } = facts;
  // The clock of a chain that has ended stands still.
  const sinceMs = isLast ? 0 : answeredBeforeMs;
  const steady = endMs === null ? seq : `${seq}, due to end at ${new Date(endMs).toISOString().slice(11, 16)} UTC`;
  const passed =
    progress === null || startMs === null || endMs === null
      ? null
      : Math.min(1, progress + sinceMs / (endMs - startMs));
  const end = epochEnd(facts, sinceMs);
  if (passed === null) return { parts: [seq, end], steady };
  const percent = `${Math.floor(passed * 100)} % done`;
  return { parts: [seq, end, percent], progress: passed, sentence: `${seq}, ${end}, ${percent}`, steady };
}

function networkLine(network: NetworkFacts): FactLine {
  const lists = Object.values(network);
  const line = { id: 'network', label: 'Network' };
  const parts = networkParts(network);
  const sentence = parts.join(', ');
  const answered = lists.flatMap(list => (list.kind === 'read' ? [list.atMs] : []));
  const target: LineTarget = { kind: 'tab', tab: 'markets' };
  if (answered.length > 0) return { ...line, parts, sentence, status: 'known', atMs: Math.min(...answered), target };
  const status = lists.some(({ kind }) => kind === 'waiting') ? 'waiting' : 'unknown';
  return status === 'waiting'
    ? { ...line, parts: [NOT_ANSWERED], sentence: NOT_ANSWERED, status, atMs: null, target }
    : { ...line, parts, sentence, status, atMs: null, target: { kind: 'text' } };
}

function feesLine(facts: FeeFacts): Known {
  const { epoch, markets, totals } = facts;
  if (epoch === null) return { parts: [NO_FEES], sentence: NO_FEES };
  const [first] = totals;
  const more = totals.length > 1 ? ` and ${countOf(totals.length - 1, 'more asset')}` : '';
  const head = `epoch ${epoch}: `;
  const short = `${head}${first?.text ?? 'nothing'}${more}`;
  const on = `on ${countOf(markets, 'market')}`;
  const shorter = [
    `${short} ${on}`,
    short,
    ...(totals.length > 1
      ? [`${head}${first?.text} +${totals.length - 1} more`, `${head}${countOf(totals.length, 'asset')} ${on}`]
      : []),
  ];
  return { parts: [feesText(facts)], shorter, sentence: `${feesText(facts)}, allocated to liquidity providers` };
}

function trendLine({ epoch, series, totals }: FeeFacts): Known {
  if (epoch === null) return { parts: ['none'], sentence: 'none' };
  if (series === null) return { parts: [] };
  const of = seriesText(series, totals);
  return {
    parts: [of],
    chart: sparkline(series.epochs.map(({ raw }) => BigInt(raw))),
    sentence: `fees of the ${of}`,
  };
}

/** The fees of the last epochs, which may not be known where those of the newest are. */
function trendOf(fees: Loading<FeeFacts>): Loading<FeeFacts> {
  if (fees.kind !== 'read' || fees.value.series !== null || fees.value.epoch === null) return fees;
  return fees.value.why === 'waiting' ? WAITING : { kind: 'unread', why: fees.value.why };
}

function feesTarget(fees: Loading<FeeFacts>): LineTarget {
  if (fees.kind !== 'read' || fees.value.epoch === null) return { kind: 'tab', tab: 'fees' };
  const lead = { entity: 'epoch', id: fees.value.epoch } as const;
  return { kind: 'list', goal: { kind: 'list', resource: 'fees', filter: 'epochSeq', lead } };
}

/** The market that the chart is of. */
function trendTarget(fees: Loading<FeeFacts>): LineTarget {
  const id = fees.kind === 'read' ? (fees.value.series?.marketId ?? null) : null;
  if (id === null) return feesTarget(fees);
  return { kind: 'record', resource: 'markets', key: id };
}

/** What Enter opens on a finding. A node lists provisions by market or party only. */
export function findingTarget({ resource, key, rule }: NamedFinding, { answers }: OverviewState): LineTarget {
  if (resource === null || key === null) return rule === 'node-behind' ? { kind: 'nodes' } : { kind: 'text' };
  const { provisions } = answers;
  if (resource !== 'provisions' || provisions.kind !== 'answered') return { kind: 'record', resource, key };
  return { kind: 'record', resource, key, filters: { marketId: [provisions.value.marketId] } };
}

/** `1 critical, 5 warnings`, or what is not known yet. */
export function attentionSummary(state: OverviewState): {
  readonly text: string;
  readonly isGood: boolean;
  /** The part of the text about critical findings; '' if there is none. */
  readonly critical: string;
} {
  const { overview } = state;
  const attention = overview?.attention ?? [];
  const waiting = attention.filter(({ isWaiting }) => isWaiting).length;
  if (overview === null || waiting === attention.length) return { text: 'looking ...', isGood: false, critical: '' };
  const findings = findingsOf(state);
  const counts = SEVERITY_WORDS.flatMap(([severity, one, many]) => {
    const count = findings.filter(finding => finding.severity === severity).length;
    return count === 0 ? [] : [`${countText(count)} ${count === 1 ? one : many}`];
  });
  const rest = waiting === 0 ? [] : [`${waiting} of ${attention.length} rules wait for answers`];
  const critical = findings.some(({ severity }) => severity === 'critical') ? (counts[0] ?? '') : '';
  if (counts.length > 0 || waiting > 0) return { text: [...counts, ...rest].join(', '), isGood: false, critical };
  return { text: `nothing found by ${countOf(attention.length, 'rule')}`, isGood: true, critical };
}

const SEVERITY_WORDS = [
  ['critical', 'critical', 'critical'],
  ['warning', 'warning', 'warnings'],
  ['info', 'note', 'notes'],
  ['unknown', 'not known', 'not known'],
] as const;

/** What a rule looked at, and how long ago. */
export function lookedText(looked: readonly Extent[], clock: LineClock): string {
  const sources = looked.map(({ source, records, atMs }) => {
    const title = SOURCE_TITLES[source];
    const what = records === null ? title : countOf(records, title.replace(/s(?= of |$)/, ''), title);
    return `${what}${askedText(atMs, clock)}`;
  });
  return sources.length === 0 ? '' : `looked at ${sources.join(', ')}`;
}

/** The time of now, and how times are shown. */
export interface LineClock {
  readonly nowMs: number;
  /** As times of the day, not as ages. */
  readonly isOfClock: boolean;
}

const MINUTE_MS = 60_000;

/** How old an answer is, or when it came; '' while it is younger than a minute. */
export function ageText(atMs: number | null, { nowMs, isOfClock }: LineClock): string {
  if (atMs === null || nowMs - atMs < MINUTE_MS) return '';
  return isOfClock ? new Date(atMs).toISOString().slice(11, 16) : duration(nowMs - atMs);
}

/** The same behind a sentence. */
export function askedText(atMs: number | null, clock: LineClock): string {
  const age = ageText(atMs, clock);
  if (age === '') return '';
  return clock.isOfClock ? ` (asked at ${age} UTC)` : ` (asked ${age} ago)`;
}
