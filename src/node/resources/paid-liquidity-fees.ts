import type { NodeHead } from '../demo/chain.ts';
import { newInternalFailure } from '../gateway/failure.ts';
import { goJson } from '../gateway/go-json.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import type { Query } from '../gateway/query.ts';
import { cursorObject, readCursor } from '../paging/cursor-content.ts';
import type { Listing, SqlCondition } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store, type StoreRow } from '../store.ts';
import { normaliseId } from './hex-id.ts';
import { listOperation, refuseOtherThanIds } from './operations.ts';

interface Filters {
  readonly marketId: string | undefined;
  readonly assetId: string | undefined;
  readonly epochSeq: bigint | undefined;
  readonly partyIds: readonly string[];
  /** Wins over `epochSeq`. */
  readonly range: EpochRange | undefined;
}

const FAILED = { code: 10000, message: 'failed to list paid liquidity fees' };

/** What the table has; those of the demo chain without it. */
interface FeeSource {
  readonly columns: readonly string[];
  /** A row with all its parties. */
  readonly body: (row: StoreRow) => string;
  /** The range of epochs that a request asks for, from sources that answer one (protocol.md section 1.2). */
  readonly range?: (query: Query) => EpochRange | undefined;
}

export interface EpochRange {
  readonly from: bigint;
  readonly to: bigint;
}

const DEMO: FeeSource = {
  columns: ['total_fees_paid', 'fees_paid_per_party'],
  body: feeJson,
};

export function paidLiquidityFeeOperations(
  store: Store,
  head: () => NodeHead,
  source: FeeSource = DEMO,
): readonly UnaryOperation[] {
  return [
    listOperation(store, {
      path: '/api/v2/liquidity/paidfees',
      wrapper: 'paidLiquidityFees',
      read: query => {
        const filters = {
          marketId: query.text('market_id'),
          assetId: query.text('asset_id'),
          epochSeq: query.uint64('epoch_seq'),
          partyIds: query.texts('party_ids'),
          range: source.range?.(query),
        };
        return () => paidFees(filters, source, head());
      },
    }),
  ];
}

function paidFees(filters: Filters, { columns, body }: FeeSource, { epoch }: NodeHead): Listing {
  return {
    table: 'paid_liquidity_fees',
    columns,
    where: conditions(filters, epoch - 1),
    sortBy: [{ column: 'market_id' }, { column: 'asset_id' }, { column: 'epoch_seq', isInverted: true }],
    cursor: row =>
      goJson({
        Epoch: rowNumber(row, 'epoch_seq'),
        MarketID: rowText(row, 'market_id'),
        AssetID: rowText(row, 'asset_id'),
      }),
    position: refuseCursor,
    node: row => keepParties(body(row), filters.partyIds),
  };
}

/** The epochs that a request selects: the table of node-behaviour.md section 6. */
function conditions(filters: Filters, newest: number): readonly SqlCondition[] {
  const { marketId, assetId, epochSeq, partyIds, range } = filters;
  refuseOtherThanIds([marketId, assetId], FAILED);
  // An empty id counts as set and matches nothing; with both set, even to empty ids, no default epoch applies.
  const isDefaultEpoch =
    range === undefined && epochSeq === undefined && (marketId === undefined || assetId === undefined);
  return [
    ...(marketId === undefined ? [] : [{ sql: 'market_id = ?', values: [normaliseId(marketId)] }]),
    ...(assetId === undefined ? [] : [{ sql: 'asset_id = ?', values: [normaliseId(assetId)] }]),
    ...(epochSeq === undefined || range !== undefined
      ? []
      : [{ sql: 'epoch_seq = CAST(? AS INTEGER)', values: [String(epochSeq)] }]),
    ...(range === undefined
      ? []
      : [
          {
            sql: 'epoch_seq BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)',
            values: [String(range.from), String(range.to)],
          },
        ]),
    { sql: 'epoch_seq <= ?', values: [newest] },
    ...(isDefaultEpoch ? [newestPaidCondition(newest)] : []),
    partyCondition(partyIds),
  ];
}

/** The newest epoch of all markets, not of the requested one. */
const newestPaidCondition = (newest: number): SqlCondition => ({
  sql: 'epoch_seq = (SELECT max(epoch_seq) FROM paid_liquidity_fees WHERE epoch_seq <= ?)',
  values: [newest],
});

/**
 * A row without any of the parties is not returned; ids are compared as text, unchecked (node-behaviour.md section 6).
 */
function partyCondition(partyIds: readonly string[]): SqlCondition {
  const paid = "SELECT 1 FROM json_each(fees_paid_per_party) WHERE json_extract(value, '$.party')";
  if (partyIds.length === 0) return { sql: `EXISTS (${paid} IS NOT NULL)`, values: [] };
  return { sql: `EXISTS (${paid} IN (${partyIds.map(() => '?').join(', ')}))`, values: partyIds };
}

function feeJson(row: StoreRow): string {
  const paid: unknown = JSON.parse(rowText(row, 'fees_paid_per_party'));
  return goJson({
    market: rowText(row, 'market_id'),
    asset: rowText(row, 'asset_id'),
    epochSeq: String(rowNumber(row, 'epoch_seq')),
    totalFeesPaid: rowText(row, 'total_fees_paid'),
    feesPaidPerParty: paid,
  });
}

/** The filter removes other parties from the row; the total stays that of the market. */
function keepParties(body: string, partyIds: readonly string[]): string {
  if (partyIds.length === 0) return body;
  const isKept = (entry: unknown): boolean =>
    typeof entry === 'object' && entry !== null && 'party' in entry && partyIds.some(id => id === entry.party);
  const withoutOthers = (name: string, value: unknown): unknown =>
    name === 'feesPaidPerParty' && Array.isArray(value) ? value.filter(isKept) : value;
  return goJson(JSON.parse(body, withoutOthers));
}

/**
 * Deployed nodes cannot page this list, because cursor and sort order name the epoch differently (node-behaviour.md
 * section 6).
 */
function refuseCursor(content: string): never {
  readCursor(FAILED.code, FAILED.message, () => cursorObject(content, 'PaidLiquidityFeesStatsCursor'));
  throw newInternalFailure(
    FAILED.code,
    FAILED.message,
    'building cursor predicate: no field matching column name epoch_seq',
  );
}
