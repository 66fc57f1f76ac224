import type { Row } from '../../../../chain/resources/resource.ts';

/** What a page has that the same page had not when it was loaded before. */
export interface Changes {
  /** The rows of the page that it is about. */
  readonly rows: readonly Row[];
  /** When the page came that it was compared with. */
  readonly sinceMs: number;
  /** When the page came that shows them; of snapshots, it may be the earlier one. */
  readonly untilMs: number;
  readonly changed: ReadonlyMap<Row, RowChange>;
  readonly added: ReadonlySet<Row>;
  /** Rows that are on the page no more. */
  readonly gone: number;
  /** The page is all of the list, according to the node. */
  readonly isWhole: boolean;
}

export interface RowChange {
  readonly before: Row;
  /** The values before, by column, of those that are others now. */
  readonly values: ReadonlyMap<string, string>;
}
