import type { Directory } from '../../directory/directory.ts';
import { onlyMeant, partiesOf } from './asked-for.ts';
import {
  answerOf,
  type MadeColumn,
  marketAsset,
  marketPlaces,
  namedColumns,
  textColumn,
  unitColumns,
  unknownMarketPlaces,
} from './cells.ts';
import { feeOf } from './fees-sql.ts';
import { roleOf, SIDES, type Side } from './fill-side.ts';
import { fillTotals } from './fill-totals.ts';
import type { RangedContext, ReadyAnswer } from './question.ts';
import { rowsWithin } from './row-range.ts';
import { Columns, isOneOf, where } from './sql-parts.ts';
import { wordsOf } from './transfer-words.ts';

/** The trades of a party with side, fee and role, or their totals by day or month. */
export const fills = (context: RangedContext): Promise<ReadyAnswer> =>
  context.values.by === undefined ? eachFill(context) : fillTotals(context, context.values.by);

async function eachFill(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, table, range, signal } = context;
  const columns = new Columns(table);
  const parties = partiesOf('fills', values.parties);
  const common = [
    ...onlyMeant({ names, columns }, 'market', values.market, 'market_id'),
    ...rowsWithin(range, columns.time('vega_time')),
  ];
  const side = (name: Side): string => {
    const own = isOneOf(columns.id(name), parties);
    const word = name === 'buyer' ? 'buy' : 'sell';
    return `SELECT ${columns.plain('synthetic_time')} AS time, ${columns.hex(name)} AS party, ${columns.hex('market_id')} AS market, '${word}' AS side,
  (${columns.whole('price')})::VARCHAR AS price, (${columns.whole('size')})::VARCHAR AS size, ${feeOf(columns, undefined, name)} AS fee,
  ${roleOf(columns, name)} AS role,
  ${columns.plain('type')}::VARCHAR AS kind, ${columns.hex('id')} AS trade
FROM trades${where([own, ...common])}`;
  };
  const sql = `${SIDES.map(side).join('\nUNION ALL\n')}\nORDER BY time, party, side\nLIMIT ${MOST_FILLS + 1}`;
  const { columns: types, rows } = await dataset.database.all(sql, signal);
  const found = { columns: types, rows: rows.slice(0, MOST_FILLS) };
  const { raw, ...answer } = answerOf(sql, found, columnsOf(names, parties.length > 1));
  return {
    ...answer,
    notes: [
      ...(rows.length > MOST_FILLS
        ? [`these are the first ${MOST_FILLS}, and there are more: --from TIME goes on from there`]
        : []),
      ...unknownMarketPlaces(raw, names),
    ],
  };
}

/** More rows than anyone reads. */
const MOST_FILLS = 200_000;

function columnsOf(names: Directory, hasParties: boolean): readonly MadeColumn[] {
  return [
    textColumn('time', 'time'),
    ...namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data'),
    ...namedColumns(names, 'market', 'market'),
    textColumn('side', 'side'),
    ...unitColumns('price', 'price', marketPlaces(names, 'price')),
    ...unitColumns('size', 'size', marketPlaces(names, 'size')),
    ...unitColumns('fee', 'fee', marketPlaces(names, 'asset')),
    ...marketAsset(names),
    textColumn('role', 'role'),
    { ...textColumn('kind', 'kind'), cell: row => wordsOf('trades', 'type', row('kind')) },
    { ...textColumn('trade', 'trade'), in: 'data' },
  ];
}
