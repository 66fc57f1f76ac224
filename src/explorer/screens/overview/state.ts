import { NO_ANSWERS, type OverviewAnswers, type PartAnswer } from '../../../attention/overview/answers.ts';
import type { Overview } from '../../../attention/overview/overview.ts';
import type { Severity } from '../../../attention/rules/rule.ts';
import { type RankedFinding, sortBySeverity } from '../../../attention/rules/severity.ts';
import type { Mine } from '../../../chain/directory/mine.ts';
import type { RecentChanges } from '../../../memory/diff/recent-changes.ts';
import type { MineRead } from '../../services/mine/mine.ts';

/** What the overview knows, and what it asks for. */
export interface OverviewState {
  /** Its tab was shown: the node is asked from then on. */
  readonly isWanted: boolean;
  readonly asking: OverviewAsking | null;
  /** Of what is asked or was asked last; each has another. */
  readonly requestId: number;
  readonly answers: OverviewAnswers;
  /** Null before the first answer. */
  readonly overview: Overview | null;
  /** What it was taken to be the user's by; undefined before it was read. */
  readonly mine: Mine | undefined;
  /** What the explorer had marked when that was taken note of. */
  readonly marked: Mine | undefined;
  /** Between stored snapshots; null if there are none to compare, undefined before they were read. */
  readonly changed: RecentChanges | null | undefined;
  /** They are read anew with all of the overview. */
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

/** Answers, and what comes of them. */
export interface KnownOverview {
  readonly answers: OverviewAnswers;
  readonly overview: Overview;
  /** What was taken to be the user's. */
  readonly mine: Mine | undefined;
}

export type OverviewEvent =
  /** `heard`: what came since the last of these events, also where the answer of before is shown instead. */
  | ({ readonly type: 'answered'; readonly heard: readonly PartAnswer<unknown>[] } & KnownOverview)
  /** What is the user's was read again, for every screen. */
  | MineRead
  /** Something was marked as the user's in the explorer, or is not any more. */
  | ({ readonly type: 'marked' } & KnownOverview)
  /** `busy`: so many answers are those of before, because the node limits requests. */
  | { readonly type: 'complete'; readonly busy: number }
  | { readonly type: 'changes-read'; readonly changed: RecentChanges | null }
  | { readonly type: 'patience-ended' }
  | { readonly type: 'minute-passed'; readonly nowMs: number }
  | { readonly type: 'reload' | 'open' | 'toggle-mine' }
  /** Null: the first finding. */
  | { readonly type: 'select'; readonly id: LineId | null };

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

/** Every finding, the worst first. Of a node that cannot be reached the rules know nothing more, which is said once. */
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

/** What is shown while rules wait for answers, so that the worst come first and nothing moves. */
const EARLY: readonly Severity[] = ['critical'];
const LATER: readonly Severity[] = ['critical', 'warning'];

/**
 * The order of the findings after an answer. While a first overview is asked for none moves: critical ones are shown at
 * once, warnings after a moment, the rest at the end. What comes late comes below.
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

/** What came of each request. */
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
