import type { Client } from '../../chain/api/client.ts';
import { LIST_REQUEST } from '../../chain/api/core-status.ts';
import { RefusedError } from '../../chain/api/errors.ts';
import { isJsonArray, jsonText, member } from '../../chain/api/json.ts';
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
  /** Neighbours, oldest first. Each can be exported, and may be several segments of the node. */
  readonly segments: readonly Range[];
  /** No segment was found before the first one, or after the last, but the node may have some. */
  readonly mayHave: { readonly earlier: boolean; readonly later: boolean };
}

/** A node that exports whatever it is asked for has no end that could be found. */
const MAX_HEIGHT = 10_000_000_000n;

/** The newest segment appears a while after its last block, and a node may be behind with several. */
const MAX_UNPUBLISHED_SEGMENTS = 3n;

/** Upgrades and other changes of the length that are looked for. */
const MAX_RUNS = 30;

/** Those with few bytes in a segment come first; a node need not export all of them. */
const PROBED_TABLES: ReadonlySet<string> = new Set(['checkpoints', 'blocks', ...EXPORT_TABLES.map(({ id }) => id)]);

interface SearchOptions {
  readonly client: Client;
  /** Ends that the user named, which the search tries too. */
  readonly ends?: { readonly from?: bigint | undefined; readonly to?: bigint | undefined };
  readonly signal: AbortSignal;
}

/**
 * Finds the segments that a node exports by some dozen small exports, and by a hundred refused ones where their length
 * changes. A refusal names no boundaries (export-behaviour.md section 1.5). Undefined where nothing is found, or no end.
 * Throws NodeError.
 */
export async function searchBlocks({ client, ends = {}, signal }: SearchOptions): Promise<FoundBlocks | undefined> {
  const { newest, lengths } = await fetchChainFacts(client, signal);
  const ground = { newest, lengths, ...ends };
  for (const table of PROBED_TABLES) {
    const probe = tableProbe(client, table, signal);
    const start = await findStart(probe, ground);
    if (start !== undefined) return await findSegments(probe, start, ground);
  }
  const probe = tableProbe(client, 'checkpoints', signal);
  const start = await findUnevenStart(probe, ground);
  return start && (await findSegments(probe, start, ground));
}

interface Ground {
  /** The newest block of the node; 0 where it does not say. */
  readonly newest: bigint;
  /** Lengths that segments may have, the likeliest first. */
  readonly lengths: readonly bigint[];
  /** The ends that the user named. */
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
}

const SEGMENT_LENGTH = 'snapshot.interval.length';

/** The newest block by the headers of a list, and the length of segments by the network parameter for it. */
async function fetchChainFacts(client: Client, signal: AbortSignal): Promise<Ground> {
  try {
    const { facts, json } = await client.get({ ...LIST_REQUEST, query: [['pagination.first', '5000']] }, signal);
    const edges = member(member(json, 'networkParameters'), 'edges');
    const parameters = (isJsonArray(edges) ? edges : []).map(edge => member(edge, 'node'));
    const value = jsonText(
      member(
        parameters.find(node => member(node, 'key') === SEGMENT_LENGTH),
        'value',
      ),
    );
    const lengths = /^[1-9]\d{0,6}$/.test(value) ? [BigInt(value), ASSUMED_SEGMENT_BLOCKS] : [ASSUMED_SEGMENT_BLOCKS];
    return { newest: BigInt(facts.blockHeight ?? 0), lengths: [...new Set(lengths)] };
  } catch (error) {
    if (error instanceof RefusedError) return { newest: 0n, lengths: [ASSUMED_SEGMENT_BLOCKS] };
    throw error;
  }
}

/** Asks for a range of a table; undefined where the node does not export it. */
type Probe = (range: Range) => Promise<EntryName | undefined>;

