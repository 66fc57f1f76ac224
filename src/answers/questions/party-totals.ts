import { toExportValueError } from '../engine/engine-errors.ts';
import { duckdbDialect } from './dialects/duckdb.ts';
import { holdingsSql, preparePartyQuery } from './party-ledger.ts';
import type { QuestionContext } from './question.ts';
import { FEE_ACCOUNTS, movesSql } from './received.ts';
import { requireTable } from './resolve-ids.ts';
import { rangeConditions } from './row-range.ts';
import { exactSum, SqlColumns, where } from './sql-parts.ts';

/** What a party had of an asset in all its accounts: start + came - went + underWay + unclear = end. In smallest units. */
export interface PartyTotal {
  readonly asset: string;
  /** Null if the balance of an account is not known. */
  readonly start: string | null;
  /** Received, deposited and restored. */
  readonly came: string;
  /** Sent and withdrawn. */
  readonly went: string;
  /** What entered fee accounts less what left them, and transfers between own accounts that had not arrived, or arrived later. */
  readonly underWay: string;
  /** Movements of kinds between own accounts whose other side is not known. */
  readonly unclear: string;
  readonly end: string | null;
}

/** The balances at both ends, and the ledger movements in between. Throws AnswerError if either table is missing. */
export async function partyTotals(
  context: QuestionContext,
): Promise<{ readonly sql: string; readonly rows: readonly PartyTotal[] }> {
  const { dataset, signal } = context;
  const { map, conditions, range } = await preparePartyQuery(context, 'ledger');
  const columns = new SqlColumns(requireTable(dataset, 'the movements between both ends', ['ledger']));
  const sum = (amount: string, ...when: readonly string[]): string =>
    exactSum(duckdbDialect, amount, when.join(' AND '));
  const isArriving = `other_kind IN ${FEE_ACCOUNTS}`;
  const flows = `WITH ${map.sql},
${movesSql(columns, rangeConditions(range, columns.times()))}
SELECT asset,
  ${sum('came', IS_INCOMING)} AS came,
  ${sum('went', IS_INCOMING)} AS went,
  ${sum('came', IS_UNDER_WAY)} - ${sum('went', IS_UNDER_WAY)} - ${sum('came', "part = 'income'", isArriving)} AS under_way,
  ${sum('came', IS_UNCLEAR)} - ${sum('went', IS_UNCLEAR)} AS unclear
FROM judged${where(['(other_kind IS NULL OR came IS NOT NULL)', ...conditions])}
GROUP BY asset`;
  const known = (column: string): string =>
    `CASE WHEN count(*) = count(${column}) THEN ${sum(`${column}::BIGNUM`)} END`;
  const sql = `SELECT coalesce(held.asset, flows.asset) AS asset, opening AS "start",
  coalesce(came, ${ZERO}) AS "in", coalesce(went, ${ZERO}) AS "out", coalesce(under_way, ${ZERO}) AS under_way,
  coalesce(unclear, ${ZERO}) AS unclear, closing AS "end"
FROM (
SELECT asset, ${known('opening')} AS opening, ${known('closing')} AS closing FROM (
${(await holdingsSql(context)).sql}
) GROUP BY asset
) AS held
FULL JOIN (
${flows}
) AS flows ON flows.asset = held.asset
ORDER BY 1`;
  const { rows } = await dataset.database.all(sql, signal).catch((error: unknown) => {
    throw toExportValueError(error);
  });
  return {
    sql,
    rows: rows.map(([asset, start, came, went, underWay, unclear, end]) => ({
      ...{ asset: asset ?? '', start: start ?? null, came: came ?? '0', went: went ?? '0' },
      ...{ underWay: underWay ?? '0', unclear: unclear ?? '0', end: end ?? null },
    })),
  };
}

const IS_INCOMING = "part IN ('income', 'deposited', 'withdrawn', 'restored')";
const IS_UNDER_WAY = "(part IN ('allocated', 'withheld') OR (part = 'own' AND other_kind IS NULL))";
const IS_UNCLEAR = "part = 'unclear'";
const ZERO = duckdbDialect.whole.zero;
