import { blockTimeUs, type Chain, epochAtHeight } from './chain.ts';
import { NETWORK_OWNER } from './history/accounts.ts';
import { isAuctionEnd, marketStateAt } from './market-stages.ts';
import type { Market } from './markets.ts';
import { Dice } from './seeded-random.ts';

export type TraderRole = 'buyer' | 'seller';

/** The fees of one side of a trade, in smallest units of the settlement asset. */
interface TradeFees {
  readonly maker: bigint;
  readonly infrastructure: bigint;
  readonly liquidity: bigint;
}

/**
 * `close-out`: the network takes over a position, without fees. `disposal`: it sells a part of one, and the insurance
 * pool pays the fees (protocol.md section 1.5). `opening`: the first trade of a party that is closed out later.
 */
type TradeKind = 'ordinary' | 'opening' | 'close-out' | 'disposal';

export interface Trade {
  readonly height: number;
  readonly timeUs: number;
  /** Counts within the block, from 0. */
  readonly index: number;
  readonly label: string;
  readonly kind: TradeKind;
  readonly market: Market;
  readonly price: number;
  readonly size: number;
  readonly buyer: string;
  readonly seller: string;
  /** Undefined at the end of an auction. */
  readonly aggressor: TraderRole | undefined;
  readonly fees: Readonly<Record<TraderRole, TradeFees>>;
}

interface TradeSource {
  readonly chain: Chain;
  /** Multiplies the ordinary trades. */
  readonly scale: number;
}

/** Ordinary trades per thousand blocks. */
const TRADES_PER_THOUSAND_BLOCKS = 100;
/** Parties beyond these trade only before a close-out, so that their positions are known. */
export const REGULAR_TRADERS = 50;
const NO_FEES: TradeFees = { maker: 0n, infrastructure: 0n, liquidity: 0n };

/** Every trade between two heights, including both, in order. A trade depends only on its block. */
export function* tradesOfBlocks(source: TradeSource, fromHeight: number, toHeight: number): Iterable<Trade> {
  const { chain } = source;
  let planned = new Map<number, readonly PlannedTrade[]>();
  let plannedWindow = -1;
  let [epoch, busy]: [number, readonly Market[]] = [-1, []];
  for (let height = fromHeight; height <= toHeight; height++) {
    const window = Math.floor(height / CLOSE_OUT_WINDOW_BLOCKS);
    if (window !== plannedWindow)
      [planned, plannedWindow] = [Map.groupBy(closeOuts(chain, window), tradeHeight), window];
    if (epochAtHeight(chain, height) !== epoch)
      [epoch, busy] = [epochAtHeight(chain, height), busyMarkets(chain, epochAtHeight(chain, height))];
    const all = [
      ...auctionTrades(chain, busy, height),
      ...ordinary(source, busy, height),
      ...(planned.get(height) ?? []),
    ];
    if (all.length === 0) continue;
    const timeUs = blockTimeUs(chain, height);
    for (const [index, trade] of all.entries())
      yield { ...trade, index, timeUs, label: `${chain.seed}/trades/${height}/${index}`, fees: tradeFees(trade) };
  }
}

type PlannedTrade = Omit<Trade, 'index' | 'timeUs' | 'label' | 'fees'>;
const tradeHeight = ({ height }: PlannedTrade): number => height;

function* ordinary({ chain, scale }: TradeSource, busy: readonly Market[], height: number): Iterable<PlannedTrade> {
  const before = Math.floor(((height - 1) * TRADES_PER_THOUSAND_BLOCKS * scale) / 1000);
  const count = Math.floor((height * TRADES_PER_THOUSAND_BLOCKS * scale) / 1000) - before;
  if (count === 0) return;
  const [first, ...others] = busy.filter(market => isOpen(market, height));
  if (first === undefined) return;
  for (let at = 0; at < count; at++) {
    const dice = new Dice(`${chain.seed}/trade/${height}/${at}`);
    const market = dice.pick([first, ...others]);
    const aggressor = dice.chance(50) ? 'buyer' : 'seller';
    yield {
      height,
      kind: 'ordinary',
      market,
      aggressor,
      ...randomPriceAndSize(market, height, dice),
      ...traders(chain, dice),
    };
  }
}

/** The trades at the end of an auction. */
function* auctionTrades(chain: Chain, busy: readonly Market[], height: number): Iterable<PlannedTrade> {
  for (const market of busy) {
    if (!isAuctionEnd(market, height)) continue;
    const dice = new Dice(`${market.id}/uncrossed/${height}`);
    const { price } = randomPriceAndSize(market, height, dice);
    for (let at = 0; at < 3; at++) {
      const trade = { ...randomPriceAndSize(market, height, dice), price, ...traders(chain, dice) };
      yield { height, kind: 'ordinary', market, aggressor: undefined, ...trade };
    }
  }
}

/** In each epoch a market or two have no trades; one has none in the newest epoch, to show "no fees lately". */
const busyMarkets = (chain: Chain, epoch: number): readonly Market[] =>
  chain.markets.filter(market => !isQuiet(chain, market, epoch));

const isOpen = (market: Market, height: number): boolean => marketStateAt(market, height)?.state === 'STATE_ACTIVE';

const isTrading = (chain: Chain, market: Market, height: number): boolean =>
  isOpen(market, height) && !isQuiet(chain, market, epochAtHeight(chain, height));

/** The last epoch that has ended when the node starts. */
const LAST_ENDED_EPOCH = 41;

