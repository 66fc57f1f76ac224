import type { Directory } from '../../chain/directory/directory.ts';
import { accountPurpose } from '../../chain/insight/account-purpose.ts';
import { savedTimeNs } from '../../chain/range/range-end.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { type AccountMap, accountMap, type KnownIds, knownIds } from './accounts-sql.ts';
import {
  assetPlaces,
  type ComputedColumn,
  createAnswer,
  namedColumns,
  textColumn,
  unitColumns,
  unknownPlacesNote,
} from './answer-columns.ts';
import type { AnswerMethod, RangedContext, ReadyAnswer } from './question.ts';
import { requireParties, resolveId } from './resolve-ids.ts';
import { afterRow, beforeConditions, engineTime, engineTimeText, parseMoment, rangeConditions } from './row-range.ts';
import { firstColumns, periodSql, SqlColumns, where } from './sql-parts.ts';
import { unattributedNote } from './unattributed-accounts.ts';

/** The balance of each account of a party: at a time, or at the end of each day or month with a change. */
export const balance: AnswerMethod = {
  sql: async context => {
    const { sql, map, at } = await balanceSql(context);
    return { sql, notes: [...balanceNotes(context, at), ...map.notes] };
  },
  answer: balanceAnswer,
};

interface BalanceSql {
  readonly sql: string;
  readonly map: AccountMap;
  readonly ids: KnownIds;
  /** Unix nanoseconds of the first moment that does not count. */
  readonly at: bigint | undefined;
}

async function balanceSql(context: RangedContext): Promise<BalanceSql> {
  const { names, values, table, range, saved, target } = context;
  const { dialect } = target;
  const ids = await knownIds(context);
  const map = accountMap(requireParties('balance', values.parties), ids, dialect);
  const { asset, by = 'day' } = values;
  if (values.at !== undefined && [values.from, values.to, values.isWhole].some(value => value !== undefined))
    throw new AnswerError('--at is one moment, --from and --to are a range', 'use only one');
  const at = values.at === undefined ? undefined : parseMoment('--at', values.at, { ...saved, table });
  const columns = new SqlColumns(table, target);
  const within = at === undefined ? rangeConditions(range, columns.times()) : [];
  const states =
    table.name === 'balances'
      ? balancesSql(columns, at === undefined ? within : beforeConditions(at, columns.times()))
      : ledgerSql(columns, within);
  const period = at === undefined ? `, ${periodSql(dialect, 'block_time', by)} AS period` : '';
  const groups = firstColumns(at === undefined ? 5 : 4);
  const sql = `WITH ${map.sql},
${states}
SELECT party, asset, kind, market${period},
  ${latestBalanceSql(columns, table, at)}
FROM states${where(asset === undefined ? [] : [`asset = ${dialect.text(resolveId(names, 'asset', asset))}`])}
GROUP BY ${groups}
ORDER BY ${groups}`;
  return { sql, map, ids, at };
}

async function balanceAnswer(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, table, signal } = context;
  const { sql, map, ids, at } = await balanceSql(context);
  const parties = requireParties('balance', values.parties);
  const { by = 'day' } = values;
  const { columns, rows } = await dataset.database.all(sql, signal);
  const known = isBeforeFirstRow(table, at) ? [] : rows;
  const shown = balanceColumns(names, { hasParties: parties.length > 1, by: at === undefined ? by : undefined });
  const { raw, ...answer } = createAnswer(sql, { columns, rows: known }, shown);
  const unknown = unknownPlacesNote(raw, 'asset', assetPlaces(names), 'the decimals of asset');
  const more = await unattributedNote(context, table, { parties, ids });
  const notes = [...balanceNotes(context, at, more !== undefined), ...map.notes, ...unknown];
  return { ...answer, ...(more !== undefined && { more }), notes };
}

const balancesSql = (columns: SqlColumns, conditions: readonly string[]): string => `states AS (
  SELECT party, asset, kind, market, ${columns.time('vega_time')} AS block_time, ${columns.time('vega_time')} AS entry_time,
    ${columns.dialect.toText(columns.whole('balance'))} AS amount
  FROM ${columns.table} JOIN accounts ON accounts.id = ${columns.id('account_id')}${where(conditions)}
)`;

