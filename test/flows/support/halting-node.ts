import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type LongArchive, longArchive } from '../../support/long-archive.ts';

const SEGMENT_BLOCKS = 10;
const SEGMENTS = 60;

/** What it does with an export. */
export type Manner =
  /** Never answers. */
  | 'silent'
  /** Sends the beginning of an archive and nothing more. */
  | 'half'
  /** Sends a whole archive that takes long to check. */
  | 'long'
  /** Sends a whole archive, which takes a moment to merge. */
  | 'whole'
  /** Breaks off in the middle. */
  | 'breaks'
  /** Says too many requests. */
  | 'too-many';

export interface HaltingNode extends AsyncDisposable {
  readonly url: string;
  manner: Manner;
  /** Exports that were asked for. */
  readonly asked: number;
  /** Bytes of the archive that it sends. */
  readonly longBytes: number;
}

const id = (number: number): string => createHash('sha256').update(String(number)).digest('hex');

const CSV = {
  header: 'account_id,vega_time,tx_hash,balance',
  rows: Array.from({ length: 8 }, (_, at) => `\\x${id(at)},2026-01-01 00:00:00+00,\\x${id(at + 100)},1234567890`),
};

const CHECKED_SLOWLY = 3000;
const CHECKED_AT_ONCE = 64;

let known: LongArchive | undefined;
/** Of blocks 1 to 10; made once, as its checksum takes a second. */
export const slowArchive = (): LongArchive => {
  known ??= longArchive(csvName(1, 10), CSV, CHECKED_SLOWLY);
  return known;
};

/** Of the same blocks, in several reads, and checked in a moment. */
export const quickArchive = (): LongArchive => longArchive(csvName(1, 10), CSV, CHECKED_AT_ONCE);

/** A node that stops, in every way there is, in the middle of an export of `balances`. */
export async function startHaltingNode(manner: Manner): Promise<HaltingNode> {
  const state = { manner, asked: 0 };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://node');
    if (url.pathname.endsWith('/segments')) return void response.end(segments());
    if (!url.pathname.endsWith('/export'))
      return void response.writeHead(404).end('{"code":5,"message":"Not Found","details":[]}');
    state.asked++;
    answer(response, state.manner, [
      Number(url.searchParams.get('fromBlock')),
      Number(url.searchParams.get('toBlock')),
    ]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get asked() {
      return state.asked;
    },
    get manner() {
      return state.manner;
    },
    set manner(next) {
      state.manner = next;
    },
    get longBytes() {
      return slowArchive().bytes;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(response: ServerResponse, manner: Manner, [from, to]: readonly [number, number]): void {
  switch (manner) {
    case 'silent':
      return;
    case 'half':
      response.write(head(from, to));
      return;
    case 'long':
      Readable.from(slowArchive().parts()).pipe(response);
      return;
    case 'whole':
      Readable.from(longArchive(csvName(from, to), CSV, 400).parts()).pipe(response);
      return;
    case 'breaks':
      response.write(head(from, to), () => setImmediate(() => response.destroy()));
      return;
    case 'too-many':
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end('{"error":{"code":8,"message":"client reached max subscription allowed","details":[]}}');
  }
}

const head = (from: number, to: number): Buffer => {
  const [first = Buffer.alloc(0)] = longArchive(csvName(from, to), CSV, 1).parts();
  return first;
};

const csvName = (from: number, to: number): string => `c-balances-093-${padded(from)}-${padded(to)}.csv`;

const padded = (height: number): string => String(height).padStart(6, '0');

function segments(): string {
  const list = Array.from({ length: SEGMENTS }, (_, index) => ({
    fromHeight: String(index * SEGMENT_BLOCKS + 1),
    toHeight: String((index + 1) * SEGMENT_BLOCKS),
    historySegmentId: `Qm${index}`,
    previousHistorySegmentId: index === 0 ? '' : `Qm${index - 1}`,
    databaseVersion: '93',
    chainId: 'c',
  }));
  return JSON.stringify({ segments: list });
}
