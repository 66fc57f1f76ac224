/** A row of a result, each value as exact text; null is NULL. */
export type ResultRow = readonly (string | null)[];

/** Writes a result as it comes, in one format, holding none of it. */
export interface ResultWriter {
  readonly write: (rows: readonly ResultRow[]) => Promise<void>;
  readonly end: () => Promise<void>;
}
