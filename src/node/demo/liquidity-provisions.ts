import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, epochOf, firstBlockOfEpoch, headAtStart } from './chain.ts';
import { ODD_REFERENCES } from './free-text.ts';
import type { Market } from './markets.ts';
import { Dice, hexOf } from './seeded.ts';

type Status = 'UNSPECIFIED' | 'ACTIVE' | 'STOPPED' | 'CANCELLED' | 'REJECTED' | 'UNDEPLOYED' | 'PENDING';

/** The life of one commitment: its statuses in turn, one row each. */
interface Life {
  readonly statuses: readonly Status[];
  /** Out of all lives, so many in a hundred. */
  readonly share: number;
  /** Commitments of the old liquidity orders, which carried sells and buys. */
  readonly isLegacy?: true;
  /** The last amendment asks for nothing, which cancels at the next epoch (node-behaviour.md section 9). */
  readonly endsByCancelling?: true;
}

const LIVES: readonly Life[] = [
  {
    statuses: ['PENDING', 'ACTIVE', 'PENDING', 'ACTIVE', 'PENDING', 'ACTIVE', 'ACTIVE', 'ACTIVE'],
    share: 43,
  },
  { statuses: ['PENDING', 'ACTIVE', 'PENDING', 'ACTIVE', 'PENDING'], share: 4 },
  { statuses: ['PENDING', 'ACTIVE', 'ACTIVE', 'PENDING', 'CANCELLED'], share: 14, endsByCancelling: true },
  { statuses: ['PENDING', 'ACTIVE', 'ACTIVE', 'STOPPED'], share: 8 },
  { statuses: ['REJECTED'], share: 5 },
  { statuses: ['PENDING', 'ACTIVE', 'PENDING'], share: 3, endsByCancelling: true },
  { statuses: ['PENDING'], share: 2 },
  { statuses: ['UNDEPLOYED', 'ACTIVE', 'UNDEPLOYED', 'ACTIVE'], share: 12, isLegacy: true },
  { statuses: ['ACTIVE', 'UNDEPLOYED'], share: 5, isLegacy: true },
  { statuses: ['UNSPECIFIED', 'ACTIVE', 'CANCELLED'], share: 4, isLegacy: true },
];

export interface Commitment {
  readonly id: string;
  readonly market: Market;
  readonly partyId: string;
  readonly reference: string | null;
  readonly life: Life;
  /** Oldest first, those of `heights`. */
  readonly statuses: readonly Status[];
  readonly heights: readonly number[];
}

/** The table behind `liquidity/provisions`: one row per version and block, `is_latest` on each id's last. */
export function liquidityProvisionsTable(chain: Chain, { provisions }: { readonly provisions: number }): DemoTable {
  return {
    name: 'liquidity_provisions',
    columns: [
      'id TEXT NOT NULL',
      'vega_us INTEGER NOT NULL',
      'height INTEGER NOT NULL',
      'market_id TEXT NOT NULL',
      'party_id TEXT NOT NULL',
      'reference TEXT',
      'version INTEGER NOT NULL',
      'status TEXT NOT NULL',
      'is_latest INTEGER NOT NULL',
      'body TEXT NOT NULL',
    ],
    primaryKey: 'id, vega_us',
    indices: ['vega_us, id', 'market_id, vega_us, id', 'party_id, vega_us, id', 'height, id'],
    rows: () => provisionRows(chain, provisions),
  };
}

function* provisionRows(chain: Chain, rowCount: number) {
  for (const commitment of commitmentsOf(chain, rowCount)) yield* versionRows(chain, commitment);
}

/** What makes so many rows; of the last one its last versions. A party has one commitment in a market, while there are parties. */
export function* commitmentsOf(chain: Chain, rowCount: number): Iterable<Commitment> {
  let left = rowCount;
  for (let index = 0; left > 0; index++) {
    const commitment = createCommitment(chain, index);
    const [heights, statuses] = [commitment.heights.slice(-left), commitment.statuses.slice(-left)];
    left -= heights.length;
    yield { ...commitment, heights, statuses };
  }
}

function createCommitment(chain: Chain, index: number): Commitment {
  const dice = new Dice(`${chain.seed}/provision/${index}`);
  const round = Math.floor(index / chain.markets.length);
  const at = index % chain.markets.length;
  const market = chain.markets[at] ?? chain.markets[0];
  const life = pickLife(dice, market);
  return {
    id: hexOf(`${chain.seed}/provision/${index}`),
    market,
    partyId: chain.parties[(round + 7 * at) % chain.parties.length] ?? chain.parties[0],
    reference: pickReference(index, dice),
    life,
    statuses: life.statuses,
    heights: heightsOf(chain, market, life, dice),
  };
}

/** The old orders ended with the upgrade of block 14500. */
const LAST_LEGACY_HEIGHT = 14_400;

