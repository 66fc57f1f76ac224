import { rmSync } from 'node:fs';
import { Connection, type ResultParts } from './connection.ts';
import { type EngineReply, type FromEngine, NO_ROWS, packRows, sentError, type ToEngine } from './engine-messages.ts';
import type { ResultCell } from './result-cell.ts';

// The process with the SQL engine: what crashes it or fills its memory ends it and not the program. It answers
// requests of the process that started it, one at a time on each connection, and ends with that process.

interface OpenConnection {
  readonly connection: Connection;
  /** Settles when what was asked of it so far is done. */
  readonly last: Promise<unknown>;
}

type Asked = Exclude<ToEngine, { readonly act: 'interrupt' }>;

const connections = new Map<number, OpenConnection>();
const results = new Map<number, AsyncGenerator<EngineReply>>();
const stops = new Map<number, AbortController>();
let temporary = '';

process.on('message', (message: ToEngine) => {
  if (message.act === 'interrupt') return interrupt(message.id);
  void answer(message);
});

// Killed or gone, the program cannot say so. A statement may be at work for hours: it is not waited for.
process.on('disconnect', () => {
  if (temporary !== '') rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.kill(process.pid, 'SIGKILL');
});

// A terminal sends these to the program as well, which decides.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

async function answer(asked: Asked): Promise<void> {
  const { id } = asked;
  // A result that is read goes on under the number that it began with.
  if (asked.act !== 'next') stops.set(id, new AbortController());
  try {
    send({ id, reply: await inTurn(asked) });
  } catch (error) {
    send({ id, error: sentError(error) });
  } finally {
    if (!results.has(id)) stops.delete(id);
  }
}

function send(message: FromEngine): void {
  // Nobody listens when the program has gone, and then this process goes too.
  process.send?.(message, undefined, undefined, () => {});
}

function interrupt(id: number): void {
  stops.get(id)?.abort();
  results.delete(id);
  stops.delete(id);
}

async function inTurn(asked: Asked): Promise<EngineReply> {
  if (asked.act === 'open') {
    temporary = asked.temporary;
    connections.set(0, { connection: await Connection.open(asked.limits), last: Promise.resolve() });
    return {};
  }
  const found = connections.get(asked.connection);
  if (found === undefined) throw new Error(`connection ${asked.connection} is closed`);
  if (asked.act === 'beside') {
    connections.set(asked.id, { connection: await found.connection.beside(), last: Promise.resolve() });
    return {};
  }
  const signal = stops.get(asked.id)?.signal;
  const done = found.last.then(() => fulfilled(asked, found.connection, signal));
  connections.set(asked.connection, { ...found, last: done.catch(() => {}) });
  return await done;
}

async function fulfilled(
  asked: Exclude<Asked, { readonly act: 'open' | 'beside' }>,
  connection: Connection,
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
      return begun(asked.id, await connection.all(asked.sql, signal));
    case 'stream':
      return begun(asked.id, await connection.stream(asked.sql, signal));
    case 'next':
      return await nextOf(asked.result);
    case 'close':
      connections.delete(asked.connection);
      connection.close();
      return {};
  }
}

async function begun(id: number, { columns, parts }: ResultParts): Promise<EngineReply> {
  results.set(id, pieces(parts, columns.length));
  return { columns, ...(await nextOf(id)) };
}

async function nextOf(id: number): Promise<EngineReply> {
  const result = results.get(id);
  if (result === undefined) throw new Error('the result was ended');
  try {
    const { value, done = false } = await result.next();
    if (done) forget(id);
    return done ? { rows: NO_ROWS, isLast: true } : value;
  } catch (error) {
    forget(id);
    throw error;
  }
}

function forget(id: number): void {
  results.delete(id);
  stops.delete(id);
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
