import type { OfferedQuestion } from '../../session/model/offered.ts';
import type {
  ChartPoint,
  ChartQuestion,
  FindQuestion,
  FoundAt,
  ValueCounts,
  ViewedLook,
  ViewedRow,
  ViewedTable,
} from '../../session/model/viewed-table.ts';
import type { OpeningProgress, ViewedFiles } from '../../session/model/viewer.ts';

/** Tables of files that are open. What is asked of it answers out of the way of the keys; an abort ends it. */
export interface TableSource {
  readonly tables: readonly ViewedTable[];
  /** What a reader has to know of all of it. */
  readonly notes: readonly string[];
  /** The statement that made them, where they are an answer. */
  readonly sql: string | null;
  /** Ready questions that these tables answer. */
  readonly questions: readonly OfferedQuestion[];
  readonly rows: (
    asked: ViewedLook & { readonly from: number; readonly rows: number },
    signal: AbortSignal,
  ) => Promise<readonly ViewedRow[]>;
  /** Works out which rows a look has and in which order, and resolves with how many. */
  readonly arrange: (looked: ViewedLook, signal: AbortSignal) => Promise<number>;
  /** Null where it is in none. */
  readonly find: (
    question: FindQuestion,
    onProgress: (rows: number) => void,
    signal: AbortSignal,
  ) => Promise<FoundAt | null>;
  readonly count: (asked: ViewedLook & { readonly column: string }, signal: AbortSignal) => Promise<ValueCounts>;
  readonly chart: (question: ChartQuestion, signal: AbortSignal) => Promise<readonly ChartPoint[]>;
  /** All rows of a look, in parts. */
  readonly stream: (looked: ViewedLook, signal: AbortSignal) => AsyncIterable<readonly ViewedRow[]>;
  /** Ends what runs, closes the files and removes what was made for them. */
  readonly close: () => Promise<void>;
}

export type OpenSource = (
  asked: ViewedFiles,
  onProgress: (progress: OpeningProgress) => void,
  signal: AbortSignal,
) => Promise<TableSource>;

/** The files that are open, by the ticket of their opening. */
export class OpenTables {
  readonly #open: OpenSource;
  readonly #sources = new Map<number, TableSource>();

  constructor(open: OpenSource) {
    this.#open = open;
  }

  /** Opens files, tells when they are, and holds them until the signal says that nobody looks at them any more. */
  async hold(
    asked: ViewedFiles & { readonly ticket: number },
    tell: {
      readonly progressed: (progress: OpeningProgress) => void;
      readonly opened: (source: TableSource) => void;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const source = await this.#open(asked, tell.progressed, signal);
    try {
      signal.throwIfAborted();
      this.#sources.set(asked.ticket, source);
      tell.opened(source);
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      this.#sources.delete(asked.ticket);
      await source.close();
    }
  }

  /** Throws where they are closed already. */
  of(ticket: number): TableSource {
    const source = this.#sources.get(ticket);
    if (source === undefined) throw new Error('the table is closed');
    return source;
  }
}
