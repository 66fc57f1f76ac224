import { isoTime, minuteText, momentText } from '../../base/text/time.ts';
import { NodeError } from '../api/errors.ts';
import { askChain } from '../directory/ask-chain.ts';
import type { EpochTimes } from '../directory/export-range.ts';
import { type Bound, boundNs } from '../insight/chain-point.ts';
import { type Epoch, epochTimes, fetchEpoch, findEpochAtTime, type LatestBlock, type NodeRequester } from './epoch.ts';
import { type NamedRangeEnd, NoTimesError, parseNamedRangeEnd, RANGE_END_FORMS, RangeEndError } from './parse-range.ts';
import { rangeEnd, rowTime } from './range-end.ts';

/** The block of a named place. */
export interface LocatedBlock {
  readonly height: bigint;
  /** How the height was found, for the user: `epoch 41 begins with block 22858`. */
  readonly note: string;
  readonly asked: RequestedEnd | null;
}

/** One end of a requested range. Exported segments may contain additional rows. */
export interface RequestedEnd {
  /** As typed: `e20`, `2026-10-01`, `17001`. */
  readonly name: string;
  /** First moment of the range, or the first one after its end: ISO 8601 with microseconds. Null for a height. */
  readonly time: string | null;
  readonly epoch: EpochTimes | null;
}

/**
 * Finds the block for one end of a range: the first or last block of an epoch, a day, a minute or a second.
 * Throws NodeError, or RangeEndError when the place is not on this chain.
 */
export async function locateBlock(
  client: NodeRequester,
  text: string,
  bound: Bound,
  signal: AbortSignal,
): Promise<LocatedBlock> {
  const place = parseNamedRangeEnd(text);
  if (place === undefined) throw new RangeEndError(`"${text}" is not ${RANGE_END_FORMS}`);
  return place.kind === 'epoch'
    ? locateEpoch(client, place.seq, bound, signal)
    : locateTime(client, place, bound, signal);
}

async function locateEpoch(
  client: NodeRequester,
  id: string,
  bound: Bound,
  signal: AbortSignal,
): Promise<LocatedBlock> {
  const answer = await fetchEpoch(client, id, signal);
  if (answer.kind === 'not-offered')
    throw new NoTimesError(`this node does not serve epochs. Enter block heights instead of epoch ${id}.`);
  if (answer.kind === 'unknown') throw new RangeEndError(`this node knows no epoch ${id}`);
  const { firstBlock, lastBlock } = answer.epoch;
  const epoch = epochTimes(answer.epoch);
  const asked = requestedEnd({ kind: 'epoch', seq: id }, bound, epoch);
  if (bound === 'from') return { height: firstBlock, note: `epoch ${id} begins with block ${firstBlock}`, asked };
  if (lastBlock === undefined) throw new RangeEndError(`epoch ${id} has not ended yet`);
  return { height: lastBlock, note: `epoch ${id} ends with block ${lastBlock}`, asked };
}

/** One end of a requested range, at a time or an epoch with these times. */
export function requestedEnd(place: NamedRangeEnd, bound: Bound, epoch: EpochTimes | null = null): RequestedEnd {
  const { ns } = rangeEnd(place, bound, () => epoch ?? undefined);
  const name = place.kind === 'epoch' ? `e${place.seq}` : timeText(place);
  return { name, time: ns === null ? null : rowTime(ns), epoch };
}

const boundTimeMs = (place: TimePlace, bound: Bound): number => Number(boundNs(place, bound) / 1_000_000n);

type TimePlace = Extract<NamedRangeEnd, { readonly kind: 'time' }>;

/** Times and blocks between which a block is estimated. */
interface EstimateRange {
  readonly startMs: number;
  /** When the last block came. The chain may have stood still after it. */
  readonly endMs: number;
  readonly firstBlock: bigint;
  readonly lastBlock: bigint;
  readonly how: string;
}

/**
 * Nodes cannot map times to blocks, but epochs have both: the block is estimated within its epoch or, on a node without
 * epochs, between genesis and the newest block.
 */
