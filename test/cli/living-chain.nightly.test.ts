import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isJsonObject, parseJson, printJson } from '../../src/chain/api/json.ts';
import { normalizeProvision } from '../../src/chain/resources/liquidity-provisions.ts';
import type { Context } from '../../src/cli/context.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

const START_MS = Date.UTC(2026, 9, 1, 12);
const DAY_MS = 86_400_000;
const DAYS = 10;
const LISTS: readonly (readonly string[])[] = [
  ['list', 'parameters', '--all'],
  ['list', 'bundles', '--all'],
  ['list', 'oracles', '--all'],
  ['list', 'markets', '--all'],
  ['list', 'validators', '--all'],
  ['list', 'fees', '--all'],
  ['segments'],
];

/**
 * Every list that is recorded, as a plain request gives it: without cursors, and with the characters that
 * Go escapes as they are.
 */
async function documents(url: string, { markets, epoch }: { markets: readonly string[]; epoch: number }) {
  const whole = 'pagination.first=5000';
  const paths = [
    `/api/v2/network/parameters?${whole}`,
    `/api/v2/erc20/multisigcontrol/signer/removed/bundles?${whole}`,
    `/api/v2/oracle/specs?${whole}`,
    `/api/v2/markets?${whole}`,
    `/api/v2/assets?${whole}`,
    `/api/v2/nodes?${whole}`,
    ...markets.map(id => `/api/v2/liquidity/provisions?marketId=${id}&live=true&${whole}`),
    ...markets.map(id => `/api/v2/liquidity/all-provisions?marketId=${id}&live=true&${whole}`),
    ...markets.map(id => `/api/v2/liquidity/providers?marketId=${id}&${whole}`),
    ...Array.from({ length: 11 }, (_, ago) => `/api/v2/liquidity/paidfees?epochSeq=${epoch - ago}&${whole}`),
    '/api/v2/networkhistory/segments',
    '/statistics',
    '/api/v2/info',
  ];
  const found = new Map<string, string>();
  for (const path of paths) {
    const reply = await fetch(`${url}${path}`);
    const body = (await reply.text())
      .replaceAll(/"(cursor|startCursor|endCursor)":"[^"]*"/g, '"$1":""')
      .replaceAll(/\\u00(3c|3e|26)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    const head = `${reply.status} ${reply.headers.get('x-block-height')} ${reply.headers.get('x-block-timestamp')}`;
    found.set(path, `${head}\n${body}`);
  }
  return found;
}

/** The text of a flat record, its members as they were sent. */
function flat(pair: string): string {
  const value = parseJson(pair);
  return printJson(isJsonObject(value) ? normalizeProvision(value) : value);
}

it('Every list matches the state of each day, exactly, over ten days of a live chain', async () => {
  let nowMs = START_MS;
  const state = mkdtempSync(join(tmpdir(), 'blockglass-living-'));
  const nodes: RunningNode[] = [];
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
    rmSync(state, { recursive: true, force: true });
  });
  const start = async (options: Parameters<typeof startNode>[0]): Promise<RunningNode> => {
    const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 }, ...options });
    nodes.push(node);
    return node;
  };
  const living = { live: true, provisions: 600, clock: () => nowMs };
  const node = await start(living);
  const context: Partial<Context> = {
    env: { XDG_STATE_HOME: state },
    nowMs: () => nowMs,
    startSnapshot: async recorded => {
      snapshotNode = await start({ recorded });
      return snapshotNode;
    },
  };
  let snapshotNode: RunningNode | undefined;
  const commands = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run([...words], context);
    expect([words, code, err.includes('warning')]).toEqual([words, 0, false]);
    return out;
  };
  const markets: readonly { readonly id: string; readonly state: string }[] = JSON.parse(
    await commands('list', 'markets', '--all', '-o', 'json', '--node', node.url),
  );
  const open = markets.filter(market => !/SETTLED|CLOSED|CANCELLED|REJECTED/.test(market.state)).slice(0, 4);
  const asked = [...LISTS, ...open.map(({ id }) => ['list', 'provisions', '--all', '--live', '--market-id', id])];
  const answers = async (...more: readonly string[]): Promise<readonly string[]> => {
    const all: string[] = [];
    for (const words of asked) all.push(await commands(...words, '-o', 'json', ...more));
    return all;
  };

  const then: (readonly string[])[] = [];
  const lists: { readonly markets: readonly string[]; readonly epoch: number; readonly found: Map<string, string> }[] =
    [];
  for (let day = 0; day < DAYS; day++) {
    nowMs = START_MS + day * DAY_MS;
    // The node computes in this process: a busy machine must not make a list unread.
    await commands('record', '--once', '--timeout', '600', '--node', node.url);
    then.push(await answers('--node', node.url));
    const { statistics } = JSON.parse(await (await fetch(`${node.url}/statistics`)).text());
    const of = { markets: open.map(({ id }) => id), epoch: Number(statistics.epochSeq) };
    lists.push({ ...of, found: await documents(node.url, of) });
  }

  for (const [day, answer] of then.entries()) {
    const date = new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10);
    expect([date, await answers('--at', date, '--node', node.url)]).toEqual([date, answer]);
    const of = lists[day];
    if (of === undefined || snapshotNode === undefined) throw new Error(`nothing of ${date}`);
    for (const [path, body] of await documents(snapshotNode.url, of))
      expect([date, path, body]).toEqual([date, path, of.found.get(path)]);
    // An export has every list of the day.
    const exported = await commands('record', 'export', date);
    for (const [path, body] of of.found) {
      // Stored as the current version of each with the pending one in it.
      if (path.includes('/liquidity/provisions?')) continue;
      const records = path.includes('/all-provisions?') ? recordsOf(path, body).map(flat) : recordsOf(path, body);
      const missing = records.filter(record => !exported.includes(`"record":${record}}`));
      expect([date, path, missing]).toEqual([date, path, []]);
    }
  }
  // What had to happen did.
  const daysOfChange = (at: number): readonly number[] =>
    then.flatMap((answer, day) => (day > 0 && answer[at] !== then[day - 1]?.[at] ? [day] : []));
  expect(daysOfChange(0).length).toBeGreaterThan(7);
  expect([daysOfChange(1), daysOfChange(2), daysOfChange(4)]).toEqual([[5], [7], [1, 5, 9]]);
  expect(daysOfChange(5).length).toBe(DAYS - 1);
  expect(daysOfChange(LISTS.length).length).toBeGreaterThan(3);

  // The same seed and start make the same chain, whenever it is asked.
  const later = nowMs;
  nowMs = START_MS;
  const other = await start(living);
  nowMs = later;
  expect(await answers('--node', other.url, '--timeout', '300')).toEqual(then.at(-1));
}, 600_000);

/** The records of an answer, as they were written. */
function recordsOf(path: string, body: string): readonly string[] {
  const text = body.slice(body.indexOf('\n') + 1);
  if (path === '/statistics') return [text.replace(/^\{"statistics":(.*)\}$/s, '$1')];
  if (path === '/api/v2/info') return [text];
  const [, items = ''] = /\[(.*)\]/s.exec(text) ?? [];
  const records = path.endsWith('/segments') ? items.split(/(?<=\}),(?=\{)/) : items.split(/,"cursor":""\}(?:,|$)/);
  return records.map(record => record.replace(/^\{"node":/, '')).filter(record => record !== '');
}
