import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { specDefinition } from './oracle-definitions.ts';
import { Dice, hexOf } from './seeded.ts';

export const SPEC_COUNT = 40;
/** The one spec whose definition could not be stored (node-behaviour.md section 5). */
export const UNDEFINED_SPEC = 31;

export const specId = ({ seed }: Chain, index: number): string => hexOf(`${seed}/oracle-spec/${index}`);

/** The table behind `oracle/specs`: a row per id and block, one more each time a market lets go of the spec. */
export function oracleSpecsTable(chain: Chain): DemoTable {
  return {
    name: 'oracle_specs',
    columns: ['id TEXT NOT NULL', 'vega_us INTEGER NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id, vega_us',
    indices: [],
    rows: () => specRows(chain),
  };
}

function* specRows(chain: Chain) {
  for (let index = 0; index < SPEC_COUNT; index++) {
    const id = specId(chain, index);
    const dice = new Dice(`${chain.seed}/oracle-spec/${index}`);
    const heights = Array.from({ length: dice.between(1, 3) }, () => dice.between(100, 23_000)).toSorted(
      (a, b) => a - b,
    );
    const createdAt = nanoseconds(blockTimeUs(chain, heights[0] ?? 0));
    const { data } = specDefinition(chain, index);
    for (const [version, height] of heights.entries()) {
      // The oldest version is always active; the last of several may be the end of the spec.
      const isOver = version > 0 && version === heights.length - 1 && dice.chance(70);
      const status = isOver ? 'STATUS_DEACTIVATED' : 'STATUS_ACTIVE';
      const spec = index === UNDEFINED_SPEC ? LOST_SPEC : { id, createdAt, updatedAt: '0', data, status };
      yield [id, blockTimeUs(chain, height), goJson({ externalDataSourceSpec: { spec } })] as const;
    }
  }
}

const LOST_SPEC = {
  id: '',
  createdAt: '0',
  updatedAt: '0',
  data: null,
  status: 'STATUS_UNSPECIFIED',
} as const;
