import { resourceById } from '../../../chain/resources/registry.ts';
import type { ScreenSize } from '../../core/area.ts';
import type { BrowseState } from './state.ts';

/** The parts that a list shows next to its rows. */
type PaneState = Pick<BrowseState, 'resource' | 'inspector' | 'hasPreviewPane' | 'filterBar' | 'page'>;

/** Where a list is drawn. */
export interface ListViewport {
  /** The body without the rows below the status line. */
  readonly area: ScreenSize;
  /** Another screen has its place. */
  readonly coveredBy: object | undefined;
}

/** The parts of a list: a pure function of its viewport and of its open parts. */
export interface ListPanes {
  /** Lines of the filter bar while it is edited. */
  readonly barRows: number;
  /** Rows below them. */
  readonly bodyRows: number;
  /** Rows of the table below its heading. */
  readonly tableRows: number;
  readonly tableColumns: number;
  /** Cells of the inspector; 0 when it is closed. */
  readonly inspectorColumns: number;
  readonly inspectorRows: number;
}

export function listPanes(list: PaneState, { area, coveredBy }: ListViewport): ListPanes {
  const { columns } = area;
  const isBeside = hasRoomBeside(columns);
  const isInspecting = list.inspector !== null || (isBeside && list.hasPreviewPane);
  const inspectorColumns = isInspecting
    ? isBeside
      ? Math.min(Math.floor(columns * (columns < WIDE_COLUMNS ? 0.55 : 0.62)), columns - TABLE_BESIDE - 1)
      : columns
    : 0;
  const barRows = filterBarRowCount(list, coveredBy !== undefined);
  const bodyRows = Math.max(1, area.rows - barRows);
  return {
    barRows,
    bodyRows,
    tableRows: Math.max(1, bodyRows - 1),
    tableColumns: isInspecting ? (isBeside ? columns - inspectorColumns - 1 : 0) : columns,
    inspectorColumns,
    inspectorRows: Math.max(1, bodyRows - 1),
  };
}

/** Whether a record has room next to the list. */
export const hasRoomBeside = (columns: number): boolean => columns >= SIDE_BY_SIDE_COLUMNS;

const SIDE_BY_SIDE_COLUMNS = 110;

/** From here on the record has two columns more. */
const WIDE_COLUMNS = 200;

/** Minimum cells of a table next to the inspector: enough for the list's main content. */
const TABLE_BESIDE = 60;

/** Rows below the status line, for the description of a row. */
export function footRowCount(list: PaneState, frame: ScreenSize & { readonly isCovered: boolean }): number {
  const { columns, rows, isCovered } = frame;
  // An open record already shows this description.
  const isRecordShown = list.inspector !== null || (list.hasPreviewPane && hasRoomBeside(columns));
  // On a low screen the rows themselves have priority.
  const areFew = list.page !== null && rows > list.page.rows.length + ABOUT_ROWS;
  const hasRoom = rows >= (areFew ? MIN_ROWS_BELOW_SHORT_PAGE : MIN_ROWS_WITH_ABOUT);
  const isSaid = list.filterBar === null && !isRecordShown && !isCovered && hasRoom;
  const resource = resourceById(list.resource);
  const hasAbout = resource?.about !== undefined || resource?.aboutAmong !== undefined;
  return isSaid && hasAbout ? ABOUT_ROWS : 0;
}

const MIN_ROWS_WITH_ABOUT = 15;

/** Where all rows of the page are shown above it. */
const MIN_ROWS_BELOW_SHORT_PAGE = 11;

/** A sentence, and its statement about bounds. */
const ABOUT_ROWS = 2;

const filterBarRowCount = ({ filterBar }: PaneState, isCovered: boolean): number =>
  filterBar === null || isCovered ? 0 : filterBar.texts.length + 2;

/** Which part of a list has the keys; a filter bar that opened without a key takes no letters yet. */
export type Pane = 'list' | 'record' | 'filters' | 'offered-filters';

export function focusedPane({ filterBar, inspector }: Pick<BrowseState, 'filterBar' | 'inspector'>): Pane {
  if (filterBar !== null) return filterBar.isOffered ? 'offered-filters' : 'filters';
  return inspector === null ? 'list' : 'record';
}
