import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import {
  type Chain,
  type DemoScale,
  epochAtHeight,
  firstBlockOfEpoch,
  lastBlockOfEpoch,
  startHeight,
} from './chain.ts';
import { ChainCache } from './chain-cache.ts';
import { activeTerms, amendCommitments, type Commitment, createCommitments } from './liquidity-provisions.ts';
import type { Market } from './markets.ts';
import { providerPerformance } from './provider-performance.ts';
import { tradesOfBlocks } from './trades.ts';

/** Epochs with fees when the node starts. */
const EPOCHS_BEFORE_START = 40;
/** A chain that is not live has fees for this number of epochs after the start. */
export const FEE_EPOCHS_AHEAD = 36;
/** The table is filled by this number of epochs at a time; the list shows past epochs. */
const EPOCHS_FILLED_AHEAD = 4;

/** What the providers of a market are allocated for an epoch, before penalties (protocol.md section 1.1). */
export interface Allocation {
  readonly epoch: number;
  readonly market: Market;
  /** Sorted by party; only amounts above zero. */
  readonly shares: readonly Share[];
}

interface Share {
  readonly commitment: Commitment;
  readonly amount: bigint;
}

/** The table behind `liquidity/paidfees`: a row per market, asset and epoch with fees. */
export function paidLiquidityFeesTable(chain: Chain, scale: DemoScale): DemoTable {
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
    rows: () => FIRST_ROWS.of(chain, scale),
    changedBy: laterFees(chain, scale),
  };
}

const FIRST_ROWS = new ChainCache((chain, scale) => [
  ...feeRows(chain, scale, { from: 1, to: lastEndedEpoch(chain) + EPOCHS_FILLED_AHEAD }),
]);

const lastEndedEpoch = (chain: Chain): number => epochAtHeight(chain, startHeight(chain)) - 1;

/** The epochs beyond those that the table has from the start. */
function laterFees(chain: Chain, scale: DemoScale) {
  let last = lastEndedEpoch(chain) + EPOCHS_FILLED_AHEAD;
  const end = chain.isLive ? Number.POSITIVE_INFINITY : lastEndedEpoch(chain) + FEE_EPOCHS_AHEAD;
  return function* (height: number) {
    const epoch = Math.min(epochAtHeight(chain, height), end);
    if (epoch <= last) return;
    const from = last + 1;
    last = Math.min(epoch + EPOCHS_FILLED_AHEAD, end);
    yield* feeRows(chain, scale, { from, to: last });
  };
}

/** A row is written only for a total above zero (node-behaviour.md section 6). */
function* feeRows(chain: Chain, scale: DemoScale, { from, to }: { readonly from: number; readonly to: number }) {
  const providers = commitmentsByMarket(amendCommitments(chain, createCommitments(chain, scale.provisions), to));
  for (let epoch = from; epoch <= to; epoch++)
    for (const allocation of allocationsOfEpoch(chain, scale, providers, epoch)) yield feeRow(allocation);
}

/** The allocations of an epoch, market by market. */
export function* allocationsOfEpoch(
  chain: Chain,
  scale: DemoScale,
  providers: CommitmentsByMarket,
  epoch: number,
): Iterable<Allocation> {
  if (epoch < epochAtHeight(chain, startHeight(chain)) - EPOCHS_BEFORE_START) return;
  const fees = liquidityFeesByMarket(chain, scale, epoch);
  for (const market of chain.markets) {
    const shares = providerShares(chain, providers.get(market.id) ?? [], { epoch, total: fees.get(market.id) ?? 0n });
    if (shares.length > 0) yield { epoch, market, shares };
  }
}

/** Commitments by market. */
export type CommitmentsByMarket = ReadonlyMap<string, readonly Commitment[]>;

export const commitmentsByMarket = (commitments: Iterable<Commitment>): CommitmentsByMarket =>
  Map.groupBy(commitments, ({ market }) => market.id);

/** The liquidity fees that the trades of an epoch paid, by market. */
function liquidityFeesByMarket(
  chain: Chain,
  { history: scale }: DemoScale,
  epoch: number,
): ReadonlyMap<string, bigint> {
  const fees = new Map<string, bigint>();
  for (const trade of tradesOfBlocks(
    { chain, scale },
    firstBlockOfEpoch(chain, epoch),
    lastBlockOfEpoch(chain, epoch),
  )) {
    const { market, fees: paid } = trade;
    fees.set(market.id, (fees.get(market.id) ?? 0n) + paid.buyer.liquidity + paid.seller.liquidity);
  }
  return fees;
}

/** Shares the fees of a market by commitment and score, rounded down. */
function providerShares(
  chain: Chain,
  commitments: readonly Commitment[],
  { epoch, total }: { readonly epoch: number; readonly total: bigint },
): readonly Share[] {
  if (total === 0n) return [];
  const weighed = commitments.flatMap(commitment => {
    const terms = activeTerms(commitment, lastBlockOfEpoch(chain, epoch));
    const score = terms && providerPerformance(commitment.id, epoch).score;
    return score ? [{ commitment, weight: terms.amount * BigInt(score) }] : [];
  });
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0n);
  return weighed
    .map(({ commitment, weight }) => ({ commitment, amount: (total * weight) / all }))
    .filter(({ amount }) => amount > 0n)
    .toSorted((a, b) => (a.commitment.partyId < b.commitment.partyId ? -1 : 1));
}

function feeRow({ market, epoch, shares }: Allocation) {
  const amounts = new Map<string, bigint>();
  for (const { commitment, amount } of shares)
    amounts.set(commitment.partyId, (amounts.get(commitment.partyId) ?? 0n) + amount);
  // The core fills party and amount only (node-behaviour.md section 6).
  const perParty = [...amounts].map(([party, amount]) => ({ party, amount: String(amount), quantumAmount: '' }));
  const total = shares.reduce((sum, { amount }) => sum + amount, 0n);
  return [market.id, market.settlementAsset.id, epoch, String(total), goJson(perParty)] as const;
}
