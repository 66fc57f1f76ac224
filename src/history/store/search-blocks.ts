import type { Client } from '../../chain/api/client.ts';
import { LIST_REQUEST } from '../../chain/api/core-status.ts';
import { RefusedError } from '../../chain/api/errors.ts';
import type { Range } from '../../chain/insight/range.ts';
import { ASSUMED_SEGMENT_BLOCKS } from '../../chain/range/segment-boundaries.ts';
import type { Segment } from '../../chain/range/segment-history.ts';
import { type EntryName, parseEntryName } from '../check/entry-name.ts';
import { localTail, RECORD_BYTES, SIGNATURES } from '../check/zip-records.ts';
import { unframe } from '../download/framing.ts';
import { exportRequest } from '../plan/export-plan.ts';
import { EXPORT_TABLES, findExportTable } from '../plan/export-tables.ts';

/** What a node that lists no segments exports, found by asking for single segments. */
export interface FoundBlocks {
  /** As in the names of its exports. */
  readonly chainId: string;
  readonly range: Range;
}

/** A node that exports whatever it is asked for has no end that could be found. */
const MAX_HEIGHT = 10_000_000_000n;

/** The newest segment appears a while after its last block, and a node may be behind with several. */
const MAX_UNPUBLISHED_SEGMENTS = 3n;

/** Those with few bytes in a segment come first; a node need not export all of them. */
const PROBED_TABLES: ReadonlySet<string> = new Set(['checkpoints', 'blocks', ...EXPORT_TABLES.map(({ id }) => id)]);

interface SearchOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Finds the first and the last whole segment that a node exports, with some dozen small exports at most. Undefined where it
 * exports neither the first blocks of the chain nor those that its answers call the newest. Throws NodeError.
 */
export async function searchBlocks({ client, signal }: SearchOptions): Promise<FoundBlocks | undefined> {
  const newest = (await fetchNewestHeight(client, signal)) / ASSUMED_SEGMENT_BLOCKS;
  for (const table of PROBED_TABLES) {
    const probe = (segment: bigint) => probeSegment(client, { table, segment, signal });
    const first = await probe(0n);
    const last = newest === 0n ? undefined : await findPublished(newest - 1n, probe);
    const named = first ?? last?.entry;
    if (named === undefined) continue;
    const isThere = async (segment: bigint): Promise<boolean> => (await probe(segment)) !== undefined;
    const end = last?.segment ?? (await findLast(isThere, newest === 0n ? undefined : newest));
    if (end === undefined) return undefined;
    const start = first === undefined ? await findFirst(isThere, end) : 0n;
    return { chainId: named.chainId, range: { from: assumedSegment(start).from, to: assumedSegment(end).to } };
  }
  return undefined;
}

const assumedSegment = (segment: bigint): Range => ({
  from: segment * ASSUMED_SEGMENT_BLOCKS + 1n,
  to: (segment + 1n) * ASSUMED_SEGMENT_BLOCKS,
});

/** The segments of a range, as a node would list them that cuts by the rule. */
export function assumedSegments(chainId: string, { from, to }: Range): readonly Segment[] {
  const segments: Segment[] = [];
  for (let fromHeight = from; fromHeight <= to; fromHeight += ASSUMED_SEGMENT_BLOCKS)
    segments.push({
      ...{ fromHeight, toHeight: fromHeight + ASSUMED_SEGMENT_BLOCKS - 1n, chainId, databaseVersion: '' },
      ...{ historySegmentId: '', previousHistorySegmentId: '' },
    });
  return segments;
}

/** The newest block by the headers of a list; 0 where it has none. */
async function fetchNewestHeight(client: Client, signal: AbortSignal): Promise<bigint> {
  try {
    const { facts } = await client.get(LIST_REQUEST, signal);
    return BigInt(facts.blockHeight ?? 0);
  } catch (error) {
    if (error instanceof RefusedError) return 0n;
    throw error;
  }
}

interface ProbeOptions {
  readonly table: string;
  readonly segment: bigint;
  readonly signal: AbortSignal;
}

/** Asks for one segment of a table; undefined where the node does not export it. */
async function probeSegment(client: Client, { table, segment, signal }: ProbeOptions): Promise<EntryName | undefined> {
  const found = findExportTable(table);
  if (found === undefined) return undefined;
  const { from, to } = assumedSegment(segment);
  const plan = { table: found, fromBlock: from, toBlock: to, destination: '', mayOverwrite: false };
  try {
    const body = await client.open(exportRequest(plan), { signal, ...PROBE_LIMITS });
    const name = parseEntryName(await readFirstName(body.chunks()));
    return name?.table === table && name.fromBlock === from && name.toBlock === to ? name : undefined;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

const PROBE_LIMITS = { firstByteMs: 60_000, idleMs: 60_000 } as const;

/** The name of the first file of an archive; '' where there is none. The rest is read too, as a node goes on sending it. */
async function readFirstName(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const chunk of unframe(chunks)) if (start.length < MAX_START_BYTES) start = Buffer.concat([start, chunk]);
  if (start.length < RECORD_BYTES.local || start.readUInt32LE(0) !== SIGNATURES.localHeader) return '';
  const [nameBytes] = localTail(start);
  return start.toString('utf8', RECORD_BYTES.local, RECORD_BYTES.local + nameBytes);
}

/** A header and the longest name. */
const MAX_START_BYTES = 128 * 1024;

type Probe = (segment: bigint) => Promise<EntryName | undefined>;

/** The newest segment that is published, at most a few before the newest block. */
async function findPublished(newest: bigint, probe: Probe) {
  for (let segment = newest; segment > 0n && newest - segment < MAX_UNPUBLISHED_SEGMENTS; segment--) {
    const entry = await probe(segment);
    if (entry !== undefined) return { segment, entry };
  }
  return undefined;
}

type IsThere = (segment: bigint) => Promise<boolean>;

/** The last segment of a node that has the first one; undefined where it exports everything. */
async function findLast(isThere: IsThere, missing: bigint | undefined): Promise<bigint | undefined> {
  let above = missing ?? 1n;
  while (missing === undefined && (await isThere(above))) {
    above *= 2n;
    if (assumedSegment(above).to > MAX_HEIGHT) return undefined;
  }
  return await bisect(isThere, { there: 0n, missing: above });
}

/** The first segment of a node that dropped the oldest ones. */
const findFirst = (isThere: IsThere, last: bigint): Promise<bigint> => bisect(isThere, { there: last, missing: 0n });

/** The last place that is there on the way to one that is missing. */
async function bisect(isThere: IsThere, ends: { readonly there: bigint; readonly missing: bigint }): Promise<bigint> {
  let { there, missing } = ends;
  while (there - missing > 1n || missing - there > 1n) {
    const middle = (there + missing) / 2n;
    if (await isThere(middle)) there = middle;
    else missing = middle;
  }
  return there;
}
