import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TABLE_SCHEMAS } from '../../../src/tables/columns.ts';
import { run } from '../../cli/run-command.ts';
import { type Blocks, type DemoTables, demoTables, writeDemoTable } from './demo-tables.ts';

const WHOLE: Blocks = [1, 17_500];
const SLICES: readonly Blocks[] = [
  [1, 8000],
  [8001, 14_500],
  [14_501, 17_500],
];

let folder: string;
let whole: DemoTables = new Map();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-demo-'));
  const [all = whole, ...slices] = await demoTables([...TABLE_SCHEMAS.keys()], [WHOLE, ...SLICES]);
  whole = all;
  for (const [table, csvs] of whole) await writeDemoTable(await madeFolder('whole'), table, csvs, WHOLE);
  for (const [index, tables] of slices.entries())
    for (const [table, csvs] of tables)
      await writeDemoTable(await madeFolder('slices'), table, csvs, SLICES[index] ?? WHOLE);
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

async function madeFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  return path;
}

const report = v.object({
  verdict: v.string(),
  checks: v.array(
    v.object({
      name: v.string(),
      compared: v.object({ values: v.number(), accounts: v.number(), blocks: v.number() }),
      differences: v.array(v.unknown()),
    }),
  ),
});

async function audited(name: string) {
  const { code, out } = await run(['audit', join(folder, name), '-o', 'json']);
  const { verdict, checks } = v.parse(report, JSON.parse(out));
  const differing = checks.filter(({ differences }) => differences.length > 0).map(check => check.name);
  const compared = new Map(checks.map(check => [check.name, check.compared]));
  return { code, verdict, differing, compared };
}

test.each(['whole', 'slices'])('Thirty epochs of the demo in all 15 tables add up in the audit: %s', async name => {
  const { code, verdict, differing } = await audited(name);
  expect({ code, verdict, differing }).toEqual({ code: 0, verdict: 'adds-up', differing: [] });
});

test('The audit counts match sums computed directly from the CSV lines, which agree with each other', async () => {
  const columns = (table: string, ...names: readonly string[]): readonly (readonly string[])[] =>
    (whole.get(table) ?? []).flatMap(({ header, lines }) => {
      const at = names.map(name => header.split(',').indexOf(name));
      return lines.map(line => at.map(index => line.split(',')[index] ?? ''));
    });
  const ledger = columns('ledger', 'vega_time', 'account_from_id', 'account_to_id', 'quantity', 'type');
  const outside = new Set(
    ledger.flatMap(([, from = '', , , type = '']) => (/DEPOSIT|RESTORE/.test(type) ? [from] : [])),
  );
  const net = new Map<string, bigint>();
  const sums = { in: 0n, out: 0n };
  for (const [time = '', from = '', to = '', quantity = '', type = ''] of ledger) {
    for (const [account, change] of [
      [from, -BigInt(quantity)],
      [to, BigInt(quantity)],
    ] as const)
      if (!outside.has(account)) net.set(`${time} ${account}`, (net.get(`${time} ${account}`) ?? 0n) + change);
    if (/DEPOSIT|RESTORE/.test(type)) sums.in += BigInt(quantity);
    if (/WITHDRAW/.test(type)) sums.out += BigInt(quantity);
  }
  const held = new Map<string, bigint>();
  let steps = 0;
  for (const [time = '', account = '', balance = ''] of columns('balances', 'vega_time', 'account_id', 'balance')) {
    const moved = BigInt(balance) - (held.get(account) ?? 0n);
    expect(moved).toBe(net.get(`${time} ${account}`) ?? 0n);
    net.delete(`${time} ${account}`);
    held.set(account, BigInt(balance));
    steps++;
  }
  expect([...net.values()].filter(left => left !== 0n)).toEqual([]);
  expect([...held.values()].reduce((sum, balance) => sum + balance, 0n)).toBe(sums.in - sums.out);
  const { compared } = await audited('whole');
  const values = (name: string): number => compared.get(name)?.values ?? 0;
  expect(values('balance-steps') + values('boundaries')).toBe(steps);
  expect(compared.get('balance-steps')?.accounts).toBe(held.size);
  expect(values('deposits')).toBe(ledger.filter(([, , , , type]) => type === 'TRANSFER_TYPE_DEPOSIT').length);
  expect(values('withdrawals')).toBe(ledger.filter(([, , , , type]) => type === 'TRANSFER_TYPE_WITHDRAW').length);
  expect(values('rewards')).toBe(columns('rewards', 'amount').length);
  expect(values('block-numbers')).toBe(WHOLE[1]);
});
