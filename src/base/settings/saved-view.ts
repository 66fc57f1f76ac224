/** How the user left the lists of a node, to be restored at the next start. */
export interface SavedView {
  readonly tab?: string;
  readonly lists?: { readonly [resource: string]: SavedList };
}

export interface SavedList {
  readonly filters?: { readonly [name: string]: readonly string[] };
  readonly sort?: { readonly column: string; readonly isDescending: boolean };
  readonly newestFirst?: boolean;
  readonly pageSize?: number;
  /** Columns turned on or off by hand. */
  readonly columns?: { readonly [column: string]: boolean };
  /** Columns in the order they were put into; others follow in the descriptor's. */
  readonly order?: readonly string[];
  /** Cells of columns that were widened or narrowed by hand. */
  readonly widths?: { readonly [column: string]: number };
}

/** A view to be saved, under the name of its node. */
export interface ViewToSave {
  readonly name: string;
  readonly view: SavedView;
  /** What the lists were opened with; without it the view replaces the saved one. */
  readonly before?: SavedView;
}