/** A ledger row has the balances of both accounts after the move, which also gives the balances before it. */
function ledgerSql(columns: SqlColumns, conditions: readonly string[]): string {
  const { toText } = columns.dialect;
  const side = (account: 'account_from' | 'account_to', back: '+' | '-'): string => {
    const after = columns.whole(`${account}_balance`);
    return `SELECT party, asset, kind, market, ${columns.time('vega_time')} AS block_time, ${columns.time('ledger_entry_time')} AS entry_time,
    ${toText(after)} AS amount, ${toText(`(${after}) ${back} (${columns.whole('quantity')})`)} AS amount_before
  FROM ${columns.table} JOIN accounts ON accounts.id = ${columns.id(`${account}_id`)}${where(conditions)}`;
  };
  return `states AS (
  ${side('account_from', '+')}
  UNION ALL
  ${side('account_to', '-')}
)`;
}

/** The newest row up to the time. In the ledger, an account whose first row is later has the balance before that row. */
function latestBalanceSql({ dialect }: SqlColumns, table: DatasetTable, at: bigint | undefined): string {
  const since = (time: string): string => `${periodSql(dialect, time, 'second')} AS since`;
  if (at === undefined || table.name === 'balances')
    return `max_by(amount, entry_time) AS balance, ${since('max(block_time)')}`;
  const until = `FILTER (WHERE block_time < ${dialect.time(engineTime(at))})`;
  return `coalesce(max_by(amount, entry_time) ${until}, min_by(amount_before, entry_time)) AS balance,
  ${since(`max(block_time) ${until}`)}`;
}

/** Whether a time is before the first row, where no balance is known. */
function isBeforeFirstRow({ firstTime }: DatasetTable, at: bigint | undefined): boolean {
  const first = savedTimeNs(firstTime);
  return at !== undefined && first !== null && at <= first;
}

/** Whether later rows could be missing, such as those of the rest of a day. */
function isAfterLastRow({ lastTime }: DatasetTable, at: bigint | undefined): boolean {
  const last = savedTimeNs(lastTime);
  return at !== undefined && last !== null && at > afterRow(last);
}

function balanceNotes({ table, values }: RangedContext, at: bigint | undefined, hasMore = true): readonly string[] {
  const { name, firstTime, lastTime } = table;
  const fromLedger =
    name === 'ledger' ? ['computed from the ledger: a receiver may lack the remainder of a split payment'] : [];
  if (at === undefined) return [rowsOfPeriods(values.by ?? 'day'), ...fromLedger];
  const moment = `at ${values.at?.trim()}: changes before ${engineTimeText(at)} UTC are included`;
  if (isBeforeFirstRow(table, at))
    return [moment, `the balances at that time are not known: ${name} begins at ${firstTime}`];
  return [
    moment,
    ...(isAfterLastRow(table, at) ? [`${name} ends at ${lastTime}: later changes are not included`] : []),
    isFromStart(table)
      ? `an account that is not listed has no row from block 1 up to that time: its balance is 0${hasMore ? ', unless it is one of those not attributed' : ''}`
      : 'an account that is not listed has no row up to that time: its balance is not known, and not necessarily 0',
    ...fromLedger,
  ];
}

/** Whether every balance row since block 1 is present. The ledger may lack a receiver. */
const isFromStart = ({ name, fromBlock, isComplete, parts }: DatasetTable): boolean =>
  name === 'balances' &&
  fromBlock === '1' &&
  isComplete &&
  parts.every((part, at) => BigInt(part.fromBlock) <= BigInt(parts[at - 1]?.toBlock ?? part.fromBlock) + 1n);

const rowsOfPeriods = (by: 'day' | 'month'): string =>
  `an account is listed for each ${by} ${by === 'day' ? 'on' : 'in'} which it changed in this range, and keeps its balance until its next row; for all accounts at one moment use --at TIME`;

interface BalanceColumnsOptions {
  readonly hasParties: boolean;
  readonly by: 'day' | 'month' | undefined;
}

function balanceColumns(names: Directory, { hasParties, by }: BalanceColumnsOptions): readonly ComputedColumn[] {
  const kind = textColumn('account', 'account', 'kind');
  return [
    ...namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data'),
    ...namedColumns(names, 'asset', 'asset'),
    { ...kind, in: 'table', cell: row => accountPurpose(row('kind') ?? '') },
    { ...kind, in: 'data', cell: row => `ACCOUNT_TYPE_${row('kind')}`.replace(/^(.*TYPE_)AMM_/, 'AMM $1') },
    ...namedColumns(names, 'market', 'market'),
    ...(by === undefined ? [] : [textColumn(by, by, 'period')]),
    ...unitColumns('balance', 'balance', assetPlaces(names)),
    textColumn('since', 'newest row', 'since'),
  ];
}
