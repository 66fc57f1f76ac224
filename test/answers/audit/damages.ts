/**
 * Damages single rows of the demo's exports and prints how many of the damages an audit notices.
 *
 *   node test/answers/audit/damages.ts [--damages 1000] [--seed 1]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditExports } from '../../../src/answers/audit/index.ts';
import { openArchives, readExportNames } from '../../../src/answers/index.ts';
import { Dice } from '../../../src/node/demo/seeded-random.ts';
import { type Blocks, type DemoCsv, type DemoTables, demoTables, writeDemoTable } from './demo-tables.ts';

const { values } = parseArgs({
  options: { damages: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});

/** The tables that an audit reads; of each, who or what a row is about and a value that is a number. */
const DAMAGED = {
  ledger: ['account_to_id', 'quantity'],
  balances: ['account_id', 'balance'],
  deposits: ['party_id', 'amount'],
  withdrawals: ['party_id', 'amount'],
  rewards: ['party_id', 'amount'],
  trades: ['buyer', 'size'],
  orders: ['party_id', 'remaining'],
  positions: ['party_id', 'pending_open_volume'],
  blocks: ['', 'height'],
} as const;
const TABLES = [
  'ledger',
  'balances',
  'deposits',
  'withdrawals',
  'rewards',
  'trades',
  'orders',
  'positions',
  'blocks',
] as const;
const KINDS = ['dropped', 'doubled', 'changed by one unit', 'given to another'] as const;
/** One range that begins with the chain, and one that does not. */
const RANGES = [
  [1, 3000],
  [12_001, 14_500],
] as const;

const NOTHING: DemoTables = new Map();

type Damaged = keyof typeof DAMAGED;

interface Score {
  tried: number;
  differs: number;
  look: number;
}

const damaged = TABLES.flatMap(table =>
  KINDS.flatMap(kind => (kind === 'given to another' && DAMAGED[table][0] === '' ? [] : [{ table, kind }])),
);
const folder = await mkdtemp(join(tmpdir(), 'damages-'));
try {
  for (const range of RANGES) await tryRange(range);
} finally {
  await rm(folder, { recursive: true });
}

async function tryRange(range: Blocks): Promise<void> {
  const [tables = NOTHING] = await demoTables(TABLES, [range]);
  for (const table of TABLES) await writeDemoTable(folder, table, tables.get(table) ?? [], range);
  const whole = await auditOf(range, tables);
  console.log(`\nblocks ${range[0]} to ${range[1]}, undamaged: ${whole.verdict}, ${whole.looks} worth a look\n`);
  const dice = new Dice(`damages/${values.seed}/${range[0]}`);
  const scores = new Map(damaged.map(({ table, kind }) => [`${table} ${kind}`, { tried: 0, differs: 0, look: 0 }]));
  for (let count = 0; count < Number(values.damages) / RANGES.length; count++) {
    const { table, kind } = damaged[count % damaged.length] ?? { table: 'ledger' as const, kind: 'dropped' as const };
    const csvs = withDamage(tables.get(table) ?? [], { table, kind, dice });
    await writeDemoTable(folder, table, csvs, range);
    const { verdict, looks } = await auditOf(range, tables).catch(refused);
    await writeDemoTable(folder, table, tables.get(table) ?? [], range);
    score(scores.get(`${table} ${kind}`), verdict !== 'adds-up', looks > whole.looks);
  }
  console.log(`| rows of | ${KINDS.join(' | ')} |\n|---|${KINDS.map(() => '---|').join('')}`);
  for (const table of TABLES) {
    const cells = KINDS.map(kind => cellOf(scores.get(`${table} ${kind}`)));
    console.log(`| \`${table}\` | ${cells.join(' | ')} |`);
  }
}

/** An export that cannot be read is noticed, too. */
function refused(error: unknown) {
  if (error instanceof Error && error.name === 'AnswerError') return { verdict: 'refused', looks: 0 };
  throw error;
}

function score(of: Score | undefined, isDifferent: boolean, isWorthALook: boolean): void {
  if (of === undefined) return;
  of.tried++;
  if (isDifferent) of.differs++;
  else if (isWorthALook) of.look++;
}

/** The share that is noticed; how much of it is only worth a look. */
function cellOf({ tried, differs, look }: Score = { tried: 0, differs: 0, look: 0 }): string {
  const percent = (part: number): string => `${Math.round((100 * part) / tried)} %`;
  if (tried === 0) return '-';
  return `${percent(differs + look)}${look === 0 ? '' : differs === 0 ? ' (look)' : ` (${percent(look)} look)`}`;
}

async function auditOf([from, to]: Blocks, tables: DemoTables) {
  const signal = new AbortController().signal;
  const chain = tables.get('ledger')?.[0]?.name.split('-ledger-')[0] ?? '';
  const digits = (block: number): string => String(block).padStart(6, '0');
  const paths = TABLES.map(table => join(folder, `${chain}-${table}-${digits(from)}-${digits(to)}.zip`));
  const { archives } = await openArchives(paths, { evenIncomplete: false, isToAudit: true, signal });
  const { directory } = readExportNames({ paths, names: [], blocks: [] }, chain);
  const known = { assets: [...directory.assets.keys()], markets: [] };
  const { verdict, checks } = await auditExports({ archives, known, signal });
  return { verdict, looks: checks.reduce((sum, { kind, total }) => sum + (kind === 'look' ? total : 0), 0) };
}

interface Damage {
  readonly table: Damaged;
  readonly kind: (typeof KINDS)[number];
  readonly dice: Dice;
}

/** The CSVs with one row dropped, doubled or changed. Rows that no money moved for, such as open deposits, count, too. */
function withDamage(csvs: readonly DemoCsv[], { table, kind, dice }: Damage): readonly DemoCsv[] {
  const [owner, amount] = DAMAGED[table];
  // A value with a line break is quoted: its lines are no rows.
  const places = csvs.flatMap(({ header, lines }, csv) =>
    lines.flatMap((line, at) => (cellsOf(line).length === header.split(',').length ? [{ csv, at }] : [])),
  );
  const cellsAt = ({ csv, at }: { readonly csv: number; readonly at: number }): readonly string[] =>
    cellsOf(csvs[csv]?.lines[at] ?? '');
  const place = places[dice.below(places.length)] ?? { csv: 0, at: 0 };
  const columns = csvs[place.csv]?.header.split(',') ?? [];
  const cells = cellsAt(place);
  const line = cells.join(',');
  const column = columns.indexOf(kind === 'given to another' ? owner : amount);
  const others = places.map(other => cellsAt(other)[column] ?? '').filter(value => value !== cells[column]);
  const change = dice.chance(50) || cells[column] === '0' ? 1n : -1n;
  const instead = {
    dropped: () => [],
    doubled: () => [line, line],
    'changed by one unit': () => [cells.with(column, String(BigInt(cells[column] ?? '0') + change)).join(',')],
    'given to another': () => [
      cells.with(column, others[dice.below(others.length)] ?? `\\x${'ab'.repeat(32)}`).join(','),
    ],
  }[kind]();
  return csvs.map((csv, at) =>
    at === place.csv ? { ...csv, lines: csv.lines.toSpliced(place.at, 1, ...instead) } : csv,
  );
}

/** The cells of a line as they are written, quotes and all; none of a line that ends in the midst of a value. */
function cellsOf(line: string): readonly string[] {
  const cells = [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell = '']) => cell);
  return cells.join(',') === line ? cells : [];
}
