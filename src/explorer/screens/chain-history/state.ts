import { countOf } from '../../../chain/insight/count-of.ts';
import type { Range } from '../../../chain/insight/range.ts';
import type { Boundaries } from '../../../chain/range/segment-boundaries.ts';
import { EXPORT_TABLES, type ExportTable } from '../../../history/plan/export-tables.ts';
import { tablesFor } from '../../../history/store/purposes.ts';
import type { SharedState } from '../../core/screen.ts';
import type { Window } from '../../core/window.ts';
import { type FetchEstimate, type StoredRows, storedRows } from '../../services/chain-history/chain-history.ts';
import { WHOLE_HISTORY } from '../../services/chain-history/fetch-range.ts';
import type { ScreenFailure } from '../../services/failure.ts';
import { type HistoryPart, historyParts, type PartState, partState } from './strip.ts';

/** The tables of the history, a line each, and the ids of open requests. */
export interface HistoryView extends Window {
  /** Request for the segments of the node. */
  readonly asking: number | null;
  /** Null until the node has said them. */
  readonly boundaries: Boundaries | null;
  readonly failure: ScreenFailure | null;
  /** Request for what a fetch would bring. */
  readonly estimating: number | null;
  readonly estimate: FetchEstimate | null;
  /** The range to fetch, as typed. */
  readonly fetchRange: string;
  /** Request for an audit of the history on disk. */
  readonly auditing: number | null;
  /** Request for a page about a party. */
  readonly reporting: PartyPageRequest | null;
  /** Request to delete these tables from disk, or all. */
  readonly forgetting: { readonly request: number; readonly tables: readonly string[] | undefined } | null;
  readonly lastRequest: number;
}

interface PartyPageRequest {
  readonly request: number;
  readonly party: string;
  readonly range: string;
}

export const NEW_HISTORY_VIEW: HistoryView = {
  ...{ row: 0, top: 0, asking: null, boundaries: null, failure: null },
  ...{
    estimating: null,
    estimate: null,
    fetchRange: WHOLE_HISTORY,
    forgetting: null,
    auditing: null,
    reporting: null,
    lastRequest: 0,
  },
};

/** The state after a change that sends a request, which gets an id of its own. */
export function withHistoryRequest(view: HistoryView, change: (request: number) => Partial<HistoryView>): HistoryView {
  const lastRequest = view.lastRequest + 1;
  return { ...view, lastRequest, ...change(lastRequest) };
}

/** Those that most is asked of come first; the order never changes. */
export const HISTORY_TABLES: readonly ExportTable[] = [
  ...new Set([...tablesFor('report'), ...tablesFor('audit'), ...EXPORT_TABLES.map(({ id }) => id)]),
].flatMap(id => EXPORT_TABLES.filter(table => table.id === id));

/** A table, with its rows on disk. */
export interface HistoryRow {
  readonly table: ExportTable;
  readonly stored: StoredRows | undefined;
  readonly states: readonly PartState[];
  readonly isFetching: boolean;
  readonly isRead: boolean;
}

/** The history on disk has been read; guests do not see it. */
export const isDiskRead = ({ chainHistory, access }: SharedState): boolean =>
  chainHistory.stored !== null || access === 'guest';

export function historyRow(table: ExportTable, parts: readonly HistoryPart[], shared: SharedState): HistoryRow {
  const { fetch } = shared.chainHistory;
  const progress = fetch?.status === 'running' ? fetch.progress : null;
  const isFetching = progress?.table === table.id;
  const stored = storedRows(shared.chainHistory, table.id);
  const underWay = isFetching && progress.phase !== 'verifying' ? progress.blocks : null;
  return {
    ...{ table, stored, isFetching, isRead: isDiskRead(shared) },
    states: parts.map(part => partState(part, stored, underWay)),
  };
}

export const partsOf = ({ boundaries }: HistoryView, { chainHistory }: SharedState): readonly HistoryPart[] =>
  historyParts(nodeSegments(boundaries), chainHistory.stored?.tables ?? []);

/** The segments of the node; none where it does not list them. */
const nodeSegments = (boundaries: Boundaries | null): readonly Range[] =>
  boundaries?.kind === 'listed'
    ? boundaries.segments.map(({ fromHeight, toHeight }) => ({ from: fromHeight, to: toHeight }))
    : [];

/** How a table stands, in a few words. */
export function stateWords({ stored, states, isFetching, isRead }: HistoryRow, isNodeKnown: boolean): string {
  const count = (state: PartState): number => states.filter(one => one === state).length;
  if (isFetching) return 'fetching';
  if (count('damaged') > 0) return `${count('damaged')} damaged`;
  if (stored === undefined) return isRead ? 'not fetched' : '';
  const left = count('on-node');
  if (left > 0) return `${left} to fetch`;
  if (count('missing') > 0) return `${countOf(count('missing'), 'gap')}`;
  return isNodeKnown ? 'verified' : 'on disk';
}

/** Events of keys and menus, and results of requests. */
export type HistoryViewEvent =
  | {
      readonly type:
        | 'open-rows'
        | 'choose-fetch'
        | 'choose-answer'
        | 'audit'
        | 'ask-report'
        | 'open-wizard'
        | 'cancel-fetch'
        | 'type-fetch-range'
        | 'choose-forget'
        | 'dismiss'
        | 'reload';
    }
  | { readonly type: 'ask'; readonly question: string; readonly title: string; readonly needsParty: boolean }
  | { readonly type: 'fetch-range'; readonly range: string }
  | { readonly type: 'forget'; readonly tables: readonly string[] | undefined }
  | { readonly type: 'forgotten'; readonly text: string }
  | { readonly type: 'report'; readonly party: string; readonly range: string }
  | { readonly type: 'segments-known'; readonly boundaries: Boundaries }
  | { readonly type: 'segments-failed'; readonly failure: ScreenFailure }
  | { readonly type: 'estimated'; readonly estimate: FetchEstimate }
  | { readonly type: 'audited' | 'reported'; readonly text: string };
