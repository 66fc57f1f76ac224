import { type Directory, unitOfAsset } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits, toWholeUnits } from '../../chain/insight/decimal.ts';
import { type AccountMap, accountMap, type KnownIds, knownIds } from './accounts-sql.ts';
import {
  assetPlaces,
  type ComputedColumn,
  countColumn,
  createAnswer,
  moveReason,
  namedColumns,
  OWN_MOVE_TYPES,
  type RawRow,
  textColumn,
  unitColumns,
  unknownPlacesNote,
} from './answer-columns.ts';
import { duckdbDialect } from './dialects/duckdb.ts';
import type { AnswerMethod, RangedContext, ReadyAnswer } from './question.ts';
import { requireParties, resolveId } from './resolve-ids.ts';
import { epochsPaidFirst, epochsPaidLater, type RowRange, rangeConditions } from './row-range.ts';
import { exactSum, firstColumns, periodSql, SqlColumns, where } from './sql-parts.ts';
import { unattributedNote } from './unattributed-accounts.ts';

/** What a party received and sent, by asset and time; money that is not income has columns of its own. */
export const received: AnswerMethod = {
  sql: async context => {
    const { sql, map } = await receivedSql(context);
    return { sql, notes: [...map.notes, ...paidLaterNotes(context.range)] };
  },
  answer: receivedAnswer,
};

interface ReceivedSql {
  readonly sql: string;
  readonly map: AccountMap;
  readonly ids: KnownIds;
  /** The WITH of the statement, for other queries on the same tables. */
  readonly tables: string;
  readonly conditions: readonly string[];
}

async function receivedSql(context: RangedContext): Promise<ReceivedSql> {
  const { names, values, table, range, target } = context;
  const { dialect } = target;
  const columns = new SqlColumns(table, target);
  const ids = await knownIds(context);
  const map = accountMap(requireParties('received', values.parties), ids, dialect);
  const { asset, types = false } = values;
  const tables = `WITH ${map.sql},\n${movesSql(columns, rangeConditions(range, columns.times()))}`;
  const conditions = asset === undefined ? [] : [`asset = ${dialect.text(resolveId(names, 'asset', asset))}`];
  const groups = types ? 4 : 3;
  const sum = (amount: string, filter: string): string => exactSum(dialect, amount, filter);
  const length = dialect.bytes.length('transfer_id');
  const sql = `${tables}
SELECT party, asset, ${periodSql(dialect, 'block_time', values.by)} AS period,${types ? ' type AS reason,' : ''}
  ${sum('came', "part = 'income'")} AS received,
  ${sum('went', "part = 'income'")} AS sent,
  ${PARTS.map(({ id }) => `${sum('coalesce(came, went)', `part = '${id}'`)} AS ${id}`).join(',\n  ')},
  ${sum('came', BONUS)} AS bonus,
  ${sum('came', "part = 'unclear'")} AS unclear_received,
  ${sum('went', "part = 'unclear'")} AS unclear_sent,
  count(*) FILTER (WHERE part = 'income') AS moves,
  count(*) FILTER (WHERE part = 'unclear') AS unclear,
  count(*) FILTER (WHERE type IS NULL) AS unsaid,
  count(*) FILTER (WHERE coalesce(${length}, 0) = 0 AND ${OF_TRANSFER}) AS unpaired,
  count(*) FILTER (WHERE ${length} > 0 AND NOT is_whole AND ${OF_TRANSFER}) AS halved
FROM judged${where(["part <> 'own'", ...conditions])}
GROUP BY ${firstColumns(groups)}
ORDER BY ${firstColumns(groups, ' NULLS LAST')}`;
  return { sql, map, ids, tables, conditions };
}

