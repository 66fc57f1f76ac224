import type { RangeEnd } from '../../chain/range/range-end.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { toExportValueError } from '../engine/engine-errors.ts';
import { sqlText } from '../engine/sql-text.ts';
import { accountMap, knownIds } from './accounts-sql.ts';
import { duckdbDialect } from './dialects/duckdb.ts';
import type { QuestionContext } from './question.ts';
import { movesSql } from './received.ts';
import { requireParties, requireTable, resolveId } from './resolve-ids.ts';
import { engineTime, type RowRange, rangeConditions, rowRange, wholeSpan } from './row-range.ts';
import { exactSum, SqlColumns, where } from './sql-parts.ts';

/** An account of a party. Amounts in it are of its asset. */
export interface PartyAccount {
  readonly asset: string;
  /** Without `ACCOUNT_TYPE_`; those of the party's own AMM begin with `AMM_`. */
  readonly kind: string;
  /** '' without one. */
  readonly market: string;
}

/** A movement of money from or to an account of a party. */
export interface PartyMove {
  /** UTC to the microsecond, in the engine's format. */
  readonly time: string;
  readonly account: PartyAccount;
  /** In smallest units; null in the other direction. */
  readonly received: string | null;
  readonly sent: string | null;
  /** With `TRANSFER_TYPE_`; null if the row does not give it. */
  readonly type: string | null;
  readonly part: MovePart;
  /** The other account, if it is the party's too. A movement between own accounts is listed once, as received. */
  readonly other: PartyAccount | null;
}

/** The part of the answer `received` that a movement belongs to. */
type MovePart = 'income' | 'own' | 'allocated' | 'withheld' | 'restored' | 'deposited' | 'withdrawn' | 'unclear';

const PARTS: readonly MovePart[] = [
  ...(['income', 'own', 'allocated', 'withheld', 'restored', 'deposited', 'withdrawn', 'unclear'] as const),
];

/** More rows than a file for a person should have. */
const MAX_MOVES = 200_000;

const throwExportValueError = (error: unknown): never => {
  throw toExportValueError(error);
};

/** The movements of one party in the range, in the order of the ledger. Throws AnswerError if there are too many. */
export async function partyMoves(context: QuestionContext): Promise<readonly PartyMove[]> {
  const { dataset, signal } = context;
  const { map, conditions, range } = await preparePartyQuery(context, 'ledger');
  const columns = new SqlColumns(requireTable(dataset, 'the list of movements', ['ledger']));
  const sql = `WITH ${map.sql},
${movesSql(columns, rangeConditions(range, columns.times()), true)}
SELECT strftime(block_time, '%Y-%m-%d %H:%M:%S.%f') AS moment, asset, own_kind, own_market, came::VARCHAR, went::VARCHAR,
  type, part, other_kind, other_market
FROM judged${where(['(other_kind IS NULL OR came IS NOT NULL)', ...conditions])}
ORDER BY entry, block_time, own_kind, own_market
LIMIT ${MAX_MOVES + 1}`;
  const { rows } = await dataset.database.all(sql, signal).catch(throwExportValueError);
  if (rows.length > MAX_MOVES)
    throw new AnswerError(`the party has more than ${MAX_MOVES} movements in this range`, 'choose a shorter range');
  return rows.map(([time, asset, kind, market, received, sent, type, part, otherKind, otherMarket]) => ({
    time: time ?? '',
    account: { asset: asset ?? '', kind: kind ?? '', market: market ?? '' },
    received: received ?? null,
    sent: sent ?? null,
    type: type ?? null,
    part: PARTS.find(name => name === part) ?? 'unclear',
    other: otherKind == null ? null : { asset: asset ?? '', kind: otherKind, market: otherMarket ?? '' },
  }));
}

/** What an account of a party held at both ends of the range, in smallest units; null if it is not known. */
export interface Holding extends PartyAccount {
  readonly opening: string | null;
  /** The sum of its ledger rows in the range; null without a ledger. */
  readonly change: string | null;
  readonly closing: string | null;
  /** The time of the newest row behind `closing`. */
  readonly since: string | null;
}

interface Holdings {
  readonly sql: string;
  readonly rows: readonly Holding[];
  readonly notes: readonly string[];
}

/**
 * The accounts of one party at both ends of the range. If an account has no earlier row, its balance at the start is its
 * first balance, less the ledger movements up to that block: so both tables are needed. Throws AnswerError without
 * balances.
 */
export async function partyHoldings(context: QuestionContext): Promise<Holdings> {
  const { sql, notes } = await holdingsSql(context);
  const { rows } = await context.dataset.database.all(sql, context.signal).catch(throwExportValueError);
  return {
    sql,
    notes,
    rows: rows.map(([asset, kind, market, opening, change, closing, since]) => ({
      ...{ asset: asset ?? '', kind: kind ?? '', market: market ?? '' },
      ...{ opening: opening ?? null, change: change ?? null, closing: closing ?? null, since: since ?? null },
    })),
  };
}