async function locateTime(
  client: NodeRequester,
  place: TimePlace,
  bound: Bound,
  signal: AbortSignal,
): Promise<LocatedBlock> {
  const wantedMs = boundTimeMs(place, bound);
  const answer = await fetchEpoch(client, undefined, signal);
  const head = (answer.kind === 'epoch' ? answer.head : undefined) ?? (await fetchGenesis(client, signal))?.head;
  if (head === undefined)
    throw new NoTimesError('the node does not report the time of its newest block. Enter the range as block heights.');
  if (wantedMs > head.timeMs)
    throw new RangeEndError(
      `${timeText(place)} ${boundTimeMs(place, 'from') <= head.timeMs ? 'is not over' : 'is after the newest block'}: block ${head.height} was produced at ${momentText(head.timeMs)}`,
      'after',
    );
  const span =
    answer.kind === 'epoch'
      ? await anchorsInEpoch(client, { wantedMs, current: answer.epoch, head }, signal)
      : await anchorsInChain(client, signal);
  if (wantedMs >= span.startMs) return estimateBlock(span, { place, wantedMs, bound });
  // The day or month in which the chain began starts with its first block.
  const isFirstDay =
    (place.unit === 'day' || place.unit === 'month') && bound === 'from' && boundTimeMs(place, 'to') > span.startMs;
  const began = chainBeginningText(span);
  if (span.firstBlock !== 1n)
    throw new RangeEndError(
      `${timeText(place)} is before the oldest epoch that this node knows: it began at ${momentText(span.startMs)} with block ${span.firstBlock}`,
      'before',
    );
  if (!isFirstDay) throw new RangeEndError(`${timeText(place)} is before the first block: ${began}`, 'before');
  return { height: span.firstBlock, note: `${began}, on ${timeText(place)}`, asked: requestedEnd(place, bound) };
}

interface Search {
  readonly wantedMs: number;
  readonly current: Epoch;
  readonly head: LatestBlock;
}

async function anchorsInEpoch(client: NodeRequester, { wantedMs, current, head }: Search, signal: AbortSignal) {
  const found = await findEpochAtTime(wantedMs, current, async seq => {
    const answer = await fetchEpoch(client, String(seq), signal);
    return answer.kind === 'epoch' ? answer.epoch : undefined;
  });
  const epoch = found.kind === 'found' ? found.epoch : found.oldest;
  return {
    startMs: epoch.startMs,
    endMs: Math.min(epoch.endMs ?? head.timeMs, Math.max(epoch.expiryMs, epoch.startMs + 1)),
    firstBlock: epoch.firstBlock,
    lastBlock: epoch.lastBlock ?? head.height,
    how: `within epoch ${epoch.seq}`,
  };
}

async function anchorsInChain(client: NodeRequester, signal: AbortSignal): Promise<EstimateRange> {
  const chain = await fetchGenesis(client, signal);
  if (chain === undefined || !(chain.head.timeMs > chain.genesisMs))
    throw new NoTimesError('the node gives no times for its epochs or its chain. Enter the range as block heights.');
  return {
    startMs: chain.genesisMs,
    endMs: chain.head.timeMs,
    firstBlock: 1n,
    lastBlock: chain.head.height,
    how: 'from the average block time, as this node does not serve epochs',
  };
}

/** Genesis and newest block by the core, which may not be reachable. */
async function fetchGenesis(client: NodeRequester, signal: AbortSignal) {
  try {
    const { genesisTime, core } = await askChain(client, [], signal);
    const genesisMs = Date.parse(genesisTime ?? '');
    if (core === null || core.height === null || core.timeMs === null || Number.isNaN(genesisMs)) return undefined;
    return { genesisMs, head: { height: core.height, timeMs: core.timeMs } };
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'refused') return undefined;
    throw error;
  }
}

const chainBeginningText = ({ startMs, firstBlock }: EstimateRange): string =>
  `the chain began at ${momentText(startMs)} with block ${firstBlock}`;

interface WantedTime {
  readonly place: TimePlace;
  readonly wantedMs: number;
  readonly bound: Bound;
}

function estimateBlock(span: EstimateRange, { place, wantedMs, bound }: WantedTime): LocatedBlock {
  const { startMs, endMs, firstBlock, lastBlock, how } = span;
  const blocks = Number(lastBlock - firstBlock + 1n);
  const share = endMs > startMs ? Math.min(1, (wantedMs - startMs) / (endMs - startMs)) : 1;
  const next = firstBlock + BigInt(Math.ceil(share * blocks));
  const height = bound === 'from' ? next : next - 1n;
  if (height < 1n)
    throw new RangeEndError(`${timeText(place)} is before the first block: ${chainBeginningText(span)}`, 'before');
  const verb = bound === 'from' ? 'begins' : 'ends';
  return {
    height,
    note: `${timeText(place)} ${verb} at about block ${height}, estimated ${how}`,
    asked: requestedEnd(place, bound),
  };
}

/** The form to type it again. */
function timeText(place: TimePlace): string {
  const timeMs = boundTimeMs(place, 'from');
  switch (place.unit) {
    case 'month':
      return momentText(timeMs).slice(0, '2026-10'.length);
    case 'day':
      return momentText(timeMs).slice(0, '2026-10-01'.length);
    case 'minute':
      return minuteText(timeMs);
    case 'second':
      return momentText(timeMs);
    case 'fraction':
      return isoTime(place.fromNs);
  }
}
