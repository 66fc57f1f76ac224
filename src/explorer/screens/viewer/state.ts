import type { TableLook, ViewerCell, ViewerRow, ViewerTable, ViewerTables } from '../../../answers/index.ts';
import type { Counts } from '../../core/counts.ts';
import type { Area } from '../../core/screen.ts';
import type { ViewerOpening } from '../../openings.ts';
import type { AnswerRequest, OpeningProgress } from '../../services/tables.ts';
import type { TableNames } from './accounts.ts';

/** Tables on the disk, or an answer of theirs. The files stay open as long as the screen does. */
export interface Viewer {
  readonly opening: ViewerOpening;
  /** How often they were opened again. */
  readonly attempt: number;
  /** The values are shown as the file has them. */
  readonly isRaw: boolean;
  readonly files: ViewerFiles;
  /** The last question that was answered here: it is opened again when another range is refused. */
  readonly answered: AnswerRequest | null;
  /** Why another range was refused, until the previous answer is back. */
  readonly refusal: string | null;
}

export type ViewerFiles =
  /** A CSV is converted first: how far that is. */
  | { readonly status: 'opening'; readonly progress: OpeningProgress | null }
  | { readonly status: 'failed'; readonly problem: string; readonly hint: string }
  | { readonly status: 'open'; readonly tables: ViewerTables; readonly view: TableView };

/** The display state of one of the tables. */
export interface TableView {
  /** Its index among the tables. */
  readonly table: number;
  readonly shown: ShownRows;
  /** Other rows or another order that are pending: until they arrive, the previous rows are shown. */
  readonly arranging: {
    readonly id: number;
    readonly look: TableLook;
  } | null;
  /** What the rows were counted by, and narrowed to one value of. */
  readonly counted: RowsOfValue | null;
  /** The rows that should be loaded. */
  readonly span: RowsToLoad;
  readonly loaded: { readonly from: number; readonly rows: readonly ViewerRow[] } | null;
  /** Why rows can no longer be read. */
  readonly problem: string | null;
  /** The most cells that values of each column took so far: columns do not become narrower while rows pass. */
  readonly widths: readonly number[];
  /** The settings they were measured with; null before the first rows. */
  readonly measured: { readonly names: TableNames; readonly isRaw: boolean } | null;
  readonly row: number;
  readonly top: number;
  /** Columns scrolled away behind the first one. */
  readonly left: number;
  /** The last text that was searched for. */
  readonly find: string;
  readonly finding: FindRun | null;
  /** Other rows have arrived, and no key was pressed over them yet. */
  readonly hasJustCome: boolean;
  /** How long the request of this id has been running. */
  readonly waited: { readonly id: number; readonly seconds: number } | null;
  /** The last request id. */
  readonly requests: number;
}

/** The rows that are shown. */
interface ShownRows {
  readonly id: number;
  readonly look: TableLook;
  readonly count: number;
}

interface FindRun {
  readonly id: number;
  readonly from: number;
  readonly direction: 1 | -1;
  /** Rows searched so far. */
  readonly done: number;
}

/** The rows of one value, and the way back to the counts. */
export interface RowsOfValue {
  /** The look that shows only these rows. */
  readonly look: TableLook;
  readonly left: CountedRows & Pick<TableView, 'counted'>;
}

/** Rows that were counted, and the value that was chosen there. */
export interface CountedRows {
  readonly look: TableLook;
  readonly column: string;
  readonly value: ViewerCell;
  readonly counts: Counts;
}

interface RowsToLoad {
  readonly from: number;
  readonly rows: number;
}

/** All rows in the order of the file. */
export const AS_IN_FILE: TableLook = { filters: [], sort: null };

/** A table in its own order, from its first row. */
export const newTableView = (table: number, { rows, columns }: ViewerTable, requests = 0): TableView => ({
  table,
  shown: { id: requests + 1, look: AS_IN_FILE, count: rows },
  arranging: null,
  counted: null,
  span: { from: 0, rows: 0 },
  loaded: null,
  problem: null,
  widths: columns.map(() => 0),
  measured: null,
  row: 0,
  top: 0,
  left: 0,
  find: '',
  finding: null,
  hasJustCome: false,
  waited: null,
  requests: requests + 1,
});

/** The id of the request that runs: everything else waits for its end. */
export const runningRequestId = ({ finding, arranging }: TableView): number | undefined => (finding ?? arranging)?.id;

export function waitedSeconds(view: TableView): number {
  const { waited } = view;
  return waited !== null && waited.id === runningRequestId(view) ? waited.seconds : 0;
}

/** The rows that were asked for last, which may still have to arrive. */
export const lookWanted = ({ arranging, shown }: TableView): TableLook => (arranging ?? shown).look;

/** The table that is shown, with its files. */
export interface OpenTable {
  readonly viewer: Viewer;
  readonly tables: ViewerTables;
  readonly view: TableView;
  readonly table: ViewerTable;
}

/** Undefined while its files are not open. */
export function openTableOf(viewer: Viewer): OpenTable | undefined {
  if (viewer.files.status !== 'open') return undefined;
  const { tables, view } = viewer.files;
  const table = tables.tables[view.table];
  return table === undefined ? undefined : { viewer, tables, view, table };
}

/** A row that is shown, by its position; undefined while it is not loaded. */
export const rowAt = ({ loaded }: TableView, place: number): ViewerRow | undefined =>
  loaded === null ? undefined : loaded.rows[place - loaded.from];

/** Lines of a table below its heading. */
export const viewerRows = ({ rows }: Area): number => Math.max(1, rows - 1);

/**
 * The rows to load: those on the screen, and one screen before and after. The span moves by whole blocks, so that most
 * presses of a key that is held down request nothing.
 */
export function rowsToLoad({ top, shown }: TableView, height: number): RowsToLoad {
  const block = 2 ** Math.max(5, Math.ceil(Math.log2(Math.max(1, height))));
  const from = Math.max(0, (Math.floor(top / block) - 1) * block);
  const until = Math.min(shown.count, (Math.floor(top / block) + 2) * block);
  return { from, rows: Math.max(0, until - from) };
}

export function isLoaded({ loaded }: TableView, { from, rows }: RowsToLoad): boolean {
  return rows === 0 || (loaded !== null && loaded.from <= from && loaded.from + loaded.rows.length >= from + rows);
}

/** Where an error takes the place of the rows, the files can be opened again. */
export const isBroken = ({ files }: Viewer): boolean =>
  files.status === 'failed' || (files.status === 'open' && files.view.problem !== null);
