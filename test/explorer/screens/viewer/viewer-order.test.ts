import { describe, expect, it } from 'vitest';
import type { ColumnShape, ViewerColumn, ViewerTable } from '../../../../src/answers/index.ts';
import { columnOrder } from '../../../../src/explorer/screens/viewer/column-order.ts';
import { mixedUnitsOf } from '../../../../src/explorer/screens/viewer/mixed-units.ts';
import { newTableView, type Viewer } from '../../../../src/explorer/screens/viewer/state.ts';
import { TABLE_SCHEMAS } from '../../../../src/tables/columns.ts';
import { fakeTables } from '../../support/fake-tables.ts';

const SHAPES: { readonly [kind: string]: ColumnShape } = {
  ...{ 'account-id': 'id', hash: 'id', id: 'id', height: 'ordinal', enum: 'word', time: 'time' },
  ...{ amount: 'number', ordinal: 'ordinal', decimal: 'number', factor: 'number', price: 'number', size: 'number' },
};

const columnsOf = (table: string): readonly ViewerColumn[] =>
  (TABLE_SCHEMAS.get(table) ?? []).map(({ name, kind, unit }) => ({
    ...{ name, type: '', shape: SHAPES[kind] ?? 'text', about: '', unit: unit?.text ?? '', words: {} },
  }));

const firstDrawn = (table: string, count = 6): string => {
  const columns = columnsOf(table);
  return columnOrder(columns)
    .slice(0, count)
    .map(index => columns[index]?.name)
    .join(' ');
};

describe('Column order in the viewer', () => {
  it('The viewer columns begin with time, kind, amount and subject, in each exported table', () => {
    const drawn = [...TABLE_SCHEMAS.keys()].map(table => `${table}: ${firstDrawn(table)}`);
    expect(drawn).toMatchInlineSnapshot(`
      [
        "balances: vega_time balance account_id tx_hash",
        "blocks: vega_time height hash",
        "checkpoints: vega_time block_height seq_num hash block_hash tx_hash",
        "delegations: vega_time epoch_id amount party_id node_id seq_num",
        "deposits: credited_timestamp status amount asset id party_id",
        "ledger: ledger_entry_time type quantity account_from_id account_to_id transfer_id",
        "liquidity_provisions: created_at status commitment_amount fee market_id id",
        "margin_levels: timestamp margin_mode maintenance_margin search_level account_id order_margin_account_id",
        "market_data: synthetic_time market_trading_mode mark_price best_bid_price market seq_num",
        "markets: vega_time state lp_price_range quadratic_slippage_factor id parent_market_id",
        "orders: created_at side type status price size",
        "positions: vega_time distressed_status open_volume realised_pnl market_id party_id",
        "rewards: timestamp reward_type epoch_id amount asset_id market_id",
        "trades: synthetic_time aggressor type price size market_id",
        "withdrawals: created_timestamp status amount asset id party_id",
      ]
    `);
  });

  it('The viewer columns are all there, each once', () => {
    for (const table of TABLE_SCHEMAS.keys())
      expect(columnOrder(columnsOf(table)).toSorted((one, other) => one - other)).toEqual([...columnsOf(table).keys()]);
  });

  it('The viewer columns keep their order when none of them has a time, as in an answer', () => {
    const answer = columnsOf('ledger').filter(({ shape }) => shape !== 'time');
    expect(columnOrder(answer)).toEqual([...answer.keys()]);
  });
});

describe('Mixed numbers of a column', () => {
  type Filters = readonly (readonly [string, string | null])[];
  const mixed = (name: string, column: string, filters: Filters = []) =>
    mixedOf({ name, columns: columnsOf(name) }, column, filters);
  const mixedOf = (of: Pick<ViewerTable, 'name' | 'columns'>, column: string, filters: Filters) => {
    const table = {
      ...{ ...of, rows: 1, range: '', isComplete: true },
    };
    const tables = { ...fakeTables(), tables: [table] };
    const fresh = newTableView(0, table);
    const look = { filters: filters.map(([of, value]) => ({ column: of, value })), sort: null };
    const view = { ...fresh, shown: { ...fresh.shown, look } };
    const opening = { paths: [], isEvenIncomplete: false, question: null };
    const viewer: Viewer = {
      ...{ answered: null, refusal: null },
      opening,
      attempt: 0,
      isRaw: false,
      files: { status: 'open', tables, view },
    };
    return mixedUnitsOf({ viewer, tables, view, table }, column);
  };

  it('The numbers of a column count as mixed until the rows are of one asset or market', () => {
    expect(mixed('ledger', 'quantity')).toBe('asset');
    expect(mixed('ledger', 'quantity', [['type', 'TRANSFER_TYPE_WIN']])).toBe('asset');
    expect(mixed('ledger', 'quantity', [['account_to_id', 'ab']])).toBeUndefined();
    expect(mixed('rewards', 'amount', [['market_id', 'ab']])).toBe('asset');
    expect(mixed('rewards', 'amount', [['asset_id', 'ab']])).toBeUndefined();
    expect(mixed('trades', 'price')).toBe('market');
    expect(mixed('trades', 'buyer_maker_fee')).toBe('asset');
    expect(mixed('trades', 'buyer_maker_fee', [['market_id', 'ab']])).toBeUndefined();
    expect(mixed('trades', 'price', [['market_id', null]])).toBe('market');
    expect(mixed('delegations', 'amount')).toBeUndefined();
    expect(mixed('blocks', 'height')).toBeUndefined();
  });

  it('Every amount, price and size column is known to depend on something that has decimals', () => {
    for (const [name, columns] of TABLE_SCHEMAS)
      for (const { name: column, kind } of columns)
        if (['amount', 'price', 'size'].includes(kind) && name !== 'delegations')
          expect(mixed(name, column), `${name}.${column}`).toBeDefined();
  });

  it('The numbers of an answer also count as mixed by asset or by market', () => {
    const units = { asset: '', market: '', fees: 'units of the asset', price: 'quote units of the market' };
    const columns = Object.entries(units).map(
      ([name, unit]): ViewerColumn => ({
        ...{ name, unit, type: 'VARCHAR', shape: 'number', about: '', words: {} },
        isAnswer: true,
      }),
    );
    const table = { name: 'answer trades', columns };
    const mixedBy = (column: string, ...filters: readonly string[]) =>
      mixedOf(
        table,
        column,
        filters.map(name => [name, 'x'] as const),
      );
    expect([mixedBy('fees'), mixedBy('fees', 'asset'), mixedBy('price'), mixedBy('price', 'asset')]).toEqual([
      'asset',
      undefined,
      'market',
      'market',
    ]);
    expect(mixedBy('price', 'market')).toBeUndefined();
  });
});