async function receivedAnswer(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, table, range, target, signal } = context;
  const parties = requireParties('received', values.parties);
  const { types = false } = values;
  const { sql, map, ids, tables, conditions } = await receivedSql(context);
  const found = await dataset.database.all(sql, signal);
  const shown = receivedColumns(names, { hasParties: parties.length > 1, by: values.by ?? 'month', types });
  const { raw, ...answer } = createAnswer(sql, found, shown);
  const all = (query: string) => dataset.database.all(query, signal);
  const more = await unattributedNote(context, table, { parties, ids });
  return {
    ...withoutEmpty(answer),
    ...(more !== undefined && { more }),
    notes: [
      ...map.notes,
      ...(await unknownIdNotes(`WITH ${map.sql}`, new SqlColumns(table, target), all)),
      ...separateAmountNotes(raw),
      ...paidLaterNotes(range),
      ...(await ownMoneyNotes(tables, { conditions, names, all })),
      ...uncertainMoveNotes(raw),
      ...unknownPlacesNote(raw, 'asset', assetPlaces(names), 'the decimals of asset'),
    ],
  };
}

/** Amounts that are neither received nor sent. */
const PARTS = [
  { id: 'deposited', title: 'deposited' },
  { id: 'withdrawn', title: 'withdrawn' },
  { id: 'restored', title: 'restored' },
  { id: 'allocated', title: 'LP allocated' },
  { id: 'withheld', title: 'LP withheld' },
] as const;

const BONUS = "part = 'income' AND type = 'TRANSFER_TYPE_SLA_PERFORMANCE_BONUS_DISTRIBUTE'";

interface ReceivedColumnsOptions {
  readonly hasParties: boolean;
  readonly by: 'day' | 'month';
  readonly types: boolean;
}

function receivedColumns(
  names: Directory,
  { hasParties, by, types }: ReceivedColumnsOptions,
): readonly ComputedColumn[] {
  const places = assetPlaces(names);
  const party = namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data');
  const reason: ComputedColumn = {
    ...textColumn('reason', 'why'),
    in: 'table',
    cell: row => moveReason(row('reason')),
  };
  const net = (row: RawRow): string => String(BigInt(row('received') ?? 0) - BigInt(row('sent') ?? 0));
  const withNet = (column: ComputedColumn): ComputedColumn => ({
    ...column,
    cell: row => column.cell(name => (name === 'net' ? net(row) : row(name))),
  });
  return [
    ...party,
    ...namedColumns(names, 'asset', 'asset'),
    textColumn(by, by, 'period'),
    ...(types
      ? [
          reason,
          { ...reason, id: 'why', in: 'data' } as const,
          { ...textColumn('reason', 'reason'), in: 'data' } as const,
        ]
      : []),
    ...unitColumns('received', 'received', places),
    ...unitColumns('sent', 'sent', places),
    ...unitColumns('net', 'net', places).map(withNet),
    countColumn('moves', 'moves'),
    ...PARTS.flatMap(({ id, title }) => unitColumns(id, title, places)),
    ...unitColumns('bonus', 'LP bonus', places),
    { ...countColumn('unclearReceivedSmallest', 'unclear received'), in: 'data', cell: row => row('unclear_received') },
    { ...countColumn('unclearSentSmallest', 'unclear sent'), in: 'data', cell: row => row('unclear_sent') },
  ];
}

/** Hides empty columns of these amounts in tables, to leave room for the others. */
function withoutEmpty<Answer extends Pick<ReadyAnswer, 'columns' | 'rows'>>(answer: Answer): Answer {
  const isApart = (id: string): boolean => id === 'bonus' || PARTS.some(part => part.id === id);
  const isShown = answer.columns.map(
    ({ id, in: where }, at) =>
      where !== 'table' || !isApart(id) || answer.rows.some(row => !/^0(?: smallest)?$/.test(row[at] ?? '0')),
  );
  return {
    ...answer,
    columns: answer.columns.filter((_, at) => isShown[at]),
    rows: answer.rows.map(row => row.filter((_, at) => isShown[at])),
  };
}

