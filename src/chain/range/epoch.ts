import { microText, nanosecondsToMs } from '../../base/text/time.ts';
import type { Client } from '../api/client.ts';
import { isNoSuchRecord, isNotServed, WebPageError } from '../api/errors.ts';
import { type Json, jsonText, member } from '../api/json.ts';
import type { EpochTimes } from '../directory/export-range.ts';

/** The part of a client that requests need. */
export type NodeRequester = Pick<Client, 'get'>;

/** An epoch of a chain (node-behaviour.md section 10). Times in Unix milliseconds, heights inclusive. */
export interface Epoch {
  readonly seq: number;
  readonly startMs: number;
  /** The epoch ends with the first block after this time, later than planned when the chain stood still. */
  readonly expiryMs: number;
  /** Undefined while the epoch is open. */
  readonly endMs: number | undefined;
  readonly firstBlock: bigint;
  readonly lastBlock: bigint | undefined;
  /** Unix nanoseconds. `endNs` is the time of the first block of the next epoch, undefined while the epoch is open. */
  readonly startNs: bigint;
  readonly endNs: bigint | undefined;
}

/** For records. */
export const epochTimes = ({ seq, startNs, endNs }: Epoch): EpochTimes => ({
  seq: String(seq),
  start: microText(startNs / 1000n),
  end: endNs === undefined ? null : microText(endNs / 1000n),
});

/** The newest block, from the headers of an answer. */
export interface LatestBlock {
  readonly height: bigint;
  readonly timeMs: number;
}

export type EpochReply =
  | { readonly kind: 'epoch'; readonly epoch: Epoch; readonly head: LatestBlock | undefined }
  | { readonly kind: 'unknown' }
  /** The node does not serve epochs. */
  | { readonly kind: 'not-offered' };

/** The bounds of epochs by their numbers, and those that the node does not know, if it serves epochs. Throws NodeError. */
export async function fetchEpochTimesBySeq(
  client: NodeRequester,
  seqs: readonly string[],
  signal: AbortSignal,
): Promise<{
  readonly epochs: readonly EpochTimes[];
  readonly unknown: readonly string[];
  readonly isOffered: boolean;
}> {
  const epochs: EpochTimes[] = [];
  const unknown: string[] = [];
  for (const seq of seqs) {
    const answer = await fetchEpoch(client, seq, signal);
    if (answer.kind === 'not-offered') return { epochs, unknown, isOffered: false };
    if (answer.kind === 'epoch') epochs.push(epochTimes(answer.epoch));
    if (answer.kind === 'unknown') unknown.push(seq);
  }
  return { epochs, unknown, isOffered: true };
}

/** Requests an epoch by its number, or the current one. Throws NodeError. */
export async function fetchEpoch(
  client: NodeRequester,
  id: string | undefined,
  signal: AbortSignal,
): Promise<EpochReply> {
  try {
    const query: [string, string][] = id === undefined ? [] : [['id', id]];
    const { json, facts } = await client.get({ path: 'api/v2/epoch', query }, signal);
    const epoch = readEpoch(json);
    // A node without the filter answers with the current epoch.
    const isOther = epoch === undefined || (id !== undefined && String(epoch.seq) !== id.replace(/^0+(?=\d)/, ''));
    return isOther ? { kind: 'unknown' } : { kind: 'epoch', epoch, head: readNewestBlock(facts) };
  } catch (error) {
    if (id !== undefined && isNoSuchRecord(error)) return { kind: 'unknown' };
    if (isNotServed(error) || error instanceof WebPageError) return { kind: 'not-offered' };
    throw error;
  }
}

