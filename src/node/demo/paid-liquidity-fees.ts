import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, epochOf, headAtStart, lastBlockOfEpoch } from './chain.ts';
import { type Commitment, commitmentsOf } from './liquidity-provisions.ts';
import type { Asset, Market } from './markets.ts';
import { Dice } from './seeded.ts';

/** Epochs with fees when the node starts. */
const EPOCH_COUNT = 40;
/** So many more it is known what will be paid; the list shows those that are over. */
const EPOCHS_AHEAD = 36;

/** The table behind `liquidity/paidfees`: a row per market, asset and epoch in which fees were paid. */
export function paidLiquidityFeesTable(chain: Chain, { provisions }: { readonly provisions: number }): DemoTable {
  return {
    name: 'paid_liquidity_fees',
    columns: [
      'market_id TEXT NOT NULL',
      'asset_id TEXT NOT NULL',
      'epoch_seq INTEGER NOT NULL',
      'total_fees_paid TEXT NOT NULL',
      'fees_paid_per_party TEXT NOT NULL',
    ],
    primaryKey: 'market_id, asset_id, epoch_seq',
    indices: ['epoch_seq'],
    rows: () => feeRows(chain, provisions),
  };
}

function* feeRows(chain: Chain, provisions: number) {
  const newest = epochOf(headAtStart(chain)) - 1;
  const providers = Map.groupBy([...commitmentsOf(chain, provisions)].filter(isPaid), ({ market }) => market.id);
  for (let epoch = newest - EPOCH_COUNT + 1; epoch <= newest + EPOCHS_AHEAD; epoch++) {
    for (const market of chain.markets) {
      const dice = new Dice(`${chain.seed}/fees/${market.id}/${epoch}`);
      // Quiet epochs have no row at all; the newest spares one market so that "no fees lately" can be seen.
      if (dice.chance(8) || (epoch === newest && market.code === 'LDO/WETH-PERP')) continue;
      const active = (providers.get(market.id) ?? []).filter(provider => isActive(provider, epoch));
      for (const asset of assetsPaidIn(chain, market)) {
        const row = feeRow({ active, market, asset, epoch, dice });
        if (row !== undefined) yield row;
      }
    }
  }
}

/** Some fall short of what they have promised in every epoch. */
const isPaid = ({ id }: Commitment): boolean => new Dice(`${id}/paid`).chance(25);

/** Whether a commitment is in force to the end of an epoch. */
function isActive({ statuses, heights }: Commitment, epoch: number): boolean {
  const last = heights.findLastIndex(height => height <= lastBlockOfEpoch(epoch));
  const began = statuses.indexOf('ACTIVE');
  const status = statuses[last] ?? 'REJECTED';
  return began >= 0 && last >= began && (status === 'ACTIVE' || status === 'PENDING');
}

interface FeePeriod {
  readonly active: readonly Commitment[];
  readonly market: Market;
  readonly asset: Asset;
  readonly epoch: number;
  readonly dice: Dice;
}

/** A row is written only for a total above zero (node-behaviour.md section 6). */
function feeRow({ active, market, asset, epoch, dice }: FeePeriod) {
  const parties = new Set(active.filter(() => dice.chance(90)).map(({ partyId }) => partyId));
  if (parties.size === 0) return undefined;
  const perParty = [...parties].toSorted().map(party => ({
    party,
    amount: String((BigInt(asset.quantum) * BigInt(dice.between(800, 90_000))) / 1000n),
    // The core fills party and amount only (node-behaviour.md section 6).
    quantumAmount: '',
  }));
  const total = perParty.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return [market.id, asset.id, epoch, String(total), goJson(perParty)] as const;
}

function assetsPaidIn(chain: Chain, market: Market): readonly Asset[] {
  // A spot market pays in its quote asset; Vega's trades also paid in the base asset.
  const second = market.code === 'VEGA/USDT' ? chain.assets.filter(({ symbol }) => symbol === 'VEGA') : [];
  return [market.settlementAsset, ...second];
}