/** Notes that explain these amounts. */
function separateAmountNotes(rows: readonly RawRow[]): readonly string[] {
  const has = (...columns: readonly string[]): boolean =>
    rows.some(row => columns.some(column => BigInt(row(column) ?? 0) !== 0n));
  return [
    ...(has('deposited', 'withdrawn')
      ? ['deposits and withdrawals have columns of their own: they are neither received nor sent']
      : []),
    ...(has('restored')
      ? ['restored is the balance from before a restart of the network from a checkpoint: it is not received']
      : []),
    ...(has('allocated', 'withheld', 'bonus')
      ? [
          'liquidity fees: allocated is before penalties, withheld was taken from it, received is what arrived, including the bonus',
        ]
      : []),
  ];
}

function paidLaterNotes(range: RowRange): readonly string[] {
  if (range.isOutside === true) return [];
  const those = (epochs: readonly string[], are: string): readonly string[] =>
    epochs.length === 0 ? [] : [`those of epoch ${epochs.join(' and ')} ${are}`];
  const [first, last] = [epochsPaidFirst(range), epochsPaidLater(range)];
  if (first.length + last.length === 0) return [];
  const both = [
    ...those(first, 'are in this range'),
    ...those(last, first.length === 0 ? 'are not in this range' : 'are not'),
  ];
  return [`an epoch's rewards and liquidity fees are paid in the first block of the next epoch: ${both.join(', ')}`];
}

/** Notes on moves that cannot be counted with certainty. */
function uncertainMoveNotes(rows: readonly RawRow[]): readonly string[] {
  const total = (column: string): bigint => rows.reduce((sum, row) => sum + BigInt(row(column) ?? 0), 0n);
  const note = (count: bigint, words: string): readonly string[] =>
    count === 0n ? [] : [`${countOf(count, 'move')} ${words}`];
  return [
    ...note(
      total('unclear'),
      'with a type that stays within one party, but with an unknown account: neither received nor sent (the market may be missing from the names)',
    ),
    ...note(total('unsaid'), 'without a type: counted by their accounts'),
    ...note(
      total('unpaired'),
      'of transfers without a transfer id (old rows): a transfer to oneself counts as sent and as received',
    ),
    ...note(
      total('halved'),
      'of transfers whose other half is not in these exports: a transfer to oneself counts as sent or as received',
    ),
  ];
}

type RunQuery = (sql: string) => Promise<{ readonly rows: readonly (readonly (string | null)[])[] }>;

interface OwnMoneyQuery {
  readonly conditions: readonly string[];
  readonly names: Directory;
  readonly all: RunQuery;
}

/** Notes on money that moved to and from the party's own AMM or staking account, which is neither received nor sent. */
async function ownMoneyNotes(tables: string, { conditions, names, all }: OwnMoneyQuery): Promise<readonly string[]> {
  const sql = `${tables}
SELECT ${OWN_BUCKET_SQL} AS bucket, asset, ${exactSum(duckdbDialect, 'came')} AS came, ${exactSum(duckdbDialect, 'went')} AS went, count(*) AS moves
FROM judged${where(["part = 'own'", `${OWN_BUCKET_SQL} <> ''`, `${OWN_BUCKET_SQL} <> ${bucketSql("coalesce(other_kind, '')")}`, ...conditions])}
GROUP BY ALL
ORDER BY ALL`;
  const { rows } = await all(sql);
  return rows.map(([bucket, asset, came, went, moves]) => {
    const amount = (value: string | null | undefined): string => amountText(names, asset ?? '', value ?? '0');
    const words = bucket === 'AMM' ? AMM_WORDS : STAKING_WORDS;
    return `${words}: ${amount(came)} went to it and ${amount(went)} came back in ${countOf(BigInt(moves ?? 0), 'move')}, neither received nor sent`;
  });
}

const AMM_WORDS = "the party's own AMM";
const STAKING_WORDS = 'locked for staking';

const bucketSql = (kind: string): string =>
  `CASE WHEN ${kind} LIKE 'AMM_%' THEN 'AMM' WHEN ${kind} = 'LOCKED_FOR_STAKING' THEN 'STAKING' ELSE '' END`;
const OWN_BUCKET_SQL = bucketSql('own_kind');

