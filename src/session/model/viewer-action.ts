import type {
  ChartPoint,
  FoundAt,
  Measure,
  ReadyQuestion,
  ValueCounts,
  ViewerCell,
  ViewerRow,
  ViewerTable,
} from '../../answers/index.ts';
import type { OpeningProgress, TableOffer } from './table-requests.ts';
import type { ViewedFiles } from './viewer.ts';

/** What is chosen for tables that are looked at. */
export type ViewerChoice =
  | { readonly kind: 'open'; readonly files: ViewedFiles }
  /** A ready question to what was exported; it is asked of whom where that is not said and has to be. */
  | { readonly kind: 'ask'; readonly question: ReadyQuestion; readonly party?: string }
  | { readonly kind: 'ask-party'; readonly party: string }
  /** The same question of another range, or with reasons apart; '' is the range that the export was asked for. */
  | { readonly kind: 'ask-again'; readonly range?: string; readonly isSplit?: boolean }
  | { readonly kind: 'table'; readonly table: number }
  /** Without an order the other one than now, or the usual one of the column; '' is the order of the file. */
  | { readonly kind: 'sort'; readonly column: string; readonly isDescending?: boolean }
  | { readonly kind: 'filter'; readonly column: string; readonly value: ViewerCell }
  | { readonly kind: 'find'; readonly text: string }
  | { readonly kind: 'count'; readonly column: string }
  | { readonly kind: 'chart'; readonly column: string; readonly measure: Measure };

/** What became of what was asked about tables, by its ticket. */
export type ViewerFact = { readonly ticket: number } & (
  | { readonly kind: 'opening'; readonly progress: OpeningProgress }
  | {
      readonly kind: 'opened';
      readonly tables: readonly ViewerTable[];
      readonly notes: readonly string[];
      readonly sql: string | null;
      readonly questions: readonly ReadyQuestion[];
    }
  | ({ readonly kind: 'offered' } & TableOffer)
  | { readonly kind: 'not-opened'; readonly problem: string; readonly hint: string }
  | { readonly kind: 'rows'; readonly from: number; readonly rows: readonly ViewerRow[] }
  | { readonly kind: 'no-rows'; readonly problem: string }
  | { readonly kind: 'arranged'; readonly count: number }
  | { readonly kind: 'finding'; readonly done: number }
  /** Another second. */
  | { readonly kind: 'waited' }
  | { readonly kind: 'found'; readonly at: FoundAt | null }
  | { readonly kind: 'counted'; readonly counts: ValueCounts }
  | { readonly kind: 'charted'; readonly points: readonly ChartPoint[] }
  /** Rows as they are stay. */
  | { readonly kind: 'failed'; readonly problem: string }
);
