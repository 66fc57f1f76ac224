import type { Directory } from '../../directory/directory.ts';
import type { Explanation } from '../../explain/explanation.ts';
import type { Copying, Saving } from '../../explorer/services/copying/content.ts';
import type { ExportJobs } from '../../explorer/services/export-job.ts';
import type { Failure } from '../../explorer/services/failure.ts';
import type { CommandHistory } from '../../explorer/services/history/history.ts';
import type { MineState } from '../../explorer/services/mine/mine.ts';
import type { Naming } from '../../explorer/services/names/names.ts';
import type { SeenIds } from '../../explorer/services/names/seen-ids.ts';
import type { NodeState } from '../../explorer/services/node/node.ts';
import type { Nodes } from '../../explorer/services/node/nodes.ts';
import type { Preferences } from '../../explorer/services/preferences.ts';
import type { SavedViews } from '../../explorer/services/views/views.ts';
import type { FilterValues } from '../../resources/filter.ts';
import type { Lead } from '../../resources/leads.ts';
import type { PageRequest } from '../../resources/page-request.ts';
import type { KeyOfRecord } from '../../resources/record-key.ts';
import type { Around, Row, RowPage } from '../../resources/resource.ts';
import type { WholeRows } from '../../resources/whole-rows.ts';
import type { Action } from './action.ts';
import type { Arranged, Arranging, Sort } from './arrangement.ts';
import type { FilterBar } from './filter-bar.ts';
import type { LastFees } from './last-fees.ts';
import type { Layer } from './layer.ts';
import type { Looks } from './looks.ts';
import type { Notice } from './notice.ts';
import type { Changes } from './row-changes.ts';
import type { ScreenSize } from './screen-size.ts';
import type { Asking } from './table-requests.ts';
import type { Trail } from './trail.ts';

/** Everything the explorer shows. Immutable; made by `reduce` alone. */
export interface SessionState extends ExportJobs {
  readonly screen: ScreenSize;
  readonly node: NodeState;
  readonly preferences: Preferences;
  readonly looks: Looks;
  readonly knownNodes: Nodes;
  readonly views: SavedViews;
  readonly tab: TabId;
  readonly times: Times;
  readonly asking: Asking;
  /** The screens: the tabs themselves, and what lies over them, the top one last. */
  readonly layers: readonly Layer[];
  /** What screens want done outside of themselves, until the action that it comes of is done. */
  readonly outbox: readonly Action[];
  /** One line about what just happened, until the next key. */
  readonly notice: Notice | null;
  /** What is to be put on the clipboard, until it is. */
  readonly copying: Copying | null;
  /** What is to be written to a file, until it is. */
  readonly saving: Saving | null;
  readonly isEnded: boolean;
  /** It was Ctrl-C that ended it. */
  readonly isInterrupted: boolean;
  /** The last ticket given to a wish. */
  readonly ticket: number;
  /** Where ids led away from. */
  readonly trail: Trail<unknown>;
  /** Offered in filter fields. */
  readonly seen: SeenIds;
  /** Null before rows of paid fees were seen. */
  readonly lastFees: LastFees | null;
  readonly history: CommandHistory;
  /** Names of the chain as far as they are known, and the user's own. */
  readonly directory: Directory;
  readonly naming: Naming;
  readonly mine: MineState;
}

/** How times are shown. */
export type Times = 'ages' | 'clock';

/** A resource's id, or `export`. */
export type TabId = string;

/** One tab's list: its pages, the window on them, and what is asked of the node. */
export interface Browser {
  readonly resource: string;
  /** The last request id: each answer counts only for the request that it was given to. */
  readonly lastRequest: number;
  readonly filters: FilterValues;
  readonly pageSize: number;
  readonly newestFirst: boolean;
  readonly page: LoadedPage | null;
  /** Pages that were left forwards, nearest last. */
  readonly behind: readonly LoadedPage[];
  /** The page after this one, when it was fetched ahead or left backwards. */
  readonly ahead: LoadedPage | null;
  /** All rows of the list at once, in place of its pages. */
  readonly whole: Whole | null;
  readonly loading: PageWish | null;
  readonly prefetching: PageWish | null;
  readonly failure: Failure | null;
  /** The node wants filters before it lists anything: its sentence. */
  readonly demand: string | null;
  readonly view: View;
  /** What the lines about the selected row still speak of while the selection moves; null: of that row. */
  readonly spokenOf: Spoken | null;
  readonly find: string;
  readonly sort: Sort | null;
  /** Columns turned on or off by hand, against the descriptor's choice. */
  readonly columnChoice: { readonly [column: string]: boolean };
  /** Columns in the order they were put into by hand; those that are not named follow in the descriptor's. */
  readonly columnOrder: readonly string[];
  /** Cells of columns that were widened or narrowed by hand. */
  readonly columnWidths: { readonly [column: string]: number };
  /** Those of the program: what they change is seen by comparing with them. */
  readonly times: Times;
  /** Id of the column whose cell of the selected row is marked; null: the row as a whole. */
  readonly cellColumn: string | null;
  /** Id of the column that was counted last. */
  readonly countedLast: string | null;
  /** What it was opened with: the same values while nothing was changed. */
  readonly opened: OpenedList;
  /** The names by which rows are found and sorted: those of when that was last done, so that nothing moves. */
  readonly names: Directory;
  /** Cells of the table and the record in which it was laid out; null until that is known. */
  readonly laidOutIn: number | null;
  /** The names by which columns were laid out. A search finds by newer ones, and moves no column. */
  readonly namesLaidOut: Directory;
  readonly inspector: Inspector | null;
  /** What this list was opened for, until it is found. */
  readonly seeking: Seeking | null;
  readonly filterBar: FilterBar | null;
  /** Seconds between reloads while watching; 0 when not. */
  readonly watchS: number;
  /** What the last reload under watch that found something else has found. */
  readonly changes: Changes | null;
}