function amountText(names: Directory, asset: string, value: string): string {
  const unit = unitOfAsset(names, asset);
  const whole = unit && toWholeUnits(value, unit.decimals);
  return unit === undefined || whole === undefined
    ? `${groupDigits(value)} smallest units of ${asset}`
    : `${groupDigits(whole)} ${unit.symbol}`;
}

/**
 * Notes on assets and markets in the ledger that are unknown here. Deposits, withdrawals and fees always use accounts of
 * the network, and those of known assets and markets can be computed.
 */
async function unknownIdNotes(tables: string, columns: SqlColumns, all: RunQuery): Promise<readonly string[]> {
  const seen = SEEN.map(({ type, account, kind }) => {
    return `  SELECT DISTINCT ${columns.id(account)} AS id, '${kind}' AS kind FROM ledger WHERE ${columns.plain('type')} = 'TRANSFER_TYPE_${type}'`;
  });
  const sql = `${tables}, known AS (
  SELECT unhex(sha256(asset || 'network' || market || 'ACCOUNT_TYPE_' || kind)) AS id FROM (
    SELECT asset, '' AS market, kind FROM assets, (VALUES ('EXTERNAL'), ('FEES_INFRASTRUCTURE')) AS of_asset(kind)
    UNION ALL
    SELECT asset, market, 'FEES_MAKER' FROM markets_of
  )
)
SELECT kind, count(DISTINCT id) FROM (
${seen.join('\n  UNION ALL\n')}
) WHERE id NOT IN (SELECT id FROM known) GROUP BY kind`;
  const counts = new Map((await all(sql)).rows.map(([kind, count]) => [kind, BigInt(count ?? 0)]));
  const [external, infrastructure] = [counts.get('EXTERNAL') ?? 0n, counts.get('FEES_INFRASTRUCTURE') ?? 0n];
  const assets = external > infrastructure ? external : infrastructure;
  const markets = counts.get('FEES_MAKER') ?? 0n;
  return [
    ...(assets === 0n
      ? []
      : [
          `the ledger has ${countOf(assets, 'asset')} not known here, and the party's amounts in it are missing: add --asset ID to count one, or --node URL to count those the node knows`,
        ]),
    ...(markets === 0n
      ? []
      : [
          `the ledger has fees of ${countOf(markets, 'market')} not known here, and the party's accounts there are missing: add --node URL`,
        ]),
  ];
}

const SEEN = [
  { type: 'DEPOSIT', account: 'account_from_id', kind: 'EXTERNAL' },
  { type: 'WITHDRAW', account: 'account_to_id', kind: 'EXTERNAL' },
  { type: 'INFRASTRUCTURE_FEE_PAY', account: 'account_to_id', kind: 'FEES_INFRASTRUCTURE' },
  { type: 'MAKER_FEE_PAY', account: 'account_to_id', kind: 'FEES_MAKER' },
] as const;

/** The two halves of a transfer. Other rows with its id, such as a fee, are not part of the transfer. */
const SEND = 'TRANSFER_TYPE_TRANSFER_FUNDS_SEND';
const DISTRIBUTE = 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE';
const OF_TRANSFER = `type IN ('${SEND}', '${DISTRIBUTE}')`;

/** Fees on these accounts are not the party's yet: some are withheld, only the rest is received. */
export const FEE_ACCOUNTS = "('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES')";

/**
 * Tables for a WITH, after those of the accounts. The last is judged(party, asset, block_time, type, transfer_id, is_whole,
 * came, went, own_kind, other_kind, part): each move from the side of each account of the parties, and the part of
 * the answer that it belongs to (protocol.md section 1.4). `hasPlaces` adds entry, own_market and other_market.
 */
