import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, topOfHistory } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { type Feed, specDefinition } from './oracle-definitions.ts';
import { SPEC_COUNT, specId, UNDEFINED_SPEC } from './oracle-specs.ts';
import { Dice } from './seeded.ts';

/** How many of the values that arrived for a spec are kept. */
const KEPT = 20;

/** The table behind `oracle/data`: what arrived for each spec from outside of the chain. */
export function oracleDataTable(chain: Chain): DemoTable {
  return {
    name: 'oracle_data',
    columns: ['spec_id TEXT NOT NULL', 'vega_us INTEGER NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'spec_id, vega_us',
    indices: ['vega_us, spec_id'],
    rows: () => dataRows(chain),
  };
}

function* dataRows(chain: Chain) {
  const newestUs = blockTimeUs(chain, topOfHistory(chain));
  for (let index = 0; index < SPEC_COUNT; index++) {
    const { feed } = specDefinition(chain, index);
    if (feed === undefined || index === UNDEFINED_SPEC) continue;
    const id = specId(chain, index);
    const dice = new Dice(`${id}/data`);
    for (let age = 0; age < KEPT; age++) {
      const timeUs = newestUs - age * feed.everySeconds * 1_000_000;
      yield [id, timeUs, dataRecord({ id, feed, timeUs, dice })] as const;
    }
  }
}

interface Arrival {
  readonly id: string;
  readonly feed: Feed;
  readonly timeUs: number;
  readonly dice: Dice;
}

function dataRecord({ id, feed, timeUs, dice }: Arrival): string {
  const ethereumBlock = String(19_000_000 + dice.below(1_000_000));
  const isCall = feed.signers.length === 0;
  const seen = { name: 'eth-block-time', value: String(Math.floor(timeUs / 1e6) - 40) };
  return goJson({
    externalData: {
      data: {
        signers: feed.signers,
        data: feed.values(dice),
        matchedSpecIds: [id],
        broadcastAt: nanoseconds(timeUs),
        metaData: isCall ? [{ name: 'eth-block-height', value: ethereumBlock }, seen] : [],
      },
    },
  });
}
