import type {
  ChartPoint,
  Measure,
  ReadyQuestion,
  TableLook,
  ValueCounts,
  ViewerRow,
  ViewerTable,
} from '../../answers/index.ts';
import type { FilesRequest, OpeningProgress } from './table-requests.ts';

/** Tables on the disk that are looked at, over the export tab. Their files are held open as long as it is there. */
export interface Viewer {
  /** Of its opening: what is told of another one changes nothing. */
  readonly ticket: number;
  readonly asked: ViewedFiles;
  readonly files: OpenFiles;
}

export interface ViewedFiles extends FilesRequest {
  /** Of several tables the one that is looked at first. */
  readonly table?: string;
  /** The table over which it was asked: Esc opens it again. */
  readonly behind?: ViewedFiles;
}

export type OpenFiles =
  /** A CSV is put into a form in which it can be looked at: how far that is. */
  | { readonly status: 'opening'; readonly progress: OpeningProgress | null }
  | { readonly status: 'failed'; readonly problem: string; readonly hint: string }
  | {
      readonly status: 'open';
      readonly tables: readonly ViewerTable[];
      readonly notes: readonly string[];
      /** What made them, where they are an answer. */
      readonly sql: string | null;
      /** Ready questions that these tables answer. */
      readonly questions: readonly ReadyQuestion[];
      readonly view: TableView;
    };

/** One table, as it is looked at. */
export interface TableView {
  /** Its place among those that are open. */
  readonly table: number;
  readonly shown: Shown;
  /** Rows in another order or others of them, on their way: until they are there the last ones are shown. */
  readonly arranging: { readonly ticket: number; readonly look: TableLook } | null;
  /** Rows that are there, from a place among those shown. */
  readonly loaded: { readonly from: number; readonly rows: readonly ViewerRow[] } | null;
  /** Why rows cannot be read any more. */
  readonly problem: string | null;
  /** Cells that the values of each column have taken until now: columns do not become narrower while rows pass. */
  readonly widths: readonly number[];
  readonly row: number;
  readonly top: number;
  /** Columns scrolled away behind the first one. */
  readonly left: number;
  /** What was searched for last. */
  readonly find: string;
  readonly finding: FindRun | null;
  /** Rows in another order or others of them are there, and no key was pressed over them yet. */
  readonly hasJustCome: boolean;
  readonly over: CountsView | ChartView | null;
  /** How long the question of this ticket has been worked at. */
  readonly waited: { readonly ticket: number; readonly seconds: number } | null;
}

/** The rows that are shown: those of a look, each ticket another answer. */
export interface Shown {
  readonly ticket: number;
  readonly look: TableLook;
  readonly count: number;
}

export interface FindRun {
  readonly ticket: number;
  readonly from: number;
  readonly direction: 1 | -1;
  /** Rows looked through. */
  readonly done: number;
}

/** How often the values of a column occur. */
export interface CountsView {
  readonly kind: 'counts';
  readonly column: string;
  readonly row: number;
  readonly top: number;
  readonly answer: { readonly ticket: number } | { readonly counts: ValueCounts };
}

/** A column of numbers over time. */
export interface ChartView {
  readonly kind: 'chart';
  readonly column: string;
  readonly measure: Measure;
  readonly stepMs: number;
  /** The stretch of time that is told of in figures, from the first one. */
  readonly at: number;
  readonly answer: { readonly ticket: number } | { readonly points: readonly ChartPoint[] };
}

export const AS_IN_FILE: TableLook = { filters: [], sort: null };

export const newViewer = (ticket: number, asked: ViewedFiles): Viewer => ({
  ticket,
  asked,
  files: { status: 'opening', progress: null },
});

/** A table in its own order, from its first row. */
export const newView = (table: number, ticket: number, { rows, columns }: ViewerTable): TableView => ({
  table,
  shown: { ticket, look: AS_IN_FILE, count: rows },
  arranging: null,
  loaded: null,
  problem: null,
  widths: columns.map(() => 0),
  row: 0,
  top: 0,
  left: 0,
  find: '',
  finding: null,
  hasJustCome: false,
  over: null,
  waited: null,
});

/** The ticket of what is worked at: nothing else goes on before it has ended. */
export function atWork({ finding, arranging, over }: TableView): number | undefined {
  const asked = over !== null && 'ticket' in over.answer ? over.answer : null;
  return (finding ?? arranging ?? asked)?.ticket;
}

export function waitedSeconds(view: TableView): number {
  const { waited } = view;
  return waited !== null && waited.ticket === atWork(view) ? waited.seconds : 0;
}

export interface OpenTable {
  readonly viewer: Viewer;
  readonly files: Extract<OpenFiles, { readonly status: 'open' }>;
  readonly view: TableView;
  readonly table: ViewerTable;
}

/** What is looked at, once it is open. */
export function openTableOf(viewer: Viewer | null): OpenTable | undefined {
  if (viewer?.files.status !== 'open') return undefined;
  const { files } = viewer;
  const { view } = files;
  const table = files.tables[view.table];
  return table === undefined ? undefined : { viewer, files, view, table };
}

/** A row that is shown, by its place; undefined while it is not there. */
export const rowAt = ({ loaded }: TableView, place: number): ViewerRow | undefined =>
  loaded === null ? undefined : loaded.rows[place - loaded.from];

export interface ViewedSpan {
  readonly from: number;
  readonly rows: number;
}

/**
 * The rows that should be there, so that the ones on the screen are, and those a screen before and behind. It moves by
 * whole blocks: while a key is held down most of its presses ask for nothing else.
 */
export function spanWanted({ top, shown }: TableView, height: number): ViewedSpan {
  const block = 2 ** Math.max(5, Math.ceil(Math.log2(Math.max(1, height))));
  const from = Math.max(0, (Math.floor(top / block) - 1) * block);
  const until = Math.min(shown.count, (Math.floor(top / block) + 2) * block);
  return { from, rows: Math.max(0, until - from) };
}

/** Whether all of a span is there. */
export function isLoaded({ loaded }: TableView, { from, rows }: ViewedSpan): boolean {
  return rows === 0 || (loaded !== null && loaded.from <= from && loaded.from + loaded.rows.length >= from + rows);
}