/** The same as SQL. */
export async function holdingsSql(context: QuestionContext): Promise<Omit<Holdings, 'rows'>> {
  const { dataset } = context;
  const { map, conditions, range } = await preparePartyQuery(context, 'balances');
  const columns = new SqlColumns(requireTable(dataset, 'the balances at both ends', ['balances']));
  const ledger = dataset.tables.find(({ name }) => name === 'ledger');
  const inside = rangeConditions(range, { dialect: duckdbDialect, time: 'time' }).join(' AND ') || 'true';
  const { from, until } = rangeEnds(range);
  const before = from === null ? 'false' : `time < TIMESTAMP ${sqlText(from)}`;
  const ended = until === null ? 'true' : `time < TIMESTAMP ${sqlText(until)}`;
  const sql = `WITH ${map.sql},
states AS (
  SELECT accounts.id AS account, ${columns.time('vega_time')} AS time, (${columns.whole('balance')})::VARCHAR AS balance
  FROM balances JOIN accounts ON accounts.id = ${columns.id('account_id')}
),
held AS (
  SELECT account, arg_max(balance, time) FILTER (WHERE ${before}) AS earlier,
    arg_min(balance, time) FILTER (WHERE ${inside}) AS first, min(time) FILTER (WHERE ${inside}) AS first_time,
    arg_max(balance, time) FILTER (WHERE ${ended}) AS last, max(time) FILTER (WHERE ${ended}) AS since
  FROM states GROUP BY account
),
${ledger === undefined ? NO_STEPS : stepsSql(new SqlColumns(ledger), inside)},
moved AS (
  SELECT account, ${exactSum(duckdbDialect, 'came')} AS came, ${exactSum(duckdbDialect, 'went')} AS went,
    ${exactSum(duckdbDialect, 'came', 'time <= first_time')} AS came_first, ${exactSum(duckdbDialect, 'went', 'time <= first_time')} AS went_first
  FROM steps LEFT JOIN held USING (account) GROUP BY account
)
SELECT asset, kind, market,
  ${ledger === undefined ? 'earlier' : 'coalesce(earlier, (first::BIGNUM - coalesce(came_first, 0::HUGEINT::BIGNUM) + coalesce(went_first, 0::HUGEINT::BIGNUM))::VARCHAR)'} AS opening,
  ${ledger === undefined ? 'NULL' : '(coalesce(came, 0::HUGEINT::BIGNUM) - coalesce(went, 0::HUGEINT::BIGNUM))::VARCHAR'} AS change,
  last AS closing, strftime(since, '%Y-%m-%d %H:%M:%S') AS since
FROM accounts LEFT JOIN held ON held.account = accounts.id LEFT JOIN moved ON moved.account = accounts.id
WHERE ${['(last IS NOT NULL OR came IS NOT NULL)', ...conditions].join(' AND ')}
ORDER BY asset, kind, market`;
  return { sql, notes: [...range.notes, ...map.notes] };
}

/** What an account of a party held after a block. */
export interface BalanceAtTime {
  readonly time: string;
  readonly account: PartyAccount;
  readonly balance: string;
}

/** Every balance row of one party in the range, by time. Throws AnswerError if there are too many. */
export async function partyBalances(context: QuestionContext): Promise<readonly BalanceAtTime[]> {
  const { dataset, signal } = context;
  const { map, conditions, range } = await preparePartyQuery(context, 'balances');
  const columns = new SqlColumns(requireTable(dataset, 'the balances', ['balances']));
  const time = columns.time('vega_time');
  const sql = `WITH ${map.sql}
SELECT strftime(${time}, '%Y-%m-%d %H:%M:%S.%f') AS moment, asset, kind, market, (${columns.whole('balance')})::VARCHAR AS balance
FROM balances JOIN accounts ON accounts.id = ${columns.id('account_id')}${where([...conditions, ...rangeConditions(range, columns.times())])}
ORDER BY moment, asset, kind, market
LIMIT ${MAX_MOVES + 1}`;
  const { rows } = await dataset.database.all(sql, signal).catch(throwExportValueError);
  if (rows.length > MAX_MOVES)
    throw new AnswerError(`the party has more than ${MAX_MOVES} balances in this range`, 'choose a shorter range');
  return rows.map(([moment, asset, kind, market, balance]) => ({
    time: moment ?? '',
    account: { asset: asset ?? '', kind: kind ?? '', market: market ?? '' },
    balance: balance ?? '',
  }));
}

/**
 * The tables whose files were exported for other times, so that nothing of the range is known. Throws AnswerError for a range
 * that a table cannot be asked for, such as an epoch without known times, and for one that none of the tables has.
 */
export function tablesOutsideRange(
  { dataset, values, saved }: QuestionContext,
  names: readonly string[],
): ReadonlySet<string> {
  const tables = dataset.tables
    .filter(({ name }) => names.includes(name))
    .map(table => ({ table, range: rowRange({ table, values, saved, hasEpochs: table.name === 'rewards' }) }));
  if (tables.every(({ range }) => range.isOutside !== true)) return new Set();
  const inside = tables.filter(({ range }) => range.isOutside === false);
  // A table without rows in the range may still have its blocks: then another table of these blocks has rows in it.
  const outside = tables.filter(
    ({ table, range }) => range.isOutside !== false && !inside.some(other => coversBlocks(table, other.table)),
  );
  if (outside.length === tables.length)
    throw new AnswerError(
      `these exports have nothing of the requested range: ${rowTimesText(dataset.tables)}`,
      'choose a range that they have, or export the one that you need',
    );
  return new Set(outside.map(({ table }) => table.name));
}

