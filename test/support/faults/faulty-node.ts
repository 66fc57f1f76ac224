import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { messageTooLarge } from '../../../src/node/app.ts';
import { joinIntoParts, segmentLines } from '../../../src/node/demo/history/tables.ts';
import type { DemoSegment } from '../../../src/node/demo/segments.ts';
import { type Failure, newLimiterFailure } from '../../../src/node/gateway/failure.ts';
import { goJson } from '../../../src/node/gateway/go-json.ts';
import type { StreamReply } from '../../../src/node/gateway/operation.ts';
import type { HttpExchange, NodeReply } from '../../../src/node/gateway/reply.ts';
import { headerLine } from '../../../src/node/history/copy-format.ts';
import {
  type ArchivePlan,
  type ExportRequest,
  type PlannedEntry,
  planExport,
  splitAtGaps,
  TABLE_ENUM,
} from '../../../src/node/history/export-plan.ts';
import { type ArchiveEntry, exportMessages } from '../../../src/node/history/export-stream.ts';
import { type NodeOptions, type RunningNode, startNode } from '../../../src/node/index.ts';
import { type HistoryParts, streamReply } from '../../../src/node/resources/network-history.ts';
import { columnsAtVersion } from '../../../src/tables/columns.ts';
import { type ExportDamage, pause, type SegmentDamage } from './fault.ts';
import { FAULTS_EXPLAINED, readFault } from './fault-list.ts';
import { FaultQueue } from './fault-queue.ts';

export interface FaultyNodeOptions extends Omit<NodeOptions, 'hooks' | 'lagMs' | 'segmentMs'> {
  /** Ways to misbehave, such as `cut-body`, `cut-body:2` (only twice), `slow:40`; fault-list.ts has them all. */
  readonly faults?: readonly string[];
}

export interface FaultyNode extends RunningNode {
  /** Resolves with the cause when a fault has ended the node. */
  readonly died: Promise<Error>;
}

/** Starts an embedded node that misbehaves on request. Throws FaultListError for an unknown fault. */
export async function startFaultyNode({ faults = [], ...options }: FaultyNodeOptions = {}): Promise<FaultyNode> {
  const queue = new FaultQueue(faults.map(readFault));
  const { promise: died, resolve: hasDied } = Promise.withResolvers<Error>();
  const node = await startNode({
    ...options,
    lagMs: queue.take('head').value,
    segmentMs: queue.take('history').value || undefined,
    hooks: {
      beforeReply: (exchange, decide) => replyTo(exchange, decide, queue),
      exportReply: (parts, request, deadlineMs) => {
        if (!isDeadly(parts.segments(), request) || queue.take('backwards').strike?.kind !== 'death')
          return exportReply(parts, request, { deadlineMs, queue });
        const cause = new Error('an export was requested from a block above its last one');
        void node.close().then(() => hasDied(cause));
        throw cause;
      },
    },
  });
  return { ...node, died };
}

async function replyTo(
  { incoming, outgoing }: HttpExchange,
  decide: () => Promise<NodeReply>,
  queue: FaultQueue,
): Promise<NodeReply | undefined> {
  const { waitMs, strike } = queue.take('answer');
  if (waitMs > 0) await pauseWhileOpen(waitMs, outgoing);
  if (outgoing.destroyed) return undefined;
  if (strike?.kind === 'reply') return strike.reply;
  if (strike?.kind === 'reset') {
    incoming.socket.resetAndDestroy();
    return undefined;
  }
  const reply = await decide();
  // Not gzipped twice.
  if (reply.headers.some(([name]) => name === 'Content-Encoding')) delete incoming.headers['accept-encoding'];
  return changedReply(reply, queue);
}

async function pauseWhileOpen(waitMs: number, outgoing: HttpExchange['outgoing']): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  await pause(waitMs, gone.signal);
}

