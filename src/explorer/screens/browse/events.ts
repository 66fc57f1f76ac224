import type { EditedText } from '../../../base/text/edit-text.ts';
import type { ReplyHeaders } from '../../../chain/api/reply.ts';
import type { Explanation } from '../../../chain/explain/explanation.ts';
import type { ArrangedRows, ArrangeProgress } from '../../../chain/resources/arrangement.ts';
import type { GatheredList, GatherProgress } from '../../../chain/resources/gather-list.ts';
import type { ColumnValue } from '../../../chain/resources/record-search.ts';
import type { RowPage } from '../../../chain/resources/resource.ts';
import type { PlainAction } from '../../core/action.ts';
import type { BrowseRequest } from '../../openings.ts';
import type { ScreenFailure } from '../../services/failure.ts';

/** Events of a list: from menus, the command line and keys. */
export type BrowseEvent =
  | ListCommand
  | BrowseRequest
  | ListAnswer
  | ListKey
  | TableKey
  | RecordKey
  | FilterKey
  | FilterText;

/** A list to choose from. */
export type ListMenuId = 'sort' | 'columns' | 'go' | 'go-all' | 'count' | 'mine';

/** A line to type in. */
export type ListPromptId = 'find' | 'inspector-find' | 'page-size';

/** Keys of the table. */
export type TableKey =
  | { readonly type: 'scroll-columns'; readonly direction: 1 | -1 }
  | PlainAction<'next-page' | 'previous-page' | 'first-page' | 'last-page' | 'next-match' | 'previous-match'>
  | PlainAction<'toggle-order' | 'toggle-watch' | 'toggle-versions' | 'toggle-whole' | 'view-change' | 'inspect'>
  | PlainAction<'filter-by-row' | 'clear-filters' | 'back'>;

/** Keys of the table and of the record. */
export type ListKey =
  | PlainAction<'reload'>
  | { readonly type: 'open-menu'; readonly id: ListMenuId }
  | { readonly type: 'open-prompt'; readonly id: ListPromptId }
  /** Of the ids here, and of the rows. */
  | PlainAction<'toggle-mine' | 'limit-to-mine'>
  /** Of what the row or the filters name. */
  | PlainAction<'open-statement'>;

/** Keys of the filter bar; the first one opens it. */
export type FilterKey =
  | PlainAction<'edit-filters' | 'take-offer' | 'next-field' | 'previous-field' | 'apply-filters' | 'leave-filters'>
  | { readonly type: 'suggest'; readonly direction: 1 | -1 };

/** The result of a key in the focused field, or text pasted for another field. */
export type FilterText =
  | { readonly type: 'filter-edited'; readonly value: EditedText }
  | { readonly type: 'filters-pasted'; readonly text: string };

/** Keys of the record. */
export type RecordKey =
  | PlainAction<'toggle-fold' | 'fold' | 'unfold' | 'fold-all' | 'unfold-all' | 'toggle-raw' | 'view-value'>
  | PlainAction<
      | 'next-record'
      | 'previous-record'
      | 'next-in-record'
      | 'previous-in-record'
      | 'copy-calldata'
      | 'open-versions'
      | 'leave-record'
    >;

/** Chosen from a menu, or typed on the command line. */
type ListCommand =
  /** Without an order the other one than now, or the usual one of the column. */
  | { readonly type: 'sort-by'; readonly column: string; readonly isDescending?: boolean }
  | { readonly type: 'toggle-column'; readonly column: string }
  | { readonly type: 'reset-columns' }
  | { readonly type: 'count-column'; readonly column: string; readonly shows: 'values' | 'sums' }
  /** To the rows that have this value in a column. */
  | { readonly type: 'narrow'; readonly sought: ColumnValue }
  /** Searches the rows or the record for a text; '' for nothing. */
  | { readonly type: 'find-text'; readonly where: 'list' | 'record'; readonly text: string }
  | { readonly type: 'set-page-size'; readonly size: number };

/** The result of something that a list requested or waited for. */
export type ListAnswer =
  | {
      readonly type: 'page-arrived';
      readonly requestId: number;
      readonly page: RowPage;
      /** Rows requested in the end; fewer than wanted if the node cannot send that number. */
      readonly size: number;
      /** What the page lacks because of the node, if that should be shown. */
      readonly note?: string;
      readonly facts: ReplyHeaders;
      readonly atMs: number;
    }
  | {
      readonly type: 'page-failed';
      readonly requestId: number;
      readonly failure: ScreenFailure;
      readonly demand: string | null;
      readonly atMs: number;
    }
  | { readonly type: 'page-slow'; readonly requestId: number }
  | WholeListAnswer
  | { readonly type: 'watch-due' }
  | { readonly type: 'rested' }
  | { readonly type: 'preview-left' }
  /** Null if the list has no explanation. */
  | { readonly type: 'explained'; readonly requestId: number; readonly explanation: Explanation | null }
  | { readonly type: 'not-explained'; readonly requestId: number; readonly problem: string }
  | { readonly type: 'explanation-slow'; readonly requestId: number };

/** The same of a list that is loaded whole. */
export type WholeListAnswer =
  | {
      readonly type: 'whole-progressed';
      readonly requestId: number;
      readonly progress: GatherProgress;
      readonly atMs: number;
    }
  | {
      readonly type: 'whole-arrived';
      readonly requestId: number;
      readonly gathered: GatheredList;
      readonly atMs: number;
    }
  | { readonly type: 'whole-failed'; readonly requestId: number; readonly problem: string }
  | { readonly type: 'arrange-progressed'; readonly requestId: number; readonly progress: ArrangeProgress }
  | { readonly type: 'arranged'; readonly requestId: number; readonly places: ArrangedRows['places'] };
