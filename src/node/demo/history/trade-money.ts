import type { Market } from '../markets.ts';
import { notionalOf, type Side, TRADERS, type Trade } from '../trades.ts';
import type { AccountBook, Move } from './account-book.ts';
import { type Account, general, NETWORK, ofNetwork, onMarket } from './accounts.ts';

/** The money that a trade moves, in order: fees, the exchange on a spot market, the margin of a closed-out party. */
export function* movesOfTrade(trade: Trade, book: AccountBook, parties: readonly string[]): Iterable<Move> {
  const { kind, market } = trade;
  const of = { id: market.id, asset: market.settlementAsset.id };
  yield* feeMoves(trade, 'buyer');
  yield* feeMoves(trade, 'seller');
  if (market.kind === 'spot') yield* exchange(trade);
  if (kind === 'opening' && trade.aggressor !== undefined) {
    const party = trade[trade.aggressor];
    const quantity = notionalOf(market, trade.price, trade.size) / 10n;
    yield { type: 'MARGIN_LOW', from: general(party, of.asset), to: onMarket('MARGIN', party, of), quantity };
  }
  if (kind === 'close-out') {
    const margin = onMarket('MARGIN', trade.buyer === NETWORK ? trade.seller : trade.buyer, of);
    const winner = onMarket('MARGIN', parties[trade.size % TRADERS] ?? '', of);
    const settlement = ofNetwork('SETTLEMENT', of.asset, of.id);
    const quantity = book.share(margin, 600_000);
    const rest = book.balance(margin) - quantity;
    yield { type: 'MTM_LOSS', from: margin, to: settlement, quantity };
    yield { type: 'MTM_WIN', from: settlement, to: winner, quantity };
    yield { type: 'MARGIN_CONFISCATED', from: margin, to: ofNetwork('INSURANCE', of.asset, of.id), quantity: rest };
  }
}

/** The other side receives the maker fee. If the network pays, the money comes from the insurance pool of the market. */
function* feeMoves({ market, buyer, seller, fees }: Trade, side: Side): Iterable<Move> {
  const { maker, infrastructure, liquidity } = fees[side];
  const asset = market.settlementAsset.id;
  const [party, other] = side === 'buyer' ? [buyer, seller] : [seller, buyer];
  const from = accountOf(party, asset, market);
  const pool = ofNetwork('FEES_MAKER', asset, market.id);
  if (maker > 0n) yield { type: 'MAKER_FEE_PAY', from, to: pool, quantity: maker };
  if (infrastructure > 0n)
    yield {
      type: 'INFRASTRUCTURE_FEE_PAY',
      from,
      to: ofNetwork('FEES_INFRASTRUCTURE', asset),
      quantity: infrastructure,
    };
  if (liquidity > 0n)
    yield { type: 'LIQUIDITY_FEE_PAY', from, to: ofNetwork('FEES_LIQUIDITY', asset, market.id), quantity: liquidity };
  if (maker > 0n) yield { type: 'MAKER_FEE_RECEIVE', from: pool, to: accountOf(other, asset, market), quantity: maker };
}

const accountOf = (party: string, asset: string, { id }: Market): Account =>
  party === NETWORK ? ofNetwork('INSURANCE', asset, id) : general(party, asset);

function* exchange({ market, price, size, buyer, seller }: Trade): Iterable<Move> {
  const { settlementAsset, baseAsset, positionDecimalPlaces } = market;
  const quote = notionalOf(market, price, size);
  const base = BigInt(size) * 10n ** BigInt(baseAsset.decimals - positionDecimalPlaces);
  const to = (party: string, asset: string) => general(party, asset);
  yield { type: 'SPOT', from: to(buyer, settlementAsset.id), to: to(seller, settlementAsset.id), quantity: quote };
  yield { type: 'SPOT', from: to(seller, baseAsset.id), to: to(buyer, baseAsset.id), quantity: base };
}
