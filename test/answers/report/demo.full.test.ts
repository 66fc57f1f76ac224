import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNode } from '../../../src/node/index.ts';
import { run } from '../../cli/run-command.ts';
import { csvsIn } from '../audit/demo-tables.ts';
import { figureNamed, reportOf, sumsCounted, sumsShown } from './read-report.ts';
import { type CsvRow, type Known, rowsOfCsv, SecondBook } from './second-book.ts';

const TABLES = ['ledger', 'balances', 'rewards', 'trades'] as const;

let folder = '';
let parquet = '';
let known: Known = { assets: [], markets: [] };
const rows: Record<(typeof TABLES)[number], readonly CsvRow[]> = { ledger: [], balances: [], rewards: [], trades: [] };

const names = v.looseObject({
  assets: v.array(v.looseTuple([v.string()])),
  markets: v.array(v.looseTuple([v.string(), v.looseObject({ asset: v.string() })])),
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-demo-'));
  parquet = join(folder, 'parquet');
  const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 }, provisions: 100, historyScale: 0.2 });
  for (const table of TABLES)
    await ran(['export', '--table', table, '--from', '1', '--to', '23500', '--out', folder, '--node', node.url]);
  await node.close();
  const files = await readdir(folder);
  for (const file of files.filter(name => name.endsWith('.zip')))
    for (const table of TABLES)
      if (file.includes(`-${table}-`))
        rows[table] = csvsIn(await readFile(join(folder, file))).flatMap(({ header, lines }) =>
          rowsOfCsv(header, lines),
        );
  const file = files.find(name => name.endsWith('.names.json')) ?? '';
  const { assets, markets } = v.parse(names, JSON.parse(await readFile(join(folder, file), 'utf8')));
  known = { assets: assets.map(([id]) => id), markets: markets.map(([id, { asset }]) => ({ id, asset })) };
  await ran(['convert', folder, '--parquet', '--out', parquet]);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function ran(line: readonly string[]): Promise<void> {
  const { code, err } = await run(line);
  if (code !== 0) throw new Error(err);
}

/** A party of the demo that does this, by the rows of the CSVs. */
const PARTIES = {
  'that was liquidated': () => {
    const { buyer = '', seller = '' } = rows.trades.find(({ type }) => type === '3') ?? {};
    return [buyer, seller].find(id => id.length === 66)?.slice(2);
  },
  'with rewards': () => rows.rewards.findLast(({ party_id: id = '' }) => id.length === 66)?.party_id?.slice(2),
  'with trades as a maker': () => {
    const {
      buyer = '',
      seller = '',
      aggressor,
    } = rows.trades.find(({ type, aggressor: of }) => type === '1' && of !== '0') ?? {};
    return (aggressor === '1' ? seller : buyer).slice(2);
  },
  'in no table': () => 'ab'.repeat(32),
} as const;

type Counted = ReturnType<typeof sumsCounted>;

/** What must be in the rows of each party, so that the comparison is of something. */
const HAS: { readonly [kind in keyof typeof PARTIES]: (counted: Counted) => boolean } = {
  'that was liquidated': ({ trades, money }) => trades.closeouts > 0 && Object.keys(money.sent).length > 0,
  'with rewards': ({ rewards }) => Object.keys(rewards).length > 0,
  'with trades as a maker': ({ trades, money }) => trades.fills > 0 && Object.keys(money.received).length > 0,
  'in no table': ({ trades, held, money }) =>
    trades.fills === 0 && [held, ...Object.values(money)].every(sums => Object.keys(sums).length === 0),
};

const KINDS = ['that was liquidated', 'with rewards', 'with trades as a maker', 'in no table'] as const;

describe('Report on the demo chain', () => {
  test.each(KINDS)('The report has the sums of the CSV rows for a party %s', async kind => {
    const party = PARTIES[kind]() ?? '';
    const counted = sumsCounted(new SecondBook(party, known), rows);
    expect(HAS[kind](counted)).toBe(true);
    const report = await reportOf([parquet, '--party', party, '--year', '2026', '--no-audit']);
    expect(sumsShown(report)).toEqual(counted);
    const notes = report.sections.flatMap(each => each.notes);
    expect(notes).toEqual([...new Set(notes)]);
  });

  test('The report prints each figure with the SQL that gives it', async () => {
    const party = PARTIES['that was liquidated']() ?? '';
    const report = await reportOf([parquet, '--party', party, '--no-audit']);
    for (const { id, figures } of report.sections)
      for (const { title, sql } of figures) {
        const { code, out, err } = await run(['query', sql, parquet, '-o', 'json']);
        if (code !== 0) throw new Error(`${id}, ${title}: ${err}`);
        const answered = v.parse(v.array(v.record(v.string(), v.unknown())), JSON.parse(out));
        expect([id, title, answered.length]).toEqual([id, title, figureNamed(report, id, title).records.length]);
        expect([id, title, amounts(answered)]).toEqual([id, title, amounts(figureNamed(report, id, title).records)]);
      }
  });
});

/** The sum of every whole number of some rows, whatever its column is called. */
function amounts(of: readonly Readonly<Record<string, unknown>>[]): bigint {
  const cells = of.flatMap(record =>
    Object.entries(record).flatMap(([name, cell]) =>
      /^(?:received|sent|deposited|withdrawn|restored|allocated|withheld|bonus|amount|opening|change|closing|in|out|paid|volume)(?:Smallest)?$/.test(
        name,
      ) && !(`${name}Smallest` in record)
        ? [String(cell ?? '0')]
        : [],
    ),
  );
  return cells.reduce((sum, cell) => sum + BigInt(cell), 0n);
}
