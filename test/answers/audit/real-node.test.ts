import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/run-command.ts';
import { REAL_NODE } from '../../support/recorded-node.ts';
import { csvsIn, type DemoCsv, writeDemoTable } from './demo-tables.ts';

/** Exports of a real data node; not a part of this repository. */
const EXPORTS = join(REAL_NODE, 'exports');

const report = v.object({
  verdict: v.string(),
  sentence: v.string(),
  counts: v.object({ amounts: v.number(), amountsAgreeing: v.number(), blockNumbers: v.number() }),
  checks: v.array(
    v.object({ name: v.string(), compared: v.object({ values: v.number() }), differences: v.array(v.unknown()) }),
  ),
});

describe.skipIf(!existsSync(EXPORTS))('Exports of a real node', () => {
  let folder = '';
  let count = 0;
  const tables = new Map<string, readonly DemoCsv[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-real-'));
    for (const name of await readdir(EXPORTS)) {
      const table = /^testnet-001-(\w+?)-000001-005000\.zip$/.exec(name)?.[1];
      if (table !== undefined) tables.set(table, csvsIn(await readFile(join(EXPORTS, name))));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const cellsOf = (table: string, column: string): readonly string[] =>
    (tables.get(table) ?? []).flatMap(({ header, lines }) => {
      const at = header.split(',').indexOf(column);
      return lines.map(line => line.split(',')[at] ?? '');
    });

  async function auditOf(place: string) {
    const { code, out, err } = await run(['audit', place, '-o', 'json']);
    if (out === '') throw new Error(err);
    return { code, ...v.parse(report, JSON.parse(out)) };
  }

  /** An audit of the tables without the rows that are later than a time, in these tables. */
  async function cutAfter(time: string, names: readonly string[]) {
    const place = join(folder, String(count++));
    await mkdir(place);
    for (const table of ['blocks', 'ledger', 'balances', 'deposits', 'withdrawals', 'rewards', 'trades']) {
      const csvs = (tables.get(table) ?? []).map(({ header, lines, ...csv }) => {
        const at = header.split(',').indexOf('vega_time');
        const isLate = (line: string): boolean => names.includes(table) && (line.split(',').at(at) ?? '') > time;
        // The JSON in a withdrawal has a comma, behind which the columns are others.
        const isKept = (line: string): boolean => (table === 'withdrawals' ? !names.includes(table) : !isLate(line));
        return { ...csv, header, lines: lines.filter(isKept) };
      });
      await writeDemoTable(place, table, csvs, [1, 5000]);
    }
    return auditOf(place);
  }

  test('The exports of a real node add up in the audit, with as many amounts as their rows have', async () => {
    const { code, verdict, counts, checks, sentence } = await auditOf(EXPORTS);
    expect({ code, verdict, found: checks.filter(({ differences }) => differences.length > 0) }).toEqual({
      ...{ code: 0, verdict: 'adds-up', found: [] },
    });
    const types = cellsOf('ledger', 'type');
    const moves = types.filter(type => /_(?:DEPOSIT|WITHDRAW)$/.test(type)).length;
    const conserved = checks.find(({ name }) => name === 'conservation')?.compared.values ?? 0;
    expect(counts.amounts).toBe(cellsOf('balances', 'balance').length + moves + conserved);
    expect(counts.amountsAgreeing).toBe(counts.amounts);
    expect(counts.blockNumbers).toBe(cellsOf('blocks', 'height').length);
    expect(sentence).toContain('the last ledger row is in block 4864, the last balance row is in block 4864');
  });

  const MONEY = ['ledger', 'balances', 'deposits', 'withdrawals'];

  test.each([
    ['all money', MONEY, 0.5],
    ['all money and rewards', [...MONEY, 'rewards'], 0.5],
    ['all money and trades', [...MONEY, 'trades'], 0.5],
    ['a fifth of all money', MONEY, 0.8],
    ['blocks', ['blocks'], 0.5],
  ] as const)('Exports without the end of %s do not add up in the audit', async (_what, names, share) => {
    const times = cellsOf('ledger', 'vega_time');
    const cut = await cutAfter(times[Math.floor(times.length * share)] ?? '', names);
    expect(cut).toMatchObject({ code: 5, verdict: 'differs' });
  });
});
