import type { EditedText } from '../../text/edit-text.ts';

/** Actions that are nothing but their name. */
export type Bare<Type extends string> = Type extends unknown ? { readonly type: Type } : never;

/** What a list is told to do: by menus, by the command line, and by keys. */
export type BrowseEvent = ListCommand | ListKey | RecordKey | FilterKey | FilterText;

/** Keys of the table. */
export type ListKey =
  | { readonly type: 'scroll-columns'; readonly direction: 1 | -1 }
  | Bare<'edit-filters' | 'filter-by-row' | 'view-change'>
  /** Of what the row or the filters name. */
  | Bare<'open-statement'>;

/** Keys of the filter bar; the first of them opens it. */
export type FilterKey =
  | Bare<'edit-filters' | 'next-field' | 'previous-field' | 'apply-filters' | 'back'>
  | { readonly type: 'suggest'; readonly direction: 1 | -1 };

/** What came of a key in the field in focus, or was pasted for another one. */
export type FilterText =
  | { readonly type: 'filter-edited'; readonly value: EditedText }
  | { readonly type: 'filters-pasted'; readonly text: string };

/** Keys of the record. */
export type RecordKey =
  | { readonly type: 'move'; readonly by: 'line' | 'page' | 'half' | 'wheel'; readonly direction: 1 | -1 }
  | { readonly type: 'move-to'; readonly end: 'start' | 'end' }
  | Bare<'toggle-fold' | 'fold' | 'unfold' | 'fold-all' | 'unfold-all' | 'toggle-raw' | 'view-value'>
  | Bare<'next-record' | 'previous-record' | 'next-match' | 'previous-match' | 'copy-calldata' | 'back'>;

/** Chosen from a menu, or typed on the command line. */
export type ListCommand =
  /** Without an order the other one than now, or the usual one of the column. */
  | { readonly type: 'sort-by'; readonly column: string; readonly isDescending?: boolean }
  | { readonly type: 'toggle-column'; readonly column: string }
  | { readonly type: 'reset-columns' }
  /** Searches the rows or the record for a text; '' for nothing. */
  | { readonly type: 'find-text'; readonly where: 'list' | 'record'; readonly text: string }
  | { readonly type: 'set-page-size'; readonly size: number }
  | { readonly type: 'set-filter'; readonly name: string; readonly value: string };
