import { bytea, type HistoryRow, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { ODD_REFERENCES } from '../free-text.ts';
import { type Dice, hexOf } from '../seeded.ts';
import { accountId, onMarket } from './accounts.ts';
import { type HistorySource, type Moment, moments, sortedInBlock, type TableRows } from './history-source.ts';

export const orderRows: TableRows = function* (source, segment) {
  for (const moment of moments(source, segment, 'orders', 500)) yield orderRow(source, moment);
};

function orderRow({ chain }: HistorySource, { timeUs, index, txHash, label, dice }: Moment): HistoryRow {
  const market = dice.pick(chain.markets);
  const size = dice.between(1, 500_000);
  const time = timestamptz(timeUs);
  const isPegged = dice.chance(10);
  const isIceberg = dice.chance(5);
  const isGoodTillTime = dice.chance(8);
  const wasUpdated = dice.chance(35);
  return {
    id: bytea(hexOf(label)),
    market_id: bytea(market.id),
    party_id: bytea(dice.pick(chain.parties)),
    side: String(dice.between(1, 2)),
    price: String(market.typicalPrice + dice.below(Math.ceil(market.typicalPrice / 50))),
    size: String(size),
    remaining: String(dice.chance(40) ? size : dice.below(size)),
    time_in_force: isGoodTillTime ? '2' : String(dice.pick([1, 1, 1, 3, 4, 5, 6])),
    type: String(dice.pick([1, 1, 1, 1, 2, 3])),
    status: String(dice.between(1, 8)),
    reference: reference(dice),
    reason: dice.chance(95) ? null : String(dice.between(1, 40)),
    version: wasUpdated ? '2' : '1',
    batch_id: String(dice.below(4)),
    pegged_offset: isPegged ? String(dice.below(2000)) : null,
    pegged_reference: isPegged ? String(dice.between(1, 3)) : null,
    // An empty id, not NULL: the order belongs to no liquidity provision.
    lp_id: dice.chance(90) ? bytea('') : bytea(hexOf(`${label}/lp`)),
    created_at: time,
    updated_at: wasUpdated ? time : NO_TIME,
    expires_at: isGoodTillTime ? timestamptz(timeUs + 86_400_000_000) : NO_TIME,
    tx_hash: txHash,
    vega_time: time,
    seq_num: String(index),
    post_only: dice.chance(30) ? 't' : 'f',
    reduce_only: dice.chance(10) ? 't' : 'f',
    reserved_remaining: isIceberg ? String(dice.below(size)) : null,
    peak_size: isIceberg ? String(Math.ceil(size / 10)) : null,
    minimum_visible_size: isIceberg ? '1' : null,
  };
}

function reference(dice: Dice): string | null {
  if (dice.chance(6)) return dice.pick(ODD_REFERENCES);
  if (dice.chance(30)) return '';
  return dice.chance(5) ? null : `order-${dice.below(1_000_000)}`;
}

const DISCOUNTS = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'].flatMap(fee =>
  ['referral', 'volume'].flatMap(kind => ['buyer', 'seller'].map(side => `${side}_${fee}_${kind}_discount`)),
);

export const tradeRows: TableRows = function* (source, segment) {
  for (const moment of moments(source, segment, 'trades', 250)) yield tradeRow(source, moment);
};