export function movesSql(columns: SqlColumns, conditions: readonly string[], hasPlaces = false): string {
  const { dialect } = columns;
  const transfer = columns.has('transfer_id') ? columns.id('transfer_id') : dialect.bytes.none;
  const [from, to, quantity] = [columns.id('account_from_id'), columns.id('account_to_id'), columns.whole('quantity')];
  const common = `party, asset, ${columns.time('vega_time')} AS block_time, ledger.${columns.plain('type')} AS type, ${transfer} AS transfer_id, kind AS own_kind${hasPlaces ? `, market AS own_market, ${columns.time('ledger_entry_time')} AS entry` : ''}`;
  const rows = where(conditions);
  return `${transfersSql(columns)},
moves AS (
  SELECT ${common}, ${from} AS other_id, ${quantity} AS came, ${dialect.whole.none} AS went
  FROM ${columns.table} JOIN accounts ON accounts.id = ${to}${rows}
  UNION ALL
  SELECT ${common}, ${to} AS other_id, ${dialect.whole.none} AS came, ${quantity} AS went
  FROM ${columns.table} JOIN accounts ON accounts.id = ${from}${rows}
),
judged AS (
  SELECT moves.party AS party, moves.asset AS asset, moves.block_time AS block_time, moves.type AS type,
    moves.transfer_id AS transfer_id, moves.own_kind AS own_kind, moves.came AS came, moves.went AS went,
    other.kind AS other_kind,${hasPlaces ? ' moves.entry AS entry, moves.own_market AS own_market, other.market AS other_market,' : ''} half.transfer_id IS NOT NULL AS is_whole, CASE
    -- fees first go to a fee account: they are received when they move on to another account of the party
    WHEN own_kind NOT IN ${FEE_ACCOUNTS} AND other.kind IN ${FEE_ACCOUNTS} THEN 'income'
    WHEN other.id IS NOT NULL OR own.transfer_id IS NOT NULL THEN 'own'
    WHEN own_kind IN ${FEE_ACCOUNTS} THEN CASE WHEN went IS NULL THEN 'allocated' ELSE 'withheld' END
    WHEN moves.type = 'TRANSFER_TYPE_CHECKPOINT_BALANCE_RESTORE' THEN 'restored'
    WHEN moves.type = 'TRANSFER_TYPE_DEPOSIT' THEN 'deposited'
    WHEN moves.type = 'TRANSFER_TYPE_WITHDRAW' THEN 'withdrawn'
    WHEN moves.type IN (${OWN_MOVE_TYPES.map(dialect.text).join(', ')}) THEN 'unclear'
    ELSE 'income' END AS part
  FROM moves
  LEFT JOIN accounts AS other ON other.id = moves.other_id AND other.party = moves.party
  LEFT JOIN own_transfers AS own ON own.transfer_id = moves.transfer_id AND own.party = moves.party AND moves.${OF_TRANSFER}
  LEFT JOIN halves AS half ON half.transfer_id = moves.transfer_id AND half.type <> moves.type AND moves.${OF_TRANSFER}
)`;
}

/** A transfer is two moves with its id through an account of the network: which halves exist, and which are both own. */
function transfersSql(columns: SqlColumns): string {
  const { bytes } = columns.dialect;
  if (!columns.has('transfer_id'))
    return `halves AS (SELECT ${bytes.none} AS transfer_id, '' AS type WHERE false),
own_transfers AS (SELECT ${bytes.none} AS transfer_id, '' AS party WHERE false)`;
  const transfer = columns.id('transfer_id');
  const type = `ledger.${columns.plain('type')}`;
  const of = (half: string, account: 'account_from_id' | 'account_to_id'): string =>
    `SELECT ${transfer} AS transfer_id, party FROM ${columns.table} JOIN accounts ON accounts.id = ${columns.id(account)}
  WHERE ${type} = '${half}' AND ${bytes.length(transfer)} > 0`;
  return `halves AS (
  SELECT DISTINCT ${transfer} AS transfer_id, ${type} AS type FROM ${columns.table}
  WHERE ${type} IN ('${SEND}', '${DISTRIBUTE}') AND ${bytes.length(transfer)} > 0
),
own_transfers AS (
  -- a transfer of a party to itself
  ${of(SEND, 'account_from_id')}
  INTERSECT DISTINCT
  ${of(DISTRIBUTE, 'account_to_id')}
)`;
}
