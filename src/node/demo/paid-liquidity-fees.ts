import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, epochOf, lastBlockOfEpoch, topOfHistory } from './chain.ts';
import type { Asset, Market } from './markets.ts';
import { Dice } from './seeded.ts';

const EPOCH_COUNT = 40;

/** The newest epoch that is wholly in the history. */
function lastCompleteEpoch(chain: Chain): number {
  return epochOf(topOfHistory(chain)) - 1;
}

/** The table behind `liquidity/paidfees`: a row per market, asset and epoch in which fees were paid. */
export function paidLiquidityFeesTable(chain: Chain): DemoTable {
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
    rows: () => feeRows(chain),
  };
}

function* feeRows(chain: Chain) {
  const newest = lastCompleteEpoch(chain);
  for (let epoch = newest - EPOCH_COUNT + 1; epoch <= newest; epoch++) {
    for (const market of chain.markets) {
      if (market.createdHeight > lastBlockOfEpoch(epoch)) continue;
      const dice = new Dice(`${chain.seed}/fees/${market.id}/${epoch}`);
      // Quiet epochs have no row at all; the newest spares one market so that "no fees lately" can be seen.
      if (dice.chance(8) || (epoch === newest && market.code === 'LDO/WETH-PERP')) continue;
      for (const asset of assetsPaidIn(chain, market)) yield feeRow({ chain, market, asset, epoch, dice });
    }
  }
}

interface FeePeriod {
  readonly chain: Chain;
  readonly market: Market;
  readonly asset: Asset;
  readonly epoch: number;
  readonly dice: Dice;
}

function feeRow({ chain, market, asset, epoch, dice }: FeePeriod) {
  const parties = chain.parties.filter(() => dice.chance(9)).toSorted();
  const perParty = parties.map(party => ({
    party,
    amount: dice.digits(dice.between(3, asset.decimals + 3)),
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
