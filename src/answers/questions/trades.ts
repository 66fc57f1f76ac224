import type { Directory } from '../../directory/directory.ts';
import { countOf } from '../../insight/count-of.ts';
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
import type { RangedContext, ReadyAnswer } from './question.ts';
import { rowsWithin } from './row-range.ts';
import { Columns, exactSum, periodOf, where } from './sql-parts.ts';
import { feeOf, turnoverSum } from './trade-sql.ts';

/** The trades on each market, by day or month. */
export async function trades(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, table, range, signal } = context;
  const columns = new Columns(table);
  const time = columns.time('vega_time');
  const by = values.by ?? 'day';
  const conditions = [
    ...equalsNamed({ names, columns }, 'market', values.market, 'market_id'),
    ...rowsWithin(range, time),
  ];
  const turnover = await turnoverSum(columns, sql => dataset.database.all(sql, signal));
  const order = columns.plain('synthetic_time');
  const price = columns.whole('price');
  const sql = `SELECT ${columns.hex('market_id')} AS market, ${periodOf(time, by)} AS period, count(*) AS trades,
  ${exactSum(columns.whole('size'))} AS volume,
  ${turnover} AS turnover,
  arg_min((${price})::VARCHAR, ${order}) AS first, arg_max((${price})::VARCHAR, ${order}) AS last,
  ${exactSum(feeOf(columns, 'maker_fee'))} AS maker_fees,
  ${exactSum(feeOf(columns, 'infrastructure_fee'))} AS infrastructure_fees,
  ${exactSum(feeOf(columns, 'liquidity_fee'))} AS liquidity_fees,
  ${exactSum(feeOf(columns))} AS fees,
  count(*) FILTER (WHERE ${columns.plain('type')}::VARCHAR <> '1') AS closeouts
FROM trades${where(conditions)}
GROUP BY ALL
ORDER BY market, period`;
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
    ...unitColumns('firstPrice', 'first price', of('price'), 'first'),
    ...unitColumns('lastPrice', 'last price', of('price'), 'last'),
    ...unitColumns('fees', 'fees', of('asset')),
    ...marketAsset(names),
    ...unitColumns('makerFees', 'maker', of('asset'), 'maker_fees').flatMap(onlyData),
    ...unitColumns('infrastructureFees', 'infrastructure', of('asset'), 'infrastructure_fees').flatMap(onlyData),
    ...unitColumns('liquidityFees', 'liquidity', of('asset'), 'liquidity_fees').flatMap(onlyData),
    { ...countColumn('closeouts', 'close-outs'), in: 'data' },
  ];
}
