import { bytea, type HistoryRow, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, txHash } from '../chain.ts';
import type { Market } from '../markets.ts';
import { ODD_REFERENCES } from '../odd-references.ts';
import { Dice, seededHex } from '../seeded-random.ts';
import { marketPriceAt, type Trade, type TraderRole, tradesOfBlocks } from '../trades.ts';
import { hashAccountId, marketAccount, NETWORK_OWNER } from './accounts.ts';
import {
  type DemoEvent,
  type HistorySource,
  originColumns,
  type RowGenerator,
  sortWithinBlocks,
  spreadEvents,
} from './history-source.ts';

/** The orders behind the trades, and others that never trade. */
export const orderRows: RowGenerator = function* (source, { fromHeight, toHeight }) {
  const blocks = { fromHeight, toHeight };
  const rows: (readonly [height: number, row: OrderRow])[] = [];
  for (const moment of spreadEvents(source, blocks, 'orders', 150))
    rows.push([moment.height, orderWithoutTrade(source, moment)]);
  for (const trade of tradesOfBlocks(source, fromHeight, toHeight + MAX_WAIT_BLOCKS))
    for (const [height, row] of ordersOfTrade(source, trade))
      if (height >= fromHeight && height <= toHeight) rows.push([height, row]);
  const byHeight = Map.groupBy(rows, ([height]) => height);
  for (const height of [...byHeight.keys()].toSorted((x, y) => x - y))
    for (const [index, [, row]] of (byHeight.get(height) ?? []).entries())
      yield { ...row, ...originColumns(source, height, index) };
};

type OrderRow = Omit<HistoryRow, 'tx_hash' | 'vega_time' | 'seq_num'>;

interface PlacedOrder {
  readonly id: string;
  readonly market: Market;
  readonly party: string;
  readonly side: TraderRole;
  readonly price: number;
  readonly size: number;
  readonly remaining: number;
  readonly status: keyof typeof ORDER_STATUSES;
  readonly placedUs: number;
  readonly changedUs: number;
  readonly dice: Dice;
  /** 1 limit, 2 market, 3 close-out by the network. */
  readonly type: '1' | '2' | '3';
}

/** Their numbers in the export (export-behaviour.md section 3.0). */
const ORDER_STATUSES = { active: 1, expired: 2, cancelled: 3, stopped: 4, filled: 5, rejected: 6, parked: 8 } as const;

function orderRow(order: PlacedOrder): OrderRow {
  const { dice, size, market, placedUs, changedUs, status } = order;
  const isPegged = order.type === '1' && dice.chance(10);
  const isIceberg = status === 'active' && dice.chance(5);
  const isGoodTillTime = order.type === '1' && dice.chance(8);
  const hidden = isIceberg ? Math.floor(order.remaining / 2) : 0;
  return {
    id: bytea(order.id),
    market_id: bytea(market.id),
    party_id: bytea(exportedPartyId(order.party)),
    side: order.side === 'buyer' ? '1' : '2',
    price: String(order.price),
    size: String(size),
    remaining: String(order.remaining - hidden),
    time_in_force: isGoodTillTime ? '2' : order.type === '1' ? '1' : order.type === '2' ? '3' : '4',
    type: order.type,
    status: String(ORDER_STATUSES[status]),
    reference: pickOrderReference(dice),
    reason: status === 'rejected' ? String(dice.between(1, 40)) : null,
    version: '1',
    batch_id: String(dice.below(4)),
    pegged_offset: isPegged ? String(dice.below(2000)) : null,
    pegged_reference: isPegged ? String(dice.between(1, 3)) : null,
    // Empty, not NULL, if the order belongs to no liquidity provision.
    lp_id: dice.chance(90) ? bytea('') : bytea(seededHex(`${order.id}/lp`)),
    created_at: timestamptz(placedUs),
    updated_at: changedUs > placedUs ? timestamptz(changedUs) : NO_TIME,
    expires_at: isGoodTillTime ? timestamptz(placedUs + 86_400_000_000) : NO_TIME,
    post_only: dice.chance(30) ? 't' : 'f',
    reduce_only: dice.chance(10) ? 't' : 'f',
    reserved_remaining: isIceberg ? String(hidden) : null,
    peak_size: isIceberg ? String(Math.ceil(size / 10)) : null,
    minimum_visible_size: isIceberg ? '1' : null,
  };
}

/** An order that does not trade in its block. */
function orderWithoutTrade({ chain }: HistorySource, { height, label, timeUs, dice }: DemoEvent): OrderRow {
  const market = dice.pick(chain.markets);
  const size = dice.between(1, 500_000);
  const price = marketPriceAt(market, height) + dice.between(-9, 9) * Math.floor(market.typicalPrice / 900);
  const status = dice.pick<PlacedOrder['status']>([
    'active',
    'active',
    'active',
    'cancelled',
    'expired',
    'rejected',
    'parked',
  ]);
  const of = { id: seededHex(label), market, party: dice.pick(chain.parties), price, size, remaining: size };
  const side = dice.chance(50) ? 'buyer' : 'seller';
  return orderRow({ ...of, side, status, placedUs: timeUs, changedUs: timeUs, dice, type: '1' });
}

