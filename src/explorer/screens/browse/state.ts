import type { Directory } from '../../../chain/directory/directory.ts';
import type { Explanation } from '../../../chain/explain/explanation.ts';
import type { ArrangedRows, Arrangement, ArrangeProgress, Sort } from '../../../chain/resources/arrangement.ts';
import type { FilterValues } from '../../../chain/resources/filter.ts';
import type { Link } from '../../../chain/resources/links.ts';
import type { ListPage } from '../../../chain/resources/list-page.ts';
import type { PageRequest } from '../../../chain/resources/page-request.ts';
import type { KeyedRecord } from '../../../chain/resources/record-key.ts';
import type { RecordContext, Row } from '../../../chain/resources/resource.ts';
import type { Times } from '../../core/state.ts';
import type { ScreenFailure } from '../../services/failure.ts';
import type { FilterBar } from './filters/filter-bar.ts';
import type { Changes } from './list/row-changes.ts';

/** The list of one tab: its pages, the window on them, and its requests to the node. */
export interface BrowseState {
  readonly resource: string;
  /** The last request id: each answer counts only for the request that it was given to. */
  readonly lastRequestId: number;
  readonly filters: FilterValues;
  /** The filters that limit it to the user's own records, and its earlier filters. */
  readonly limitedToMine: {
    readonly filters: FilterValues;
    readonly before: Pick<SavedListState, 'filters' | 'sort'>;
  } | null;
  readonly pageSize: number;
  readonly newestFirst: boolean;
  readonly page: LoadedPage | null;
  /** Pages that were left forwards, nearest last. */
  readonly behind: readonly LoadedPage[];
  /** The page after this one, when it was fetched ahead or left backwards. */
  readonly ahead: LoadedPage | null;
  /** All rows of the list at once, instead of its pages. */
  readonly whole: WholeList | null;
  readonly loading: PendingPage | null;
  readonly prefetching: PendingPage | null;
  readonly failure: ScreenFailure | null;
  /** The node wants filters before it lists anything: its sentence. */
  readonly demand: string | null;
  readonly view: ListWindow;
  /** What the lines about the selected row still speak of while the selection moves; null: of that row. */
  readonly spokenOf: DescribedRow | null;
  readonly find: string;
  readonly sort: Sort | null;
  /** Columns turned on or off by hand, against the descriptor's choice. */
  readonly columnChoice: { readonly [column: string]: boolean };
  /** The program's time settings: changes are detected by comparison with them. */
  readonly times: Times;
  /** Id of the column whose cell of the selected row is marked; null: the row as a whole. */
  readonly cellColumn: string | null;
  /** Id of the column that was counted last. */
  readonly countedLast: string | null;
  /** What its rows were counted by, and narrowed to one value of; null where they were not. */
  readonly counted: CountedValue | null;
  /** The state it was opened with: the same values while nothing was changed. */
  readonly opened: SavedListState;
  /** The names by which rows are found and sorted: those of when that was last done, so that nothing moves. */
  readonly names: Directory;
  /** The width that it was laid out for; null until that is known. */
  readonly laidOutIn: number | null;
  /** The names by which columns were laid out. A search finds by newer ones, and moves no column. */
  readonly namesLaidOut: Directory;
  readonly inspector: Inspector | null;
  /** The list leaves room for the selected record, from its first rows on: no column moves when the record comes. */
  readonly hasPreviewPane: boolean;
  /** The record shown beside the list without the keys; null where it has no room. */
  readonly preview: Preview | null;
  /** The record that follows it, until its meaning is known or takes long. */
  readonly nextPreview: Preview | null;
  /** What this list was opened for, until it is found. */
  readonly seeking: Seeking | null;
  readonly filterBar: FilterBar | null;
  /** Seconds between reloads while watching; 0 when not. */
  readonly watchS: number;
  /** What the last reload under watch that found something else has found. */
  readonly changes: Changes | null;
  /** Its page is of another snapshot: the next one is compared with it. */
  readonly isStepped: boolean;
}

/** No record is open or previewed. */
export const NO_RECORDS = { inspector: null, preview: null, nextPreview: null } as const;

/** A value whose rows are shown, and the list that was counted: the way back to the counts. */
export interface CountedValue {
  readonly left: BrowseState;
  readonly column: string;
  readonly value: string;
  /** What narrows the list to it. */
  readonly by: Pick<BrowseState, 'filters' | 'find'>;
}

