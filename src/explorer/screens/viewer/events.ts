import type {
  FoundText,
  ReadyQuestion,
  TableLook,
  ViewerCell,
  ViewerRow,
  ViewerTables,
} from '../../../answers/index.ts';
import type { OpeningProgress } from '../../services/tables.ts';
import type { CountedRows } from './state.ts';

export type ViewerEvent = KeyEvent | ChoiceEvent | EffectEvent;

type KeyEvent =
  | { readonly type: 'open-again' | 'back' | 'type-find' }
  | { readonly type: 'inspect' | 'all-rows' | 'toggle-raw' }
  | { readonly type: 'scroll-columns' | 'find-next'; readonly direction: 1 | -1 };

/** Chosen from a menu or the command line. */
type ChoiceEvent =
  | { readonly type: 'table'; readonly table: number }
  /** Without an order: the opposite of the present one, or the usual one of the column. '' is the order of the file. */
  | { readonly type: 'sort'; readonly column: string; readonly isDescending?: boolean }
  | { readonly type: 'filter'; readonly column: string; readonly value: ViewerCell }
  | { readonly type: 'find'; readonly text: string }
  /** Without a look: the rows that are shown. */
  | { readonly type: 'count'; readonly column: string; readonly look?: TableLook }
  /** Chosen among the values that were counted. */
  | ({ readonly type: 'rows-of-value' } & CountedRows)
  | { readonly type: 'ask'; readonly question: ReadyQuestion }
  | { readonly type: 'ask-party'; readonly question: ReadyQuestion; readonly party: string }
  | { readonly type: 'type-range' }
  /** The same question for another range, or with reasons apart; '' is the range that was exported. */
  | { readonly type: 'ask-again'; readonly range?: string; readonly isSplit?: boolean };

/** What the effects report. */
export type EffectEvent =
  | { readonly type: 'opening'; readonly progress: OpeningProgress }
  | { readonly type: 'opened'; readonly tables: ViewerTables }
  | { readonly type: 'not-opened'; readonly problem: string; readonly hint: string }
  | { readonly type: 'rows'; readonly from: number; readonly rows: readonly ViewerRow[] }
  | { readonly type: 'no-rows'; readonly problem: string }
  | { readonly type: 'arranged'; readonly count: number }
  | { readonly type: 'finding'; readonly done: number }
  | { readonly type: 'found'; readonly at: FoundText | null }
  /** Another second has passed. */
  | { readonly type: 'waited' }
  /** The rows stay unchanged. */
  | { readonly type: 'failed'; readonly problem: string };
