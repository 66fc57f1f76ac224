import { AnswerError } from '../engine/answer-error.ts';
import { duckdbDialect } from './dialects/duckdb.ts';
import { exactSum, isWholeNumber, type SqlColumns } from './sql-parts.ts';

type RunQuery = (sql: string) => Promise<{ readonly rows: readonly (readonly (string | null)[])[] }>;

/** The sum of price times size over matching trades. Only DuckDB multiplies in pieces: its products end at 38 digits. */
export async function turnoverSum(columns: SqlColumns, all: RunQuery, filter = ''): Promise<string> {
  const { dialect } = columns;
  if (dialect !== duckdbDialect) {
    if (!isWholeNumber(columns.type('size'))) throw sizesAreText();
    return exactSum(dialect, `${columns.whole('price')} * ${columns.whole('size')}`, filter);
  }
  if (await isPlainProduct(columns, all)) return exactSum(dialect, '(price::HUGEINT * size::HUGEINT)::BIGNUM', filter);
  return `(
    -- prices times sizes have more digits than the engine multiplies: the price is taken in pieces of 18
    ${[0, 1, 2, 3, 4].map(index => partialProductSql(index, filter)).join('\n    + ')}
  )`;
}

/** Prices have up to 38 digits there, so prices times longer sizes could be more than ClickHouse's integers hold. */
const sizesAreText = (): AnswerError =>
  new AnswerError(
    'trades.size is text in this folder, and other engines cannot multiply such a number exactly',
    'leave out --for: blockglass answers it here',
  );

/** Whether every price times size fits the engine's integers. */
async function isPlainProduct(columns: SqlColumns, all: RunQuery): Promise<boolean> {
  if (!isWholeNumber(columns.type('price')) || !isWholeNumber(columns.type('size'))) return false;
  const { rows } = await all('SELECT max(abs(price::HUGEINT))::VARCHAR, max(abs(size::HUGEINT))::VARCHAR FROM trades');
  const [price, size] = rows[0] ?? [];
  return BigInt(price ?? 0) * BigInt(size ?? 0) < PRODUCT_LIMIT;
}

const PRODUCT_LIMIT = 2n ** 127n;

/** Long multiplication: 18 digits of the price times the size, with zeros for the digits after them. */
function partialProductSql(index: number, filter: string): string {
  const digits = `substr(lpad(price::VARCHAR, 90, '0'), ${90 - 18 * (index + 1) + 1}, 18)::HUGEINT`;
  const checked = `CASE WHEN regexp_full_match(price::VARCHAR, '[0-9]{1,90}') THEN ${digits} * size::HUGEINT ELSE error('a price is not a whole number of up to 90 digits: ' || price::VARCHAR) END`;
  return `(${exactSum(duckdbDialect, `(${checked})::BIGNUM`, filter)}::VARCHAR || '${'0'.repeat(18 * index)}')::BIGNUM`;
}

const FEE_KINDS = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'] as const;

/** Only in newer nodes. */
const OPTIONAL_FEE_KINDS = ['buy_back_fee', 'treasury_fee', 'high_volume_maker_fee'] as const;

type Fee = (typeof FEE_KINDS)[number];

/** The fees of a trade: of one kind or all, of one side or both. */
export function feeSql(columns: SqlColumns, fee?: Fee, side?: 'buyer' | 'seller'): string {
  const sides = side === undefined ? (['buyer', 'seller'] as const) : [side];
  const names = (kinds: readonly string[]) => sides.flatMap(of => kinds.map(kind => `${of}_${kind}`));
  const more = fee === undefined ? names(OPTIONAL_FEE_KINDS).filter(name => columns.has(name)) : [];
  return [...names(fee === undefined ? FEE_KINDS : [fee]), ...more]
    .map(
      name =>
        `CASE WHEN ${columns.plain(name)} IS NULL THEN ${columns.dialect.whole.zero} ELSE ${columns.whole(name)} END`,
    )
    .join(' + ');
}
