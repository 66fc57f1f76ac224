import type { AccountNumbering } from './account-numbering.ts';
import { detachText, hashInput, idDigits, parseAmount, parseTimeUs } from './row-values.ts';

/** The tables that an audit reads. */
export const AUDITED_TABLES = [
  'blocks',
  'ledger',
  'balances',
  'deposits',
  'withdrawals',
  'rewards',
  'trades',
  'positions',
  'orders',
] as const;

export type AuditedTable = (typeof AUDITED_TABLES)[number];

export const isAudited = (table: string): table is AuditedTable => AUDITED_TABLES.some(name => name === table);

interface BlockRow {
  readonly table: 'blocks';
  readonly height: bigint;
}

export interface LedgerRow {
  readonly table: 'ledger';
  readonly from: number;
  readonly to: number;
  readonly quantity: bigint;
  /** Without `TRANSFER_TYPE_`; '' if the row has none. */
  readonly type: string;
  /** Its number in the block, from 0: nodes add it to the time of the block in microseconds. Undefined if not there. */
  readonly number: number | undefined;
}

interface BalanceRow {
  readonly table: 'balances';
  readonly account: number;
  readonly balance: bigint;
}

/** A state of a deposit or withdrawal: it has a row for each. */
interface TransitRow {
  readonly id: string;
  readonly party: string;
  readonly asset: string;
  readonly amount: bigint;
  /** Money moved in this block: a deposit was credited, or a withdrawal accepted. */
  readonly isMoving: boolean;
  /** Undefined if it is not a time. */
  readonly createdUs: number | undefined;
}

export interface DepositRow extends TransitRow {
  readonly table: 'deposits';
}

interface WithdrawalRow extends TransitRow {
  readonly table: 'withdrawals';
}

interface RewardRow {
  readonly table: 'rewards';
  readonly party: string;
  readonly asset: string;
  readonly amount: bigint;
}

export interface TradeSide {
  /** As orders have it: `1` buys, `2` sells. */
  readonly side: string;
  readonly party: string;
  readonly order: string;
  readonly makerFee: bigint;
  readonly infrastructureFee: bigint;
  readonly liquidityFee: bigint;
}

export interface TradeRow {
  readonly table: 'trades';
  readonly market: string;
  readonly size: bigint;
  readonly buyer: TradeSide;
  readonly seller: TradeSide;
}

export interface PositionRow {
  readonly table: 'positions';
  readonly market: string;
  readonly party: string;
  readonly pending: bigint;
  readonly open: bigint;
  /** What shows that a loss was shared: it resets the pending volume. */
  readonly losses: string;
}

export interface OrderRow {
  readonly table: 'orders';
  readonly id: string;
  readonly party: string;
  readonly market: string;
  /** `1` buys, `2` sells. */
  readonly side: string;
  readonly size: bigint;
  readonly remaining: bigint;
  readonly status: string;
  readonly version: bigint;
  readonly createdUs: number | undefined;
  readonly isCreatedHere: boolean;
  readonly isOfNetwork: boolean;
}

export type AuditRow =
  | BlockRow
  | LedgerRow
  | BalanceRow
  | DepositRow
  | WithdrawalRow
  | RewardRow
  | TradeRow
  | PositionRow
  | OrderRow;

/** A row at its time; `row` is undefined for a row that no check uses. */
interface TimedRow {
  readonly timeUs: number;
  readonly row: AuditRow | undefined;
}

/** Columns that each table must have. */
export const NEEDED_COLUMNS: { readonly [table in AuditedTable]: readonly string[] } = {
  blocks: ['vega_time', 'height'],
  ledger: ['vega_time', 'ledger_entry_time', 'account_from_id', 'account_to_id', 'quantity', 'type'],
  balances: ['vega_time', 'account_id', 'balance'],
  deposits: ['vega_time', 'id', 'created_timestamp', 'status', 'party_id', 'asset', 'amount'],
  withdrawals: ['vega_time', 'id', 'created_timestamp', 'status', 'party_id', 'asset', 'amount'],
  rewards: ['vega_time', 'party_id', 'asset_id', 'amount'],
  trades: [
    ...['vega_time', 'market_id', 'size', 'buyer', 'seller', 'buy_order', 'sell_order'],
    ...['buyer_maker_fee', 'buyer_infrastructure_fee', 'buyer_liquidity_fee'],
    ...['seller_maker_fee', 'seller_infrastructure_fee', 'seller_liquidity_fee'],
  ],
  positions: [
    ...['vega_time', 'market_id', 'party_id', 'pending_open_volume', 'open_volume'],
    ...['loss', 'adjustment', 'loss_socialisation_amount'],
  ],
  orders: [
    'vega_time',
    'id',
    'market_id',
    'party_id',
    'side',
    'size',
    'remaining',
    'status',
    'version',
    'type',
    'created_at',
  ],
};

