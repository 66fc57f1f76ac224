import type { HistorySource } from '../demo/history/history-source.ts';
import { entryParts } from '../demo/history/tables.ts';
import { seededHex } from '../demo/seeded-random.ts';
import { contentId, type DemoSegment } from '../demo/segments.ts';
import { goJson } from '../gateway/go-json.ts';
import type { Operation, StreamOperation, StreamReply, UnaryOperation } from '../gateway/operation.ts';
import { type ExportFraming, jsonBody, zipBody } from '../history/export-framing.ts';
import { type ExportRequest, planExport, TABLE_ENUM } from '../history/export-plan.ts';
import { type ExportMessage, exportMessages } from '../history/export-stream.ts';

export interface HistoryParts {
  readonly source: HistorySource;
  /** The current segments, oldest first. */
  readonly segments: () => readonly DemoSegment[];
  readonly framing: ExportFraming;
  readonly clock: () => number;
}

/** How the node replies to an export. */
export type ExportReply = (parts: HistoryParts, request: ExportRequest, deadlineMs: number) => StreamReply;

export function networkHistoryOperations(
  parts: HistoryParts,
  reply: ExportReply = defaultExportReply,
): readonly Operation[] {
  return [networkHistory(parts), bootstrap(parts), listSegments(parts.segments), exportTable(parts, reply)];
}

const PEERS = ['198.51.100.4', '198.51.100.17', '203.0.113.9'].map(host => `/ip4/${host}/tcp/4001/p2p`);

/** The swarm where nodes share history; its key is derived from the chain name, as nodes do by default. */
function networkHistory({ source: { chain } }: HistoryParts): UnaryOperation {
  const swarmKeySeed = chain.chainId;
  const swarmKey = `/key/swarm/psk/1.0.0/\n/base16/\n${seededHex(swarmKeySeed)}`;
  const body = { ipfsAddress: `${PEERS[0]}/${peerId(chain.seed, 0)}`, swarmKey, swarmKeySeed };
  const connectedPeers = peers(chain.seed);
  return { kind: 'unary', path: '/api/v2/networkhistory', accept: () => () => goJson({ ...body, connectedPeers }) };
}

function bootstrap({ source: { chain } }: HistoryParts): UnaryOperation {
  const body = goJson({ bootstrapPeers: peers(chain.seed) });
  return { kind: 'unary', path: '/api/v2/networkhistory/bootstrap', accept: () => () => body };
}

const peers = (seed: string): readonly string[] =>
  PEERS.slice(1).map((address, index) => `${address}/${peerId(seed, index + 1)}`);

const peerId = (seed: string, index: number): string => contentId(`${seed}/peer/${index}`);

function listSegments(segments: HistoryParts['segments']): UnaryOperation {
  return { kind: 'unary', path: '/api/v2/networkhistory/segments', accept: () => () => segmentsJson(segments()) };
}

function segmentsJson(list: readonly DemoSegment[]): string {
  const segments = list.toReversed().map(segment => ({
    fromHeight: String(segment.fromHeight),
    toHeight: String(segment.toHeight),
    historySegmentId: segment.historySegmentId,
    previousHistorySegmentId: segment.previousHistorySegmentId,
    databaseVersion: String(segment.databaseVersion),
    chainId: segment.chainId,
  }));
  return goJson({ segments });
}

function exportTable(parts: HistoryParts, reply: ExportReply): StreamOperation {
  return {
    kind: 'stream',
    path: '/api/v2/networkhistory/export',
    accept: ({ query, deadlineMs }) => {
      const request = {
        fromBlock: query.int64('from_block') ?? 0n,
        toBlock: query.int64('to_block') ?? 0n,
        table: query.enumName('table', TABLE_ENUM),
      };
      return () => reply(parts, request, deadlineMs);
    },
  };
}

function defaultExportReply(parts: HistoryParts, request: ExportRequest, deadlineMs: number): StreamReply {
  const { source, clock, framing } = parts;
  const plan = planExport(parts.segments(), request);
  const entries = plan.entries.map(entry => ({
    name: entry.name,
    parts: () => entryParts(source, plan.table, entry),
  }));
  const isOverdue = () => clock() >= deadlineMs;
  return streamReply(signal => exportMessages(entries, { signal, isOverdue }), plan.fileName, framing);
}

/** An export over HTTP. */
export function streamReply(
  messages: (signal: AbortSignal) => AsyncIterable<ExportMessage>,
  fileName: string,
  framing: ExportFraming,
): StreamReply {
  if (framing === 'json') {
    return {
      headers: [['Content-Type', 'application/json']],
      body: signal => jsonBody(messages(signal), fileName),
    };
  }
  return {
    headers: [
      ['Content-Disposition', `attachment;filename=${fileName}`],
      ['Content-Type', 'application/zip'],
    ],
    body: signal => zipBody(messages(signal)),
  };
}