function tradeRow({ chain }: HistorySource, { timeUs, index, txHash, label, dice }: Moment): HistoryRow {
  const market = dice.pick(chain.markets);
  const aggressor = dice.below(3);
  const fees = (side: 'buyer' | 'seller', pays: boolean) => ({
    [`${side}_maker_fee`]: pays ? dice.digits(dice.between(2, 18)) : '0',
    [`${side}_infrastructure_fee`]: pays ? dice.digits(dice.between(2, 18)) : '0',
    [`${side}_liquidity_fee`]: pays ? dice.digits(dice.between(2, 18)) : '0',
    // Auctions number their batches; continuous trading has none.
    [`${side}_auction_batch`]: aggressor === 0 ? String(dice.below(3)) : null,
  });
  return {
    synthetic_time: timestamptz(timeUs + index),
    tx_hash: txHash,
    vega_time: timestamptz(timeUs),
    seq_num: String(index),
    id: bytea(hexOf(label)),
    market_id: bytea(market.id),
    price: String(market.typicalPrice + dice.below(Math.ceil(market.typicalPrice / 50))),
    size: String(dice.between(1, 200_000)),
    // The network itself closes positions out; its well-known id is the single byte 03.
    buyer: dice.chance(3) ? bytea('03') : bytea(dice.pick(chain.parties)),
    seller: bytea(dice.pick(chain.parties)),
    aggressor: String(aggressor),
    buy_order: bytea(hexOf(`${label}/buy`)),
    sell_order: bytea(hexOf(`${label}/sell`)),
    type: String(dice.pick([1, 1, 1, 1, 2, 3])),
    ...fees('buyer', aggressor === 1),
    ...fees('seller', aggressor === 2),
    ...Object.fromEntries(DISCOUNTS.map(column => [column, '0'])),
  };
}

export const positionRows: TableRows = (source, segment) => {
  function* rows(): Iterable<HistoryRow> {
    for (const moment of moments(source, segment, 'positions', 150)) yield positionRow(source, moment);
  }
  return sortedInBlock(rows(), 'party_id', 'market_id');
};

function positionRow({ chain }: HistorySource, { timeUs, txHash, dice }: Moment): HistoryRow {
  const amounts = () => ({
    open_volume: String(dice.between(-50_000, 50_000)),
    realised_pnl: `${dice.chance(50) ? '-' : ''}${dice.digits(dice.between(1, 20))}`,
    unrealised_pnl: `${dice.chance(50) ? '-' : ''}${dice.digits(8)}.${dice.digits(16)}`,
    average_entry_price: `${dice.digits(7)}.${dice.digits(20)}`,
    average_entry_market_price: `${dice.digits(6)}.${dice.digits(12)}`,
  });
  const pending = Object.fromEntries(Object.entries(amounts()).map(([name, value]) => [`pending_${name}`, value]));
  return {
    market_id: bytea(dice.pick(chain.markets).id),
    party_id: bytea(dice.pick(chain.parties)),
    ...amounts(),
    loss: '0',
    adjustment: '0',
    tx_hash: txHash,
    vega_time: timestamptz(timeUs),
    ...pending,
    loss_socialisation_amount: '0',
    distressed_status: dice.pick(['POSITION_STATUS_UNSPECIFIED', 'POSITION_STATUS_ORDERS_CLOSED']),
  };
}

export const marginLevelRows: TableRows = (source, segment) => {
  function* rows(): Iterable<HistoryRow> {
    for (const { height, timeUs, index, txHash, dice } of moments(source, segment, 'margin_levels', 200)) {
      const { party, market } = holderAt(source, height, index);
      const maintenance = BigInt(dice.digits(dice.between(4, 22)));
      const isIsolated = dice.chance(20);
      yield {
        account_id: bytea(accountId(onMarket('MARGIN', party, market))),
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
        order_margin_account_id: bytea(accountId(onMarket('ORDER_MARGIN', party, market))),
      };
    }
  }
  return sortedInBlock(rows(), 'account_id');
};

/** Whose margin it is: another party or market for each of a block, as long as there are any. */
function holderAt({ chain }: HistorySource, height: number, index: number) {
  const at = Math.imul(height, 2_654_435_761) >>> 0;
  const market = chain.markets[(at + index) % chain.markets.length] ?? chain.markets[0];
  const party = chain.parties[((at >>> 8) + Math.floor(index / chain.markets.length)) % chain.parties.length] ?? '';
  return { party, market: { id: market.id, asset: market.settlementAsset.id } };
}
