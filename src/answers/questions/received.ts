import type { Directory } from '../../directory/directory.ts';
import { countOf } from '../../insight/count-of.ts';
import { sqlText } from '../engine/sql-text.ts';
import { accountMap } from './accounts-sql.ts';
import { idMeant, partiesOf } from './asked-for.ts';
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
import { knownIds } from './known-ids.ts';
import { movesSql, OF_TRANSFER } from './moves-sql.ts';
import { ownMoney } from './own-money.ts';
import type { RangedContext, ReadyAnswer } from './question.ts';
import { epochsPaidLater, rowsWithin } from './row-range.ts';
import { Columns, exactSum, periodOf, where } from './sql-parts.ts';
import { reasonWords } from './transfer-words.ts';
import { unknownIds } from './unknown-ids.ts';

/** What a party received and sent, by asset and time; money that is no income has columns of its own. */
export async function received(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, table, range, signal } = context;
  const columns = new Columns(table);
  const parties = partiesOf('received', values.parties);
  const map = accountMap(parties, await knownIds(context));
  const { asset, types = false } = values;
  const tables = `WITH ${map.sql},\n${movesSql(columns)}`;
  const conditions = [
    ...(asset === undefined ? [] : [`asset = ${sqlText(idMeant(names, 'asset', asset))}`]),
    ...rowsWithin(range, 'time'),
  ];
  const sql = `${tables}
SELECT party, asset, ${periodOf('time', values.by)} AS period,${types ? ' type AS reason,' : ''}
  ${exactSum('received', "part = 'income'")} AS received,
  ${exactSum('sent', "part = 'income'")} AS sent,
  ${PARTS.map(({ id }) => `${exactSum('coalesce(received, sent)', `part = '${id}'`)} AS ${id}`).join(',\n  ')},
  ${exactSum('received', BONUS)} AS bonus,
  ${exactSum('received', "part = 'unclear'")} AS unclear_received,
  ${exactSum('sent', "part = 'unclear'")} AS unclear_sent,
  count(*) FILTER (WHERE part = 'income') AS moves,
  count(*) FILTER (WHERE part = 'unclear') AS unclear,
  count(*) FILTER (WHERE type IS NULL) AS unsaid,
  count(*) FILTER (WHERE coalesce(octet_length(transfer_id), 0) = 0 AND ${OF_TRANSFER}) AS unpaired,
  count(*) FILTER (WHERE octet_length(transfer_id) > 0 AND NOT is_whole AND ${OF_TRANSFER}) AS halved
FROM judged${where(["part <> 'own'", ...conditions])}
GROUP BY ALL
ORDER BY ALL`;
  const found = await dataset.database.all(sql, signal);
  const shown = columnsOf(names, { hasParties: parties.length > 1, by: values.by ?? 'month', types });
  const { raw, ...answer } = answerOf(sql, found, shown);
  const all = (query: string) => dataset.database.all(query, signal);
  return {
    ...withoutEmpty(answer),
    notes: [
      ...map.notes,
      ...(await unknownIds(`WITH ${map.sql}`, columns, all)),
      ...apart(raw),
      ...paidLater(epochsPaidLater(range)),
      ...(await ownMoney(`${tables}`, { conditions, names, all })),
      ...oddMoves(raw),
      ...unknownPlaces(raw, 'asset', assetPlaces(names), 'the decimals of asset'),
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
function apart(rows: readonly RawRow[]): readonly string[] {
  const has = (...columns: readonly string[]): boolean =>
    rows.some(row => columns.some(column => BigInt(row(column) ?? 0) !== 0n));
  return [
    ...(has('deposited', 'withdrawn')
      ? ['deposits and withdrawals are neither received nor sent: they stand in columns of their own']
      : []),
    ...(has('restored')
      ? ['restored is what the party had before the network was started again from a checkpoint: it is not received']
      : []),
    ...(has('allocated', 'withheld', 'bonus')
      ? [
          'liquidity fees: allocated is what came to the fee accounts, before penalties; withheld is what was taken from there; received is what arrived, with the bonus',
        ]
      : []),
  ];
}

const paidLater = (epochs: readonly string[]): readonly string[] =>
  epochs.length === 0
    ? []
    : [
        `an epoch's rewards and liquidity fees are paid in the first block of the next epoch: those of epoch ${epochs.join(' and ')} are not in this range`,
      ];

/** Notes on moves that cannot be counted with certainty. */
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
      'of transfers whose other half is not in these exports: what a party sent to itself is there as sent, or as received',
    ),
  ];
}
