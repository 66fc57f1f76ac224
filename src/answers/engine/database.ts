import { type EngineReply, NO_ROWS, unpackRows } from './engine-messages.ts';
import { EngineProcess } from './engine-process.ts';
import type { ResultCell } from './result-cell.ts';
import type { ResultColumn } from './result-columns.ts';
import { sqlList, sqlText } from './sql-text.ts';

export type { ResultColumn } from './result-columns.ts';

export interface DatabaseLimits {
  readonly memoryMiB?: number;
  readonly threads?: number;
  /** Folder for data that does not fit into memory; without it such a query fails. */
  readonly spillTo?: string;
  /** The size limit of that folder. */
  readonly spillMiB?: number;
  /** A folder that the engine removes if this process is killed. */
  readonly temporary?: string;
}

type Rows = readonly (readonly ResultCell[])[];

/** Throws AnswerError if the engine is not installed or cannot be loaded. */
export const checkEngine = async (): Promise<void> => (await Database.open({ memoryMiB: 64 })).close();

/** A result that is still being read. Rows come in parts. */
export interface ResultStream {
  readonly columns: readonly ResultColumn[];
  readonly parts: AsyncGenerator<Rows>;
}

/** The error to report instead of one of a statement. */
type ExplainError = (error: unknown) => Promise<unknown>;

/**
 * An in-memory engine without extensions or network access, in a process of its own. It runs one statement at a time; an
 * abort ends the statement. If the process ends, all its requests fail with AnswerError.
 */
export class Database {
  readonly #engine: EngineProcess;
  readonly #connection: number;
  #explain: ExplainError = async error => error;

  private constructor(engine: EngineProcess, connection: number) {
    this.#engine = engine;
    this.#connection = connection;
  }

  /** Throws AnswerError if the engine is not installed. An abort closes it at once. */
  static async open(limits: DatabaseLimits = {}, signal?: AbortSignal): Promise<Database> {
    const { memoryMiB = 512, threads = 2, spillTo = '', spillMiB = 4096, temporary = '' } = limits;
    const open = { act: 'open', limits: { memoryMiB, threads, spillTo, spillMiB }, temporary } as const;
    return new Database(await EngineProcess.start(open, signal), 0);
  }

  /** Another connection to the same tables, so that a long statement does not delay a short one. It closes with this one. */
  async beside(): Promise<Database> {
    const { id, reply } = this.#engine.begin({ act: 'beside', connection: this.#connection });
    await reply;
    const other = new Database(this.#engine, id);
    other.explainErrors(this.#explain);
    return other;
  }

  /** From now on errors of statements are reported as this explains them. */
  explainErrors(explain: ExplainError): void {
    this.#explain = explain;
  }

  /** From now on the engine can open only these files, cannot use the network, and its settings are locked. */
  async seal(readable: readonly string[]): Promise<void> {
    await this.run(`SET allowed_paths = ${sqlList(readable.map(sqlText))}`);
    await this.run('SET enable_external_access = false');
    await this.run('SET lock_configuration = true');
  }

  /** Throws AnswerError with the engine's message, or the reason of the abort. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await this.#explained(this.#engine.ask({ act: 'run', connection: this.#connection, sql }, signal));
  }

  /** A whole result; it must fit into memory. */
  async all(
    sql: string,
    signal?: AbortSignal,
  ): Promise<{ readonly columns: readonly ResultColumn[]; readonly rows: Rows }> {
    const { columns, parts } = await this.#result('all', sql, signal);
    const rows: (readonly ResultCell[])[] = [];
    for await (const part of parts) rows.push(...part);
    return { columns, rows };
  }

  /** The result of a statement that reads, of any length; its parts are fetched on demand. */
  async stream(sql: string, signal?: AbortSignal): Promise<ResultStream> {
    return await this.#result('stream', sql, signal);
  }

  /** Throws AnswerError if a text is not SQL. It does not check that the tables and columns exist. */
  async parse(sql: string): Promise<void> {
    await this.#engine.ask({ act: 'parse', connection: this.#connection, sql });
  }

  /** Closes at once, even if a statement is running. A second connection closes after its statement. */
  async close(): Promise<void> {
    if (this.#connection === 0) await this.#engine.end();
    else this.#engine.begin({ act: 'close', connection: this.#connection });
  }

  #explained<T>(reply: Promise<T>): Promise<T> {
    return reply.catch(async (error: unknown) => {
      throw await this.#explain(error);
    });
  }

  async #result(act: 'all' | 'stream', sql: string, signal?: AbortSignal): Promise<ResultStream> {
    const { id, reply } = this.#engine.begin({ act, connection: this.#connection, sql }, signal);
    const first = await this.#explained(reply);
    return { columns: first.columns ?? [], parts: this.#parts(id, first, signal) };
  }

  /** Fetches the next part while the current one is used. */
  async *#parts(result: number, first: EngineReply, signal?: AbortSignal): AsyncGenerator<Rows> {
    const next = (): Promise<EngineReply> =>
      this.#engine.ask({ act: 'next', connection: this.#connection, result }, signal);
    let part = first;
    try {
      while (part.isLast !== true) {
        const following = next();
        following.catch(() => {});
        yield unpackRows(part.rows ?? NO_ROWS);
        // After an abort, do not return a part that was fetched before it.
        signal?.throwIfAborted();
        part = await this.#explained(following);
      }
    } finally {
      if (part.isLast !== true) this.#engine.interrupt(result);
    }
  }
}
