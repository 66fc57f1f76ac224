/** What a list is told to do: by menus, by the command line, and by keys. */
export type BrowseEvent = ListCommand | ListKey;

/** Keys of the table. */
export type ListKey = { readonly type: 'scroll-columns'; readonly direction: 1 | -1 };

/** Chosen from a menu, or typed on the command line. */
export type ListCommand =
  /** Without an order the other one than now, or the usual one of the column. */
  | { readonly type: 'sort-by'; readonly column: string; readonly isDescending?: boolean }
  | { readonly type: 'toggle-column'; readonly column: string }
  | { readonly type: 'reset-columns' }
  | { readonly type: 'set-page-size'; readonly size: number }
  | { readonly type: 'set-filter'; readonly name: string; readonly value: string };