/** Turns the values of a row into the form that checks compare; a text describes the row's error. */
export type RowParser = (values: readonly string[]) => TimedRow | string;

/** A reader for rows under this header. The header has the needed columns. */
export function rowReader(table: AuditedTable, columns: readonly string[], accounts: AccountNumbering): RowParser {
  const at = new Map(columns.map((name, index) => [name, index]));
  const timeAt = at.get('vega_time') ?? 0;
  const read = READERS[table]({ value: (values, column) => values[at.get(column) ?? -1], accounts });
  let lastText = '';
  let lastUs: number | undefined;
  return values => {
    const text = values[timeAt] ?? '';
    if (text !== lastText) {
      lastUs = parseTimeUs(text);
      lastText = detachText(text);
    }
    if (lastUs === undefined) return 'a row has no valid vega_time';
    const row = read(values, lastUs);
    return typeof row === 'string' ? row : { timeUs: lastUs, row };
  };
}

interface Cells {
  readonly value: (values: readonly string[], column: string) => string | undefined;
  readonly accounts: AccountNumbering;
}

type RowConverter = (values: readonly string[], timeUs: number) => AuditRow | undefined | string;

const invalidColumnText = (column: string): string => `a row has no valid ${column}`;

const withoutPrefix = (text: string | undefined, prefix: string): string =>
  text?.startsWith(prefix) ? text.slice(prefix.length) : (text ?? '');

/** Values of rows by column. */
class Fields {
  readonly #value: Cells['value'];
  readonly #words = new Map<string, string>();

  constructor({ value }: Cells) {
    this.#value = value;
  }

  text(values: readonly string[], column: string): string {
    return this.#value(values, column) ?? '';
  }