/** The most blocks that an order waits before it trades. */
const MAX_WAIT_BLOCKS = 30;

/** Both orders of a trade. The aggressor's order comes in the block of the trade, the other one earlier. */
function* ordersOfTrade({ chain }: HistorySource, trade: Trade): Iterable<readonly [height: number, row: OrderRow]> {
  const { label, height, market, price, size, timeUs, kind, aggressor } = trade;
  for (const side of ['buyer', 'seller'] as const) {
    const dice = () => new Dice(`${label}/${side}`);
    const id = orderId(trade, side);
    const isFirst = aggressor === side || kind === 'close-out';
    const wait = isFirst ? 0 : Math.min(height - 1, dice().between(1, MAX_WAIT_BLOCKS));
    const of = { id, market, party: trade[side], side, price, size, placedUs: blockTimeUs(chain, height - wait) };
    const type = kind === 'close-out' ? '3' : isFirst && dice().chance(40) ? '2' : '1';
    if (wait > 0)
      yield [
        height - wait,
        orderRow({ ...of, type, remaining: size, status: 'active', changedUs: of.placedUs, dice: dice() }),
      ];
    yield [height, orderRow({ ...of, type, remaining: 0, status: 'filled', changedUs: timeUs, dice: dice() })];
  }
}

const orderId = ({ label }: Trade, side: TraderRole): string => seededHex(`${label}/${side}`);

/** The well-known id of the network is the single byte 03. */
const exportedPartyId = (party: string): string => (party === NETWORK_OWNER ? '03' : party);

function pickOrderReference(dice: Dice): string | null {
  if (dice.chance(6)) return dice.pick(ODD_REFERENCES);
  if (dice.chance(30)) return '';
  return dice.chance(5) ? null : `order-${dice.below(1_000_000)}`;
}

const DISCOUNTS = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'].flatMap(fee =>
  ['referral', 'volume'].flatMap(kind => ['buyer', 'seller'].map(side => `${side}_${fee}_${kind}_discount`)),
);

export const tradeRows: RowGenerator = function* (source, { fromHeight, toHeight }) {
  for (const trade of tradesOfBlocks(source, fromHeight, toHeight)) yield tradeRow(source, trade);
};

/** The number of each kind in the export. */
const TRADE_TYPES: Readonly<Record<Trade['kind'], number>> = { ordinary: 1, opening: 1, disposal: 2, 'close-out': 3 };

function tradeRow({ chain }: HistorySource, trade: Trade): HistoryRow {
  const { height, timeUs, index, label, market, aggressor } = trade;
  const fees = (side: TraderRole) => ({
    [`${side}_maker_fee`]: String(trade.fees[side].maker),
    [`${side}_infrastructure_fee`]: String(trade.fees[side].infrastructure),
    [`${side}_liquidity_fee`]: String(trade.fees[side].liquidity),
    // Auctions number their batches; continuous trading has none.
    [`${side}_auction_batch`]: aggressor === undefined ? '1' : null,
  });
  return {
    synthetic_time: timestamptz(timeUs + index),
    tx_hash: bytea(txHash(chain, height, index)),
    vega_time: timestamptz(timeUs),
    seq_num: String(index),
    id: bytea(seededHex(label)),
    market_id: bytea(market.id),
    price: String(trade.price),
    size: String(trade.size),
    buyer: bytea(exportedPartyId(trade.buyer)),
    seller: bytea(exportedPartyId(trade.seller)),
    aggressor: aggressor === undefined ? '0' : aggressor === 'buyer' ? '1' : '2',
    buy_order: bytea(orderId(trade, 'buyer')),
    sell_order: bytea(orderId(trade, 'seller')),
    type: String(TRADE_TYPES[trade.kind]),
    ...fees('buyer'),
    ...fees('seller'),
    ...Object.fromEntries(DISCOUNTS.map(column => [column, '0'])),
  };
}

/** A party's position in a market, in the decimal places of the market except for the profits. */
interface Position {
  readonly volume: number;
  readonly averagePrice: number;
  readonly realised: number;
}

const EMPTY_POSITION: Position = { volume: 0, averagePrice: 0, realised: 0 };

