import type { Client } from '../api/client.ts';
import { isNotServed, RefusedError, WebPageError } from '../api/errors.ts';
import { type Json, jsonText, member } from '../api/json.ts';

/** What questions are asked of. */
export type Asker = Pick<Client, 'get'>;

/** An epoch as a node tells it (node-lists.md section 10). Times in Unix milliseconds, heights inclusive. */
export interface Epoch {
  readonly seq: number;
  readonly startMs: number;
  /** It ends with the first block past this time: a chain that stood still ends it late, never early. */
  readonly expiryMs: number;
  /** Undefined while it is open. */
  readonly endMs: number | undefined;
  readonly firstBlock: bigint;
  readonly lastBlock: bigint | undefined;
  /** To the nanosecond. The end is the time of the first block of the next epoch; undefined while it is open. */
  readonly startNs: bigint;
  readonly endNs: bigint | undefined;
}

/** When an epoch begins, and when the next one does; null while it is open. */
export interface EpochBounds {
  readonly seq: string;
  readonly start: string;
  readonly end: string | null;
}

export const epochBounds = ({ seq, startNs, endNs }: Epoch): EpochBounds => ({
  seq: String(seq),
  start: microText(startNs / 1000n),
  end: endNs === undefined ? null : microText(endNs / 1000n),
});

/** Unix microseconds as the rows of a node have them: `2026-10-01T12:00:00.000000Z`. */
export const microText = (us: bigint): string =>
  `${new Date(Number(us / 1_000_000n) * 1000).toISOString().slice(0, 19)}.${String(us % 1_000_000n).padStart(6, '0')}Z`;

/** The newest block as the headers of an answer tell it; undefined where they were not sent. */
export interface Head {
  readonly height: bigint;
  readonly timeMs: number;
}

export type EpochAnswer =
  | { readonly kind: 'epoch'; readonly epoch: Epoch; readonly head: Head | undefined }
  | { readonly kind: 'unknown' }
  /** The node has no such operation. */
  | { readonly kind: 'not-offered' };

/** Asks for an epoch by its number, or for the current one. Throws NodeError. */
export async function askEpoch(client: Asker, id: string | undefined, signal: AbortSignal): Promise<EpochAnswer> {
  try {
    const query: [string, string][] = id === undefined ? [] : [['id', id]];
    const { json, facts } = await client.get({ path: 'api/v2/epoch', query }, signal);
    const epoch = readEpoch(member(json, 'epoch'));
    // A node that does not know the filter answers with the current epoch.
    const isOther = epoch === undefined || (id !== undefined && String(epoch.seq) !== id.replace(/^0+(?=\d)/, ''));
    return isOther ? { kind: 'unknown' } : { kind: 'epoch', epoch, head: headOf(facts) };
  } catch (error) {
    if (isNotServed(error) || error instanceof WebPageError) return { kind: 'not-offered' };
    if (error instanceof RefusedError && error.status === 404) return { kind: 'unknown' };
    throw error;
  }
}

function readEpoch(epoch: Json | undefined): Epoch | undefined {
  const timestamps = member(epoch, 'timestamps');
  const text = (name: string): string => jsonText(member(timestamps, name));
  const seq = jsonText(member(epoch, 'seq'));
  const startMs = milliseconds(text('startTime'));
  const firstBlock = height(text('firstBlock'));
  if (!/^\d{1,15}$/.test(seq) || startMs === undefined || firstBlock === undefined) return undefined;
  const lastBlock = height(text('lastBlock'));
  const endMs = milliseconds(text('endTime'));
  return {
    seq: Number(seq),
    startMs,
    expiryMs: milliseconds(text('expiryTime')) ?? endMs ?? startMs,
    endMs: lastBlock === undefined ? undefined : endMs,
    firstBlock,
    lastBlock: endMs === undefined ? undefined : lastBlock,
    startNs: BigInt(text('startTime')),
    endNs: lastBlock === undefined || endMs === undefined ? undefined : BigInt(text('endTime')),
  };
}

function headOf(facts: { readonly blockHeight?: string; readonly blockTimeNs?: string }): Head | undefined {
  const timeMs = milliseconds(facts.blockTimeNs ?? '');
  const block = height(facts.blockHeight ?? '');
  return timeMs === undefined || block === undefined ? undefined : { height: block, timeMs };
}

/** Of Unix nanoseconds; 0 stands for no time. */
const milliseconds = (timeNs: string): number | undefined =>
  /^[1-9]\d{0,19}$/.test(timeNs) ? Number(BigInt(timeNs) / 1_000_000n) : undefined;

/** 0 stands for no block. */
const height = (text: string): bigint | undefined => (/^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined);