const tableProbe =
  (client: Client, tableId: string, signal: AbortSignal): Probe =>
  async ({ from, to }) => {
    const table = findExportTable(tableId);
    if (table === undefined) return undefined;
    const plan = { table, fromBlock: from, toBlock: to, destination: '', mayOverwrite: false };
    try {
      const body = await client.open(exportRequest(plan), { signal, ...PROBE_LIMITS });
      const name = parseEntryName(await readFirstName(body.chunks()));
      return name?.table === tableId && name.fromBlock === from && name.toBlock <= to ? name : undefined;
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  };

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

/** Segments of one length after a block. */
interface Run {
  readonly chainId: string;
  readonly after: bigint;
  readonly length: bigint;
  /** The index of the last one that is known to be there. */
  readonly known: bigint;
}

const segmentOf = ({ after, length }: Pick<Run, 'after' | 'length'>, index: bigint): Range => ({
  from: after + index * length + 1n,
  to: after + (index + 1n) * length,
});

/** Where the first segments are: at the first block, at a block that the user named, or before the newest one. */
async function findStart(probe: Probe, { newest, lengths, from = 1n, to = 0n }: Ground): Promise<Run | undefined> {
  const ranges = [
    ...lengths.map(length => ({ from: 1n, to: length })),
    ...(from > 1n ? lengths.map(length => ({ from, to: from + length - 1n })) : []),
    ...(to >= from ? [{ from, to }] : []),
  ];
  for (const range of ranges) {
    const entry = await probe(range);
    const { chainId = '' } = entry ?? {};
    if (entry !== undefined) return { chainId, after: range.from - 1n, length: range.to - range.from + 1n, known: 0n };
  }
  for (const length of lengths) {
    const place = { after: 0n, length };
    const entry = await findPublished(probe, place, { newest, known: 0n });
    if (entry !== undefined) return await findFirst(probe, { ...place, known: entry.index, chainId: entry.chainId });
  }
  return undefined;
}

/** Segments of a node that begins anywhere, or has upgraded at no multiple of their length. */
async function findUnevenStart(probe: Probe, { newest, lengths: [length = 0n] }: Ground): Promise<Run | undefined> {
  const end = await findRoundEnd(probe, 0n, newest);
  if (end !== undefined) return { chainId: end.chainId, after: 0n, length: end.to, known: 0n };
  const before = newest - (MAX_UNPUBLISHED_SEGMENTS + 1n) * length;
  const places = newest === 0n ? sparseIndices().map(index => index * length) : roundHeights(before, before + length);
  const found = await firstFound(
    probe,
    places.filter(after => after > 0n).map(after => segmentOf({ after, length }, 0n)),
  );
  if (found === undefined) return undefined;
  return await findFirst(probe, { chainId: found.chainId, after: found.from - 1n, length, known: 0n });
}

/** Further and further apart, so that some are on a node that has the newest fifth of its chain. */
function sparseIndices(): readonly bigint[] {
  const indices: bigint[] = [];
  for (let index = 1n; index < 1_000_000n; index += index / 5n + 1n) indices.push(index);
  return indices;
}

/** The run from its first segment on. */
async function findFirst(probe: Probe, run: Run): Promise<Run> {
  const ends = { there: run.known, missing: -(run.after / run.length) - 1n };
  const first = await bisect(index => isThere(probe, run, index), ends);
  return { ...run, after: run.after + first * run.length, known: run.known - first };
}

const isThere = async (probe: Probe, run: Pick<Run, 'after' | 'length'>, index: bigint): Promise<boolean> =>
  (await probe(segmentOf(run, index))) !== undefined;

/** The segments around a start, through every change of their length that is found. */
async function findSegments(probe: Probe, start: Run, ground: Ground): Promise<FoundBlocks | undefined> {
  const after = await findLater(probe, start, ground);
  if (after === undefined) return undefined;
  const lengths = [...new Set([...after.lengths, ...ground.lengths])];
  const before = await findEarlier(probe, start, { ...ground, lengths });
  return {
    chainId: start.chainId,
    segments: [...before.segments, ...after.segments],
    mayHave: { earlier: before.mayGoOn, later: after.mayGoOn },
  };
}

/** The segments from a start on. */
async function findLater(probe: Probe, start: Run, ground: Ground) {
  const segments: Range[] = [];
  const lengths = new Set([start.length, ...ground.lengths]);
  let mayGoOn = true;
  for (let run: Run | undefined = start, runs = 0; run !== undefined && runs < MAX_RUNS; runs++) {
    const last = await findLast(probe, run, ground.newest);
    if (last === undefined) return undefined;
    segments.push(...segmentsOf(run, last));
    lengths.add(run.length);
    const after: bigint = segmentOf(run, last).to;
    const isPastEnd = ground.to !== undefined && ground.to <= after;
    const isNextUnfinished: boolean = ground.newest > 0n && ground.newest < after + run.length;
    mayGoOn = !(isPastEnd || isNextUnfinished);
    run = mayGoOn ? await findNext(probe, after, { ...ground, lengths: [...lengths] }) : undefined;
  }
  return { segments, mayGoOn, lengths: [...lengths] };
}

/** The segments before a start. */
async function findEarlier(probe: Probe, start: Run, ground: Ground) {
  let segments: readonly Range[] = [];
  let first = start.after + 1n;
  const isLookedFor = (): boolean => first > (ground.from ?? 1n);
  for (let runs = 0; isLookedFor() && runs < MAX_RUNS; runs++) {
    const found = await findPrevious(probe, first, ground);
    if (found === undefined) return { segments, mayGoOn: true };
    const run = await findFirst(probe, found);
    segments = [...segmentsOf(run, run.known), ...segments];
    first = run.after + 1n;
  }
  return { segments, mayGoOn: isLookedFor() };
}

const segmentsOf = (run: Run, last: bigint): readonly Range[] =>
  Array.from({ length: Number(last) + 1 }, (_, index) => segmentOf(run, BigInt(index)));

/** The last segment of a run; undefined where the node exports everything. */
async function findLast(probe: Probe, run: Run, newest: bigint): Promise<bigint | undefined> {
  const { after, length, known } = run;
  if (newest > 0n) {
    const published = await findPublished(probe, run, { newest, known });
    if (published !== undefined) return published.index;
    const missing = (newest - after) / length;
    return missing - known > 1n ? await bisect(index => isThere(probe, run, index), { there: known, missing }) : known;
  }
  let step = 1n;
  while (await isThere(probe, run, known + step)) {
    step *= 2n;
    if (segmentOf(run, known + step).to > MAX_HEIGHT) return undefined;
  }
  return await bisect(index => isThere(probe, run, index), { there: known, missing: known + step });
}

/** The newest segment that is published, at most a few before the newest block. */
async function findPublished(
  probe: Probe,
  place: Pick<Run, 'after' | 'length'>,
  { newest, known }: { readonly newest: bigint; readonly known: bigint },
): Promise<{ readonly index: bigint; readonly chainId: string } | undefined> {
  const whole = (newest - place.after) / place.length;
  for (let index = whole - 1n; index > known && whole - index <= MAX_UNPUBLISHED_SEGMENTS; index--) {
    const entry = await probe(segmentOf(place, index));
    if (entry !== undefined) return { index, chainId: entry.chainId };
  }
  return undefined;
}

/** The segments after a block where their length changes: an upgrade ends one early, wherever it is. */
async function findNext(probe: Probe, after: bigint, { newest, lengths, to }: Ground): Promise<Run | undefined> {
  const ends = [...lengths.map(length => after + length), ...(to === undefined ? [] : [to])];
  for (const end of ends) {
    const entry = end > after && isUpTo(end, newest) ? await probe({ from: after + 1n, to: end }) : undefined;
    if (entry !== undefined) return { chainId: entry.chainId, after, length: end - after, known: 0n };
  }
  const found = await findRoundEnd(probe, after, newest);
  return found && { chainId: found.chainId, after, length: found.to - after, known: 0n };
}

/** The segment that ends before a block. */
async function findPrevious(probe: Probe, next: bigint, { lengths, from }: Ground): Promise<Run | undefined> {
  const starts = [
    ...[...lengths.map(length => next - length), ...(from === undefined ? [] : [from])],
    ...roundHeights(next - 1n - SEARCHED_BLOCKS, next - 2n).map(height => height + 1n),
  ];
  const ranges = [...new Set(starts)].filter(start => start > 0n && start < next);
  const found = await firstFound(
    probe,
    ranges.map(start => ({ from: start, to: next - 1n })),
  );
  return found && { chainId: found.chainId, after: found.from - 1n, length: next - found.from, known: 0n };
}

const isUpTo = (height: bigint, newest: bigint): boolean => newest === 0n || height <= newest;

/** An end of the segment after a block, among the next round heights. */
const findRoundEnd = (probe: Probe, after: bigint, newest: bigint) =>
  firstFound(
    probe,
    roundHeights(after, after + SEARCHED_BLOCKS)
      .filter(to => isUpTo(to, newest))
      .map(to => ({ from: after + 1n, to })),
  );

/** An end is looked for among that many blocks after the last one, and a start among those before the first. */
export const SEARCHED_BLOCKS = 1000n;

/** Ends that are no multiple of it are not looked for: all would be a thousand requests. */
export const ROUND_BLOCKS = 10n;

/** The heights above one, up to another, the roundest first. */
function roundHeights(above: bigint, upTo: bigint): readonly bigint[] {
  const heights: bigint[] = [];
  const first = above < 0n ? 0n : (above / ROUND_BLOCKS + 1n) * ROUND_BLOCKS;
  for (let height = first; height <= upTo; height += ROUND_BLOCKS) heights.push(height);
  const roundness = (height: bigint): number => [1000n, 500n, 100n, 50n, 10n].findIndex(unit => height % unit === 0n);
  return heights.toSorted((one, other) => roundness(one) - roundness(other));
}

/** The first of some ranges that is exported. Some are asked for at once, as most are refused. */
async function firstFound(probe: Probe, ranges: readonly Range[]): Promise<(Range & EntryName) | undefined> {
  for (let at = 0; at < ranges.length; at += PARALLEL_PROBES) {
    const asked = ranges.slice(at, at + PARALLEL_PROBES);
    const entries = await Promise.all(asked.map(async range => ({ range, entry: await probe(range) })));
    for (const { range, entry } of entries) if (entry !== undefined) return { ...entry, ...range };
  }
  return undefined;
}

const PARALLEL_PROBES = 5;

/** The last place that is there on the way to one that is missing. */
async function bisect(
  isThere: (index: bigint) => Promise<boolean>,
  ends: { readonly there: bigint; readonly missing: bigint },
): Promise<bigint> {
  let { there, missing } = ends;
  while (there - missing > 1n || missing - there > 1n) {
    const middle = (there + missing) / 2n;
    if (await isThere(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

/** The segments that were found, as a node would list them. */
export const foundSegments = ({ chainId, segments }: FoundBlocks): readonly Segment[] =>
  segments.map(({ from, to }) => ({
    ...{ fromHeight: from, toHeight: to, chainId, databaseVersion: '' },
    ...{ historySegmentId: '', previousHistorySegmentId: '' },
  }));
