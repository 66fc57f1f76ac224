import type { Holding, ReadyAnswer } from '../answers/index.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import { accountWords } from '../insight/account-words.ts';
import { sanitize } from '../text/safe-text.ts';
import { balanceLines, moneyBars } from './charts.ts';
import { amountIn, type NamedAmount, type Summed, summed } from './figures.ts';
import type { FigureRecord, ReportFigure, ReportSection } from './report.ts';

type Filled = Pick<ReportSection, 'figures' | 'notes'>;

/** Money in and out, from the answer `received` by month and type. */
export function moneySection(answer: ReadyAnswer, names: Directory): Filled {
  const all = [IN, OUT, DEPOSITED, WITHDRAWN, RESTORED];
  const totals = summed(answer, { by: [ASSET], amounts: all, without: EMPTY });
  const months = summed(answer, { by: [ASSET, MONTH], amounts: all, without: EMPTY });
  const kinds = summed(answer, { by: [ASSET, MONTH, REASON], amounts: [COME, GONE], without: EMPTY });
  const whole = summed(answer, { by: [ASSET, REASON], amounts: [COME, GONE], without: EMPTY });
  return {
    figures: [
      totalFigure('In the whole range', totals, names),
      figure('By kind', whole, [assetColumn(names), kindColumn, ...amountColumns(names, [COME, GONE])]),
      {
        ...figure('By month', months, [assetColumn(names), monthColumn, ...amountColumns(names, thereIn(months, all))]),
        charts: moneyBars(months.records, names),
      },
      {
        ...figure('By kind and month', kinds, [
          ...[assetColumn(names), monthColumn, kindColumn],
          ...amountColumns(names, [COME, GONE]),
        ]),
        isDetail: true,
      },
    ],
    notes: answer.notes,
  };
}

/** Fees earned, withheld and paid, from the same answer. */
export function feesSection(answer: ReadyAnswer, names: Directory): Filled {
  const amounts = [EARNED, PAID, ALLOCATED, WITHHELD, BONUS];
  const only = { column: 'reason', pattern: FEES };
  const kinds = summed(answer, { by: [ASSET, REASON], amounts, only, without: EMPTY });
  const months = summed(answer, { by: [ASSET, MONTH], amounts, only, without: EMPTY });
  const columns = amountColumns(names, thereIn(kinds, amounts));
  return {
    figures: [
      figure('By kind', kinds, [assetColumn(names), kindColumn, ...columns]),
      figure('By month', months, [assetColumn(names), monthColumn, ...columns]),
    ],
    notes: [],
  };
}

/** Rewards, from the answer `rewards` by epoch and type. */
export function rewardsSection(answer: ReadyAnswer, names: Directory): Filled {
  const amounts = [REWARD, PAYOUTS];
  const kinds = summed(answer, { by: [ASSET, REASON], amounts });
  const epochs = summed(answer, { by: [ASSET, EPOCH], amounts });
  const columns = [
    ...amountColumns(names, [REWARD]),
    { title: 'Payouts', align: 'right', cell: (record: FigureRecord) => record.payouts ?? '' } as const,
  ];
  return {
    figures: [
      figure('By kind', kinds, [assetColumn(names), poolColumn, ...columns]),
      {
        ...figure('By epoch', epochs, [
          assetColumn(names),
          { title: 'Epoch', align: 'right', cell: record => record.epoch ?? '' },
          ...columns,
        ]),
        isDetail: true,
      },
    ],
    notes: answer.notes,
  };
}

