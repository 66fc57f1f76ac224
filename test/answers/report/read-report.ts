import * as v from 'valibot';
import { openDataset, readExportNames, selectExports } from '../../../src/answers/index.ts';
import {
  makeEvents,
  makeJournal,
  makeReport,
  REPORTED_TABLES,
  type ReportRequest,
} from '../../../src/answers/report/index.ts';
import { run } from '../../cli/run-command.ts';
import type { SecondBook, Sums } from './second-book.ts';

const record = v.record(v.string(), v.nullable(v.string()));
const figure = v.object({
  title: v.string(),
  columns: v.array(v.object({ title: v.string(), align: v.string() })),
  sql: v.string(),
  rows: v.array(v.array(v.string())),
  records: v.array(record),
});
const section = v.object({
  id: v.string(),
  figures: v.array(figure),
  notes: v.array(v.string()),
  gap: v.nullable(v.object({ why: v.string(), command: v.string() })),
});
const page = v.object({
  asked: v.string(),
  warnings: v.array(v.string()),
  sections: v.array(section),
  archives: v.array(v.object({ name: v.string(), sha256: v.string() })),
  audit: v.looseObject({ kind: v.string() }),
  witnesses: v.array(v.string()),
});

export type ReadReport = v.InferOutput<typeof page>;
export type ReadFigure = v.InferOutput<typeof figure>;

/** Reports on the exports of a folder, opened once. */
export async function openReports(folder: string) {
  const signal = new AbortController().signal;
  const selected = await selectExports([folder], { tables: REPORTED_TABLES });
  const { paths } = selected;
  const dataset = await openDataset({ paths, signal });
  const { directory: names, saved, witnesses } = readExportNames(selected, dataset.chainId);
  const ground = { dataset, names, saved, witnesses, audited: [], noAudit: 'not here', program: 'x', nowMs: 0, signal };
  return {
    report: async (request: Omit<ReportRequest, 'asked'>): Promise<ReadReport> =>
      v.parse(page, JSON.parse(JSON.stringify(await makeReport({ asked: 'here', ...request }, ground)))),
    journal: async (party: string): Promise<string> => (await makeJournal({ asked: 'here', party }, ground)).text,
    events: async (party: string, identifiers: ReadonlyMap<string, string> = new Map()): Promise<string> =>
      (await makeEvents({ asked: 'here', party }, ground, identifiers)).text,
    [Symbol.asyncDispose]: () => dataset.close(),
  };
}

export async function reportOf(words: readonly string[]): Promise<ReadReport> {
  const { out, err } = await run(['report', ...words, '-o', 'json']);
  if (out === '') throw new Error(err);
  return v.parse(page, JSON.parse(out));
}

export function figureNamed({ sections }: ReadReport, id: string, title: string): ReadFigure {
  const found = sections.find(each => each.id === id)?.figures.find(each => each.title === title);
  if (found === undefined) throw new Error(`no figure ${title} in ${id}`);
  return found;
}

const total = ({ records }: ReadFigure, by: string, column: string): Record<string, bigint> => {
  const sums: Record<string, bigint> = {};
  for (const each of records) {
    const key = each[by] ?? '';
    sums[key] = (sums[key] ?? 0n) + BigInt(each[column] ?? 0);
  }
  return withoutZeros(sums);
};

const withoutZeros = (sums: Record<string, bigint>): Record<string, bigint> =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));

/** The sums of a report by asset, from every figure that has them. */
export function sumsShown(report: ReadReport) {
  const money = figureNamed(report, 'money', 'In the whole range');
  const fees = figureNamed(report, 'fees', 'By kind');
  const of = (figureOf: ReadFigure, column: string) => total(figureOf, 'assetId', `${column}Smallest`);
  const months = figureNamed(report, 'money', 'By month');
  return {
    money: {
      ...{ received: of(money, 'received'), sent: of(money, 'sent'), deposited: of(money, 'deposited') },
      ...{ withdrawn: of(money, 'withdrawn'), restored: of(money, 'restored') },
    },
    byMonth: { received: of(months, 'received'), sent: of(months, 'sent') },
    fees: { allocated: of(fees, 'allocated'), withheld: of(fees, 'withheld'), bonus: of(fees, 'bonus') },
    rewards: of(figureNamed(report, 'rewards', 'By kind'), 'amount'),
    rewardsByEpoch: of(figureNamed(report, 'rewards', 'By epoch'), 'amount'),
    trades: tradesShown(figureNamed(report, 'trades', 'By month and market')),
    held: of(figureNamed(report, 'balances', 'Accounts'), 'closing'),
    fits: figureNamed(report, 'balances', 'Accounts').records.every(each => each.agrees === 'yes'),
  };
}

const tradesShown = ({ records }: ReadFigure) => {
  const count = (...columns: readonly string[]): number =>
    records.reduce((sum, each) => sum + columns.reduce((of, column) => of + Number(each[column] ?? 0), 0), 0);
  return {
    fills: count('maker', 'taker', 'auction'),
    closeouts: count('closeouts'),
    paid: records.reduce((sum, each) => sum + BigInt(each.paidSmallest ?? 0), 0n),
  };
};

type Rows = Parameters<SecondBook['money']>[0];

/** The same from the rows of the CSVs. */
export function sumsCounted(
  book: SecondBook,
  { ledger, rewards, trades, balances }: Readonly<Record<'ledger' | 'rewards' | 'trades' | 'balances', Rows>>,
) {
  const money = book.money(ledger);
  const of = (column: keyof Sums): Record<string, bigint> =>
    withoutZeros(Object.fromEntries([...money].map(([asset, sums]) => [asset, sums[column]])));
  const paid = withoutZeros(Object.fromEntries(book.rewards(rewards)));
  return {
    money: {
      ...{ received: of('received'), sent: of('sent'), deposited: of('deposited') },
      ...{ withdrawn: of('withdrawn'), restored: of('restored') },
    },
    byMonth: { received: of('received'), sent: of('sent') },
    fees: { allocated: of('allocated'), withheld: of('withheld'), bonus: of('bonus') },
    rewards: paid,
    rewardsByEpoch: paid,
    trades: book.trades(trades),
    held: withoutZeros(Object.fromEntries(book.held(balances))),
    fits: true,
  };
}
