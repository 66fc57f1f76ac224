import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { folderForTest } from '../history/store/chain-on-disk.ts';
import { parseCsv } from '../node/csv-rows.ts';
import { run } from './run-command.ts';

const PARTIES = 40;

async function rowsOfExport(node: string, table: string): Promise<readonly (readonly (readonly [string, string])[])[]> {
  const out = join(await folderForTest(), `${table}.zip`);
  const words = ['export', '--node', node, '--table', table, '--range', 'all', '--out', out];
  expect((await run(words)).code).toBe(0);
  return Object.values(unzipSync(await readFile(out))).flatMap(csv => {
    const [header = [], ...rows] = parseCsv(new TextDecoder().decode(csv));
    return rows.map(row => header.map((name, index) => [name ?? '', row[index] ?? ''] as const));
  });
}

function add(sums: Map<string, bigint>, key: string, amount: string): void {
  sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount));
}

const hex = (id: string): string => id.replace(/^\\x/, '').toLowerCase();

it('The rewards that are answered from the history are those of the rows of an export, for 40 parties', async () => {
  const nowMs = Date.UTC(2026, 8, 14, 12);
  const node = await startNode({ provisions: 50, clock: () => nowMs, rateLimit: { burst: 2000 } });
  try {
    const history = ['--history', await folderForTest(), '--node', node.url];
    const answer = await run(['answer', 'rewards', '--fetch', '-o', 'json', ...history]);
    expect(answer.code).toBe(0);
    const answered = new Map<string, bigint>();
    const records: readonly { partyId: string; assetId: string; amountSmallest: string }[] = JSON.parse(answer.out);
    for (const { partyId, assetId, amountSmallest } of records) add(answered, `${partyId} ${assetId}`, amountSmallest);
    const exported = new Map<string, bigint>();
    for (const row of await rowsOfExport(node.url, 'rewards')) {
      const value = Object.fromEntries(row);
      add(exported, `${hex(value.party_id ?? '')} ${hex(value.asset_id ?? '')}`, value.amount ?? '');
    }
    const parties = new Set([...exported.keys()].map(key => key.split(' ')[0]));
    expect(parties.size).toBeGreaterThanOrEqual(PARTIES);
    expect([...answered].toSorted()).toEqual([...exported].toSorted());
  } finally {
    await node.close();
  }
}, 120_000);
