import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, firstBlockAt, startHeight } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { isOracleSilent } from './live-events.ts';
import type { Feed } from './oracle-definitions.ts';
import { pastDueTimes } from './oracle-schedules.ts';
import { type PlannedSpec, planSpecs } from './oracle-specs.ts';
import { Dice } from './seeded-random.ts';

/** How many old values of each spec the node has when it starts. */
const PAST_VALUES_PER_SPEC = 20;
/** The table has values for so long after the start; the list shows those that have arrived. */
const AHEAD_SECONDS = 6 * 3600;

/** The table behind `oracle/data`: the values of each spec, each in a block after it was due. */
export function oracleDataTable(chain: Chain): DemoTable {
  return {
    name: 'oracle_data',
    columns: ['spec_id TEXT NOT NULL', 'vega_us INTEGER NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'spec_id, vega_us',
    indices: ['vega_us, spec_id'],
    rows: () => planSpecs(chain).flatMap(spec => [...dataRows(chain, spec, startSeconds(chain) + AHEAD_SECONDS)]),
    ...(chain.isLive && { changedBy: laterData(chain) }),
  };
}

const startSeconds = (chain: Chain): number => Math.floor(blockTimeUs(chain, startHeight(chain)) / 1e6);

/** The values of a live chain beyond those that the table has from the start. */
function laterData(chain: Chain) {
  let end = startSeconds(chain) + AHEAD_SECONDS;
  return function* (height: number) {
    const nowSeconds = Math.floor(blockTimeUs(chain, height) / 1e6);
    if (nowSeconds < end) return;
    const afterUs = end * 1e6;
    end = nowSeconds + AHEAD_SECONDS;
    // A value depends on those before it.
    for (const spec of planSpecs(chain)) for (const row of dataRows(chain, spec, end)) if (row[1] > afterUs) yield row;
  };
}

function* dataRows(chain: Chain, { id, definition: { feed }, schedule, market }: PlannedSpec, endSeconds: number) {
  if (feed === undefined) return;
  const dice = new Dice(`${id}/data`);
  const nowSeconds = startSeconds(chain);
  const due = [...pastDueTimes(schedule, Math.min(schedule.lastArrived, endSeconds))];
  const firstKept = Math.max(0, due.filter(seconds => seconds <= nowSeconds).length - PAST_VALUES_PER_SPEC);
  for (const [index, seconds] of due.slice(firstKept).entries()) {
    // A call uses the first block of the other chain at or after the time; its result is sent once that block is confirmed.
    const readSeconds = seconds + dice.between(0, 2);
    const height = firstBlockAt(chain, (readSeconds + dice.between(1, 3)) * 1e6);
    if (market?.specs.settlement === id && isOracleSilent(chain, market, height)) continue;
    const timeUs = blockTimeUs(chain, height);
    // Sometimes the contract call fails.
    const error = feed.signers.length === 0 && index % 7 === 3 ? 'execution reverted' : undefined;
    yield [id, timeUs, dataRecord({ id, feed, readSeconds, timeUs, dice, error })] as const;
  }
}

interface Arrival {
  readonly id: string;
  readonly feed: Feed;
  readonly readSeconds: number;
  readonly timeUs: number;
  readonly dice: Dice;
  readonly error: string | undefined;
}

function dataRecord({ id, feed, readSeconds, timeUs, dice, error }: Arrival): string {
  const ethereumBlock = String(19_000_000 + dice.below(1_000_000));
  const isCall = feed.signers.length === 0;
  const arrived = { name: 'vega-time', value: String(Math.floor(timeUs / 1e6)) };
  const read = [
    { name: 'eth-block-height', value: ethereumBlock },
    { name: 'eth-block-time', value: String(readSeconds) },
  ];
  return goJson({
    externalData: {
      data: {
        signers: feed.signers,
        data: error === undefined ? feed.values(dice, readSeconds) : [],
        matchedSpecIds: [id],
        broadcastAt: nanoseconds(timeUs),
        metaData: isCall ? [...(error === undefined ? read : []), arrived] : [],
        ...(error !== undefined && { error }),
      },
    },
  });
}
