import { resourceById } from '../../resources/registry.ts';
import { isTabCovered } from './layer.ts';
import type { ScreenSize } from './screen-size.ts';
import type { Browser, SessionState } from './state.ts';

export const SMALLEST: ScreenSize = { columns: 40, rows: 12 };

export const isTooSmall = (screen: ScreenSize): boolean =>
  screen.columns < SMALLEST.columns || screen.rows < SMALLEST.rows;

/** Rows around the body: header, tabs, filter line; footer with a rule above it. */
const ABOVE_BODY = 3;
const BELOW_BODY = 2;

export interface Layout {
  /** Rows between filter line and footer. */
  readonly bodyRows: number;
  /** Rows below the status line that say what the selected row is about. */
  readonly aboutRows: number;
  /** Rows of the table below its heading. */
  readonly tableRows: number;
  readonly tableColumns: number;
  /** Cells of the inspector; 0 when it is closed. */
  readonly inspectorColumns: number;
  readonly inspectorRows: number;
  /** Lines of the filter bar while it is edited. */
  readonly barRows: number;
}

/** The cells of the body where a screen has all of it. */
export const bodyArea = ({ columns, rows }: ScreenSize): ScreenSize => ({
  columns,
  rows: Math.max(1, rows - ABOVE_BODY - BELOW_BODY),
});

const SIDE_BY_SIDE_COLUMNS = 120;

/** Cells of a table beside the inspector, at least: what the list is opened for has room in as many. */
const TABLE_BESIDE = 60;

/** Where a list is drawn. */
export interface ListPlace {
  /** All of the body. */
  readonly area: ScreenSize;
  /** Another screen has its place. */
  readonly isCovered: boolean;
}

/** Where everything goes: a pure function of the size and of what is open. */
export const layoutOf = (state: SessionState): Layout =>
  panesOf(state.browsers[state.tab], { area: bodyArea(state.screen), isCovered: isTabCovered(state) });

/** Where table, record, filter bar and what is said of a row go; a tab without a list has all of the body. */
export function panesOf(browser: Browser | undefined, { area, isCovered: isOverList }: ListPlace): Layout {
  const { columns, rows } = area;
  const isInspecting = Boolean(browser?.inspector);
  const isBeside = columns >= SIDE_BY_SIDE_COLUMNS;
  const inspectorColumns = isInspecting
    ? isBeside
      ? Math.min(Math.floor(columns * 0.55), columns - TABLE_BESIDE - 1)
      : columns
    : 0;
  const hasDraft = browser?.filterBar && !isOverList;
  const barRows = hasDraft ? browser.filterBar.texts.length + 2 : 0;
  const isCovered = (isInspecting && !isBeside) || isOverList;
  const aboutRows = aboutRowsOf(area, browser, isCovered);
  const bodyRows = Math.max(1, rows - barRows - aboutRows);
  return {
    bodyRows,
    aboutRows,
    tableRows: Math.max(1, bodyRows - 1),
    tableColumns: isInspecting ? (isBeside ? columns - inspectorColumns - 1 : 0) : columns,
    inspectorColumns,
    inspectorRows: Math.max(1, bodyRows - 1),
    barRows,
  };
}

// A sentence and what it says of bounds; on a low screen the rows themselves come first, and the inspector says it too.
function aboutRowsOf({ rows }: ScreenSize, browser: Browser | undefined, isCovered: boolean): number {
  if (browser === undefined || browser.filterBar !== null || isCovered || rows < LEAST_ROWS_WITH_ABOUT) return 0;
  if (resourceById(browser.resource)?.about === undefined) return 0;
  return ABOUT_ROWS;
}

const LEAST_ROWS_WITH_ABOUT = 15;

const ABOUT_ROWS = 2;
