import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../cli/run-command.ts';
import * as small from './small-export.ts';

let folder = '';
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const difference = v.looseObject({ what: v.string(), party: v.nullable(v.string()), block: v.nullable(v.string()) });
const report = v.strictObject({
  verdict: v.picklist(['adds-up', 'differs', 'cannot-be-judged']),
  checks: v.array(
    v.strictObject({
      name: v.string(),
      kind: v.picklist(['differs', 'look']),
      compared: v.strictObject({ accounts: v.number(), blocks: v.number(), rows: v.number(), values: v.number() }),
      agreed: v.number(),
      differences: v.array(difference),
      blindSpots: v.array(v.string()),
    }),
  ),
});

async function audited(tables: small.Tables, written: small.Written = {}, flags: readonly string[] = []) {
  const place = join(folder, String(count++));
  const paths = await small.writeTables(place, tables, written);
  return auditOf([...paths, ...flags]);
}

/** The verdict, and the number of differences of each check that has some. */
async function auditOf(words: readonly string[]) {
  const { code, out, err } = await run(['audit', ...words, '-o', 'json']);
  if (out === '') throw new Error(err);
  const { verdict, checks } = v.parse(report, JSON.parse(out));
  const found = Object.fromEntries(
    checks.flatMap(({ name, differences }) => (differences.length > 0 ? [[name, differences.length]] : [])),
  );
  return { code, err, verdict, found, checks };
}

test('a sound history adds up, and nothing is worth a look', async () => {
  const { code, verdict, found, checks } = await audited(small.story());
  expect({ code, verdict, found }).toEqual({ code: 0, verdict: 'adds-up', found: {} });
  const compared = Object.fromEntries(checks.map(({ name, compared: { values } }) => [name, values]));
  expect(compared).toMatchInlineSnapshot(`
    {
      "balance-steps": 16,
      "block-numbers": 6,
      "boundaries": 0,
      "conservation": 1,
      "conservation-partial": 0,
      "deposits": 1,
      "liquidity-fees": 2,
      "order-remainders": 3,
      "pending-volume": 2,
      "rewards": 1,
      "skipped-blocks": 6,
      "trade-fees": 3,
      "unlisted-accounts": 0,
      "withdrawals": 1,
    }
  `);
});

describe('exceptions of sound nodes are no differences', () => {
  const withStory = (change: (tables: Required<Record<string, small.Row[]>>) => void): small.Tables => {
    const tables = small.story();
    change(tables);
    return tables;
  };

  test('unchanged balance rows, and ledger rows of quantity 0', async () => {
    const tables = withStory(({ ledger = [], balances = [] }) => {
      ledger.push(small.entry(6, small.GENERAL_1, small.account('MARGIN', small.P1, small.MARKET), 0, 'MARGIN_LOW'));
      balances.push(small.balance(6, small.GENERAL_1, 1086));
    });
    expect(await audited(tables)).toMatchObject({ verdict: 'adds-up', found: {} });
  });
});
