import type { Client } from '../api/client.ts';
import { jsonText, member } from '../api/json.ts';

/** A place in the chain that somebody named by something else than its height. */
export interface Located {
  readonly height: bigint;
  /** How the height was found, for the person. */
  readonly note: string;
}

/** What a text stands for that is no height: `e41` or `epoch 41`, `2026-10-01`, `2026-10-01 12:00`. */
export function placeNamed(text: string): { readonly epoch: string } | { readonly timeMs: number } | undefined {
  const epoch = /^(?:e|epoch)\s*(\d{1,18})$/i.exec(text.trim())?.[1];
  if (epoch !== undefined) return { epoch };
  const time = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?Z?$/.exec(text.trim());
  const timeMs = time === null ? Number.NaN : Date.parse(`${time[1]}T${time[2] ?? '00:00'}Z`);
  return Number.isNaN(timeMs) ? undefined : { timeMs };
}

/** The block at which an epoch begins or ends, or the one at about a time (UTC). Throws NodeError or RangeError. */
export async function locate(
  client: Client,
  text: string,
  bound: 'from' | 'to',
  signal: AbortSignal,
): Promise<Located> {
  const place = placeNamed(text);
  if (place === undefined) throw new RangeError(`"${text}" is no height, date (2026-10-01) or epoch (e41)`);
  return 'epoch' in place ? locateEpoch(client, place.epoch, bound, signal) : locateTime(client, place.timeMs, signal);
}

async function locateEpoch(client: Client, id: string, bound: 'from' | 'to', signal: AbortSignal): Promise<Located> {
  const { json } = await client.get({ path: 'api/v2/epoch', query: [['id', id]] }, signal);
  const timestamps = member(member(json, 'epoch'), 'timestamps');
  const first = jsonText(member(timestamps, 'firstBlock'));
  const last = jsonText(member(timestamps, 'lastBlock'));
  const isOpen = !/^[1-9]\d*$/.test(last);
  const height = bound === 'to' && !isOpen ? last : first;
  if (!/^\d{1,18}$/.test(height)) throw new RangeError(`the node does not say where epoch ${id} lies`);
  return {
    height: BigInt(height),
    note: `epoch ${id} ${bound === 'to' && !isOpen ? 'ends' : 'begins'} at block ${height}`,
  };
}

/**
 * No operation maps times to blocks, so the height is reckoned from the chain's average block time between its
 * genesis and now; good enough to find a segment, and said to be so.
 */
async function locateTime(client: Client, timeMs: number, signal: AbortSignal): Promise<Located> {
  const { json } = await client.get({ path: 'statistics', query: [] }, signal);
  const statistics = member(json, 'statistics');
  const genesisMs = Date.parse(jsonText(member(statistics, 'genesisTime')));
  const headMs = Date.parse(jsonText(member(statistics, 'vegaTime')));
  const head = Number(jsonText(member(statistics, 'blockHeight')));
  if (!(headMs > genesisMs) || !(head > 0))
    throw new RangeError('the node does not say when its chain began: type a height');
  if (timeMs > headMs) throw new RangeError('that time has not come yet');
  const height = Math.max(1, Math.round((head * (timeMs - genesisMs)) / (headMs - genesisMs)));
  return { height: BigInt(height), note: `about block ${height}, by the average block time` };
}
