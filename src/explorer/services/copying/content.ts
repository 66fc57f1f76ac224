import type { RowsRequest, ViewerRow, ViewerTables } from '../../../answers/index.ts';
import type { TableFormat } from '../../../base/text/serialise.ts';
import type { Json } from '../../../chain/api/json.ts';
import type { SentRequest } from '../../../chain/api/sent-request.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import type { Explanation } from '../../../chain/explain/explanation.ts';
import type { FeeStatement } from '../../../chain/explain/statement/fee-statement.ts';
import type { Column, RecordContext, Row, RowContext } from '../../../chain/resources/resource.ts';
import type { RowList } from '../../../chain/resources/row-list.ts';
import type { Frequency } from '../../../chain/resources/tally.ts';

export type { TableFormat };

/** Something that can be copied or saved. Its text is made when it is wanted, and not for a menu that offers it. */
export type CopyContent =
  | { readonly kind: 'text'; readonly text: string }
  /** In one line, or indented. */
  | { readonly kind: 'json'; readonly value: Json; readonly isIndented: boolean }
  | { readonly kind: 'rows'; readonly form: TableFormat; readonly list: ListContent }
  | { readonly kind: 'record'; readonly record: RecordContent }
  | {
      readonly kind: 'statement';
      readonly form: TableFormat | 'txt';
      readonly statement: FeeStatement;
      readonly directory: Directory;
    }
  | { readonly kind: 'figures'; readonly form: TableFormat; readonly figures: FiguresContent }
  | { readonly kind: 'requests'; readonly form: 'json' | 'ndjson'; readonly requests: readonly SentRequest[] }
  /** Rows of a table on the disk. */
  | {
      readonly kind: 'table-rows';
      readonly form: TableFormat;
      readonly tables: Pick<ViewerTables, 'stream'>;
      readonly request: RowsRequest;
      readonly head: readonly string[];
    }
  /** A few existing lines. */
  | {
      readonly kind: 'records';
      readonly form: TableFormat;
      readonly head: readonly string[];
      readonly records: readonly ViewerRow[];
    }
  /** The screen as drawn. */
  | { readonly kind: 'screen' };

/** Rows of a list, and the settings for writing them. */
export interface ListContent {
  readonly resource: string;
  readonly rows: RowList;
  /** The context of a row, the same as in the table. */
  readonly amongOf: (row: Row) => RowContext;
  /** Those that are shown, for a table that people read. */
  readonly columns: readonly Column[];
  readonly directory: Directory;
  /** Ages are those of then. */
  readonly nowMs: number;
}

/** How often the values of a column occur, or the sums of its amounts. */
export interface FiguresContent {
  readonly column: Column;
  readonly shows: 'values' | 'sums';
  readonly frequency: Frequency;
  readonly directory: Directory;
}

export interface RecordContent {
  readonly resource: string;
  readonly row: Row;
  readonly around: RecordContext;
  readonly directory: Directory;
  readonly explanation: Explanation | null;
}

/** Content to put on the clipboard, until that is done. */
export interface Copying {
  readonly requestId: number;
  readonly content: CopyContent;
  readonly what: string;
  /** What a file would be called that it is put into where it is too large. */
  readonly file: string;
}

/** Content to write to a file, until that is done. */
export interface Saving {
  readonly requestId: number;
  readonly content: CopyContent;
  /** `50 rows`. */
  readonly what: string;
  /** The path as typed. */
  readonly path: string;
  /** The user is asked whether the existing file may be replaced: nothing is written yet. */
  readonly isAsked: boolean;
  readonly mayReplace: boolean;
}

/** A file that was written, or one that already exists and was not changed. */
export interface Saved {
  readonly kind: 'saved' | 'exists';
  /** As it may be shown: short where it lies below the folder of the program. */
  readonly path: string;
}

/** The forms of a table, as menus call them. */
export const FORM_NAMES: { readonly [form in 'csv' | 'tsv' | 'md']: string } = {
  csv: 'CSV',
  tsv: 'TSV',
  md: 'Markdown',
} satisfies { readonly [form in TableFormat]?: string };
