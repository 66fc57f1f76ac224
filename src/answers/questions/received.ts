import type { Directory } from '../../directory/directory.ts';
import { countOf } from '../../insight/count-of.ts';
import { sqlText } from '../engine/sql-text.ts';
import { accountMap } from './accounts-sql.ts';
import { idMeant, partiesOf, tableFor } from './asked-for.ts';
import {
  answerOf,
  assetPlaces,
  countColumn,
  type MadeColumn,
  namedColumns,
  type RawRow,
  textColumn,
  unitColumns,
  unknownPlaces,
} from './cells.ts';
import type { QuestionGround, ReadyAnswer } from './question.ts';
import { between, Columns, exactSum, periodOf, where } from './sql-parts.ts';
import { reasonWords, WITHIN_A_PARTY } from './transfer-words.ts';

/** What came to the accounts of a party and what left them, by asset and time. */
export async function received({ dataset, names, values, signal }: QuestionGround): Promise<ReadyAnswer> {
  const columns = new Columns(tableFor(dataset, 'what was received', 'ledger'));
  const parties = partiesOf('received', values.parties);
  const map = accountMap(parties, names);
  const { asset, types = false } = values;
  const conditions = [
    'other.id IS NULL',
    'own.transfer_id IS NULL',
    ...(asset === undefined ? [] : [`moves.asset = ${sqlText(idMeant(names, 'asset', asset))}`]),
    ...between('moves.time', values),
  ];
  const unclear = `coalesce(moves.type IN (${WITHIN_A_PARTY.map(sqlText).join(', ')}), false)`;
  const sql = `WITH ${map.sql},
${movesSql(columns)}
SELECT moves.party, moves.asset, ${periodOf('moves.time', values.by)} AS period,${types ? ' moves.type AS reason,' : ''}
  ${exactSum('received', `NOT ${unclear}`)} AS received,
  ${exactSum('sent', `NOT ${unclear}`)} AS sent,
  ${exactSum('received', unclear)} AS unclear_received,
  ${exactSum('sent', unclear)} AS unclear_sent,
  count(*) FILTER (WHERE NOT ${unclear}) AS moves,
  count(*) FILTER (WHERE ${unclear}) AS unclear,
  count(*) FILTER (WHERE moves.type IS NULL) AS unsaid,
  count(*) FILTER (WHERE coalesce(octet_length(moves.transfer_id), 0) = 0 AND ${OF_TRANSFER}) AS unpaired,
  count(*) FILTER (WHERE octet_length(moves.transfer_id) > 0 AND half.transfer_id IS NULL AND ${OF_TRANSFER}) AS halved
FROM moves
-- a move between two accounts of one party is neither received nor sent
LEFT JOIN accounts AS other ON other.id = moves.other_id AND other.party = moves.party
LEFT JOIN own_transfers AS own ON own.transfer_id = moves.transfer_id AND own.party = moves.party AND ${OF_TRANSFER}
LEFT JOIN halves AS half ON half.transfer_id = moves.transfer_id AND half.type <> moves.type AND ${OF_TRANSFER}${where(conditions)}
GROUP BY ALL
ORDER BY ALL`;
  const shown = columnsOf(names, { hasParties: parties.length > 1, by: values.by ?? 'month', types });
  const { raw, ...answer } = answerOf(sql, await dataset.database.all(sql, signal), shown);
  const unknown = unknownPlaces(raw, 'asset', assetPlaces(names), 'the decimals of asset');
  return { ...answer, notes: [...map.notes, ...oddMoves(raw), ...unknown] };
}

/** What else has the id of a transfer, as a fee would, is no half of it. */
const SEND = 'TRANSFER_TYPE_TRANSFER_FUNDS_SEND';
const DISTRIBUTE = 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE';
const OF_TRANSFER = `moves.type IN ('${SEND}', '${DISTRIBUTE}')`;

