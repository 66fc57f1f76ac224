import type { Directory } from '../../directory/directory.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sqlText } from '../engine/sql-text.ts';
import { accountMap, knownIds } from './accounts-sql.ts';
import {
  answerOf,
  assetPlaces,
  type MadeColumn,
  namedColumns,
  textColumn,
  unitColumns,
  unknownPlaces,
} from './cells.ts';
import { idNamed, partiesOf } from './named-ids.ts';
import type { RangedContext, ReadyAnswer } from './question.ts';
import { engineTime, later, momentOfTime, rowsWithin, type TimeBound } from './row-range.ts';
import { Columns, periodOf, where } from './sql-parts.ts';

/** The balance of each account of a party: at a time, or at the end of each day or month with a change. */
export async function balance(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, table, range, saved, signal } = context;
  const parties = partiesOf('balance', values.parties);
  const map = accountMap(parties, await knownIds(context));
  const { asset, by = 'day' } = values;
  if (values.at !== undefined && [values.from, values.to, values.isWhole].some(value => value !== undefined))
    throw new AnswerError('--at is one moment, --from and --to are a range', 'leave one of them out');
  const at = values.at === undefined ? undefined : momentOfTime('--at', values.at, saved);
  const period = at === undefined ? `, ${periodOf('time', by)} AS period` : '';
  const conditions = [
    ...(asset === undefined ? [] : [`asset = ${sqlText(idNamed(names, 'asset', asset))}`]),
    ...(at === undefined ? rowsWithin(range, 'time') : []),
    ...(at === undefined || table.name === 'ledger' ? [] : [until(at)]),
  ];
  const sql = `WITH ${map.sql},
${table.name === 'balances' ? balancesSql(new Columns(table)) : ledgerSql(new Columns(table))}
SELECT party, asset, kind, market${period},
  ${latest(table, at)}
FROM states${where(conditions)}
GROUP BY ALL
ORDER BY party, asset, kind, market${at === undefined ? ', period' : ''}`;
  const { columns, rows } = await dataset.database.all(sql, signal);
  const known = isBefore(table, at) ? [] : rows;
  const shown = columnsOf(names, { hasParties: parties.length > 1, by: at === undefined ? by : undefined });
  const { raw, ...answer } = answerOf(sql, { columns, rows: known }, shown);
  const unknown = unknownPlaces(raw, 'asset', assetPlaces(names), 'the decimals of asset');
  return { ...answer, notes: [...notesOn(table, at), ...map.notes, ...unknown] };
}

const until = ({ until: time }: TimeBound): string => `time < TIMESTAMP ${sqlText(time)}`;

const balancesSql = (columns: Columns): string => `states AS (
  SELECT party, asset, kind, market, ${columns.time('vega_time')} AS time, ${columns.time('vega_time')} AS entry,
    (${columns.whole('balance')})::VARCHAR AS balance
  FROM balances JOIN accounts ON accounts.id = ${columns.id('account_id')}
)`;

/** A ledger row has the balances of both accounts after the move, which also gives the balances before it. */
function ledgerSql(columns: Columns): string {
  const side = (account: 'account_from' | 'account_to', back: '+' | '-'): string => {
    const after = columns.whole(`${account}_balance`);
    return `SELECT party, asset, kind, market, ${columns.time('vega_time')} AS time, ${columns.time('ledger_entry_time')} AS entry,
    (${after})::VARCHAR AS balance, ((${after}) ${back} (${columns.whole('quantity')}))::VARCHAR AS before
  FROM ledger JOIN accounts ON accounts.id = ${columns.id(`${account}_id`)}`;
  };
  return `states AS (
  ${side('account_from', '+')}
  UNION ALL
  ${side('account_to', '-')}
)`;
}

/** The newest row up to the time. In the ledger, an account whose first row is later has the balance before that row. */
function latest(table: DatasetTable, at: TimeBound | undefined): string {
  if (at === undefined || table.name === 'balances')
    return "arg_max(balance, entry) AS balance, strftime(max(time), '%Y-%m-%d %H:%M:%S') AS since";
  return `coalesce(arg_max(balance, entry) FILTER (WHERE ${until(at)}), arg_min(before, entry)) AS balance,
  strftime(max(time) FILTER (WHERE ${until(at)}), '%Y-%m-%d %H:%M:%S') AS since`;
}

/** Whether a time is before the first row, where no balance is known. */
const isBefore = ({ firstTime }: DatasetTable, at: TimeBound | undefined): boolean =>
  at !== undefined && firstTime !== null && at.until <= engineTime(firstTime);

/** Whether later rows could be missing, such as those of the rest of a day. */
const isBehind = ({ lastTime }: DatasetTable, at: TimeBound | undefined): boolean =>
  at !== undefined && lastTime !== null && at.until > later(engineTime(lastTime), 1n);

function notesOn(table: DatasetTable, at: TimeBound | undefined): readonly string[] {
  const { name, firstTime, lastTime } = table;
  if (isBefore(table, at)) return [`the balances at that time are not known: ${name} begins at ${firstTime}`];
  return [
    ...(isBehind(table, at) ? [`${name} ends at ${lastTime}: later changes are not included`] : []),
    'an account that is not listed has no row up to that time: its balance is not known, and not necessarily 0',
    ...(name === 'ledger' ? ['computed from the ledger: a receiver may lack the remainder of a split payment'] : []),
  ];
}

interface Shown {
  readonly hasParties: boolean;
  readonly by: 'day' | 'month' | undefined;
}

function columnsOf(names: Directory, { hasParties, by }: Shown): readonly MadeColumn[] {
  const kind = textColumn('account', 'account', 'kind');
  return [
    ...namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data'),
    ...namedColumns(names, 'asset', 'asset'),
    { ...kind, in: 'table', cell: row => accountWords(row('kind')) },
    { ...kind, in: 'data', cell: row => `ACCOUNT_TYPE_${row('kind')}`.replace(/^(.*TYPE_)AMM_/, 'AMM $1') },
    ...namedColumns(names, 'market', 'market'),
    ...(by === undefined ? [] : [textColumn(by, by, 'period')]),
    ...unitColumns('balance', 'balance', assetPlaces(names)),
    textColumn('since', 'newest row', 'since'),
  ];
}

const accountWords = (kind: string | null): string | null =>
  kind?.toLowerCase().replaceAll('_', ' ').replace(/^amm /, 'own AMM: ') ?? null;
