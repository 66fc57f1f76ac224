import type { Directory } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import {
  answerOf,
  countColumn,
  type MadeColumn,
  marketAsset,
  marketPlaces,
  namedColumns,
  textColumn,
  unitColumns,
  unknownMarketPlaces,
} from './cells.ts';
import { equalsNamed } from './named-ids.ts';
import type { Answering, RangedContext, ReadyAnswer } from './question.ts';
import { rowsWithin } from './row-range.ts';
import { Columns, exactSum, firstColumns, periodOf, where } from './sql-parts.ts';
import { feeOf, turnoverSum } from './trade-sql.ts';

/** The trades on each market, by day or month. */
export const trades: Answering = {
  sql: async context => ({ sql: await tradesSql(context), notes: [] }),
  answer: tradesAnswer,
};

async function tradesSql({ dataset, names, values, table, range, target, signal }: RangedContext): Promise<string> {
  const columns = new Columns(table, target);
  const { dialect } = target;
  const conditions = [
    ...equalsNamed({ names, columns }, 'market', values.market, 'market_id'),
    ...rowsWithin(range, columns.times()),
  ];
  const turnover = await turnoverSum(columns, sql => dataset.database.all(sql, signal));
  const order = columns.plain('synthetic_time');
  const price = dialect.toText(columns.whole('price'));
  const sum = (amount: string): string => exactSum(dialect, amount);
  return `SELECT ${columns.hex('market_id')} AS market, ${periodOf(dialect, columns.time('vega_time'), values.by ?? 'day')} AS period, count(*) AS trades,
  ${sum(columns.whole('size'))} AS volume,
  ${turnover} AS turnover,
  min_by(${price}, ${order}) AS first_price, max_by(${price}, ${order}) AS last_price,
  ${sum(feeOf(columns, 'maker_fee'))} AS maker_fees,
  ${sum(feeOf(columns, 'infrastructure_fee'))} AS infrastructure_fees,
  ${sum(feeOf(columns, 'liquidity_fee'))} AS liquidity_fees,
  ${sum(feeOf(columns))} AS fees,
  count(*) FILTER (WHERE ${dialect.toText(columns.plain('type'))} <> '1') AS closeouts
FROM ${columns.table}${where(conditions)}
GROUP BY ${firstColumns(2)}
ORDER BY ${firstColumns(2)}`;
}

async function tradesAnswer(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, signal } = context;
  const by = values.by ?? 'day';
  const sql = await tradesSql(context);
  const { raw, ...answer } = answerOf(sql, await dataset.database.all(sql, signal), columnsOf(names, by));
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

function columnsOf(names: Directory, by: 'day' | 'month'): readonly MadeColumn[] {
  const of = (what: Parameters<typeof marketPlaces>[1]) => marketPlaces(names, what);
  const onlyData = (column: MadeColumn): readonly MadeColumn[] => (column.in === 'table' ? [] : [column]);
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
