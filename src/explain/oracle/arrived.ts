import { isJsonArray, type Json, jsonText, member } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import { compareDecimals } from '../../insight/decimal.ts';
import type { DataSigner } from '../../insight/oracle/data-source.ts';
import type { Arrival } from '../../insight/oracle/delivery.ts';
import { readSeconds } from '../../insight/oracle/unix-seconds.ts';
import { signersIn } from '../../resources/oracle-source.ts';
import type { Ask } from '../explanation.ts';

/** Data that arrived for a spec: values, or an error. */
export interface Arrived {
  /** Unix nanoseconds. */
  readonly broadcastAt: string;
  readonly signers: readonly DataSigner[];
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Unix seconds and height of the block that was read on the other chain; '' if the node does not say. */
  readonly sourceTime: string;
  readonly sourceHeight: string;
  /** '' for values. */
  readonly error: string;
}

/** The newest data of a spec. */
export interface Arrivals {
  /** The last one without an error; undefined if there is none among those read. */
  readonly value: Arrived | undefined;
  /** Errors since then, newest first. */
  readonly errors: readonly Arrived[];
  /** Older data was not read. */
  readonly hasMore: boolean;
}

/** Undefined if the node does not serve it, or not now (node-lists.md section 5). */
export async function arrivalsOf(specId: string, ask: Ask): Promise<Arrivals | undefined> {
  if (!/^(?:[0-9a-f]{2})+$/i.test(specId)) return undefined;
  const query = [
    ['oracleSpecId', specId],
    ['pagination.first', String(MOST_READ)],
    ['pagination.newestFirst', 'true'],
  ] as const;
  const answer = await ask({ path: 'api/v2/oracle/data', query });
  const page = answer === undefined ? undefined : readPage(answer, 'oracleData');
  if (page === undefined) return undefined;
  const own = page.records
    .map(record => member(member(record, 'externalData'), 'data'))
    .filter(data => isOf(data, specId));
  const newestFirst = own.map(read).toSorted((one, other) => compareDecimals(other.broadcastAt, one.broadcastAt));
  const index = newestFirst.findIndex(({ error }) => error === '');
  return {
    value: newestFirst[index],
    errors: index < 0 ? newestFirst : newestFirst.slice(0, index),
    // Data of other specs means that the node ignores the filter, so data of this spec may follow later.
    hasMore: page.hasNextPage || own.length < page.records.length,
  };
}

/** The Unix second of the last block the node has stored; undefined if it does not say. */
export async function blockTimeOf(ask: Ask): Promise<bigint | undefined> {
  return secondsOfNs(jsonText(member(await ask({ path: 'api/v2/vega/time', query: [] }), 'timestamp')));
}

/** The time of the last value: that of the block it was read at, else of its arrival. */
export function arrivalTime(arrivals: Arrivals | undefined): Arrival {
  if (arrivals === undefined) return 'unknown';
  const { value, hasMore } = arrivals;
  if (value === undefined) return hasMore ? 'unknown' : 'never';
  const cameAt = secondsOfNs(value.broadcastAt);
  if (value.sourceTime === '') return cameAt === undefined || cameAt === 0n ? 'unknown' : cameAt;
  const readAt = readSeconds(value.sourceTime);
  // A missing read time, or one after the arrival, cannot be trusted.
  const isOdd = readAt === undefined || readAt <= 0n || (cameAt !== undefined && readAt > cameAt + CLOCKS_APART);
  return isOdd ? 'unknown' : readAt;
}

// How many seconds the clocks of two chains may differ.
const CLOCKS_APART = 120n;

export const secondsOfNs = (ns: string): bigint | undefined =>
  /^\d{1,20}$/.test(ns) ? BigInt(ns) / 1_000_000_000n : undefined;

// Enough to find the last value before some errors.
const MOST_READ = 10;

function isOf(data: Json | undefined, specId: string): boolean {
  const ids = member(data, 'matchedSpecIds');
  return isJsonArray(ids) && ids.some(id => jsonText(id).toLowerCase() === specId.toLowerCase());
}

function read(data: Json | undefined): Arrived {
  const about = propertiesIn(member(data, 'metaData'));
  const textOf = (name: string): string => about.find(property => property.name === name)?.value ?? '';
  return {
    broadcastAt: jsonText(member(data, 'broadcastAt')),
    signers: listIn(member(data, 'signers')).flatMap(signersIn),
    values: propertiesIn(member(data, 'data')),
    sourceTime: textOf('eth-block-time'),
    sourceHeight: textOf('eth-block-height'),
    error: jsonText(member(data, 'error')),
  };
}

const propertiesIn = (list: Json | undefined): Arrived['values'] =>
  listIn(list).map(property => ({
    name: jsonText(member(property, 'name')),
    value: jsonText(member(property, 'value')),
  }));

const listIn = (list: Json | undefined): readonly Json[] => (isJsonArray(list) ? list : []);
