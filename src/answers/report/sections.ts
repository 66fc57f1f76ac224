import { sanitize } from '../../base/text/safe-text.ts';
import { type Directory, nameOf } from '../../chain/directory/directory.ts';
import { accountPurpose } from '../../chain/insight/account-purpose.ts';
import type { Holding, PartyTotal, ReadyAnswer } from '../index.ts';
import { balanceLines, moneyBars } from './charts.ts';
import { type AnswerSums, type NamedAmount, sumAnswer, unitAmountText } from './figures.ts';
import type { FigureRecord, ReportFigure, ReportSection } from './report.ts';
import { lowerFirstLetter } from './report-texts.ts';

type FilledSection = Pick<ReportSection, 'figures' | 'notes'>;

/** Money in and out, from the answer `received` by month and type. */
export function moneySection(answer: ReadyAnswer, names: Directory): FilledSection {
  const all = [IN, OUT, DEPOSITED, WITHDRAWN, RESTORED];
  const totals = sumAnswer(answer, { by: [ASSET], amounts: all, without: EMPTY });
  const months = sumAnswer(answer, { by: [ASSET, MONTH], amounts: all, without: EMPTY });
  const kinds = sumAnswer(answer, { by: [ASSET, MONTH, REASON], amounts: [COME, GONE], without: EMPTY });
  const whole = sumAnswer(answer, { by: [ASSET, REASON], amounts: [COME, GONE], without: EMPTY });
  return {
    figures: [
      totalFigure('In the whole range', totals, names),
      amountFigure('By kind', whole, { lead: [kindColumn], amounts: [COME, GONE], names }),
      {
        ...amountFigure('By month', months, { lead: [monthColumn], amounts: all, names }),
        charts: moneyBars(months.records, names),
      },
      {
        ...amountFigure('By kind and month', kinds, { lead: [monthColumn, kindColumn], amounts: [COME, GONE], names }),
        isDetail: true,
      },
    ],
    notes: answer.notes,
  };
}

/** Fees earned, withheld and paid, from the same answer. */
export function feesSection(answer: ReadyAnswer, names: Directory): FilledSection {
  const amounts = [EARNED, PAID, ALLOCATED, WITHHELD, BONUS];
  const only = { column: 'reason', pattern: FEES };
  const kinds = sumAnswer(answer, { by: [ASSET, REASON], amounts, only, without: EMPTY });
  const months = sumAnswer(answer, { by: [ASSET, MONTH], amounts, only, without: EMPTY });
  return {
    figures: [
      amountFigure('By kind', kinds, { lead: [kindColumn], amounts, names }),
      amountFigure('By month', months, { lead: [monthColumn], amounts, names }),
    ],
    notes: [],
  };
}

