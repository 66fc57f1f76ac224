import type { Directory } from '../../chain/directory/directory.ts';
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
  valueMeaning,
} from './answer-columns.ts';
import type { AnswerMethod, RangedContext, ReadyAnswer } from './question.ts';
import { idConditions, requireParties } from './resolve-ids.ts';
import { rangeConditions } from './row-range.ts';
import { exactSum, firstColumns, isOneOfSql, periodSql, SqlColumns, where } from './sql-parts.ts';
import { feeSql, turnoverSum } from './trade-sql.ts';

/** The trades of a party with side, fee and role, or their totals by day or month. */
export const fills: AnswerMethod = {
  sql: async context => ({
    sql: context.values.by === undefined ? fillsSql(context) : await totalsSql(context, context.values.by),
    notes: [],
  }),
  answer: context => (context.values.by === undefined ? listFills(context) : fillTotals(context, context.values.by)),
};

function fillsSql({ names, values, table, range, target }: RangedContext): string {
  const columns = new SqlColumns(table, target);
  const { toText } = target.dialect;
  const parties = requireParties('fills', values.parties);
  const common = [
    ...idConditions({ names, columns }, 'market', values.market, 'market_id'),
    ...rangeConditions(range, columns.times()),
  ];
  const side = (name: Side): string => {
    const own = isOneOfSql(columns, columns.id(name), parties);
    const word = name === 'buyer' ? 'buy' : 'sell';
    return `  SELECT ${columns.plain('synthetic_time')} AS fill_time, ${columns.hex(name)} AS party, ${columns.hex('market_id')} AS market, '${word}' AS side,
    ${toText(columns.whole('price'))} AS price, ${toText(columns.whole('size'))} AS size, ${feeSql(columns, undefined, name)} AS fee,
    ${roleSql(columns, name)} AS role,
    ${toText(columns.plain('type'))} AS kind, ${columns.hex('id')} AS trade
  FROM ${columns.table}${where([own, ...common])}`;
  };
  return `SELECT * FROM (
${SIDES.map(side).join('\n  UNION ALL\n')}
) AS both_sides
ORDER BY fill_time, party, side
LIMIT ${MAX_FILLS + 1}`;
}

async function listFills(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, signal } = context;
  const parties = requireParties('fills', values.parties);
  const sql = fillsSql(context);
  const { columns: types, rows } = await dataset.database.all(sql, signal);
  const found = { columns: types, rows: rows.slice(0, MAX_FILLS) };
  const { raw, ...answer } = createAnswer(sql, found, fillColumns(names, parties.length > 1));
  return {
    ...answer,
    notes: [
      ...(rows.length > MAX_FILLS ? [`only the first ${MAX_FILLS} are listed: continue with --from TIME`] : []),
      ...unknownMarketPlaces(raw, names),
    ],
  };
}

/** More rows than anyone reads. */
const MAX_FILLS = 200_000;

function fillColumns(names: Directory, hasParties: boolean): readonly ComputedColumn[] {
  return [
    textColumn('time', 'time', 'fill_time'),
    ...namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data'),
    ...namedColumns(names, 'market', 'market'),
    textColumn('side', 'side'),
    ...unitColumns('price', 'price', marketPlaces(names, 'price')),
    ...unitColumns('size', 'size', marketPlaces(names, 'size')),
    ...unitColumns('fee', 'fee', marketPlaces(names, 'asset')),
    ...marketAsset(names),
    textColumn('role', 'role'),
    { ...textColumn('kind', 'kind'), cell: row => valueMeaning('trades', 'type', row('kind')) },
    { ...textColumn('trade', 'trade'), in: 'data' },
  ];
}

/** Totals of a party's trades by day or month and market: counts, volume, turnover, fees paid and received. */
async function fillTotals(context: RangedContext, by: 'day' | 'month'): Promise<ReadyAnswer> {
  const { dataset, names, values, table, target, signal } = context;
  const parties = requireParties('fills', values.parties);
  const sql = await totalsSql(context, by);
  const found = await dataset.database.all(sql, signal);
  const { raw, ...answer } = createAnswer(sql, found, totalColumns(names, by, parties.length > 1));
  return {
    ...answer,
    notes: [
      ...(raw.length === 0 ? [] : [receivedNote(new SqlColumns(table, target))]),
      ...unknownMarketPlaces(raw, names),
    ],
  };
}