/** Trades and their fees by month and market: the answer `fills` as it is. */
export function tradesSection(
  answer: ReadyAnswer,
  { party, asset }: { readonly party: string; readonly asset: string | undefined },
): Filled {
  const ids = answer.columns.map(({ id }) => id);
  const isOfAsset = (row: ReadyAnswer['rows'][number]): boolean =>
    asset === undefined || row[ids.indexOf('assetId')] === asset;
  const rows = answer.rows.filter(isOfAsset);
  const isAmm = (row: ReadyAnswer['rows'][number]): boolean => row[ids.indexOf('partyId')] !== party;
  const hasAmms = rows.some(isAmm);
  const shownCell = (row: ReadyAnswer['rows'][number], at: number): string =>
    ids[at] === 'party' ? (isAmm(row) ? 'own AMM' : 'the party') : (row[at] ?? '');
  const shown = answer.columns.flatMap(({ in: where, title, align }, at) =>
    where === 'data' || (title === 'party' && !hasAmms) ? [] : [{ at, title: capital(title), align }],
  );
  const markets = [...new Set(rows.map(row => row[ids.indexOf('marketId')] ?? ''))];
  const sql =
    asset === undefined
      ? answer.sql
      : `SELECT * FROM (\n${answer.sql}\n) WHERE market IN (${markets.map(id => `'${id}'`).join(', ') || "''"})`;
  return {
    figures: [
      {
        title: 'By month and market',
        columns: shown.map(({ title, align }) => ({ title, align })),
        rows: rows.map(row => shown.map(({ at }) => sanitize(shownCell(row, at)))),
        records: rows.map(row =>
          Object.fromEntries(
            answer.columns.flatMap((column, at) => (column.in === 'table' ? [] : [[column.id, row[at] ?? null]])),
          ),
        ),
        sql,
        charts: [],
        isDetail: false,
      },
    ],
    notes: [
      ...answer.notes,
      ...(asset === undefined
        ? []
        : ['trades are those on markets that settle in the asset; markets whose asset is not known here are left out']),
    ],
  };
}

interface Held {
  readonly sql: string;
  readonly rows: readonly Holding[];
  readonly notes: readonly string[];
}

/** What each account held at both ends of the range. */
export function balancesSection({ sql, rows, notes }: Held, daily: ReadyAnswer | undefined, names: Directory): Filled {
  const amount = (record: FigureRecord, id: string): string => {
    const value = record[id];
    return value == null ? 'not known' : amountIn(names, record.assetId ?? '', value);
  };
  const records = rows.map(({ asset, kind, market, opening, change, closing, since }) => ({
    ...{ assetId: asset, account: `ACCOUNT_TYPE_${kind}`, marketId: market === '' ? null : market },
    ...{ openingSmallest: opening, changeSmallest: change, closingSmallest: closing, since },
    agrees: agreesOf({ opening, change, closing }),
  }));
  const isJudged = records.some(({ agrees }) => agrees !== null);
  const columns: readonly Column[] = [
    assetColumn(names),
    { title: 'Account', align: 'left', cell: record => accountWords(record.account ?? '') },
    {
      title: 'Market',
      align: 'left',
      cell: record => (record.marketId == null ? '' : idText(names, 'market', record.marketId)),
    },
    { title: 'Start', align: 'right', cell: record => amount(record, 'openingSmallest') },
    { title: 'Change', align: 'right', cell: record => amount(record, 'changeSmallest') },
    { title: 'End', align: 'right', cell: record => amount(record, 'closingSmallest') },
    ...(isJudged
      ? [{ title: 'Fits', align: 'left', cell: (record: FigureRecord) => record.agrees ?? '' } as const]
      : []),
  ];
  return {
    figures: [
      {
        ...figure('Accounts', { records, sql }, columns),
        charts: daily === undefined ? [] : balanceLines(daily, rows, names),
      },
    ],
    notes,
  };
}

/** Whether the start and what the ledger moved give the end; null if that cannot be said. */
function agreesOf({ opening, change, closing }: Pick<Holding, 'opening' | 'change' | 'closing'>): string | null {
  if (opening === null || change === null || closing === null) return null;
  return BigInt(opening) + BigInt(change) === BigInt(closing) ? 'yes' : 'no';
}

interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (record: FigureRecord) => string;
}

function figure(title: string, { records, sql }: Summed, columns: readonly Column[]): ReportFigure {
  return {
    title,
    sql,
    records,
    columns: columns.map(({ title: head, align }) => ({ title: head, align })),
    rows: records.map(record => columns.map(({ cell }) => sanitize(cell(record)))),
    charts: [],
    isDetail: false,
  };
}