/** Spread over the life of the market; what is pending takes effect with the next epoch, so that it lasts no longer. */
function heightsOf(
  chain: Chain,
  { createdHeight }: Market,
  { statuses, isLegacy }: Life,
  dice: Dice,
): readonly number[] {
  const head = headAtStart(chain);
  const step = Math.floor(((isLegacy ? LAST_LEGACY_HEIGHT : head) - createdHeight - 1) / statuses.length);
  const heights: number[] = [];
  for (const [version, status] of statuses.entries()) {
    const before = heights.at(-1) ?? 0;
    const isPending = statuses[version - 1] === 'PENDING';
    const spread = Math.max(before, createdHeight + version * step + dice.below(step)) + 1;
    const isLast = version === statuses.length - 1;
    if (isLast && status === 'PENDING') heights.push(dice.between(firstBlockOfEpoch(epochOf(head)), head - 1));
    else heights.push(isPending ? firstBlockOfEpoch(epochOf(before) + 1) : spread);
  }
  return heights;
}

function pickLife(dice: Dice, { createdHeight }: Market): Life {
  let left = dice.below(100);
  for (const life of LIVES) {
    left -= life.share;
    if (left < 0 && (!life.isLegacy || createdHeight < LAST_LEGACY_HEIGHT - 2000)) return life;
  }
  return { statuses: ['ACTIVE'], share: 0 };
}

function pickReference(index: number, dice: Dice): string | null {
  if (dice.chance(12)) return dice.pick(ODD_REFERENCES);
  if (dice.chance(10)) return '';
  if (dice.chance(10)) return null;
  return dice.chance(50) ? `mm-bot-${dice.below(12)}` : hexOf(`reference/${index}`).slice(0, 10).toUpperCase();
}

function* versionRows(chain: Chain, { id, market, partyId, reference, life, statuses, heights }: Commitment) {
  const dice = new Dice(`${id}/versions`);
  const orders = life.isLegacy ? legacyOrders(id, dice) : { sells: [], buys: [] };
  let amount = amountOf(market, dice);
  let fee = feeOf(dice);
  let version = 1;
  for (const [index, height] of heights.entries()) {
    const status = statuses[index] ?? 'ACTIVE';
    const isLatest = index === heights.length - 1;
    if (index > 0 && status === 'PENDING') {
      version += 1;
      if (life.endsByCancelling) amount = '0';
      else [amount, fee] = [amended(amount, dice), dice.chance(30) ? feeOf(dice) : fee];
    }
    const body = goJson({
      id,
      partyId,
      createdAt: nanoseconds(blockTimeUs(chain, heights[0] ?? height)),
      updatedAt: nanoseconds(blockTimeUs(chain, height)),
      marketId: market.id,
      commitmentAmount: amount,
      fee,
      ...orders,
      version: String(version),
      status: `STATUS_${status}`,
      reference: reference ?? '',
    });
    const time = blockTimeUs(chain, height);
    const state = [version, `STATUS_${status}`, isLatest ? 1 : 0] as const;
    yield [id, time, height, market.id, partyId, reference, ...state, body] as const;
  }
}

/** From a thousand to two million times a noticeable amount, some of them to the last digit. */
function amountOf({ settlementAsset: { quantum } }: Market, dice: Dice): string {
  const whole = BigInt(dice.between(1000, 2_000_000)) * BigInt(quantum);
  return String(dice.chance(30) ? whole + BigInt(dice.digits(quantum.length - 1)) : whole);
}

/** From two fifths to nearly twice as much. */
const amended = (amount: string, dice: Dice): string => String((BigInt(amount) * BigInt(dice.between(40, 190))) / 100n);

/** Mostly such as are asked for, and now and then one that nobody would pay or that is hardly any. */
const feeOf = (dice: Dice): string => (dice.chance(88) ? dice.pick(USUAL_FEES) : dice.pick(ODD_FEES));
const USUAL_FEES = ['0.0005', '0.001', '0.00025', '0.0025', '0.005', '0.01'] as const;
const ODD_FEES = ['0.0000001', '0.05', '0.3', '1'] as const;

function legacyOrders(id: string, dice: Dice) {
  const order = (side: string, reference: string, index: number) => ({
    liquidityOrder: { reference, proportion: dice.between(1, 50), offset: String(dice.between(1, 5000)) },
    // An order the market has not placed yet has no id.
    orderId: dice.chance(20) ? '' : hexOf(`${id}/${side}/${index}`),
  });
  const sides = Array.from({ length: dice.between(1, 3) }, (_, index) => index);
  return {
    sells: sides.map(index => order('sell', index === 0 ? 'PEGGED_REFERENCE_MID' : 'PEGGED_REFERENCE_BEST_ASK', index)),
    buys: sides.map(index => order('buy', index === 0 ? 'PEGGED_REFERENCE_MID' : 'PEGGED_REFERENCE_BEST_BID', index)),
  };
}

/**
 * Microseconds as the nanosecond text of the wire: the last three digits are always 000 (node-behaviour.md section
 * 1.5).
 */
export function nanoseconds(timeUs: number): string {
  return `${timeUs}000`;
}