const isQuiet = (chain: Chain, { id, code }: Market, epoch: number): boolean =>
  new Dice(`${chain.seed}/quiet/${id}/${epoch}`).chance(8) || (epoch === LAST_ENDED_EPOCH && code === 'LDO/WETH-PERP');

/** A close-out, the trade that opens the position and the disposals all happen within this number of blocks. */
const CLOSE_OUT_WINDOW_BLOCKS = 500;

/** A position that is opened, closed out, and disposed of in parts. */
function* closeOuts(chain: Chain, window: number): Iterable<PlannedTrade> {
  for (const market of chain.markets) {
    const dice = new Dice(`${chain.seed}/close-outs/${market.id}/${window}`);
    const opened = window * CLOSE_OUT_WINDOW_BLOCKS + dice.between(10, 60);
    const closed = opened + dice.between(100, 250);
    const blocks = [opened, closed, closed + 100];
    if (market.kind === 'spot' || !dice.chance(12) || !blocks.every(height => isTrading(chain, market, height)))
      continue;
    const party =
      chain.parties[REGULAR_TRADERS + dice.below(chain.parties.length - REGULAR_TRADERS)] ?? chain.parties[0];
    const isLong = dice.chance(50);
    const { size } = randomPriceAndSize(market, opened, dice);
    const trade = (height: number, kind: TradeKind, by: string, buys: boolean, other: string): PlannedTrade => ({
      ...{ height, kind, market, size, price: marketPriceAt(market, height), aggressor: buys ? 'buyer' : 'seller' },
      ...(buys ? { buyer: by, seller: other } : { buyer: other, seller: by }),
    });
    const first = chain.parties[dice.below(REGULAR_TRADERS)] ?? chain.parties[0];
    yield trade(opened, 'opening', party, isLong, first);
    yield trade(closed, 'close-out', NETWORK_OWNER, isLong, party);
    const count = Math.min(size, dice.between(2, 4));
    for (let part = 0, left = size; part < count; part++) {
      const piece = part === count - 1 ? left : Math.max(1, Math.floor(size / count));
      left -= piece;
      const other = chain.parties[dice.below(REGULAR_TRADERS)] ?? chain.parties[0];
      yield { ...trade(closed + 5 + part * 9, 'disposal', NETWORK_OWNER, !isLong, other), size: piece };
    }
  }
}

function traders({ parties }: Chain, dice: Dice): Pick<Trade, TraderRole> {
  const buyer = dice.below(REGULAR_TRADERS);
  const seller = (buyer + dice.between(1, REGULAR_TRADERS - 1)) % REGULAR_TRADERS;
  return { buyer: parties[buyer] ?? parties[0], seller: parties[seller] ?? parties[0] };
}

/** A trade worth 4 to 40,000 quanta. */
function randomPriceAndSize(market: Market, height: number, dice: Dice): Pick<Trade, 'price' | 'size'> {
  const price = marketPriceAt(market, height) + dice.between(-1, 1) * Math.floor(market.typicalPrice / 2000);
  const worth = BigInt(dice.between(2, 200) * dice.between(2, 200)) * BigInt(market.settlementAsset.quantum);
  const size = Number(worth / notionalValue(market, price, 1));
  return { price, size: Math.max(1, size) };
}

/** The price of a market in a block; it goes up and down by a fortieth. */
export function marketPriceAt({ typicalPrice, createdHeight }: Market, height: number): number {
  const period = 7000;
  const at = (height + createdHeight * 13) % period;
  const wave = Math.abs(at - period / 2) - period / 4;
  return typicalPrice + Math.floor((typicalPrice * wave) / (period * 10));
}

/** The value of a size at a price, in smallest units of the settlement asset; at least 1. */
export function notionalValue(market: Market, price: number, size: number): bigint {
  const shift = market.settlementAsset.decimals - market.decimalPlaces - market.positionDecimalPlaces;
  const product = BigInt(price) * BigInt(size);
  const notional = shift >= 0 ? product * 10n ** BigInt(shift) : product / 10n ** BigInt(-shift);
  return notional > 0n ? notional : 1n;
}

const FACTOR_SCALE = 1_000_000n;
const share = (notional: bigint, factor: string): bigint => {
  const millionths = BigInt(Math.round(Number(factor) * 1e6));
  return (notional * millionths + FACTOR_SCALE - 1n) / FACTOR_SCALE;
};
const half = (fee: bigint): bigint => (fee + 1n) / 2n;

/** The aggressor pays. After an auction each side pays half and no maker fee; the opening auction is free. */
function tradeFees({ kind, market, price, size, height, aggressor }: PlannedTrade): Trade['fees'] {
  const notional = notionalValue(market, price, size);
  const { makerFee, infrastructureFee, liquidityFee } = market.feeFactors;
  const isFree = kind === 'close-out' || (aggressor === undefined && marketStateAt(market, height)?.isFirst);
  const infrastructure = share(notional, infrastructureFee);
  const liquidity = share(notional, liquidityFee);
  if (isFree) return { buyer: NO_FEES, seller: NO_FEES };
  if (aggressor === undefined) {
    const each = { maker: 0n, infrastructure: half(infrastructure), liquidity: half(liquidity) };
    return { buyer: each, seller: each };
  }
  const paid = { maker: share(notional, makerFee), infrastructure, liquidity };
  return aggressor === 'buyer' ? { buyer: paid, seller: NO_FEES } : { buyer: NO_FEES, seller: paid };
}