/** The position of a party after each block in which it traded. All trades since block 1 are needed. */
export const positionRows: RowGenerator = (source, { fromHeight, toHeight }) => {
  const held = new Map<string, Position>();
  function* rows(): Iterable<HistoryRow> {
    let block = new Map<string, () => HistoryRow>();
    let last = 0;
    for (const trade of tradesOfBlocks(source, 1, toHeight)) {
      if (trade.height !== last) {
        for (const row of block.values()) yield row();
        [block, last] = [new Map(), trade.height];
      }
      for (const side of ['buyer', 'seller'] as const) {
        const key = `${trade.market.id}/${trade[side]}`;
        const position = positionAfterTrade(
          held.get(key) ?? EMPTY_POSITION,
          trade,
          side === 'buyer' ? trade.size : -trade.size,
        );
        held.set(key, position);
        if (trade.height >= fromHeight) block.set(key, () => positionRow(trade, trade[side], position));
      }
    }
    for (const row of block.values()) yield row();
  }
  return sortWithinBlocks(rows(), 'party_id', 'market_id');
};

function positionAfterTrade({ volume, averagePrice, realised }: Position, { price }: Trade, change: number): Position {
  const next = volume + change;
  if (volume === 0 || Math.sign(volume) === Math.sign(change)) {
    const worth = averagePrice * Math.abs(volume) + price * Math.abs(change);
    return { volume: next, averagePrice: worth / Math.abs(next), realised };
  }
  const closed = Math.min(Math.abs(volume), Math.abs(change)) * Math.sign(volume);
  const won = realised + closed * (price - averagePrice);
  const isTurned = Math.abs(change) > Math.abs(volume);
  return { volume: next, averagePrice: isTurned ? price : next === 0 ? 0 : averagePrice, realised: won };
}

function positionRow({ market, price, kind, timeUs, height, label }: Trade, party: string, held: Position): HistoryRow {
  const { settlementAsset, decimalPlaces, positionDecimalPlaces } = market;
  const unit = 10 ** (settlementAsset.decimals - decimalPlaces - positionDecimalPlaces);
  const worth = (amount: number): string => String(BigInt(Math.round(amount * unit)));
  const amounts = {
    open_volume: String(held.volume),
    realised_pnl: worth(held.realised),
    unrealised_pnl: worth(held.volume * (price - held.averagePrice)),
    average_entry_price: String(
      BigInt(Math.round(held.averagePrice * 10 ** (settlementAsset.decimals - decimalPlaces))),
    ),
    average_entry_market_price: held.averagePrice.toFixed(6),
  };
  return {
    market_id: bytea(market.id),
    party_id: bytea(exportedPartyId(party)),
    ...amounts,
    loss: '0',
    adjustment: '0',
    tx_hash: bytea(seededHex(`${label}/tx/${height}`)),
    vega_time: timestamptz(timeUs),
    ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [`pending_${name}`, value])),
    loss_socialisation_amount: '0',
    distressed_status:
      kind === 'close-out' && party !== NETWORK_OWNER ? 'POSITION_STATUS_CLOSED_OUT' : 'POSITION_STATUS_UNSPECIFIED',
  };
}

export const marginLevelRows: RowGenerator = (source, segment) => {
  function* rows(): Iterable<HistoryRow> {
    for (const { height, timeUs, index, txHash, dice } of spreadEvents(source, segment, 'margin_levels', 200)) {
      const { party, market } = marginHolder(source, height, index);
      const maintenance = BigInt(market.quantum) * BigInt(dice.between(5, 9000));
      const isIsolated = dice.chance(20);
      yield {
        account_id: bytea(hashAccountId(marketAccount('MARGIN', party, market))),
        timestamp: timestamptz(timeUs),
        maintenance_margin: String(maintenance),
        search_level: String((maintenance * 11n) / 10n),
        initial_margin: String((maintenance * 15n) / 10n),
        collateral_release_level: String((maintenance * 17n) / 10n),
        tx_hash: txHash,
        vega_time: timestamptz(timeUs),
        margin_mode: isIsolated ? 'MARGIN_MODE_ISOLATED_MARGIN' : 'MARGIN_MODE_CROSS_MARGIN',
        margin_factor: isIsolated ? '0.25' : '0',
        order_margin: isIsolated ? String(maintenance / 3n) : '0',
        order_margin_account_id: bytea(hashAccountId(marketAccount('ORDER_MARGIN', party, market))),
      };
    }
  }
  return sortWithinBlocks(rows(), 'account_id');
};

/** The party and market of a margin level, different for each level of a block while there are enough. */
function marginHolder({ chain }: HistorySource, height: number, index: number) {
  const at = Math.imul(height, 2_654_435_761) >>> 0;
  const market = chain.markets[(at + index) % chain.markets.length] ?? chain.markets[0];
  const party = chain.parties[((at >>> 8) + Math.floor(index / chain.markets.length)) % chain.parties.length] ?? '';
  return {
    party,
    market: { id: market.id, asset: market.settlementAsset.id, quantum: market.settlementAsset.quantum },
  };
}