/** The part of a list saved for the next start. */
export type SavedListState = Pick<BrowseState, 'filters' | 'sort' | 'newestFirst' | 'pageSize' | 'columnChoice'>;

/** A record that an id names, or one whose key was typed. */
export type SeekTarget = Link | KeyedRecord;

/** The request id is that of the page that is searched when it arrives. */
type Seeking =
  | {
      readonly kind: 'record';
      readonly requestId: number;
      readonly sought: SeekTarget;
      /** Pages that may be asked for after it. */
      readonly pagesLeft: number;
    }
  /** A list in an order of its own; the row that was left for it, if it may be one of these. */
  | { readonly kind: 'order'; readonly requestId: number; readonly row: Row | null };

/** A row, and its page: with another page the row is meaningless. */
export interface DescribedRow {
  readonly page: LoadedPage;
  readonly row: Row;
}

/** Where the window stands: the selected row and the first one drawn, as indexes into the visible rows. */
export interface ListWindow {
  readonly row: number;
  readonly top: number;
  /** First scrolled column after the pinned one. */
  readonly left: number;
}

/** A list that is loaded whole, or on its way to be. */
type WholeList =
  | {
      readonly status: 'gathering';
      readonly requestId: number;
      readonly rows: number;
      readonly pages: number;
      /** The node accepts no request until then; 0 if it does. */
      readonly waitUntilMs: number;
    }
  | {
      readonly status: 'known';
      /** The earlier pages, to return to. */
      readonly left: Pick<BrowseState, 'page' | 'behind' | 'ahead' | 'view'>;
      /** The row that was selected on it. */
      readonly leftRow: Row | null;
      /** What the rows shown were found and sorted by. */
      readonly arranged: ArrangedRows;
      readonly arranging: Arranging | null;
    };

/** A page as loaded, and its position among the others. */
export interface LoadedPage extends ListPage {
  /** From 1; null when the list was entered from its end. */
  readonly number: number | null;
  /** Rows before this page; null as above. */
  readonly offset: number | null;
  /** Fetching the next page ahead failed: only a key asks for it again. */
  readonly isNextRefused: boolean;
  /** Window to restore when the page is shown again. */
  readonly view: ListWindow;
}

/** A page that is being loaded. Its answer counts only while this request is pending. */
export interface PendingPage {
  readonly requestId: number;
  readonly request: PageRequest;
  readonly move: PageMove;
  /** The wait is long enough to be shown. */
  readonly isSlow: boolean;
}

export type PageMove = 'first' | 'next' | 'previous' | 'last' | 'reload';

export interface Inspector {
  readonly row: Row;
  /** What the row came with. */
  readonly around: RecordContext;
  /** When it came; ages are those of that moment. */
  readonly receivedAtMs: number;
  readonly cursor: number;
  readonly top: number;
  /** Branches opened or folded by hand, against their default. */
  readonly folds: { readonly [path: string]: boolean };
  readonly find: string;
  /** The names by which is found: those of when that was last done. */
  readonly names: Directory;
  readonly isRaw: boolean;
  readonly meaning: Meaning;
  /** Cells that it is drawn in, which determine its line breaks; 0 until known. */
  readonly columns: number;
}

/** A record beside its list, in brief. */
export interface Preview extends Inspector {
  /** The page that its row is drawn from. */
  readonly page: LoadedPage;
  /** Where the key that leads on from it goes, for the same row as its meaning. */
  readonly leadsOn: { readonly meaning: Meaning; readonly labels: readonly string[] } | null;
}

/** What the record means, once that is worked out. */
export type Meaning =
  /** No explanation exists for this list. */
  | { readonly status: 'none' }
  /** If it is slow, the wait is long enough to read the fields in the meantime. */
  | { readonly status: 'asked'; readonly requestId: number; readonly isSlow: boolean }
  /** With a request id it is being worked out again. */
  | { readonly status: 'known'; readonly explanation: Explanation; readonly requestId: number | null }
  | { readonly status: 'failed'; readonly problem: string };

/** How the rows are being found and sorted; they are shown when this is complete. */
interface Arranging extends Arrangement, ArrangeProgress {
  readonly requestId: number;
}
