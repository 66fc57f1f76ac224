import { type DecimalsSource, mayBeAdded } from '../../tables/table.ts';
import type { DatasetColumn, DatasetTable } from '../dataset/open-dataset.ts';
import type { ResultCell } from '../engine/result-cell.ts';
import { isNative, type TableLook } from './table-look.ts';

// What the viewer knows of a table: plain data, so that neither its state nor a test needs the engine.

/** A value exactly as in its file; null is NULL. Bytes are lower-case hexadecimal, times are UTC. */
export type ViewerCell = ResultCell;

export type ViewerRow = readonly ViewerCell[];

/** How values of a column look, align and sort. */
export type ColumnShape = 'number' | 'ordinal' | 'id' | 'time' | 'word' | 'text';

export interface ViewerColumn {
  readonly name: string;
  /** The engine's name of the type. */
  readonly type: string;
  readonly shape: ColumnShape;
  readonly about: string;
  /** What an amount is counted in; empty if unknown. */
  readonly unit: string;
  /** Whose decimals an amount is counted in. */
  readonly counted?: DecimalsSource;
  /** Its values may be added up. */
  readonly isSummable?: true;
  /** A column of an answer: its numbers are drawn exactly or not at all. */
  readonly isAnswer?: boolean;
  /** The meaning of its values, if known. */
  readonly words: Readonly<Record<string, string>>;
}

export interface ViewerTable {
  readonly name: string;
  readonly rows: number;
  /** In the order of the cells of a row. */
  readonly columns: readonly ViewerColumn[];
  /** `blocks 501-1500`; empty if unknown. */
  readonly range: string;
  readonly isComplete: boolean;
}

/** Rows of a table. */
export interface RowsRequest {
  readonly table: string;
  readonly look: TableLook;
}

/** A search from a row to the last one, and then from the first. */
export interface FindRequest extends RowsRequest {
  readonly text: string;
  readonly from: number;
  readonly direction: 1 | -1;
}

/** Where a text was found: the position among the rows of the look. */
export interface FoundText {
  readonly row: number;
  readonly column: string;
}

/** A table of a dataset as the viewer shows it. */
export function viewerTable(table: DatasetTable, isAnswer: boolean): ViewerTable {
  const { name, rows, fromBlock, toBlock, isComplete } = table;
  return {
    name,
    rows: Number(rows),
    columns: table.columns.map(column => ({ ...viewerColumn(column), isAnswer })),
    range: fromBlock === null || toBlock === null ? '' : `blocks ${fromBlock}-${toBlock}`,
    isComplete,
  };
}

const viewerColumn = (column: DatasetColumn): ViewerColumn => ({
  name: column.name,
  type: column.type,
  shape: columnShape(column),
  about: column.about,
  unit: column.unit,
  words: column.values ?? {},
  ...(mayBeAdded(column.kind) && { isSummable: true }),
  ...(column.counted !== undefined && { counted: column.counted }),
});

/** By the meaning of the column if it is known, else by its type. */
function columnShape(column: DatasetColumn): ColumnShape {
  switch (column.kind) {
    case 'account-id':
    case 'hash':
    case 'id':
      return 'id';
    case 'height':
    case 'ordinal':
      return 'ordinal';
    case 'enum':
      return 'word';
    case 'time':
      return 'time';
    case 'amount':
    case 'decimal':
    case 'factor':
    case 'price':
    case 'size':
      return 'number';
    case 'boolean':
    case 'json':
    case 'text':
      return 'text';
    case null:
      if (column.type === 'BLOB') return 'id';
      if (/^(?:TIMESTAMP|DATE)/.test(column.type)) return 'time';
      return isNative(column) ? 'number' : 'text';
  }
}