/** What of a list comes back at the next start. */
export type OpenedList = Pick<
  Browser,
  'filters' | 'sort' | 'newestFirst' | 'pageSize' | 'columnChoice' | 'columnOrder' | 'columnWidths'
>;

/** A record that an id names, or one whose key was typed. */
export type Sought = Lead | KeyOfRecord;

/** The ticket is that of the page that is looked through when it comes. */
export type Seeking =
  | {
      readonly kind: 'record';
      readonly ticket: number;
      readonly sought: Sought;
      /** Pages that may be asked for after it. */
      readonly pagesLeft: number;
    }
  /** A list in an order of its own; the row that was left for it, if it may be one of these. */
  | { readonly kind: 'order'; readonly ticket: number; readonly row: Row | null };

/** A row, and the page it was on: beside another page it means nothing. */
export interface Spoken {
  readonly page: LoadedPage;
  readonly row: Row;
}

/** Where the window stands: the selected row and the first one drawn, as indexes into the visible rows. */
export interface View {
  readonly row: number;
  readonly top: number;
  /** First scrolled column after the pinned one. */
  readonly left: number;
}

/** A list that is loaded whole, or on its way to be. */
export type Whole =
  | {
      readonly status: 'gathering';
      readonly ticket: number;
      readonly rows: number;
      readonly pages: number;
      /** The node wants to be left alone until then; 0 when it does not. */
      readonly waitUntilMs: number;
    }
  | {
      readonly status: 'known';
      /** The pages as they were: what is gone back to. */
      readonly left: Pick<Browser, 'page' | 'behind' | 'ahead' | 'view'>;
      /** The row that was selected on it. */
      readonly leftRow: Row | null;
      /** What the rows shown were found and sorted by. */
      readonly arranged: Arranged;
      readonly arranging: Arranging | null;
    };

export interface LoadedPage extends RowPage {
  /** All rows of the list: then those of the page are a sample of them. */
  readonly whole?: WholeRows;
  readonly request: PageRequest;
  /** From 1; null when the list was entered from its end. */
  readonly number: number | null;
  /** Rows before this page; null as above. */
  readonly offset: number | null;
  readonly receivedAtMs: number;
  /** The page after this one was fetched ahead in vain: only a key asks for it again. */
  readonly isNextRefused: boolean;
  /** Window to restore when the page is shown again. */
  readonly view: View;
}

/** A page that is wanted. Its answer counts only while its ticket is still wished for. */
export interface PageWish {
  readonly ticket: number;
  readonly request: PageRequest;
  readonly move: Move;
  /** The wait is long enough to be shown. */
  readonly isSlow: boolean;
}

export type Move = 'first' | 'next' | 'previous' | 'last' | 'reload';

export interface Inspector {
  readonly row: Row;
  /** What the row came with. */
  readonly around: Around;
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
  /** Cells that it is drawn in, which say where its lines are broken; 0 until that is known. */
  readonly columns: number;
}

/** What the record of an inspector means, as far as that was worked out. */
export type Meaning =
  /** Nobody explains this list. */
  | { readonly status: 'none' }
  /** The wait is long enough for the fields to be read meanwhile, once it is slow. */
  | { readonly status: 'asked'; readonly ticket: number; readonly isSlow: boolean }
  /** With a ticket it is being worked out anew. */
  | { readonly status: 'known'; readonly explanation: Explanation; readonly ticket: number | null }
  | { readonly status: 'failed'; readonly problem: string };