/** The epoch of an answer; undefined if it has none, or one without a start. */
export function readEpoch(answer: Json): Epoch | undefined {
  const epoch = member(answer, 'epoch');
  const timestamps = member(epoch, 'timestamps');
  const text = (name: string): string => jsonText(member(timestamps, name));
  const seq = jsonText(member(epoch, 'seq'));
  const startMs = nanosecondsToMs(text('startTime'));
  const firstBlock = readHeight(text('firstBlock'));
  if (!/^\d{1,15}$/.test(seq) || startMs === undefined || firstBlock === undefined) return undefined;
  const lastBlock = readHeight(text('lastBlock'));
  const endMs = nanosecondsToMs(text('endTime'));
  return {
    seq: Number(seq),
    startMs,
    expiryMs: nanosecondsToMs(text('expiryTime')) ?? endMs ?? startMs,
    endMs: lastBlock === undefined ? undefined : endMs,
    firstBlock,
    lastBlock: endMs === undefined ? undefined : lastBlock,
    startNs: BigInt(text('startTime')),
    endNs: lastBlock === undefined || endMs === undefined ? undefined : BigInt(text('endTime')),
  };
}

function readNewestBlock(facts: {
  readonly blockHeight?: string;
  readonly blockTimeNs?: string;
}): LatestBlock | undefined {
  const timeMs = nanosecondsToMs(facts.blockTimeNs ?? '');
  const block = readHeight(facts.blockHeight ?? '');
  return timeMs === undefined || block === undefined ? undefined : { height: block, timeMs };
}

/** 0 stands for no block. */
const readHeight = (text: string): bigint | undefined => (/^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined);

/** The epoch of a time or block, or the oldest known epoch when it is earlier. */
type EpochSearchResult =
  | { readonly kind: 'found'; readonly epoch: Epoch }
  | { readonly kind: 'before'; readonly oldest: Epoch };

type FetchEpoch = (seq: number) => Promise<Epoch | undefined>;

/**
 * Finds the epoch of a time, from the current one backwards. Epochs are about equally long, so each guess extrapolates
 * from the last answer. Every third guess halves the rest instead, which works for any chain.
 */
export const findEpochAtTime = (timeMs: number, current: Epoch, ask: FetchEpoch): Promise<EpochSearchResult> =>
  searchEpoch(timeMs, ({ startMs, endMs, expiryMs }) => ({ start: startMs, end: endMs, length: expiryMs - startMs }), {
    current,
    ask,
  });

/** Finds the epoch of a block in the same way. */
export const findEpochOfBlock = (height: bigint, current: Epoch, ask: FetchEpoch): Promise<EpochSearchResult> =>
  searchEpoch(
    Number(height),
    ({ seq, firstBlock, lastBlock }) => {
      const start = Number(firstBlock);
      if (lastBlock !== undefined) return { start, end: Number(lastBlock) + 1, length: Number(lastBlock) + 1 - start };
      // The open epoch is assumed to be as long as the average of the others.
      return { start, end: undefined, length: start / Math.max(1, seq - 1) };
    },
    { current, ask },
  );

/** Start and end of an epoch in ms or in blocks; an open one has no end. */
interface Ends {
  readonly start: number;
  readonly end: number | undefined;
  readonly length: number;
}

interface Chain {
  readonly current: Epoch;
  readonly ask: FetchEpoch;
}

async function searchEpoch(
  wanted: number,
  endsOf: (epoch: Epoch) => Ends,
  { current, ask }: Chain,
): Promise<EpochSearchResult> {
  if (wanted >= endsOf(current).start) return { kind: 'found', epoch: current };
  const guessFrom = (epoch: Epoch): number => {
    const { start, length } = endsOf(epoch);
    return epoch.seq + Math.floor((wanted - start) / Math.max(1, length));
  };
  let [low, high] = [1, current.seq - 1];
  let oldest = current;
  let guess = guessFrom(current);
  for (let asked = 1; low <= high; asked++) {
    const seq = asked % 3 === 0 ? Math.floor((low + high) / 2) : Math.min(high, Math.max(low, guess));
    const epoch = await ask(seq);
    if (epoch === undefined) {
      // Nodes with little history do not know old epochs.
      low = seq + 1;
      guess = Math.floor((low + high) / 2);
      continue;
    }
    const { start, end } = endsOf(epoch);
    if (wanted < start) {
      high = seq - 1;
      if (start < endsOf(oldest).start) oldest = epoch;
    } else if (end === undefined || wanted < end) return { kind: 'found', epoch };
    else low = seq + 1;
    guess = guessFrom(epoch);
  }
  return { kind: 'before', oldest };
}