async function totalsSql(context: RangedContext, by: 'day' | 'month'): Promise<string> {
  const { dataset, names, values, table, range, target, signal } = context;
  const { dialect } = target;
  const columns = new SqlColumns(table, target);
  const parties = requireParties('fills', values.parties);
  const time = columns.time('vega_time');
  const common = [
    ...idConditions({ names, columns }, 'market', values.market, 'market_id'),
    ...rangeConditions(range, columns.times()),
  ];
  const sum = (amount: string, filter?: string): string => exactSum(dialect, amount, filter);
  const turnover = await turnoverSum(columns, sql => dataset.database.all(sql, signal), BY_ORDERS);
  const side = (
    name: Side,
  ): string => `  SELECT ${periodSql(dialect, time, by)} AS period, ${columns.hex(name)} AS party,
    ${columns.hex('market_id')} AS market, ${columns.plain('price')}, ${columns.plain('size')}, ${columns.whole('size')} AS volume,
    ${roleSql(columns, name)} AS role, ${feeSql(columns, undefined, name)} AS fee,
    ${feeSql(columns, 'maker_fee', otherSide(name))} AS maker_fee_of_the_other
  FROM ${columns.table}${where([isOneOfSql(columns, columns.id(name), parties), ...common])}`;
  return `SELECT period, party, market,
  count(*) FILTER (WHERE role = 'maker') AS maker, count(*) FILTER (WHERE role = 'taker') AS taker,
  count(*) FILTER (WHERE role = 'auction') AS auction, count(*) FILTER (WHERE role = 'close-out') AS closeouts,
  ${sum('volume', BY_ORDERS)} AS volume,
  ${turnover} AS turnover,
  ${sum('volume', "role = 'close-out'")} AS closed_out,
  ${sum('fee')} AS paid,
  ${sum('maker_fee_of_the_other', "role = 'maker'")} AS received
FROM (
${SIDES.map(side).join('\n  UNION ALL\n')}
) AS both_sides
GROUP BY ${firstColumns(3)}
ORDER BY ${firstColumns(3)}`;
}

/** A close-out does not come from an order of the party. */
const BY_ORDERS = "role <> 'close-out'";

/** The maker fee that a party received is in the column of the other side. */
function receivedNote(columns: SqlColumns): string {
  const hasRebates = SIDES.some(side => columns.has(`${side}_high_volume_maker_fee`));
  return `received is the maker fee that the other side paid when the party was the maker, after discounts and the referrer's share${hasRebates ? '; rebates for high-volume makers are not included' : ''}`;
}

function totalColumns(names: Directory, by: 'day' | 'month', hasParties: boolean): readonly ComputedColumn[] {
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

/** A distressed party against the network (TYPE_NETWORK_CLOSE_OUT_BAD). */
const CLOSE_OUT = '3';

/** A trade is a fill for its buyer and for its seller. */
const SIDES = ['buyer', 'seller'] as const;

type Side = (typeof SIDES)[number];

const otherSide = (side: Side): Side => (side === 'buyer' ? 'seller' : 'buyer');

/**
 * The role of a side in a trade: maker, taker, auction or close-out. In a close-out the network is the aggressor, and the
 * closed-out party is neither maker nor taker (protocol.md section 1.5). When the network later trades with the book, the
 * other side is the maker.
 */
function roleSql(columns: SqlColumns, side: Side): string {
  const aggressor = columns.plain('aggressor');
  const own = side === 'buyer' ? 1 : 2;
  return `CASE WHEN ${columns.dialect.toText(columns.plain('type'))} = '${CLOSE_OUT}' THEN 'close-out' WHEN coalesce(${aggressor}, 0) = 0 THEN 'auction' WHEN ${aggressor} = ${own} THEN 'taker' ELSE 'maker' END`;
}
