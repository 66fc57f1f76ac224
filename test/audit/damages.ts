/**
 * Damages single rows of the demo's exports and prints how many of the damages an audit notices.
 *
 *   node test/audit/damages.ts [--damages 1000] [--seed 1]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openArchives, savedNames } from '../../src/answers/index.ts';
import { auditExports } from '../../src/audit/index.ts';
import { Dice } from '../../src/node/demo/seeded.ts';
import { type Blocks, type DemoCsv, type DemoTables, demoTables, writeDemoTable } from './demo-tables.ts';

const { values } = parseArgs({
  options: { damages: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});

const TABLES = ['ledger', 'balances', 'deposits', 'withdrawals', 'rewards', 'blocks'] as const;
/** Columns of amounts in the tables that are damaged. */
const AMOUNTS = { ledger: 'quantity', balances: 'balance', deposits: 'amount', rewards: 'amount' } as const;
const KINDS = ['dropped', 'doubled', 'changed by one unit'] as const;
/** One range that begins with the chain, and one that does not. */
const RANGES = [
  [1, 2000],
  [12_001, 14_000],
] as const;

const NOTHING: DemoTables = new Map();

type Damaged = keyof typeof AMOUNTS;

interface Score {
  tried: number;
  differs: number;
  look: number;
}

const damaged = (['ledger', 'balances', 'deposits', 'rewards'] as const).flatMap(table =>
  KINDS.map(kind => ({ table, kind })),
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
    const { verdict, looks } = await auditOf(range, tables);
    await writeDemoTable(folder, table, tables.get(table) ?? [], range);
    score(scores.get(`${table} ${kind}`), verdict === 'differs', looks > whole.looks);
  }
  console.log('| row of | damage | tried | *differs* | worth a look only |\n|---|---|---|---|---|');
  for (const { table, kind } of damaged) {
    const { tried, differs, look } = scores.get(`${table} ${kind}`) ?? { tried: 0, differs: 0, look: 0 };
    console.log(`| \`${table}\` | ${kind} | ${tried} | ${share(differs, tried)} | ${share(look, tried)} |`);
  }
}

function score(of: Score | undefined, isDifferent: boolean, isWorthALook: boolean): void {
  if (of === undefined) return;
  of.tried++;
  if (isDifferent) of.differs++;
  else if (isWorthALook) of.look++;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`;
}

async function auditOf([from, to]: Blocks, tables: DemoTables) {
  const signal = new AbortController().signal;
  const chain = tables.get('ledger')?.[0]?.name.split('-ledger-')[0] ?? '';
  const digits = (block: number): string => String(block).padStart(6, '0');
  const paths = TABLES.map(table => join(folder, `${chain}-${table}-${digits(from)}-${digits(to)}.zip`));
  const { archives } = await openArchives(paths, { evenIncomplete: false, isToAudit: true, signal });
  const { directory } = savedNames({ paths, names: [], blocks: [] }, chain);
  const known = { assets: [...directory.assets.keys()], markets: [] };
  const { verdict, checks } = await auditExports({ archives, known, signal });
  return { verdict, looks: checks.reduce((sum, { kind, total }) => sum + (kind === 'look' ? total : 0), 0) };
}

interface Damage {
  readonly table: Damaged;
  readonly kind: (typeof KINDS)[number];
  readonly dice: Dice;
}

/** The CSVs with one row dropped, doubled or changed. Rows of deposits and rewards that no money moved for count, too. */
function withDamage(csvs: readonly DemoCsv[], { table, kind, dice }: Damage): readonly DemoCsv[] {
  const total = csvs.reduce((sum, { lines }) => sum + lines.length, 0);
  let at = dice.below(total);
  return csvs.map(csv => {
    const place = at;
    at -= csv.lines.length;
    const line = csv.lines[place];
    if (place < 0 || line === undefined) return csv;
    const column = csv.header.split(',').indexOf(AMOUNTS[table]);
    const values = line.split(',');
    const change = dice.chance(50) || values[column] === '0' ? 1n : -1n;
    const changed = values.with(column, String(BigInt(values[column] ?? '0') + change)).join(',');
    const instead = kind === 'dropped' ? [] : kind === 'doubled' ? [line, line] : [changed];
    return { ...csv, lines: csv.lines.toSpliced(place, 1, ...instead) };
  });
}
