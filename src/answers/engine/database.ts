import { type EngineReply, NO_ROWS, unpackRows } from './engine-messages.ts';
import { EngineProcess } from './engine-process.ts';
import type { ResultCell } from './result-cell.ts';
import type { ResultColumn } from './result-columns.ts';
import { sqlList, sqlText } from './sql-text.ts';

export type { ResultColumn } from './result-columns.ts';

export interface DatabaseLimits {
  readonly memoryMiB?: number;
  readonly threads?: number;
  /** Folder for what does not fit into memory; none unless said: then a query that needs more fails. */
  readonly spillTo?: string;
  /** The most that may lie there. */
  readonly spillMiB?: number;
  /** A folder that is removed should this process be killed. */
  readonly temporary?: string;
}

type Rows = readonly (readonly ResultCell[])[];

/** Throws AnswerError where the engine is not there, or cannot be loaded. */
export const checkEngine = async (): Promise<void> => (await Database.open({ memoryMiB: 64 })).close();

/** A result that is still being read. Rows come in parts. */
export interface ResultStream {
  readonly columns: readonly ResultColumn[];
  readonly parts: AsyncGenerator<Rows>;
}

/**
 * An engine in memory, without extensions and without the network, in a process of its own. One statement at a time; an
 * abort ends it. What ends the process ends all that is asked of it with AnswerError.
 */
export class Database {
  readonly #engine: EngineProcess;
  readonly #connection: number;

  private constructor(engine: EngineProcess, connection: number) {
    this.#engine = engine;
    this.#connection = connection;
  }

  /** Throws AnswerError where the engine is not there. An abort closes it at once. */
  static async open(limits: DatabaseLimits = {}, signal?: AbortSignal): Promise<Database> {
    const { memoryMiB = 512, threads = 2, spillTo = '', spillMiB = 4096, temporary = '' } = limits;
    const open = { act: 'open', limits: { memoryMiB, threads, spillTo, spillMiB }, temporary } as const;
    return new Database(await EngineProcess.start(open, signal), 0);
  }

  /** The same tables, so that a long statement holds up no short one. It is closed with this one at the latest. */
  async beside(): Promise<Database> {
    const { id, reply } = this.#engine.begin({ act: 'beside', connection: this.#connection });
    await reply;
    return new Database(this.#engine, id);
  }

  /** From here on no file but these can be opened, nothing reaches the network, and no setting can be changed. */
  async seal(readable: readonly string[]): Promise<void> {
    await this.run(`SET allowed_paths = ${sqlList(readable.map(sqlText))}`);
    await this.run('SET enable_external_access = false');
    await this.run('SET lock_configuration = true');
  }

  /** Throws AnswerError with the engine's own words, or the reason of the abort. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await this.#engine.ask({ act: 'run', connection: this.#connection, sql }, signal);
  }

  /** A whole result, which has to fit into memory. */
  async all(
    sql: string,
    signal?: AbortSignal,
  ): Promise<{ readonly columns: readonly ResultColumn[]; readonly rows: Rows }> {
    const { columns, parts } = await this.#result('all', sql, signal);
    const rows: (readonly ResultCell[])[] = [];
    for await (const part of parts) rows.push(...part);
    return { columns, rows };
  }

  /** The result of one statement that reads, of any length; its parts are fetched as they are asked for. */
  async stream(sql: string, signal?: AbortSignal): Promise<ResultStream> {
    return await this.#result('stream', sql, signal);
  }

  /** Throws AnswerError where a text is no SQL. It is not looked at beyond that: what it names need not be there. */
  async parse(sql: string): Promise<void> {
    await this.#engine.ask({ act: 'parse', connection: this.#connection, sql });
  }

  /** Ends it, whatever it is at; one that was made beside another when its statement is done, which nobody waits for. */
  async close(): Promise<void> {
    if (this.#connection === 0) await this.#engine.end();
    else this.#engine.begin({ act: 'close', connection: this.#connection });
  }

  async #result(act: 'all' | 'stream', sql: string, signal?: AbortSignal): Promise<ResultStream> {
    const { id, reply } = this.#engine.begin({ act, connection: this.#connection, sql }, signal);
    const first = await reply;
    return { columns: first.columns ?? [], parts: this.#parts(id, first, signal) };
  }

  /** While a part is used, the next one is made. */
  async *#parts(result: number, first: EngineReply, signal?: AbortSignal): AsyncGenerator<Rows> {
    const next = (): Promise<EngineReply> =>
      this.#engine.ask({ act: 'next', connection: this.#connection, result }, signal);
    let part = first;
    try {
      while (part.isLast !== true) {
        const following = next();
        following.catch(() => {});
        yield unpackRows(part.rows ?? NO_ROWS);
        // What was made in time is not what came of it after an abort.
        signal?.throwIfAborted();
        part = await following;
      }
    } finally {
      if (part.isLast !== true) this.#engine.interrupt(result);
    }
  }
}
