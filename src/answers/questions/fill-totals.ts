import type { Directory } from '../../directory/directory.ts';
import { onlyMeant, partiesOf } from './asked-for.ts';
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
import { feeOf } from './fees-sql.ts';
import { otherSide, roleOf, SIDES, type Side } from './fill-side.ts';
import type { RangedContext, ReadyAnswer } from './question.ts';
import { rowsWithin } from './row-range.ts';
import { Columns, exactSum, isOneOf, periodOf, where } from './sql-parts.ts';
import { turnoverSum } from './turnover-sql.ts';

/** Totals of a party's trades by day or month and market: counts, volume, turnover, fees paid and received. */
export async function fillTotals(context: RangedContext, by: 'day' | 'month'): Promise<ReadyAnswer> {
  const { dataset, names, values, table, range, signal } = context;
  const columns = new Columns(table);
  const parties = partiesOf('fills', values.parties);
  const time = columns.time('vega_time');
  const common = [...onlyMeant({ names, columns }, 'market', values.market, 'market_id'), ...rowsWithin(range, time)];
  const turnover = await turnoverSum(columns, sql => dataset.database.all(sql, signal), BY_ORDERS);
  const side = (name: Side): string => `  SELECT ${periodOf(time, by)} AS period, ${columns.hex(name)} AS party,
    ${columns.hex('market_id')} AS market, ${columns.plain('price')}, ${columns.plain('size')}, ${columns.whole('size')} AS volume,
    ${roleOf(columns, name)} AS role, ${feeOf(columns, undefined, name)} AS fee,
    ${feeOf(columns, 'maker_fee', otherSide(name))} AS maker_fee_of_the_other
  FROM trades${where([isOneOf(columns.id(name), parties), ...common])}`;
  const sql = `SELECT period, party, market,
  count(*) FILTER (WHERE role = 'maker') AS maker, count(*) FILTER (WHERE role = 'taker') AS taker,
  count(*) FILTER (WHERE role = 'auction') AS auction, count(*) FILTER (WHERE role = 'close-out') AS closeouts,
  ${exactSum('volume', BY_ORDERS)} AS volume,
  ${turnover} AS turnover,
  ${exactSum('volume', "role = 'close-out'")} AS closed_out,
  ${exactSum('fee')} AS paid,
  ${exactSum('maker_fee_of_the_other', "role = 'maker'")} AS received
FROM (
${SIDES.map(side).join('\n  UNION ALL\n')}
)
GROUP BY ALL
ORDER BY period, party, market`;
  const found = await dataset.database.all(sql, signal);
  const { raw, ...answer } = answerOf(sql, found, columnsOf(names, by, parties.length > 1));
  return {
    ...answer,
    notes: [...(raw.length === 0 ? [] : [receivedNote(columns)]), ...unknownMarketPlaces(raw, names)],
  };
}

/** A close-out does not come from an order of the party. */
const BY_ORDERS = "role <> 'close-out'";

/** The maker fee that a party received is in the column of the other side. */
function receivedNote(columns: Columns): string {
  const hasRebates = SIDES.some(side => columns.has(`${side}_high_volume_maker_fee`));
  return `received is the maker fee that the other side paid where the party was the maker, net of discounts and of a referrer's share${hasRebates ? '; rebates to makers of high volume are not in it' : ''}`;
}

function columnsOf(names: Directory, by: 'day' | 'month', hasParties: boolean): readonly MadeColumn[] {
  return [
    textColumn(by, by, 'period'),
    ...namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data'),
    ...namedColumns(names, 'market', 'market'),
    countColumn('maker', 'maker'),
    countColumn('taker', 'taker'),
    countColumn('auction', 'auction'),
    countColumn('closeouts', 'close-outs'),
    ...unitColumns('volume', 'volume', marketPlaces(names, 'size')),
    ...unitColumns('turnover', 'turnover', marketPlaces(names, 'turnover')),
    ...unitColumns('closedOut', 'closed out', marketPlaces(names, 'size'), 'closed_out'),
    ...unitColumns('paid', 'fees paid', marketPlaces(names, 'asset')),
    ...unitColumns('received', 'received', marketPlaces(names, 'asset')),
    ...marketAsset(names),
  ];
}
