import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import { AnswerError } from './answer-error.ts';
import { type Engine, loadEngine } from './load-engine.ts';
import { type ResultCell, resultCells } from './result-cell.ts';
import { sqlList, sqlText } from './sql-text.ts';

export interface DatabaseLimits {
  readonly memoryMiB?: number;
  readonly threads?: number;
  /** Folder for what does not fit into memory; none unless said: then a query that needs more fails. */
  readonly spillTo?: string;
}

export interface ResultColumn {
  readonly name: string;
  /** As the engine writes it: `DECIMAL(38,0)`. */
  readonly type: string;
}

/** A result that is still being read. Rows come in parts. */
export interface ResultStream {
  readonly columns: readonly ResultColumn[];
  readonly parts: AsyncGenerator<readonly (readonly ResultCell[])[]>;
}

/** An engine in memory, without extensions and without the network. One statement at a time; an abort ends it. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #cell: ReturnType<typeof resultCells>;
  readonly #engine: Engine;

  private constructor(engine: Engine, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#engine = engine;
    this.#instance = instance;
    this.#connection = connection;
    this.#cell = resultCells(engine);
  }

  /** Throws AnswerError where the engine is not there. */
  static async open({ memoryMiB = 512, threads = 2, spillTo = '' }: DatabaseLimits = {}): Promise<Database> {
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
    return new Database(engine, instance, await instance.connect());
  }

  /** From here on no file but these can be opened, nothing reaches the network, and no setting can be changed. */
  async seal(readable: readonly string[]): Promise<void> {
    await this.run(`SET allowed_paths = ${sqlList(readable.map(sqlText))}`);
    await this.run('SET enable_external_access = false');
    await this.run('SET lock_configuration = true');
  }

  /** Throws AnswerError with the engine's own words, or the reason of the abort. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await this.#interruptibly(signal, () => this.#connection.run(sql));
  }

  async all(
    sql: string,
    signal?: AbortSignal,
  ): Promise<{ readonly columns: readonly ResultColumn[]; readonly rows: readonly (readonly ResultCell[])[] }> {
    const { columns, parts } = await this.stream(sql, signal);
    const rows: (readonly ResultCell[])[] = [];
    for await (const part of parts) rows.push(...part);
    return { columns, rows };
  }

  /** A result of any length; its parts are fetched as they are asked for. */
  async stream(sql: string, signal?: AbortSignal): Promise<ResultStream> {
    const result = await this.#interruptibly(signal, () => this.#connection.stream(sql));
    const columns = result.columnNames().map((name, index) => ({ name, type: String(result.columnType(index)) }));
    return { columns, parts: this.#parts(result, signal) };
  }

  /** The kinds of the statements in a text, in the engine's names: `SELECT`, `COPY`. Runs none of them. */
  async kindsOf(sql: string): Promise<readonly string[]> {
    return await this.#interruptibly(undefined, async () => {
      const statements = await this.#connection.extractStatements(sql);
      const kinds: string[] = [];
      for (let index = 0; index < statements.count; index++) {
        const prepared = await statements.prepare(index);
        kinds.push(this.#engine.StatementType[prepared.statementType] ?? 'INVALID');
        prepared.destroySync();
      }
      return kinds;
    });
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async *#parts(result: DuckDBResult, signal?: AbortSignal): AsyncGenerator<readonly (readonly ResultCell[])[]> {
    for (;;) {
      const chunk = await this.#interruptibly(signal, () => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getRows().map(row => row.map(this.#cell));
    }
  }

  async #interruptibly<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const interrupt = (): void => this.#connection.interrupt();
    signal?.addEventListener('abort', interrupt);
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof AnswerError ? error : new AnswerError(...inItsWords(error));
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }
}

/** The first paragraph: behind it stand the statement and advice about settings that are locked. */
function inItsWords(error: unknown): [message: string, hint: string] {
  const words = error instanceof Error ? error.message : String(error);
  const [first = words, ...others] = words.split(/\n\s*\n/);
  const hint = /^Out of Memory/.test(words)
    ? 'ask for fewer columns or groups, or give it more with --memory'
    : (others.find(line => /^Did you mean|^Candidate/.test(line.trim()))?.trim() ??
      'see the tables and columns: blockglass query --tables');
  return [first.replace(/\s*\n\s*/g, ' ').trim(), hint];
}
