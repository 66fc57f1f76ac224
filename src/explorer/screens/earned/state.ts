import type { PartyAnswers } from '../../../answers/report/index.ts';
import { NAMING_SOURCES, tablesFor } from '../../../history/store/purposes.ts';
import type { SharedState } from '../../core/screen.ts';
import { type FetchEstimate, isFetching, storedRows } from '../../services/chain-history/chain-history.ts';
import { WHOLE_HISTORY } from '../../services/chain-history/fetch-range.ts';
import { fetchEstimateText } from '../../services/chain-history/fetch-text.ts';

/** What a party earned, from the history on disk. */
export interface Earned {
  readonly party: string;
  /** As typed; `all` is everything on disk. */
  readonly range: string;
  /** The disk has not been asked for the history since this was opened. */
  readonly isOpening: boolean;
  readonly answers: EarnedAnswers;
  /** The first line drawn. */
  readonly top: number;
  /** Request for what a fetch would bring; null while none is sent. */
  readonly estimating: number | null;
  readonly estimate: FetchEstimate | null;
  /** Request for the page. */
  readonly reporting: { readonly request: number; readonly range: string } | null;
  readonly lastRequest: number;
}

type EarnedAnswers =
  /** Nothing on disk can be asked yet. */
  | { readonly status: 'none' }
  | { readonly status: 'asking'; readonly of: string; readonly step: string }
  | { readonly status: 'known'; readonly of: string; readonly answers: PartyAnswers }
  | { readonly status: 'failed'; readonly of: string; readonly problem: string };

/** The tables that it is answered from. */
export const EARNED_TABLES = tablesFor('answer');

/** ` of e20..e25`; '' for the whole history. */
export const inRange = ({ range }: Pick<Earned, 'range'>): string => (range === WHOLE_HISTORY ? '' : ` of ${range}`);

/** What the answer is made of: another one means that it has to be asked again. Undefined while there is nothing to ask. */
function answerSource({ range }: Pick<Earned, 'range'>, { chainHistory }: SharedState): string | undefined {
  const { stored } = chainHistory;
  if (stored === null || stored.folder === null || !stored.hasEngine) return undefined;
  if (missingTables({ chainHistory }).length === EARNED_TABLES.length) return undefined;
  // Other tables name the accounts of the party.
  const tables = [...EARNED_TABLES, ...NAMING_SOURCES].flatMap(table => storedRows(chainHistory, table) ?? []);
  return [range, stored.folder, ...tables.map(({ table, bytes, finished }) => `${table} ${bytes} ${finished}`)].join(
    ' ',
  );
}

/** With the answer asked for that is of now. While a fetch runs, the one of before stays. */
export function settleEarned(earned: Earned, shared: SharedState): Earned {
  const { answers } = earned;
  const of = answerSource(earned, shared);
  if (of === undefined) return answers.status === 'none' ? earned : { ...earned, answers: { status: 'none' }, top: 0 };
  const isCurrent = answers.status !== 'none' && answers.of === of;
  const isWaiting = answers.status === 'known' && isFetching(shared.chainHistory);
  // What the node has beyond it is asked again once this is answered.
  return isCurrent || isWaiting ? earned : { ...earned, estimate: null, answers: { status: 'asking', of, step: '' } };
}

/** Tables that are not on disk. */
export const missingTables = ({ chainHistory }: Pick<SharedState, 'chainHistory'>): readonly string[] =>
  EARNED_TABLES.filter(table => storedRows(chainHistory, table) === undefined);

/** The fetch to offer for missing rows; undefined if none are missing. */
export const offeredFetch = ({ estimate }: Earned): string | undefined =>
  estimate === null || estimate.problem !== null ? undefined : fetchEstimateText(estimate, EARNED_TABLES);

/** Why nothing can be fetched now. */
export function noFetch(earned: Earned, shared: SharedState): string | undefined {
  const { estimate } = earned;
  if (isFetching(shared.chainHistory)) return 'a fetch is running already';
  if (shared.node.status !== 'ready') return 'no node is connected: :node NAME connects to one';
  if (estimate === null) return 'looking for missing segments';
  return (
    estimate.problem ??
    (offeredFetch(earned) === undefined ? `all that the node has${inRange(earned)} is on disk` : undefined)
  );
}

export type EarnedEvent =
  | { readonly type: 'opened' | 'fetch' | 'type-range' | 'ask-page' | 'choose-rows' | 'ask-again' }
  | { readonly type: 'range'; readonly range: string }
  | { readonly type: 'page'; readonly range: string }
  | { readonly type: 'open-rows'; readonly name: string; readonly title: string }
  | { readonly type: 'stepped'; readonly step: string }
  | { readonly type: 'answered'; readonly answers: PartyAnswers }
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'estimated'; readonly estimate: FetchEstimate }
  | { readonly type: 'page-written'; readonly text: string };