  amount(values: readonly string[], column: string): bigint | undefined {
    return parseAmount(this.#value(values, column));
  }

  /** `none` for NULL; undefined if it is not an amount. */
  amountOr<T>(none: T, values: readonly string[], column: string): bigint | T | undefined {
    return this.text(values, column) === '' ? none : this.amount(values, column);
  }

  /** An id: hexadecimal digits in lower case, or a word such as `network`. */
  id(values: readonly string[], column: string): string | undefined {
    const hex = idDigits(this.#value(values, column));
    if (hex === undefined) return undefined;
    const known = this.#words.get(hex);
    if (known !== undefined) return known;
    const word = detachText(hashInput(hex));
    if (this.#words.size < MAX_CACHED_TEXTS) this.#words.set(detachText(hex), word);
    return word;
  }
}

/** Ids of parties and markets repeat, ids of orders do not. */
const MAX_CACHED_TEXTS = 100_000;

const READERS: { readonly [table in AuditedTable]: (cells: Cells) => RowConverter } = {
  blocks: cells => {
    const fields = new Fields(cells);
    return values => {
      const height = fields.amount(values, 'height');
      return height === undefined ? invalidColumnText('height') : { table: 'blocks', height };
    };
  },
  ledger: cells => {
    const fields = new Fields(cells);
    const { accounts, value } = cells;
    const types = new Map<string, string>();
    return (values, timeUs) => {
      const from = accounts.inRow(value(values, 'account_from_id'));
      const to = accounts.inRow(value(values, 'account_to_id'));
      const quantity = fields.amount(values, 'quantity');
      if (from === undefined) return invalidColumnText('account_from_id');
      if (to === undefined) return invalidColumnText('account_to_id');
      if (quantity === undefined || quantity < 0n) return invalidColumnText('quantity');
      const text = fields.text(values, 'type');
      let type = types.get(text);
      if (type === undefined) {
        type = detachText(withoutPrefix(text, 'TRANSFER_TYPE_'));
        if (types.size < MAX_CACHED_TEXTS) types.set(detachText(text), type);
      }
      const entryUs = parseTimeUs(value(values, 'ledger_entry_time'));
      const number = entryUs === undefined ? undefined : entryUs - timeUs;
      return { table: 'ledger', from, to, quantity, type, number };
    };
  },
  balances: cells => {
    const fields = new Fields(cells);
    return values => {
      const account = cells.accounts.inRow(cells.value(values, 'account_id'));
      const balance = fields.amount(values, 'balance');
      if (account === undefined) return invalidColumnText('account_id');
      return balance === undefined ? invalidColumnText('balance') : { table: 'balances', account, balance };
    };
  },
  deposits: cells => {
    const fields = new Fields(cells);
    return values => {
      const row = readPayment('deposits', fields, values, 'asset');
      if (row === undefined || typeof row === 'string') return row;
      const createdUs = parseTimeUs(fields.text(values, 'created_timestamp'));
      return { ...row, id: rowId(fields, values), isMoving: isFinal(fields, values), createdUs };
    };
  },
  withdrawals: cells => {
    const fields = new Fields(cells);
    return (values, timeUs) => {
      const createdUs = parseTimeUs(fields.text(values, 'created_timestamp'));
      if (createdUs === undefined) return invalidColumnText('created_timestamp');
      const row = readPayment('withdrawals', fields, values, 'asset');
      if (row === undefined || typeof row === 'string') return row;
      // A later row records the completion on Ethereum.
      const isMoving = isFinal(fields, values) && createdUs === timeUs;
      return { ...row, id: rowId(fields, values), isMoving, createdUs };
    };
  },
  rewards: cells => {
    const fields = new Fields(cells);
    return values => readPayment('rewards', fields, values, 'asset_id');
  },
  trades: cells => {
    const fields = new Fields(cells);
    const side = (values: readonly string[], name: 'buyer' | 'seller'): TradeSide | string => {
      const [party, order] = [
        fields.id(values, name),
        fields.id(values, name === 'buyer' ? 'buy_order' : 'sell_order'),
      ];
      if (party === undefined) return invalidColumnText(name);
      if (order === undefined) return invalidColumnText(`order of the ${name}`);
      const fee = (kind: string): bigint | undefined => fields.amountOr(0n, values, `${name}_${kind}_fee`);
      const [makerFee, infrastructureFee, liquidityFee] = [fee('maker'), fee('infrastructure'), fee('liquidity')];
      if (makerFee === undefined || infrastructureFee === undefined || liquidityFee === undefined)
        return invalidColumnText(`fee of the ${name}`);
      const side = name === 'buyer' ? '1' : '2';
      return { side, party, order, makerFee, infrastructureFee, liquidityFee };
    };
    return values => {
      const [market, size] = [fields.id(values, 'market_id'), fields.amount(values, 'size')];
      const [buyer, seller] = [side(values, 'buyer'), side(values, 'seller')];
      if (market === undefined) return invalidColumnText('market_id');
      if (size === undefined) return invalidColumnText('size');
      if (typeof buyer === 'string') return buyer;
      return typeof seller === 'string' ? seller : { table: 'trades', market, size, buyer, seller };
    };
  },
  positions: cells => {
    const fields = new Fields(cells);
    return values => {
      const [market, party] = [fields.id(values, 'market_id'), fields.id(values, 'party_id')];
      const [pending, open] = [fields.amount(values, 'pending_open_volume'), fields.amount(values, 'open_volume')];
      if (market === undefined) return invalidColumnText('market_id');
      if (party === undefined) return invalidColumnText('party_id');
      if (pending === undefined) return invalidColumnText('pending_open_volume');
      if (open === undefined) return invalidColumnText('open_volume');
      const losses = ['loss', 'adjustment', 'loss_socialisation_amount']
        .map(column => fields.text(values, column))
        .join(' ');
      return { table: 'positions', market, party, pending, open, losses: detachText(losses.slice(0, 1000)) };
    };
  },
  orders: cells => {
    const fields = new Fields(cells);
    return (values, timeUs) => {
      const [id, party, market] = [
        fields.id(values, 'id'),
        fields.id(values, 'party_id'),
        fields.id(values, 'market_id'),
      ];
      const [size, remaining] = [fields.amount(values, 'size'), fields.amount(values, 'remaining')];
      const version = fields.amount(values, 'version');
      const reserved = fields.text(values, 'reserved_remaining');
      const hidden = reserved === '' ? 0n : parseAmount(reserved);
      if (id === undefined) return invalidColumnText('id');
      if (party === undefined) return invalidColumnText('party_id');
      if (market === undefined) return invalidColumnText('market_id');
      if (size === undefined) return invalidColumnText('size');
      if (remaining === undefined) return invalidColumnText('remaining');
      if (hidden === undefined) return invalidColumnText('reserved_remaining');
      if (version === undefined) return invalidColumnText('version');
      const createdUs = parseTimeUs(fields.text(values, 'created_at'));
      return {
        table: 'orders',
        id,
        party,
        market,
        side: detachText(fields.text(values, 'side')),
        size,
        remaining: remaining + hidden,
        status: detachText(fields.text(values, 'status')),
        version,
        createdUs,
        isCreatedHere: createdUs === timeUs,
        isOfNetwork: party === 'network' || fields.text(values, 'type') === '3',
      };
    };
  },
};

const rowId = (fields: Fields, values: readonly string[]): string => detachText(fields.text(values, 'id'));

const isFinal = (fields: Fields, values: readonly string[]): boolean =>
  fields.text(values, 'status') === 'STATUS_FINALIZED';

function readPayment<Table extends 'deposits' | 'withdrawals' | 'rewards'>(
  table: Table,
  fields: Fields,
  values: readonly string[],
  assetColumn: string,
) {
  const [party, asset] = [fields.id(values, 'party_id'), fields.id(values, assetColumn)];
  const amount = fields.amountOr('none', values, 'amount');
  if (party === undefined) return invalidColumnText('party_id');
  if (asset === undefined) return invalidColumnText(assetColumn);
  if (amount === undefined) return invalidColumnText('amount');
  return amount === 'none' ? undefined : ({ table, party, asset, amount } as const);
}