/** Each move twice, as its two accounts see it, where they are the parties' own; and what is known of transfers. */
function movesSql(columns: Columns): string {
  const transfer = columns.has('transfer_id') ? columns.id('transfer_id') : 'NULL::BLOB';
  const [from, to, quantity] = [columns.id('account_from_id'), columns.id('account_to_id'), columns.whole('quantity')];
  const common = `party, asset, ${columns.time('vega_time')} AS time, ledger.${columns.plain('type')} AS type, ${transfer} AS transfer_id`;
  return `${transfersSql(columns)},
moves AS (
  SELECT ${common}, ${from} AS other_id, ${quantity} AS received, NULL::BIGNUM AS sent
  FROM ledger JOIN accounts ON accounts.id = ${to}
  UNION ALL
  SELECT ${common}, ${to}, NULL::BIGNUM, ${quantity}
  FROM ledger JOIN accounts ON accounts.id = ${from}
)`;
}

/** A transfer passes through an account of the network, in two moves with its id: which of them are here, and whose both are. */
function transfersSql(columns: Columns): string {
  if (!columns.has('transfer_id'))
    return `halves AS (SELECT NULL::BLOB AS transfer_id, '' AS type WHERE false),
own_transfers AS (SELECT NULL::BLOB AS transfer_id, '' AS party WHERE false)`;
  const transfer = columns.id('transfer_id');
  const type = `ledger.${columns.plain('type')}`;
  const of = (half: string, account: 'account_from_id' | 'account_to_id'): string =>
    `SELECT ${transfer} AS transfer_id, party FROM ledger JOIN accounts ON accounts.id = ${columns.id(account)}
  WHERE ${type} = '${half}' AND octet_length(${transfer}) > 0`;
  return `halves AS (
  SELECT DISTINCT ${transfer} AS transfer_id, ${type} AS type FROM ledger
  WHERE ${type} IN ('${SEND}', '${DISTRIBUTE}') AND octet_length(${transfer}) > 0
),
own_transfers AS (
  -- a transfer of a party to itself
  ${of(SEND, 'account_from_id')}
  INTERSECT
  ${of(DISTRIBUTE, 'account_to_id')}
)`;
}

interface Shown {
  readonly hasParties: boolean;
  readonly by: 'day' | 'month';
  readonly types: boolean;
}

function columnsOf(names: Directory, { hasParties, by, types }: Shown): readonly MadeColumn[] {
  const places = assetPlaces(names);
  const party = namedColumns(names, 'party', 'party').filter(column => hasParties || column.in === 'data');
  const reason: MadeColumn = { ...textColumn('reason', 'why'), in: 'table', cell: row => reasonWords(row('reason')) };
  const net = (row: RawRow): string => String(BigInt(row('received') ?? 0) - BigInt(row('sent') ?? 0));
  const withNet = (column: MadeColumn): MadeColumn => ({
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
    { ...countColumn('unclearReceivedSmallest', 'unclear received'), in: 'data', cell: row => row('unclear_received') },
    { ...countColumn('unclearSentSmallest', 'unclear sent'), in: 'data', cell: row => row('unclear_sent') },
  ];
}

/** What cannot be counted with certainty, in words. */
function oddMoves(rows: readonly RawRow[]): readonly string[] {
  const total = (column: string): bigint => rows.reduce((sum, row) => sum + BigInt(row(column) ?? 0), 0n);
  const said = (count: bigint, words: string): readonly string[] =>
    count === 0n ? [] : [`${countOf(count, 'move')} ${words}`];
  return [
    ...said(
      total('unclear'),
      'of a kind that stays with one party, with an account that is not known: neither received nor sent here (the market may be missing from the names)',
    ),
    ...said(total('unsaid'), 'without a word of why the money moved: counted by the accounts'),
    ...said(
      total('unpaired'),
      'of transfers without a transfer id, as old rows are: what a party sent to itself is there as sent and as received',
    ),
    ...said(
      total('halved'),
      'of transfers of which the other half is not in these exports: what a party sent to itself is there as sent, or as received',
    ),
  ];
}