/** The reply to a unary call that the gateway accepted, or a refusal in its place. Only those tell the block. */
function changedReply(reply: NodeReply, queue: FaultQueue): NodeReply {
  const block = reply.headers.filter(([name]) => name.startsWith('X-Block-'));
  if (block.length === 0) return reply;
  if (queue.take('unary').strike?.kind === 'limited')
    return refusal(newLimiterFailure(8, 'api request rate limit exceeded'), [...block, ...NOTHING_REMAINS]);
  if (reply.status !== 200 || typeof reply.body !== 'string') return reply;
  const { strike, value } = queue.take('body');
  const tooLarge = strike?.kind === 'message-limit' ? messageTooLarge(reply.body, value) : undefined;
  return tooLarge === undefined ? reply : refusal(tooLarge, reply.headers.slice(1));
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

const NOTHING_REMAINS: NodeReply['headers'] = [
  ['Ratelimit-Limit', '20'],
  ['Ratelimit-Reset', '1'],
  ['Ratelimit-Remaining', '0'],
  ['Ratelimit-Request-Remote-Addr', '127.0.0.1'],
];

const refusal = ({ httpStatus, status }: Failure, headers: NodeReply['headers']): NodeReply => ({
  status: httpStatus,
  headers: [JSON_TYPE, ...headers],
  body: goJson(status),
});

/**
 * Whether a range crashes deployed nodes: backwards, between two boundaries of one chain (export-behaviour.md section
 * 1.8).
 */
function isDeadly(segments: readonly DemoSegment[], { fromBlock, toBlock, table }: ExportRequest): boolean {
  if (fromBlock <= toBlock || !TABLE_ENUM.slice(1).includes(table ?? '')) return false;
  return splitAtGaps(segments).some(
    chain =>
      chain.some(segment => BigInt(segment.fromHeight) === fromBlock) &&
      chain.some(segment => BigInt(segment.toHeight) === toBlock),
  );
}

interface Circumstances {
  readonly deadlineMs: number;
  readonly queue: FaultQueue;
}

function exportReply(parts: HistoryParts, request: ExportRequest, { deadlineMs, queue }: Circumstances): StreamReply {
  const plan = planExport(parts.segments(), request);
  const { waitMs, strike } = queue.take('export');
  const damage = strike?.kind === 'export' ? strike.damage : {};
  if (damage.refusal) throw damage.refusal(request);
  const isOverdue = () => parts.clock() >= deadlineMs;
  const entries = archiveEntries(parts, plan, damage);
  const fileName = damage.fileName?.(plan.fileName) ?? plan.fileName;
  const reply = streamReply(messages, fileName, damage.framing ?? parts.framing);
  return damage.isGzipped ? gzipped(reply) : reply;

  async function* messages(signal: AbortSignal) {
    if (waitMs > 0) await pause(waitMs, signal);
    const sound = exportMessages(entries, { signal, isOverdue });
    yield* damage.messages?.(sound, signal) ?? sound;
  }
}

const gzipped = ({ headers, body }: StreamReply): StreamReply => ({
  headers: [...headers, ['Content-Encoding', 'gzip']],
  body: signal => Readable.from(body(signal)).pipe(createGzip()),
});

function archiveEntries(parts: HistoryParts, plan: ArchivePlan, damage: ExportDamage): readonly ArchiveEntry[] {
  const segmentDamage = damage.segments?.(plan) ?? (lines => lines);
  return plan.entries.map(entry => ({
    name: damage.entryName?.(entry.name) ?? entry.name,
    parts: () => joinIntoParts(entryLines(parts, plan, entry, segmentDamage)),
  }));
}

function* entryLines(
  { source }: HistoryParts,
  { table }: ArchivePlan,
  entry: PlannedEntry,
  damage: SegmentDamage,
): Iterable<string> {
  for (const [index, segment] of entry.segments.entries()) {
    const lines = damage(segmentLines(source, table, segment), segment);
    // The header belongs to the first segment: if that cannot be opened, there is no header.
    if (index === 0) yield headerLine(columnsAtVersion(table, entry.databaseVersion) ?? []);
    yield* lines;
  }
}

// `node test/support/faults/faulty-node.ts PORT FAULT...` lets people try a program on a node that misbehaves.
if (import.meta.main) {
  const [port, ...faults] = process.argv.slice(2);
  if (port === undefined)
    console.log(`node test/support/faults/faulty-node.ts PORT FAULT...\n\n${FAULTS_EXPLAINED.join('\n')}`);
  else console.log((await startFaultyNode({ port: Number(port), faults })).url);
}
