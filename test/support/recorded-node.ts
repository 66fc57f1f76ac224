import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { type Listening, listening } from './loopback.ts';
import { type RecordedEpoch, recordedEpochs } from './recorded-epochs.ts';
import { type RecordedExport, recordedExports } from './recorded-exports.ts';

/** Replies and exports of a real data node without a core; tests that read them skip where the folder is missing. */
export const REAL_NODE = resolve('../shared/real-node');
export const hasRealNode: boolean = existsSync(join(REAL_NODE, 'replies/INDEX.tsv'));

export interface RecordedNode extends Listening {
  /** What was asked, as it was asked, in its order. */
  readonly asked: readonly string[];
  /** What was asked and cannot be answered from the recording: it was answered by 501. */
  readonly missing: readonly string[];
}

interface Recording {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** A server that answers as the real node did. What was recorded is sent as it was; another page or filter of a list is cut from what was. */
export async function recordedNode(port = 0): Promise<RecordedNode> {
  const recordings = readRecordings(join(REAL_NODE, 'replies'));
  const epochs = await recordedEpochs(join(REAL_NODE, 'exports'));
  const asked: string[] = [];
  const missing: string[] = [];
  const exports = recordedExports(join(REAL_NODE, 'exports'));
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const found =
      request.method === 'GET'
        ? (answerTo(request, recordings, epochs) ?? (await exportAnswer(request, exports)))
        : null;
    if (found === null) missing.push(`${request.method} ${request.url}`);
    send(response, found ?? NOT_RECORDED);
  });
  return { ...(await listening(server, port)), asked, missing };
}

/** The export of other blocks than those that were recorded, on the boundaries of segments. */
async function exportAnswer(request: IncomingMessage, exports: RecordedExport): Promise<Answer | null> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://recorded');
  if (pathname !== '/api/v2/networkhistory/export') return null;
  const [from, to] = [Number(searchParams.get('fromBlock')), Number(searchParams.get('toBlock'))];
  if (from % 1000 !== 1 || to % 1000 !== 0 || from > to || to > 5000) return null;
  const table = (searchParams.get('table') ?? '').replace('TABLE_', '').toLowerCase();
  const body = await exports(table, from, to);
  return body === undefined ? null : { status: 200, headers: [['Content-Type', 'application/zip']], body };
}

function readRecordings(folder: string): readonly Recording[] {
  const lines = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  return lines.map(line => {
    const [file = '', address = '', status = ''] = line.split('\t');
    const bytes = readFileSync(join(folder, `${file}.http`));
    const url = new URL(address, 'http://recorded');
    return { path: url.pathname, query: url.searchParams, status: Number(status), ...split(bytes) };
  });
}