/** One line per amount: a narrow screen has room for it. Amounts that are 0 for an asset are left out. */
function totalFigure(title: string, { records, sql }: Summed, names: Directory): ReportFigure {
  const lines = records.flatMap(record => {
    const net = BigInt(record.receivedSmallest ?? 0) - BigInt(record.sentSmallest ?? 0);
    const all: FigureRecord = { ...record, netSmallest: String(net) };
    return TOTALS.filter(({ id, isAlways }) => isAlways || BigInt(all[id] ?? 0) !== 0n).map(({ id, words }) => [
      idText(names, 'asset', record.assetId ?? ''),
      words,
      amountIn(names, record.assetId ?? '', all[id] ?? '0'),
    ]);
  });
  return {
    title,
    sql,
    records,
    columns: [
      { title: 'Asset', align: 'left' },
      { title: 'What', align: 'left' },
      { title: 'Amount', align: 'right' },
    ],
    rows: lines,
    charts: [],
    isDetail: false,
  };
}

const TOTALS = [
  { id: 'receivedSmallest', words: 'received', isAlways: true },
  { id: 'sentSmallest', words: 'sent', isAlways: true },
  { id: 'netSmallest', words: 'received less sent', isAlways: true },
  { id: 'depositedSmallest', words: 'deposited', isAlways: false },
  { id: 'withdrawnSmallest', words: 'withdrawn', isAlways: false },
  { id: 'restoredSmallest', words: 'restored from a checkpoint', isAlways: false },
] as const;

const ASSET = { id: 'assetId', sql: 'asset' } as const;
const MONTH = { id: 'month', sql: 'period' } as const;
const REASON = { id: 'reason', sql: 'reason', also: ['why'] } as const;
const EPOCH = { id: 'epoch', sql: 'epoch' } as const;

const amountNamed = (id: string, sql: string, title: string): NamedAmount => ({
  id: `${id}Smallest`,
  title,
  parts: [{ id: `${id}Smallest`, sql }],
});
const IN = amountNamed('received', 'received', 'Received');
const OUT = amountNamed('sent', 'sent', 'Sent');
const DEPOSITED = amountNamed('deposited', 'deposited', 'Deposited');
const WITHDRAWN = amountNamed('withdrawn', 'withdrawn', 'Withdrawn');
const RESTORED = amountNamed('restored', 'restored', 'Restored');
const ALLOCATED = amountNamed('allocated', 'allocated', 'LP allocated');
const WITHHELD = amountNamed('withheld', 'withheld', 'LP withheld');
const EARNED: NamedAmount = { ...IN, title: 'Earned' };
const PAID: NamedAmount = { ...OUT, title: 'Paid' };
const BONUS: NamedAmount = amountNamed('bonus', 'bonus', 'LP bonus');
const COME: NamedAmount = {
  id: 'inSmallest',
  title: 'In',
  parts: [IN, DEPOSITED, RESTORED].flatMap(({ parts }) => parts),
};
const GONE: NamedAmount = { id: 'outSmallest', title: 'Out', parts: [OUT, WITHDRAWN].flatMap(({ parts }) => parts) };
const REWARD = amountNamed('amount', 'amount', 'Amount');
const PAYOUTS: NamedAmount = { id: 'payouts', title: 'Payouts', parts: [{ id: 'payouts', sql: 'payouts' }] };

/** Lines without any amount: what was only moved between own accounts. */
const EMPTY = 'zero';

/** Types of fees, and of what is withheld from providers. */
const FEES = 'FEE|SLA_PERFORMANCE';

const assetColumn = (names: Directory): Column => ({
  title: 'Asset',
  align: 'left',
  cell: record => idText(names, 'asset', record.assetId ?? ''),
});
const monthColumn: Column = { title: 'Month', align: 'left', cell: record => record.month ?? '' };
const kindColumn: Column = { title: 'Kind', align: 'left', cell: record => record.why ?? record.reason ?? '' };
const poolColumn: Column = { ...kindColumn, title: 'For' };

const amountColumns = (names: Directory, amounts: readonly NamedAmount[]): readonly Column[] =>
  amounts.map(({ id, title }) => ({
    title,
    align: 'right',
    cell: record => amountIn(names, record.assetId ?? '', record[id] ?? '0'),
  }));

/** The amounts that are not 0 everywhere; the first two always. */
const thereIn = ({ records }: Summed, amounts: readonly NamedAmount[]): readonly NamedAmount[] =>
  amounts.filter(({ id }, at) => at < 2 || records.some(record => BigInt(record[id] ?? 0) !== 0n));

const idText = (names: Directory, entity: 'asset' | 'market', id: string): string =>
  nameOf(names, entity, id) ?? sanitize(id);

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
