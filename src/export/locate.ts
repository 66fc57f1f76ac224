import { NodeError } from '../api/errors.ts';
import { jsonText, member } from '../api/json.ts';
import type { Bound } from './boundaries.ts';
import { type Asker, askEpoch, type Epoch, type EpochBounds, epochBounds, type Head, microText } from './epoch.ts';
import { epochAt } from './epoch-search.ts';
import { DAY_MS, momentText, type NamedPlace, PLACE_FORMS, PlaceError, placeNamed } from './place-name.ts';

/** A block that somebody named by something else than its height. */
export interface Located {
  readonly height: bigint;
  /** How the height was found, for the person: `epoch 41 begins with block 22858`. */
  readonly note: string;
  readonly asked: AskedEnd | null;
}

/** One end of a range as it was asked for: rows between the two ends are meant, whatever else is in their segments. */
export interface AskedEnd {
  /** As it was named: `e20`, `2026-10-01`, `17001`. */
  readonly name: string;
  /** The first moment that belongs to it or, of its end, that does not any more: ISO 8601, microseconds. Null for a height. */
  readonly time: string | null;
  readonly epoch: EpochBounds | null;
}

/**
 * The block that a range begins or ends with when its bound is an epoch, a day, a minute or a second: the first block of
 * it, or the last one.
 * Throws NodeError, or PlaceError when it is no place of this chain.
 */
export async function locate(client: Asker, text: string, bound: Bound, signal: AbortSignal): Promise<Located> {
  const place = placeNamed(text);
  if (place === undefined) throw new PlaceError(`"${text}" is not ${PLACE_FORMS}`);
  return place.kind === 'epoch'
    ? locateEpoch(client, place.id, bound, signal)
    : locateTime(client, place, bound, signal);
}

async function locateEpoch(client: Asker, id: string, bound: Bound, signal: AbortSignal): Promise<Located> {
  const answer = await askEpoch(client, id, signal);
  if (answer.kind === 'not-offered')
    throw new PlaceError(`this node has no epoch operation, so it cannot say where epoch ${id} lies: give heights`);
  if (answer.kind === 'unknown') throw new PlaceError(`this node knows no epoch ${id}`);
  const { firstBlock, lastBlock } = answer.epoch;
  const epoch = epochBounds(answer.epoch);
  const asked: AskedEnd = { name: `e${id}`, time: bound === 'from' ? epoch.start : epoch.end, epoch };
  if (bound === 'from') return { height: firstBlock, note: `epoch ${id} begins with block ${firstBlock}`, asked };
  if (lastBlock === undefined) throw new PlaceError(`epoch ${id} has not ended yet`);
  return { height: lastBlock, note: `epoch ${id} ends with block ${lastBlock}`, asked };
}

/** A day, a minute and a second are meant whole: the first moment of one, or the first one behind it. */
export const askedTime = (place: Time, bound: Bound): AskedEnd => ({
  name: timeText(place),
  time: microText(BigInt(edgeMs(place, bound)) * 1000n),
  epoch: null,
});

const edgeMs = ({ timeMs, lengthMs }: Time, bound: Bound): number => (bound === 'from' ? timeMs : timeMs + lengthMs);

type Time = Extract<NamedPlace, { readonly kind: 'time' }>;

/** What a block is estimated from. */
interface Stretch {
  readonly startMs: number;
  /** Blocks come until then; between it and the next stretch the chain stood still. */
  readonly endMs: number;
  readonly firstBlock: bigint;
  readonly lastBlock: bigint;
  readonly how: string;
}

/**
 * No operation maps times to blocks. Epochs have both, so the epoch of the time is looked for and the block estimated
 * between its ends; without them, between the chain's genesis and its head.
 */