/** Rewards, from the answer `rewards` by epoch and type. */
export function rewardsSection(answer: ReadyAnswer, names: Directory): FilledSection {
  const amounts = [REWARD, PAYOUTS];
  const kinds = sumAnswer(answer, { by: [ASSET, REASON], amounts });
  const epochs = sumAnswer(answer, { by: [ASSET, EPOCH], amounts });
  const columns = [
    amountColumn(names, REWARD),
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

/** Trades and their fees by month and market: the answer `fills`, unchanged. */
export function tradesSection(
  answer: ReadyAnswer,
  { party, asset }: { readonly party: string; readonly asset: string | undefined },
): FilledSection {
  const ids = answer.columns.map(({ id }) => id);
  const isOfAsset = (row: ReadyAnswer['rows'][number]): boolean =>
    asset === undefined || row[ids.indexOf('assetId')] === asset;
  const rows = answer.rows.filter(isOfAsset);
  const isAmm = (row: ReadyAnswer['rows'][number]): boolean => row[ids.indexOf('partyId')] !== party;
  const hasAmms = rows.some(isAmm);
  const cellOf = (row: ReadyAnswer['rows'][number], at: number): string =>
    sanitize(ids[at] === 'party' ? (isAmm(row) ? 'own AMM' : 'the party') : (row[at] ?? ''));
  const shown = answer.columns.flatMap(({ in: where, title, align }, at) =>
    where === 'data' || (title === 'party' && !hasAmms) ? [] : [{ at, title: capitalizeFirst(title), align }],
  );
  const [lead, values] = [
    shown.filter(({ align }) => align !== 'right'),
    shown.filter(({ align }) => align === 'right'),
  ];
  const markets = [...new Set(rows.map(row => row[ids.indexOf('marketId')] ?? ''))];
  const sql =
    asset === undefined
      ? answer.sql
      : `SELECT * FROM (\n${answer.sql}\n) WHERE market IN (${markets.map(id => `'${id}'`).join(', ') || "''"})`;
  return {
    figures: [
      {
        title: 'By month and market',
        columns: [...lead.map(({ title }) => ({ title, align: 'left' }) as const), WHAT, AMOUNT],
        rows: rows.flatMap(row =>
          values
            .filter(({ at }) => !/^[-0 .]*$/.test(row[at] ?? ''))
            .map(({ at, title }) => [
              ...lead.map(each => cellOf(row, each.at)),
              TRADE_WORDS.get(ids[at] ?? '') ?? lowerFirstLetter(title),
              cellOf(row, at),
            ]),
        ),
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
        : ['only trades on markets that settle in this asset; markets with an unknown asset are left out']),
    ],
  };
}

/** The role of the party in its trades. */
const TRADE_WORDS: ReadonlyMap<string, string> = new Map([
  ['maker', 'trades as maker'],
  ['taker', 'trades as taker'],
  ['auction', 'trades in auctions'],
]);

interface HeldAmounts {
  readonly sql: string;
  readonly rows: readonly Holding[];
  readonly notes: readonly string[];
}

interface BalancesInput {
  readonly daily: ReadyAnswer;
  /** Undefined without a ledger. */
  readonly totals: { readonly sql: string; readonly rows: readonly PartyTotal[] } | undefined;
  readonly names: Directory;
}

/** What each asset and each account was at both ends of the range. */
export function balancesSection(
  { sql, rows, notes }: HeldAmounts,
  { daily, totals, names }: BalancesInput,
): FilledSection {
  const records = rows.map(({ asset, kind, market, opening, change, closing, since }) => ({
    ...{ assetId: asset, account: `ACCOUNT_TYPE_${kind}`, marketId: market === '' ? null : market },
    ...{ openingSmallest: opening, changeSmallest: change, closingSmallest: closing, since },
    agrees: agreementText(opening, change === null ? [null] : [change], closing),
  }));
  const accountColumn: Column = {
    title: 'Account',
    align: 'left',
    cell: ({ account, marketId }) =>
      [accountPurpose(account ?? ''), ...(marketId == null ? [] : [idText(names, 'market', marketId)])].join(', '),
  };
  return {
    figures: [
      ...(totals === undefined ? [] : [totalsFigure(totals, names)]),
      {
        ...stepFigure('Accounts', { records, sql }, { lead: [accountColumn], steps: ACCOUNT_STEPS, names }),
        charts: balanceLines(daily, rows, names),
      },
    ],
    notes,
  };
}

/** For each asset: the amounts at the start, received, sent, under way, and at the end. */
function totalsFigure({ sql, rows }: { readonly sql: string; readonly rows: readonly PartyTotal[] }, names: Directory) {
  const records = rows
    .filter(({ start, came, went, end }) => [start, came, went, end].some(amount => amount !== '0'))
    .map(({ asset, start, came, went, underWay, unclear, end }) => ({
      ...{ assetId: asset, startSmallest: start, inSmallest: came, outSmallest: went },
      ...{ underWaySmallest: underWay, unclearSmallest: unclear, endSmallest: end },
      agrees: agreementText(start, [came, String(-BigInt(went)), underWay, unclear], end),
    }));
  return stepFigure('Each asset', { records, sql }, { lead: [], steps: ASSET_STEPS, names });
}

interface Step {
  readonly id: string;
  readonly words: string;
  /** Left out if it is 0. */
  readonly isRare?: true;
}

const ASSET_STEPS: readonly Step[] = [
  { id: 'startSmallest', words: 'start' },
  { id: 'inSmallest', words: '+ in' },
  { id: 'outSmallest', words: '- out' },
  { id: 'underWaySmallest', words: '+ under way: fees not paid yet, transfers not arrived', isRare: true },
  { id: 'unclearSmallest', words: '+ from or to unknown accounts', isRare: true },
  { id: 'endSmallest', words: '= end' },
];

const ACCOUNT_STEPS: readonly Step[] = [
  { id: 'openingSmallest', words: 'start', isRare: true },
  { id: 'changeSmallest', words: 'change', isRare: true },
  { id: 'closingSmallest', words: 'end' },
];

interface Steps {
  readonly lead: readonly Column[];
  readonly steps: readonly Step[];
  readonly names: Directory;
}

/** A line for each step from the start to the end, and another one if they do not add up. */
function stepFigure(title: string, { records, sql }: AnswerSums, { lead, steps, names }: Steps): ReportFigure {
  const columns = [assetColumn(names), ...lead];
  const rows = records.flatMap(record => {
    const leading = columns.map(({ cell }) => cell(record));
    const lines = steps
      .filter(({ id, isRare }) => isRare !== true || (record[id] !== '0' && record[id] !== undefined))
      .map(({ id, words }) => {
        const value = record[id];
        return [...leading, words, value == null ? 'not known' : unitAmountText(names, record.assetId ?? '', value)];
      });
    return record.agrees === 'no' ? [...lines, [...leading, 'DOES NOT FIT: see the audit', '']] : lines;
  });
  return longFigure(title, { records, sql }, { lead: columns, rows });
}

/** Whether the start and the movements add up to the end; null if unknown. */
function agreementText(start: string | null, moved: readonly (string | null)[], end: string | null): string | null {
  const amounts = [start, ...moved, end].filter(amount => amount !== null);
  if (start === null || end === null || amounts.length < moved.length + 2) return null;
  const sum = [start, ...moved].reduce((total, amount) => total + BigInt(amount ?? 0), 0n);
  return sum === BigInt(end) ? 'yes' : 'no';
}

interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (record: FigureRecord) => string;
}

function figure(title: string, { records, sql }: AnswerSums, columns: readonly Column[]): ReportFigure {
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

interface Amounts {
  /** Next to the asset. */
  readonly lead: readonly Column[];
  readonly amounts: readonly NamedAmount[];
  readonly names: Directory;
}

/** One line per amount that is not 0: so no number is ever too wide for the page. */
function amountFigure(title: string, { records, sql }: AnswerSums, { lead, amounts, names }: Amounts): ReportFigure {
  const columns = [assetColumn(names), ...lead];
  const rows = records.flatMap(record =>
    amounts
      .filter(({ id }) => BigInt(record[id] ?? 0) !== 0n)
      .map(({ id, title: words }) => [
        ...columns.map(({ cell }) => cell(record)),
        lowerFirstLetter(words),
        unitAmountText(names, record.assetId ?? '', record[id] ?? '0'),
      ]),
  );
  return longFigure(title, { records, sql }, { lead: columns, rows });
}

interface Lines {
  readonly lead: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

const longFigure = (title: string, { records, sql }: AnswerSums, { lead, rows }: Lines): ReportFigure => ({
  ...{ title, sql, records, charts: [], isDetail: false },
  columns: [...lead.map(({ title: head, align }) => ({ title: head, align })), WHAT, AMOUNT],
  rows: rows.map(row => row.map(sanitize)),
});

const WHAT = { title: 'What', align: 'left' } as const;
const AMOUNT = { title: 'Amount', align: 'right' } as const;

/** One line per amount: a narrow screen has room for it. Amounts that are 0 for an asset are left out. */
function totalFigure(title: string, { records, sql }: AnswerSums, names: Directory): ReportFigure {
  const lines = records.flatMap(record => {
    const net = BigInt(record.receivedSmallest ?? 0) - BigInt(record.sentSmallest ?? 0);
    const all: FigureRecord = { ...record, netSmallest: String(net) };
    return TOTALS.filter(({ id, isAlways }) => isAlways || BigInt(all[id] ?? 0) !== 0n).map(({ id, words }) => [
      idText(names, 'asset', record.assetId ?? ''),
      words,
      unitAmountText(names, record.assetId ?? '', all[id] ?? '0'),
    ]);
  });
  return longFigure(title, { records, sql }, { lead: [assetColumn(names)], rows: lines });
}

const TOTALS = [
  { id: 'receivedSmallest', words: 'received', isAlways: true },
  { id: 'sentSmallest', words: 'sent', isAlways: true },
  { id: 'netSmallest', words: 'net', isAlways: true },
  { id: 'depositedSmallest', words: 'deposited', isAlways: false },
  { id: 'withdrawnSmallest', words: 'withdrawn', isAlways: false },
  { id: 'restoredSmallest', words: 'restored from a checkpoint', isAlways: false },
] as const;

const ASSET = { id: 'assetId', sql: 'asset' } as const;
const MONTH = { id: 'month', sql: 'period' } as const;
const REASON = { id: 'reason', sql: 'reason', also: ['why'] } as const;
const EPOCH = { id: 'epoch', sql: 'epoch' } as const;

const smallestAmount = (id: string, sql: string, title: string): NamedAmount => ({
  id: `${id}Smallest`,
  title,
  parts: [{ id: `${id}Smallest`, sql }],
});
const IN = smallestAmount('received', 'received', 'Received');
const OUT = smallestAmount('sent', 'sent', 'Sent');
const DEPOSITED = smallestAmount('deposited', 'deposited', 'Deposited');
const WITHDRAWN = smallestAmount('withdrawn', 'withdrawn', 'Withdrawn');
const RESTORED = smallestAmount('restored', 'restored', 'Restored');
const ALLOCATED = smallestAmount('allocated', 'allocated', 'LP allocated');
const WITHHELD = smallestAmount('withheld', 'withheld', 'LP withheld');
const EARNED: NamedAmount = { ...IN, title: 'Earned' };
const PAID: NamedAmount = { ...OUT, title: 'Paid' };
const BONUS: NamedAmount = smallestAmount('bonus', 'bonus', 'LP bonus');
const COME: NamedAmount = {
  id: 'inSmallest',
  title: 'In',
  parts: [IN, DEPOSITED, RESTORED].flatMap(({ parts }) => parts),
};
const GONE: NamedAmount = { id: 'outSmallest', title: 'Out', parts: [OUT, WITHDRAWN].flatMap(({ parts }) => parts) };
const REWARD = smallestAmount('amount', 'amount', 'Amount');
const PAYOUTS: NamedAmount = { id: 'payouts', title: 'Payouts', parts: [{ id: 'payouts', sql: 'payouts' }] };

/** Lines without any amount: movements between own accounts only. */
const EMPTY = 'zero';

/** Types of fees, and of amounts withheld from providers. */
const FEES = 'FEE|SLA_PERFORMANCE';

const assetColumn = (names: Directory): Column => ({
  title: 'Asset',
  align: 'left',
  cell: record => idText(names, 'asset', record.assetId ?? ''),
});
const monthColumn: Column = { title: 'Month', align: 'left', cell: record => record.month ?? '' };
const kindColumn: Column = { title: 'Kind', align: 'left', cell: record => record.why ?? record.reason ?? '' };
const poolColumn: Column = { ...kindColumn, title: 'For' };

const amountColumn = (names: Directory, { id, title }: NamedAmount): Column => ({
  title,
  align: 'right',
  cell: record => unitAmountText(names, record.assetId ?? '', record[id] ?? '0'),
});

const idText = (names: Directory, entity: 'asset' | 'market', id: string): string =>
  nameOf(names, entity, id) ?? sanitize(id);

const capitalizeFirst = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
