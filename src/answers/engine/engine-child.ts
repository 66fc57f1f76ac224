import { rmSync } from 'node:fs';
import { EngineConnection, type ResultParts } from './engine-connection.ts';
import { type EngineReply, type FromEngine, NO_ROWS, packRows, sentError, type ToEngine } from './engine-messages.ts';
import type { ResultCell } from './result-cell.ts';

// The process with the SQL engine: what crashes it or fills its memory ends it and not the program. It answers
// requests of the process that started it, one at a time on each connection, and ends with that process.

interface OpenConnection {
  readonly connection: EngineConnection;
  /** Settles when what was asked of it so far is done. */
  readonly last: Promise<unknown>;
}

type Asked = Exclude<ToEngine, { readonly act: 'interrupt' }>;

/** What is open, and what is asked of it. */
class EngineSession {
  readonly #connections = new Map<number, OpenConnection>();
  readonly #results = new Map<number, AsyncGenerator<EngineReply>>();
  readonly #stops = new Map<number, AbortController>();
  #temporary = '';

  hear(message: ToEngine): void {
    if (message.act === 'interrupt') {
      this.#stops.get(message.id)?.abort();
      this.#forget(message.id);
    } else void this.#answer(message);
  }

  removeTemporary(): void {
    if (this.#temporary !== '') rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
  }

  async #answer(asked: Asked): Promise<void> {
    const { id } = asked;
    // A result that is read goes on under the number that it began with.
    if (asked.act !== 'next') this.#stops.set(id, new AbortController());
    try {
      send({ id, reply: await this.#inTurn(asked) });
    } catch (error) {
      send({ id, error: sentError(error) });
    } finally {
      if (!this.#results.has(id)) this.#stops.delete(id);
    }
  }

  async #inTurn(asked: Asked): Promise<EngineReply> {
    if (asked.act === 'open') {
      this.#temporary = asked.temporary;
      this.#connections.set(0, { connection: await EngineConnection.open(asked.limits), last: Promise.resolve() });
      return {};
    }
    const found = this.#connections.get(asked.connection);
    if (found === undefined) throw new Error(`connection ${asked.connection} is closed`);
    if (asked.act === 'beside') {
      this.#connections.set(asked.id, { connection: await found.connection.beside(), last: Promise.resolve() });
      return {};
    }
    const signal = this.#stops.get(asked.id)?.signal;
    const done = found.last.then(() => this.#fulfilled(asked, found.connection, signal));
    this.#connections.set(asked.connection, { ...found, last: done.catch(() => {}) });
    return await done;
  }

  async #fulfilled(
    asked: Exclude<Asked, { readonly act: 'open' | 'beside' }>,
    connection: EngineConnection,
    signal: AbortSignal | undefined,
  ): Promise<EngineReply> {
    signal?.throwIfAborted();
    switch (asked.act) {
      case 'run':
        await connection.run(asked.sql, signal);
        return {};
      case 'parse':
        await connection.parse(asked.sql);
        return {};
      case 'all':
        return await this.#begun(asked.id, await connection.all(asked.sql, signal));
      case 'stream':
        return await this.#begun(asked.id, await connection.stream(asked.sql, signal));
      case 'next':
        return await this.#nextOf(asked.result);
      case 'close':
        this.#connections.delete(asked.connection);
        connection.close();
        return {};
    }
  }

  async #begun(id: number, { columns, parts }: ResultParts): Promise<EngineReply> {
    this.#results.set(id, pieces(parts, columns.length));
    return { columns, ...(await this.#nextOf(id)) };
  }

  async #nextOf(id: number): Promise<EngineReply> {
    const result = this.#results.get(id);
    if (result === undefined) throw new Error('the result was ended');
    try {
      const { value, done = false } = await result.next();
      if (!done) return value;
      this.#forget(id);
      return { rows: NO_ROWS, isLast: true };
    } catch (error) {
      this.#forget(id);
      throw error;
    }
  }

  #forget(id: number): void {
    this.#results.delete(id);
    this.#stops.delete(id);
  }
}

function send(message: FromEngine): void {
  // Nobody listens when the program has gone, and then this process goes too.
  process.send?.(message, undefined, undefined, () => {});
}

/** So many characters are sent at a time, or a single row: the program holds no more of a result than that. */
const PIECE_LENGTH = 1 << 20;

async function* pieces(parts: ResultParts['parts'], columns: number): AsyncGenerator<EngineReply> {
  for await (const rows of parts) {
    let [from, length] = [0, 0];
    for (const [index, row] of rows.entries()) {
      const own = lengthOf(row);
      if (length + own > PIECE_LENGTH && index > from) {
        yield { rows: packRows(rows.slice(from, index), columns) };
        [from, length] = [index, 0];
      }
      length += own;
    }
    yield { rows: packRows(from === 0 ? rows : rows.slice(from), columns) };
  }
}

const lengthOf = (row: readonly ResultCell[]): number => row.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);

function listen(session: EngineSession): void {
  process.on('message', (message: ToEngine) => session.hear(message));
  // Killed or gone, the program cannot say so. A statement may be at work for hours: it is not waited for.
  process.on('disconnect', () => {
    session.removeTemporary();
    process.kill(process.pid, 'SIGKILL');
  });
  // A terminal sends these to the program as well, which decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}

listen(new EngineSession());
