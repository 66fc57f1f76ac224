import { expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { readChain } from '../../../src/memory/record/read-chain.ts';
import { openSnapshots } from '../../../src/memory/snapshots/index.ts';
import { DAY_MS, testRecorder } from '../snapshots/made-snapshot.ts';
import { startAlteredNode } from './altered-node.ts';

const START_MS = Date.UTC(2026, 9, 1, 12);

/** Each day another row of each list is missing, and a value is another. */
function changedOn(day: number, path: string, body: string): string {
  if (!body.includes('"edges":[{')) return body;
  const answer = JSON.parse(body);
  const [list] = Object.values<{ edges: { node: object; cursor: string }[]; pageInfo: object }>(answer);
  if (list === undefined || path.endsWith('/markets')) return body;
  const edges = list.edges
    .filter((_, index) => index !== day % (list.edges.length + 3))
    .map((edge, index) => (index === day % 5 ? { ...edge, node: { ...edge.node, asOfDay: day } } : edge));
  const pageInfo = { ...list.pageInfo, startCursor: edges[0]?.cursor ?? '', endCursor: edges.at(-1)?.cursor ?? '' };
  return JSON.stringify({ ...answer, [Object.keys(answer)[0] ?? '']: { edges, pageInfo } });
}

it('Two weeks of snapshots give every list as it was on any day, to the digit', async () => {
  let day = 0;
  const nowMs = (): number => START_MS + day * DAY_MS;
  await using node = await startAlteredNode(2, nowMs);
  node.alter = async (url, own) => {
    // On day 5 one list cannot be read, on day 6 another.
    if (day === 5 && url.pathname.endsWith('/specs')) return { status: 500, body: '{"code":13,"message":"no"}' };
    if (day === 6 && url.pathname.endsWith('/paidfees')) return 'gone';
    return { body: changedOn(day, url.pathname, await own()) };
  };
  const recorder = testRecorder({ chainId: 'demo-chain-1', nowMs });
  const client = createClient({ base: new URL(node.url), random: () => 0 });
  const { signal } = new AbortController();
  const options = { signal, nowMs, longestWaitMs: 5000 };
  const readings: Awaited<ReturnType<typeof readChain>>[] = [];
  for (; day < 14; day++) {
    const reading = await readChain(client, options);
    readings.push(reading);
    recorder.add(reading);
  }
  const snapshots = openSnapshots(recorder.path);
  for (const [index, { lists }] of readings.entries()) {
    // The last one taken up to the end of that day.
    const info = snapshots.at(START_MS + index * DAY_MS + DAY_MS / 2 - 1);
    expect(info?.id).toBe(index + 1);
    expect(snapshots.lists(index + 1).length).toBe(lists.length);
    for (const list of lists) {
      const stored = snapshots.list(index + 1, list);
      if (list.kind === 'unread') expect(stored).toEqual(list);
      else {
        expect(stored?.kind).toBe('read');
        expect(stored?.kind === 'read' && stored.records.toSorted()).toEqual(list.records.toSorted());
      }
    }
  }
  expect(readings.map(({ lists }) => lists.filter(({ kind }) => kind === 'unread').length > 0).indexOf(true)).toBe(5);
  // Something did change each day.
  expect(
    snapshots
      .all()
      .slice(1)
      .every(({ changed }) => changed > 5),
  ).toBe(true);
  expect(snapshots.problems()).toEqual([]);
  snapshots.close();
}, 120_000);