async function locateTime(client: Asker, place: Time, bound: Bound, signal: AbortSignal): Promise<Located> {
  const wantedMs = edgeMs(place, bound);
  const answer = await askEpoch(client, undefined, signal);
  const head = (answer.kind === 'epoch' ? answer.head : undefined) ?? (await askChain(client, signal))?.head;
  if (head === undefined) throw new PlaceError('the node does not say when its newest block was made: give heights');
  if (wantedMs > head.timeMs)
    throw new PlaceError(
      `${timeText(place)} ${place.timeMs <= head.timeMs ? 'is not over' : 'lies after the newest block'}: block ${head.height} was made at ${momentText(head.timeMs)}`,
      'after',
    );
  const stretch =
    answer.kind === 'epoch'
      ? await stretchOfEpoch(client, { wantedMs, current: answer.epoch, head }, signal)
      : await stretchOfChain(client, signal);
  if (wantedMs >= stretch.startMs) return estimated(stretch, { place, wantedMs, bound });
  // Of the day on which the chain began everything there is is meant.
  const isFirstDay = place.lengthMs === DAY_MS && bound === 'from' && place.timeMs + DAY_MS > stretch.startMs;
  const began = `the chain began at ${momentText(stretch.startMs)} with block ${stretch.firstBlock}`;
  if (stretch.firstBlock !== 1n)
    throw new PlaceError(
      `${timeText(place)} lies before the oldest epoch that this node knows: it began at ${momentText(stretch.startMs)} with block ${stretch.firstBlock}`,
      'before',
    );
  if (!isFirstDay) throw new PlaceError(`${timeText(place)} lies before the first block: ${began}`, 'before');
  return { height: stretch.firstBlock, note: `${began}, on ${timeText(place)}`, asked: askedTime(place, bound) };
}

interface Search {
  readonly wantedMs: number;
  readonly current: Epoch;
  readonly head: Head;
}

async function stretchOfEpoch(client: Asker, { wantedMs, current, head }: Search, signal: AbortSignal) {
  const found = await epochAt(wantedMs, current, async seq => {
    const answer = await askEpoch(client, String(seq), signal);
    return answer.kind === 'epoch' ? answer.epoch : undefined;
  });
  const epoch = found.kind === 'found' ? found.epoch : found.oldest;
  return {
    startMs: epoch.startMs,
    endMs: Math.min(epoch.endMs ?? head.timeMs, Math.max(epoch.expiryMs, epoch.startMs + 1)),
    firstBlock: epoch.firstBlock,
    lastBlock: epoch.lastBlock ?? head.height,
    how: `between the ends of epoch ${epoch.seq}`,
  };
}

async function stretchOfChain(client: Asker, signal: AbortSignal): Promise<Stretch> {
  const chain = await askChain(client, signal);
  if (chain === undefined || !(chain.head.timeMs > chain.genesisMs))
    throw new PlaceError('the node says neither when its epochs began nor when its chain did: give heights');
  return {
    startMs: chain.genesisMs,
    endMs: chain.head.timeMs,
    firstBlock: 1n,
    lastBlock: chain.head.height,
    how: 'by the average block time since genesis, as this node has no epoch operation',
  };
}

/** Genesis and head by the statistics of the core behind the node, which may be out of reach. */
async function askChain(client: Asker, signal: AbortSignal) {
  try {
    const { json } = await client.get({ path: 'statistics', query: [] }, signal);
    const text = (name: string): string => jsonText(member(member(json, 'statistics'), name));
    const height = text('blockHeight');
    const [genesisMs, timeMs] = [Date.parse(text('genesisTime')), Date.parse(text('vegaTime'))];
    if (!/^[1-9]\d{0,17}$/.test(height) || Number.isNaN(genesisMs) || Number.isNaN(timeMs)) return undefined;
    return { genesisMs, head: { height: BigInt(height), timeMs } };
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'refused') return undefined;
    throw error;
  }
}

interface Wanted {
  readonly place: Time;
  readonly wantedMs: number;
  readonly bound: Bound;
}

function estimated(stretch: Stretch, { place, wantedMs, bound }: Wanted): Located {
  const { startMs, endMs, firstBlock, lastBlock, how } = stretch;
  const blocks = Number(lastBlock - firstBlock + 1n);
  const share = endMs > startMs ? Math.min(1, (wantedMs - startMs) / (endMs - startMs)) : 1;
  const next = firstBlock + BigInt(Math.ceil(share * blocks));
  const height = bound === 'from' ? next : next - 1n;
  if (height < 1n) throw new PlaceError(`${timeText(place)} lies before the first block`, 'before');
  const verb = bound === 'from' ? 'begins' : 'ends';
  return {
    height,
    note: `${timeText(place)} ${verb} at about block ${height}, estimated ${how}`,
    asked: askedTime(place, bound),
  };
}

/** As it may be typed again. */
function timeText({ timeMs, lengthMs }: Time): string {
  if (lengthMs === DAY_MS) return momentText(timeMs).slice(0, '2026-10-01'.length);
  return lengthMs < 60_000 ? momentText(timeMs) : `${momentText(timeMs).slice(0, '2026-10-01 12:00'.length)} UTC`;
}
