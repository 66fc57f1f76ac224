import type { Directory } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import {
  type ComputedColumn,
  countColumn,
  createAnswer,
  marketAsset,
  marketPlaces,
  namedColumns,
  textColumn,
  unitColumns,
  unknownMarketPlaces,
} from './answer-columns.ts';
import type { AnswerMethod, RangedContext, ReadyAnswer } from './question.ts';
import { idConditions } from './resolve-ids.ts';
import { rangeConditions } from './row-range.ts';
import { exactSum, firstColumns, periodSql, SqlColumns, where } from './sql-parts.ts';
import { feeSql, turnoverSum } from './trade-sql.ts';

/** The trades on each market, by day or month. */
export const trades: AnswerMethod = {
  sql: async context => ({ sql: await tradesSql(context), notes: [] }),
  answer: tradesAnswer,
};

async function tradesSql({ dataset, names, values, table, range, target, signal }: RangedContext): Promise<string> {
  const columns = new SqlColumns(table, target);
  const { dialect } = target;
  const conditions = [
    ...idConditions({ names, columns }, 'market', values.market, 'market_id'),
    ...rangeConditions(range, columns.times()),
  ];
  const turnover = await turnoverSum(columns, sql => dataset.database.all(sql, signal));
  const order = columns.plain('synthetic_time');
  const price = dialect.toText(columns.whole('price'));
  const sum = (amount: string): string => exactSum(dialect, amount);
  return `SELECT ${columns.hex('market_id')} AS market, ${periodSql(dialect, columns.time('vega_time'), values.by ?? 'day')} AS period, count(*) AS trades,
  ${sum(columns.whole('size'))} AS volume,
  ${turnover} AS turnover,
  min_by(${price}, ${order}) AS first_price, max_by(${price}, ${order}) AS last_price,
  ${sum(feeSql(columns, 'maker_fee'))} AS maker_fees,
  ${sum(feeSql(columns, 'infrastructure_fee'))} AS infrastructure_fees,
  ${sum(feeSql(columns, 'liquidity_fee'))} AS liquidity_fees,
  ${sum(feeSql(columns))} AS fees,
  count(*) FILTER (WHERE ${dialect.toText(columns.plain('type'))} <> '1') AS closeouts
FROM ${columns.table}${where(conditions)}
GROUP BY ${firstColumns(2)}
ORDER BY ${firstColumns(2)}`;
}

async function tradesAnswer(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, signal } = context;
  const by = values.by ?? 'day';
  const sql = await tradesSql(context);
  const { raw, ...answer } = createAnswer(sql, await dataset.database.all(sql, signal), tradeColumns(names, by));
  const closeouts = raw.reduce((sum, row) => sum + BigInt(row('closeouts') ?? 0), 0n);
  return {
    ...answer,
    notes: [
      ...(closeouts === 0n
        ? []
        : [
            `${countOf(closeouts, 'trade')} with the network are included in volume and turnover: close-outs, and trades of the network to dispose of those positions`,
          ]),
      ...unknownMarketPlaces(raw, names),
    ],
  };
}

function tradeColumns(names: Directory, by: 'day' | 'month'): readonly ComputedColumn[] {
  const of = (what: Parameters<typeof marketPlaces>[1]) => marketPlaces(names, what);
  const onlyData = (column: ComputedColumn): readonly ComputedColumn[] => (column.in === 'table' ? [] : [column]);
  return [
    ...namedColumns(names, 'market', 'market'),
    textColumn(by, by, 'period'),
    countColumn('trades', 'trades'),
    ...unitColumns('volume', 'volume', of('size')),
    ...unitColumns('turnover', 'turnover', of('turnover')),
    ...unitColumns('firstPrice', 'first price', of('price'), 'first_price'),
    ...unitColumns('lastPrice', 'last price', of('price'), 'last_price'),
    ...unitColumns('fees', 'fees', of('asset')),
    ...marketAsset(names),
    ...unitColumns('makerFees', 'maker', of('asset'), 'maker_fees').flatMap(onlyData),
    ...unitColumns('infrastructureFees', 'infrastructure', of('asset'), 'infrastructure_fees').flatMap(onlyData),
    ...unitColumns('liquidityFees', 'liquidity', of('asset'), 'liquidity_fees').flatMap(onlyData),
    { ...countColumn('closeouts', 'close-outs'), in: 'data' },
  ];
}
