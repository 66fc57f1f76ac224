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
}

/** A view to be saved, under the name of its node. */
export interface ViewToSave {
  readonly name: string;
  readonly view: SavedView;
  /** What the lists were opened with; without it the view replaces the saved one. */
  readonly before?: SavedView;
}
