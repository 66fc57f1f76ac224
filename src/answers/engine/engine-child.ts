import { rmSync } from 'node:fs';
import { EngineConnection, type ResultParts } from './engine-connection.ts';
import {
  type EngineReply,
  type MessageFromEngine,
  type MessageToEngine,
  NO_ROWS,
  packRows,
  serialiseError,
} from './engine-messages.ts';
import type { ResultCell } from './result-cell.ts';

// The process of the SQL engine, so that a crash or a lack of memory does not end the program. It answers requests of
// its parent process, one at a time on each connection, and ends when the parent ends.

interface OpenConnection {
  readonly connection: EngineConnection;
  /** Settles when all requests so far are done. */
  readonly last: Promise<unknown>;
}

type Task = Exclude<MessageToEngine, { readonly act: 'interrupt' }>;

/** The open connections and their requests. */
class EngineSession {
  readonly #connections = new Map<number, OpenConnection>();
  readonly #results = new Map<number, AsyncGenerator<EngineReply>>();
  readonly #stops = new Map<number, AbortController>();
  #temporary = '';

  hear(message: MessageToEngine): void {
    if (message.act === 'interrupt') {
      this.#stops.get(message.id)?.abort();
      this.#forget(message.id);
    } else void this.#answer(message);
  }

  removeTemporary(): void {
    if (this.#temporary !== '') rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
  }

  async #answer(request: Task): Promise<void> {
    const { id } = request;
    // A result keeps the id of the request that began it.
    if (request.act !== 'next') this.#stops.set(id, new AbortController());
    try {
      send({ id, reply: await this.#inTurn(request) });
    } catch (error) {
      send({ id, error: serialiseError(error) });
    } finally {
      if (!this.#results.has(id)) this.#stops.delete(id);
    }
  }

  async #inTurn(request: Task): Promise<EngineReply> {
    if (request.act === 'open') {
      this.#temporary = request.temporary;
      this.#connections.set(0, { connection: await EngineConnection.open(request.limits), last: Promise.resolve() });
      return {};
    }
    const found = this.#connections.get(request.connection);
    if (found === undefined) throw new Error(`connection ${request.connection} is closed`);
    if (request.act === 'beside') {
      this.#connections.set(request.id, { connection: await found.connection.beside(), last: Promise.resolve() });
      return {};
    }
    const signal = this.#stops.get(request.id)?.signal;
    const done = found.last.then(() => this.#run(request, found.connection, signal));
    this.#connections.set(request.connection, { ...found, last: done.catch(() => {}) });
    return await done;
  }

  async #run(
    request: Exclude<Task, { readonly act: 'open' | 'beside' }>,
    connection: EngineConnection,
    signal: AbortSignal | undefined,
  ): Promise<EngineReply> {
    signal?.throwIfAborted();
    switch (request.act) {
      case 'run':
        await connection.run(request.sql, signal);
        return {};
      case 'parse':
        await connection.parse(request.sql);
        return {};
      case 'all':
        return await this.#begun(request.id, await connection.all(request.sql, signal));
      case 'stream':
        return await this.#begun(request.id, await connection.stream(request.sql, signal));
      case 'next':
        return await this.#nextOf(request.result);
      case 'close':
        this.#connections.delete(request.connection);
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

function send(message: MessageFromEngine): void {
  // If the parent has exited, the message is lost and this process ends too.
  process.send?.(message, undefined, undefined, () => {});
}

/** The size of a message in characters, unless a single row is longer. The program never holds more of a result. */
const PIECE_LENGTH = 1 << 20;

async function* pieces(parts: ResultParts['parts'], columns: number): AsyncGenerator<EngineReply> {
  for await (const rows of parts) {
    let [from, length] = [0, 0];
    for (const [index, row] of rows.entries()) {
      const own = rowLength(row);
      if (length + own > PIECE_LENGTH && index > from) {
        yield { rows: packRows(rows.slice(from, index), columns) };
        [from, length] = [index, 0];
      }
      length += own;
    }
    yield { rows: packRows(from === 0 ? rows : rows.slice(from), columns) };
  }
}

const rowLength = (row: readonly ResultCell[]): number => row.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);

function listen(session: EngineSession): void {
  process.on('message', (message: MessageToEngine) => session.hear(message));
  // The parent was killed or has ended. Do not wait for a running statement, which may take hours.
  process.on('disconnect', () => {
    session.removeTemporary();
    process.kill(process.pid, 'SIGKILL');
  });
  // The terminal sends these signals to the parent too, which decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}

listen(new EngineSession());