/** Where a table begins after a requested range begins, or ends before it ends: times in UTC, null where nothing is missing. */
export interface MissingTime {
  readonly table: string;
  readonly before: string | null;
  readonly after: string | null;
}

const byMoment = (one: bigint, other: bigint): number => (one < other ? -1 : 1);

/** What the files lack of the requested range. A table whose blocks reach as far as those of another one lacks no more than that. */
export function missingTimes(
  { dataset, values, saved }: QuestionContext,
  names: readonly string[],
): readonly MissingTime[] {
  const tables = dataset.tables
    .filter(({ name }) => names.includes(name))
    .flatMap(table => {
      const { ends } = rowRange({ table, values, saved, hasEpochs: table.name === 'rewards' });
      return ends === undefined ? [] : [{ table, ...ends }];
    });
  return tables.map(({ table, asked }) => {
    const firsts = tables.flatMap(other =>
      extendsAsFar(other.table, 'from', table) ? (other.covered.from?.ns ?? []) : [],
    );
    const lasts = tables.flatMap(other =>
      extendsAsFar(table, 'to', other.table) ? (other.covered.until?.ns ?? []) : [],
    );
    const [first, last] = [firsts.toSorted(byMoment)[0], lasts.toSorted(byMoment).at(-1)];
    const [from, until] = [asked.from?.ns ?? null, asked.until?.ns ?? null];
    // Before the first block there is nothing.
    const isEarly = table.fromBlock !== '1' && first !== undefined && from !== null && from < first;
    const isLate = last !== undefined && until !== null && last < until;
    return {
      table: table.name,
      before: isEarly ? engineTime(first) : null,
      after: isLate ? engineTime(last) : null,
    };
  });
}

/** Whether the blocks of the later one at this end reach as far: it is the same table, or its block is not before the other's. */
function extendsAsFar(later: DatasetTable, end: 'from' | 'to', earlier: DatasetTable): boolean {
  const [one, other] = end === 'from' ? [later.fromBlock, earlier.fromBlock] : [later.toBlock, earlier.toBlock];
  if (later === earlier) return true;
  return one !== null && other !== null && BigInt(one) >= BigInt(other);
}

function coversBlocks(table: DatasetTable, other: DatasetTable): boolean {
  if (table.fromBlock === null || table.toBlock === null || other.fromBlock === null || other.toBlock === null)
    return false;
  return BigInt(table.fromBlock) <= BigInt(other.fromBlock) && BigInt(other.toBlock) <= BigInt(table.toBlock);
}

function rowTimesText(tables: readonly DatasetTable[]): string {
  const firsts = tables.flatMap(({ firstTime }) => firstTime ?? []).toSorted();
  const lasts = tables.flatMap(({ lastTime }) => lastTime ?? []).toSorted();
  return firsts.length === 0 ? 'they have no row' : `they have rows of ${firsts[0]} to ${lasts.at(-1)}`;
}

/** The accounts of the party and the range of a request. */
export async function preparePartyQuery(context: QuestionContext, name: string) {
  const { dataset, names, values, saved } = context;
  const map = accountMap(requireParties('a report', values.parties), await knownIds(context));
  const asset = values.asset === undefined ? [] : [`asset = ${sqlText(resolveId(names, 'asset', values.asset))}`];
  return {
    map,
    conditions: asset,
    range: rowRange({ table: requireTable(dataset, 'a report', [name]), values, saved }),
  };
}

/** The first and last moment of a range, in the engine's format; null if it has no such end. */
function rangeEnds({ spans }: RowRange) {
  const { from, until } = wholeSpan(spans);
  const time = (end: RangeEnd | null): string | null => (end === null || end.ns === null ? null : engineTime(end.ns));
  return { from: time(from), until: time(until) };
}

const NO_STEPS = `steps AS (SELECT NULL::BLOB AS account, NULL::TIMESTAMP AS time, NULL::BIGNUM AS came, NULL::BIGNUM AS went WHERE false)`;

/** What each block moved to and from an account. */
function stepsSql(columns: SqlColumns, inside: string): string {
  const time = columns.time('vega_time');
  const side = (id: 'account_to_id' | 'account_from_id', amounts: string): string =>
    `SELECT accounts.id AS account, ${time} AS time, ${amounts} FROM ledger JOIN accounts ON accounts.id = ${columns.id(id)}`;
  const quantity = columns.whole('quantity');
  return `steps AS (
  SELECT * FROM (
    ${side('account_to_id', `${quantity} AS came, NULL::BIGNUM AS went`)}
    UNION ALL
    ${side('account_from_id', `NULL::BIGNUM AS came, ${quantity} AS went`)}
  ) WHERE ${inside}
)`;
}
