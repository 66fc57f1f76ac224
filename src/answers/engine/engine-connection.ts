import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import { AnswerError } from './answer-error.ts';
import { toAnswerError } from './engine-errors.ts';
import { type Engine, loadEngine } from './load-engine.ts';
import { type ResultCell, resultCells } from './result-cell.ts';
import { type ResultColumn, resultColumns } from './result-columns.ts';
import { sqlText } from './sql-text.ts';

export interface EngineLimits {
  readonly memoryMiB: number;
  readonly threads: number;
  /** Folder for data that does not fit into memory; '' for none: then such a query fails. */
  readonly spillTo: string;
  /** The size limit of that folder. */
  readonly spillMiB: number;
}

/** A result that is still being read. Rows come in parts. */
export interface ResultParts {
  readonly columns: readonly ResultColumn[];
  readonly parts: AsyncGenerator<readonly (readonly ResultCell[])[]>;
}

/**
 * The in-memory engine itself, without extensions or network access. It runs in a process of its own
 * (`engine-child.ts`), one statement at a time; an abort ends the statement.
 */
export class EngineConnection {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #cell: ReturnType<typeof resultCells>;
  readonly #engine: Engine;
  #isReading = false;
  /** Counts statements: a new one ends the result that is still being read. */
  #begun = 0;

  private constructor(engine: Engine, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#engine = engine;
    this.#instance = instance;
    this.#connection = connection;
    this.#cell = resultCells(engine);
  }

  /** Throws AnswerError if the engine cannot be loaded. */
  static async open({ memoryMiB, threads, spillTo, spillMiB }: EngineLimits): Promise<EngineConnection> {
    const engine = await loadEngine();
    const instance = await engine.DuckDBInstance.create(':memory:', {
      memory_limit: `${memoryMiB}MiB`,
      threads: String(threads),
      temp_directory: spillTo,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      allow_unsigned_extensions: 'false',
    });
    const connection = await instance.connect();
    // The engine ignores this setting if it is given when opening.
    if (spillTo !== '') await connection.run(`SET max_temp_directory_size = ${sqlText(`${spillMiB}MiB`)}`);
    // Times must not depend on the machine.
    await connection.run("SET TimeZone = 'UTC'");
    return new EngineConnection(engine, instance, connection);
  }

  /** Another connection to the same tables, so that a long statement does not delay a short one. */
  async beside(): Promise<EngineConnection> {
    return new EngineConnection(this.#engine, this.#instance, await this.#instance.connect());
  }

  /** Throws AnswerError with the engine's message, or the reason of the abort. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await this.#endReading();
    await this.#interruptibly(signal, () => this.#connection.run(sql));
  }

  /** The result of any statement, computed before its first part is fetched. */
  async all(sql: string, signal?: AbortSignal): Promise<ResultParts> {
    await this.#endReading();
    const result = await this.#interruptibly(signal, () => this.#connection.run(sql));
    return { columns: resultColumns(this.#engine, result), parts: this.#wholeParts(result, signal) };
  }

  async *#wholeParts(result: DuckDBResult, signal?: AbortSignal): ResultParts['parts'] {
    for (let part = await this.#part(result, signal); part.length > 0; part = await this.#part(result, signal))
      yield part;
  }

  /** The result of a statement that reads, of any length; its parts are fetched on demand. */
  async stream(sql: string, signal?: AbortSignal): Promise<ResultParts> {
    await this.#endReading();
    // A result that fails after its first rows looks complete. The failure aborts the transaction, which can be checked.
    await this.#connection.run('BEGIN TRANSACTION READ ONLY');
    this.#isReading = true;
    const result = await this.#interruptibly(signal, async () => {
      const prepared = await this.#connection.prepare(sql);
      const kind = this.#kindOf(prepared);
      if (kind !== 'SELECT' && kind !== 'EXPLAIN')
        throw new AnswerError(`a query can only read: ${kind} is not allowed`, READING_STATEMENTS);
      return prepared.stream();
    });
    return {
      columns: resultColumns(this.#engine, result),
      parts: this.#parts(result, { sql, turn: this.#begun }, signal),
    };
  }

  /** Throws AnswerError if a text is not SQL. It does not check that the tables and columns exist. */
  async parse(sql: string): Promise<void> {
    await this.#interruptibly(undefined, () => this.#connection.extractStatements(sql));
  }

  /** Waits for the running statement. */
  close(): void {
    this.#connection.closeSync();
  }

  #kindOf({ statementType }: DuckDBPreparedStatement): string {
    return this.#engine.StatementType[statementType] ?? 'INVALID';
  }

  async *#parts(
    result: DuckDBResult,
    { sql, turn }: { readonly sql: string; readonly turn: number },
    signal?: AbortSignal,
  ): ResultParts['parts'] {
    for (;;) {
      if (turn !== this.#begun)
        throw new Error('this result is incomplete: another query started before it was fully read');
      const part = await this.#part(result, signal);
      if (part.length === 0) break;
      yield part;
    }
    if (await this.#hasFailed()) throw await this.#failure(sql, signal);
    await this.#endReading();
  }

  async #part(result: DuckDBResult, signal?: AbortSignal): Promise<readonly (readonly ResultCell[])[]> {
    const chunk = await this.#interruptibly(signal, () => result.fetchChunk());
    return chunk === null || chunk.rowCount === 0 ? [] : chunk.getRows().map(row => row.map(this.#cell));
  }

  #hasFailed(): Promise<boolean> {
    return this.#connection.run('SELECT 1').then(
      () => false,
      () => true,
    );
  }

  /** Why a result broke off. The message is lost, so the statement runs again without being read. */
  async #failure(sql: string, signal?: AbortSignal): Promise<AnswerError> {
    try {
      await this.run(/^\s*EXPLAIN\b/i.test(sql) ? sql : `EXPLAIN ANALYZE ${sql}`, signal);
    } catch (error) {
      if (error instanceof AnswerError) return error;
      throw error;
    }
    return new AnswerError('the result ended too early', 'run the query again');
  }

  async #endReading(): Promise<void> {
    this.#begun++;
    if (!this.#isReading) return;
    this.#isReading = false;
    await this.#connection.run('ROLLBACK');
  }

  async #interruptibly<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const interrupt = (): void => this.#connection.interrupt();
    signal?.addEventListener('abort', interrupt);
    try {
      const done = await work();
      // An interrupted result looks complete.
      signal?.throwIfAborted();
      return done;
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof AnswerError ? error : toAnswerError(error);
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }
}

export const READING_STATEMENTS = 'SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN';
