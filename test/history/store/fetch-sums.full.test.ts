import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { readNamesFile } from '../../../src/chain/directory/names-file.ts';
import { openHistory } from '../../../src/history/store/chain-history.ts';
import { fetchHistory } from '../../../src/history/store/fetch-history.ts';
import { planFetch } from '../../../src/history/store/plan-fetch.ts';
import { startNode } from '../../../src/node/index.ts';
import { run } from '../../cli/run-command.ts';
import { parseCsv } from '../../node/csv-rows.ts';
import { folderForTest } from './chain-on-disk.ts';

/** Who the rows of a table are about, and the amounts that are added up. */
const SUMMED: { readonly [table: string]: { readonly by: readonly string[]; readonly amounts: readonly string[] } } = {
  ledger: { by: ['account_from_id', 'account_to_id'], amounts: ['quantity'] },
  balances: { by: ['account_id'], amounts: ['balance'] },
  rewards: { by: ['party_id'], amounts: ['amount'] },
  trades: { by: ['buyer', 'seller'], amounts: ['size', 'price'] },
};
const PARTIES = 40;

type Row = ReadonlyMap<string, string>;

function rowsOf(archive: Uint8Array): readonly Row[] {
  return Object.values(unzipSync(archive)).flatMap(csv => {
    const [header = [], ...rows] = parseCsv(new TextDecoder().decode(csv));
    return rows.map(row => new Map(header.map((name, index) => [name ?? '', row[index] ?? ''])));
  });
}

function sums(table: string, rows: readonly Row[]): ReadonlyMap<string, bigint> {
  const { by = [], amounts = [] } = SUMMED[table] ?? {};
  const all = new Map<string, bigint>();
  for (const row of rows)
    for (const column of by)
      for (const amount of amounts) {
        const key = `${column} ${row.get(column)} ${amount}`;
        all.set(key, (all.get(key) ?? 0n) + BigInt(row.get(amount) ?? ''));
      }
  return all;
}

it('Every sum over the slices on disk equals the sum over the rows of exports made apart, for 40 parties', async () => {
  const nowMs = Date.UTC(2026, 8, 14, 12);
  const node = await startNode({ provisions: 50, historyScale: 0.2, clock: () => nowMs, rateLimit: { burst: 1000 } });
  try {
    const [root, apart] = [await folderForTest(), await folderForTest()];
    const client = createClient({ base: baseAddress(node.url) });
    const tables = Object.keys(SUMMED);
    const signal = new AbortController().signal;
    // In two goes, with a part of the range in between, so that slices meet anywhere.
    for (const range of [{ kind: 'between', from: '7001', to: '9000' }, { kind: 'all' }] as const) {
      const plan = await planFetch({ client, root, tables, range, signal, sliceSegments: 3 });
      const result = await fetchHistory({ plan, client, signal, program: 'blockglass test', onProgress: () => {} });
      expect(result).toMatchObject({ kind: 'complete', notes: [] });
    }
    const history = await openHistory(join(root, 'demo-chain-1'));
    const [range, ...others] = history.tables.flatMap(({ ranges }) => ranges);
    expect(others).toEqual(Array.from({ length: tables.length - 1 }, () => range));
    const saved = readNamesFile(join(history.folder, 'names.json'));
    expect(saved?.names.assets.size).toBeGreaterThan(0);
    expect(saved?.epochs.length).toBeGreaterThan(20);
    for (const { table, folder, slices, rows } of history.tables) {
      const out = join(apart, `${table}.zip`);
      const words = ['--table', table, '--from', String(range?.from), '--to', String(range?.to), '--out', out];
      expect((await run(['export', '--node', node.url, ...words])).code).toBe(0);
      const whole = rowsOf(await readFile(out));
      const parts: Row[] = [];
      for (const { file } of slices) parts.push(...rowsOf(await readFile(join(folder, file))));
      expect(parts).toHaveLength(rows);
      const [ours, theirs] = [sums(table, parts), sums(table, whole)];
      const keys = [...theirs.keys()].slice(0, PARTIES * 2);
      expect(keys.length).toBeGreaterThanOrEqual(PARTIES);
      expect(keys.map(key => [key, ours.get(key)])).toEqual(keys.map(key => [key, theirs.get(key)]));
      expect(ours.size).toBe(theirs.size);
      expect((await readdir(folder)).filter(name => !/\.zip$|^manifest\.json$/.test(name))).toEqual([]);
    }
  } finally {
    await node.close();
  }
});