function split(bytes: Buffer): Pick<Recording, 'headers' | 'body'> {
  const gap = '\r\n\r\n';
  const end = bytes.indexOf(gap);
  const [, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  return { headers, body: bytes.subarray(end + gap.length) };
}

type Answer = Pick<Recording, 'status' | 'headers' | 'body'>;

const NOT_RECORDED: Answer = {
  status: 501,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{"code":12,"message":"not recorded","details":[]}'),
};

function answerTo(
  request: IncomingMessage,
  recordings: readonly Recording[],
  epochs: readonly RecordedEpoch[],
): Answer | null {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://recorded');
  const ofPath = recordings.filter(({ path }) => path === pathname);
  const same = ofPath.find(({ query }) => sameQuery(query, searchParams));
  if (same !== undefined) return same;
  if (pathname === '/blockchain/height') return recordings.find(({ path }) => path === '/statistics') ?? null;
  if (pathname === '/api/v2/epoch') return epochAnswer(searchParams, ofPath, epochs);
  if (pathname.endsWith('/export')) return null;
  const single = SINGLES.exec(pathname);
  if (single !== null) return singleOf(single[1] ?? '', single[2] ?? '', recordings);
  if (PROVISIONS.test(pathname) && !searchParams.has('marketId') && !searchParams.has('partyId')) return UNFILTERED;
  const [list] = ofPath;
  return list === undefined ? null : cutOf(list, ofPath, searchParams);
}

const PROVISIONS = /^\/api\/v2\/liquidity\/(?:all-)?provisions$/;
/** What deployed nodes answer without a market or a party (node-behaviour.md section 9). */
const UNFILTERED: Answer = {
  status: 500,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(
    '{"code":13,"message":"Internal error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail","code":280001,"message":"failed to get liquidity provision","inner":"partyID: , marketID: , reference: : market or party filters are required"}]}',
  ),
};

const sameQuery = (one: URLSearchParams, other: URLSearchParams): boolean => sorted(one) === sorted(other);

function sorted(query: URLSearchParams): string {
  const copy = new URLSearchParams(query);
  copy.sort();
  return copy.toString();
}

function epochAnswer(query: URLSearchParams, recorded: readonly Recording[], epochs: readonly RecordedEpoch[]): Answer {
  const id = query.get('id');
  const block = query.get('block');
  const found =
    id !== null
      ? epochs.find(({ seq }) => seq === id)
      : epochs.find(
          ({ firstBlock, lastBlock }) => Number(firstBlock) <= Number(block) && Number(block) < Number(lastBlock),
        );
  const headers = recorded[0]?.headers ?? [];
  if (found === undefined) return { status: 404, headers, body: Buffer.from(NO_EPOCH) };
  const { seq, ...timestamps } = found;
  return { status: 200, headers, body: jsonBody({ epoch: { seq, timestamps, validators: [], delegations: [] } }) };
}

const NO_EPOCH =
  '{"code":5,"message":"NotFound error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail","code":250001,"message":"failed to get epoch","inner":"no resource corresponding to this id"}]}';

const SINGLES = /^\/api\/v2\/(market|asset|node|network\/parameters)\/([^/]+)$/;
const LIST_OF: Readonly<Record<string, readonly [string, string, string]>> = {
  market: ['/api/v2/markets', 'id', 'market'],
  asset: ['/api/v2/assets', 'id', 'asset'],
  node: ['/api/v2/nodes', 'id', 'node'],
  'network/parameters': ['/api/v2/network/parameters', 'key', 'networkParameter'],
};

function singleOf(kind: string, key: string, recordings: readonly Recording[]): Answer | null {
  const [path, member, wrapper] = LIST_OF[kind] ?? ['', '', ''];
  const lists = recordings.filter(recording => recording.path === path && recording.status === 200);
  const headers = lists[0]?.headers ?? [];
  const found = recordsOf(lists).find(({ node }) => node[member] === decodeURIComponent(key));
  if (found !== undefined) return { status: 200, headers, body: jsonBody({ [wrapper]: found.node }) };
  const body = `{"code":5,"message":"NotFound error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail","code":10000,"message":"","inner":"no resource corresponding to this id"}]}`;
  return { status: 404, headers, body: Buffer.from(body) };
}

interface Edge {
  readonly node: Readonly<Record<string, unknown>>;
  readonly cursor: string;
}

/** All records that any recording of a list has, each once. */
function recordsOf(lists: readonly Recording[]): readonly Edge[] {
  const seen = new Map<string, Edge>();
  for (const { body } of [...lists].sort((a, b) => b.body.length - a.body.length)) {
    const text: unknown = JSON.parse(body.toString());
    for (const edge of edgesIn(text)) if (!seen.has(edge.cursor)) seen.set(edge.cursor, edge);
  }
  return [...seen.values()];
}

function edgesIn(text: unknown): readonly Edge[] {
  const [list] = isRecord(text) ? Object.values(text) : [];
  const edges = isRecord(list) ? list.edges : [];
  return Array.isArray(edges) ? edges.filter(isEdge) : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isEdge = (value: unknown): value is Edge =>
  isRecord(value) && isRecord(value.node) && typeof value.cursor === 'string';

/** Another page, or another filter, of a list. The recording has the lists of every market whole, so a filter finds what the node would. */
function cutOf(list: Recording, ofPath: readonly Recording[], query: URLSearchParams): Answer | null {
  const text: unknown = JSON.parse(list.body.toString());
  const [wrapper = ''] = isRecord(text) ? Object.keys(text) : [];
  const filters = [...query].filter(([name]) => !name.startsWith('pagination.') && !NO_FILTER.has(name));
  const records = recordsOf(ofPath).filter(({ node }) => filters.every(([name, value]) => holds(node, name, value)));
  const rows = query.get('pagination.newestFirst') === 'false' ? [...records].reverse() : records;
  const start = rows.findIndex(({ cursor }) => cursor === query.get('pagination.after')) + 1;
  const size = Number(query.get('pagination.first') ?? query.get('pagination.last') ?? 1000);
  const edges = rows.slice(start, start + size);
  const pageInfo = {
    hasNextPage: start + size < rows.length,
    hasPreviousPage: start > 0,
    startCursor: edges[0]?.cursor ?? '',
    endCursor: edges.at(-1)?.cursor ?? '',
  };
  return { status: 200, headers: list.headers, body: jsonBody({ [wrapper]: { edges, pageInfo } }) };
}

const NO_FILTER = new Set([
  'includeSettled',
  'live',
  'epochSeq',
  'epochFrom',
  'epochTo',
  'includeDerivedParties',
  'filter.accountTypes',
]);
const MEMBER_OF: Readonly<Record<string, string>> = {
  'filter.marketIds': 'marketId',
  'filter.partyIds': 'owner',
  'filter.assetId': 'asset',
  assetId: 'id',
};

function holds(node: Readonly<Record<string, unknown>>, name: string, value: string): boolean {
  const current = isRecord(node.current) ? node.current : node;
  return current[MEMBER_OF[name] ?? name] === value;
}

const jsonBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const lines = headers.filter(([name]) => !/^(content-length|transfer-encoding|connection|date)$/i.test(name));
  response.writeHead(status, lines.flat());
  response.end(body);
}

// `node test/support/recorded-node.ts 4600` lets people look at the replies by hand.
if (import.meta.main) console.log((await recordedNode(Number(process.argv[2] ?? 0))).url);
