import { NO_ANSWERS, type OverviewAnswers, type PartAnswer } from '../../../attention/overview/answers.ts';
import type { Overview } from '../../../attention/overview/overview.ts';
import type { Severity } from '../../../attention/rules/rule.ts';
import { type RankedFinding, sortBySeverity } from '../../../attention/rules/severity.ts';
import type { Mine } from '../../../chain/directory/mine.ts';
import type { RecentChanges } from '../../../memory/diff/recent-changes.ts';
import type { PlainAction } from '../../core/action.ts';
import type { MineRead } from '../../services/mine/mine.ts';

/** The data of the overview, and its requests. */
export interface OverviewState {
  /** Its tab was shown: the node is asked from then on. */
  readonly isWanted: boolean;
  readonly asking: OverviewAsking | null;
  /** The id of the current or last request; each request has a new one. */
  readonly requestId: number;
  readonly answers: OverviewAnswers;
  /** Null before the first answer. */
  readonly overview: Overview | null;
  /** The user's own records that it was judged by; undefined before they are read. */
  readonly mine: Mine | undefined;
  /** What the explorer had marked when that was taken note of. */
  readonly marked: Mine | undefined;
  /** Between stored snapshots; null if there are none to compare, undefined before they were read. */
  readonly changed: RecentChanges | null | undefined;
  /** They are read again with the whole overview. */
  readonly isChangedOld: boolean;
  /** Findings in the order shown. */
  readonly order: readonly string[];
  /** The selected line; null until a key or a click: the first finding. */
  readonly selected: LineId | null;
  /** The first finding that is drawn. */
  readonly top: number;
  /** Minutes that have passed on this screen. */
  readonly minutes: number;
}

/** All of the overview, for the first time or again, or the part whose turn it is. */
type OverviewAsking =
  /** `isEarly`: warnings wait a moment for worse findings, so that none moves. */
  { readonly kind: 'first'; readonly isEarly: boolean } | { readonly kind: 'all' | 'part' };

/** Of a line about the chain, or of a finding. */
export type LineId = string;

/** Answers, and their assessment. */
export interface KnownOverview {
  readonly answers: OverviewAnswers;
  readonly overview: Overview;
  /** The records taken as the user's own. */
  readonly mine: Mine | undefined;
}

export type OverviewEvent =
  /** `heard`: answers since the last of these events, even if the previous answer is shown instead. */
  | ({ readonly type: 'answered'; readonly heard: readonly PartAnswer<unknown>[] } & KnownOverview)
  /** The user's own records were read again, for every screen. */
  | MineRead
  /** A record was marked as the user's in the explorer, or was unmarked. */
  | ({ readonly type: 'marked' } & KnownOverview)
  /** `busy`: the number of answers that are previous ones, because the node limits requests. */
  | { readonly type: 'complete'; readonly busy: number }
  | { readonly type: 'changes-read'; readonly changed: RecentChanges | null }
  | { readonly type: 'patience-ended' }
  | { readonly type: 'minute-passed'; readonly nowMs: number }
  | { readonly type: 'reload' | 'open' | 'toggle-mine' }
  /** Null: the first finding. */
  | PlainAction<'select-findings'>;

export const newOverview = (requestId: number): OverviewState => ({
  isWanted: false,
  asking: null,
  requestId,
  answers: NO_ANSWERS,
  overview: null,
  mine: undefined,
  marked: undefined,
  changed: undefined,
  isChangedOld: true,
  order: [],
  selected: null,
  top: 0,
  minutes: 0,
});

/** A finding with a name of its own, which stays while it is found. */
export interface NamedFinding extends RankedFinding {
  readonly id: LineId;
}

/** The findings in the order of the screen. */
export function orderedFindings({ overview, order }: OverviewState): readonly NamedFinding[] {
  const byId = new Map(namedFindings(overview).map(finding => [finding.id, finding]));
  return order.flatMap(id => byId.get(id) ?? []);
}

/** Every finding, the worst first. For an unreachable node the rules have no further findings; this is shown once. */
function namedFindings(overview: Overview | null): readonly NamedFinding[] {
  const ranked = sortBySeverity(overview?.attention ?? []);
  const isGone = overview?.node.kind === 'unread';
  const seen = new Map<string, number>();
  return ranked
    .filter(({ severity }) => !isGone || severity !== 'unknown')
    .map(finding => {
      const name = `${finding.rule} ${finding.resource ?? ''} ${finding.key ?? finding.severity}`;
      const before = seen.get(name) ?? 0;
      seen.set(name, before + 1);
      return { ...finding, id: before === 0 ? name : `${name} ${before}` };
    });
}

/** Severities shown while rules wait for answers, so that the worst come first and no line moves. */
const EARLY: readonly Severity[] = ['critical'];
const LATER: readonly Severity[] = ['critical', 'warning'];

/**
 * The order of the findings after an answer. During the first request none moves: critical findings are shown at once,
 * warnings after a moment, the rest at the end. Late findings are added below.
 */
export function findingOrderAfter({ asking, order, overview }: OverviewState): OverviewState['order'] {
  const found = namedFindings(overview);
  const ids = found.map(({ id }) => id);
  if (asking?.kind !== 'first') return isSame(order, ids) ? order : ids;
  const early = asking.isEarly ? EARLY : LATER;
  const shown = isAnyWaiting(overview) ? found.filter(({ severity }) => early.includes(severity)) : found;
  const added = shown.flatMap(({ id }) => (order.includes(id) ? [] : [id]));
  const next = [...order.filter(id => ids.includes(id)), ...added];
  return isSame(order, next) ? order : next;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

export const isAnyWaiting = (overview: Overview | null): boolean =>
  overview === null || overview.attention.some(({ isWaiting }) => isWaiting);

/** The result of each request. */
export const answerParts = ({
  block: _,
  requests: __,
  doubts: ___,
  ...parts
}: OverviewAnswers): readonly PartAnswer<unknown>[] => Object.values(parts);

/** When the newest answer came; null before the first. */
export function answeredAtMs({ answers }: OverviewState): number | null {
  const times = answerParts(answers).flatMap(part => (part.kind === 'waiting' ? [] : [part.atMs]));
  return times.length === 0 ? null : Math.max(...times);
}
