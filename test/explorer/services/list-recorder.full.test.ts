import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { STATISTICS_REQUEST } from '../../../src/api/core-status.ts';
import {
  ListRecorder,
  type PartialSnapshot,
  type StoreResult,
} from '../../../src/explorer/services/recording/list-recorder.ts';
import { recordingEffects } from '../../../src/explorer/services/recording/recording.ts';
import { storeInThread } from '../../../src/explorer/services/recording/store-thread.ts';
import { askOverview } from '../../../src/overview/ask-overview.ts';
import { fetchPage } from '../../../src/resources/fetch-page.ts';
import { gatherList } from '../../../src/resources/gather-list.ts';
import { resourceById } from '../../../src/resources/registry.ts';
import { fileOfChain, openRecorder, openSnapshots } from '../../../src/snapshots/index.ts';
import { type AlteredNode, startAlteredNode } from '../../record/altered-node.ts';

let node: AlteredNode;
beforeAll(async () => {
  node = await startAlteredNode();
});
afterAll(() => node[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;

/** A recorder whose clock the test sets, and which stores when the test says that the node was left alone for a moment. */
function recording(store?: (partial: PartialSnapshot) => Promise<StoreResult>) {
  node.requests.length = 0;
  node.alter = () => undefined;
  const stored: PartialSnapshot[] = [];
  let rests: (() => void)[] = [];
  const clock = { nowMs: Date.UTC(2026, 9, 1, 12) };
  const recorder = new ListRecorder(createClient({ base: new URL(node.url), perSecond: 100_000 }), {
    nowMs: () => clock.nowMs,
    wait: () => new Promise(resolve => rests.push(resolve)),
    store:
      store ??
      (async partial => {
        stored.push(partial);
        return { kind: 'stored' };
      }),
  });
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const problems: string[] = [];
  const run = async (): Promise<void> => {
    for (;;) problems.push(await recorder.run(controller.signal));
  };
  run().catch(() => {});
  /** Nothing is asked for long enough. */
  const rest = async (): Promise<void> => {
    for (let turn = 0; turn < 400; turn++) {
      for (const resolve of rests) resolve();
      rests = [];
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  const { client } = recorder;
  const page = (id: string, { size = 5000, filters = {} as { [name: string]: string[] }, after = '' } = {}) =>
    fetchPage(client, resource(id), {
      ...{ filters, size, newestFirst: true },
      position: after === '' ? { kind: 'first' } : { kind: 'after', cursor: after },
    });
  return { client, stored, problems, rest, page, clock };
}

function resource(id: string) {
  const found = resourceById(id);
  if (found === undefined) throw new Error(id);
  return found;
}

const listsIn = (partial: PartialSnapshot | undefined) =>
  (partial?.snapshot.lists ?? []).map(({ list, scope }) => (scope === '' ? list : `${list} ${scope.slice(0, 4)}`));

it('The lists of the overview are stored once it was read, without a request more', async () => {
  const { client, stored, rest } = recording();
  await askOverview(client, { signal: new AbortController().signal });
  const asked = node.requests.length;
  await rest();
  expect(node.requests.length).toBe(asked);
  expect(listsIn(stored[0]).toSorted()).toEqual([
    'assets',
    'bundles',
    'markets',
    'oracles',
    expect.stringMatching(/^provisions [0-9a-f]{4}$/),
    'segments',
    'status',
    'validators',
  ]);
  expect(stored).toMatchObject([
    { chainId: 'demo-chain-1', snapshot: { notRead: ['parameters', 'provisions', 'providers', 'fees', 'info'] } },
  ]);
});

it('A list counts when its last page was read, and a page in between or a filtered list does not', async () => {
  const { client, stored, rest, page } = recording();
  await client.get(STATISTICS_REQUEST);
  const { page: first } = await page('oracles', { size: 25 });
  await page('bundles', { filters: { nodeId: ['a'.repeat(64)] } }).catch(() => {});
  await page('fees');
  await rest();
  expect(stored).toEqual([]);
  await page('oracles', { size: 25, after: first.endCursor });
  await rest();
  expect(listsIn(stored[0])).toEqual(['status', 'oracles']);
  const whole = await page('oracles');
  const [, oracles] = stored[0]?.snapshot.lists ?? [];
  expect(oracles?.kind === 'read' && oracles.records.map(text => JSON.parse(text))).toEqual(
    whole.page.rows.toReversed().map(row => JSON.parse(JSON.stringify(row))),
  );
});

it('Pages that do not follow each other are no list', async () => {
  const { client, stored, rest, page } = recording();
  await client.get(STATISTICS_REQUEST);
  const { page: first } = await page('oracles', { size: 15 });
  const { page: second } = await page('oracles', { size: 15, after: first.endCursor });
  await page('oracles', { size: 15 });
  await page('oracles', { size: 15, after: second.endCursor });
  await rest();
  expect(stored).toEqual([]);
});

it('A list that was loaded to sort it, the live provisions of a market and the fees of an epoch are stored', async () => {
  const { client, stored, rest, page } = recording();
  const { signal } = new AbortController();
  await client.get(STATISTICS_REQUEST);
  await gatherList({ client, resource: resource('parameters'), signal }, { filters: {}, newestFirst: true }, () => {});
  const { page: markets } = await page('markets');
  const marketId = String(markets.rows[0]?.id);
  await page('provisions', { filters: { marketId: [marketId], live: ['true'] } });
  await page('provisions', { filters: { marketId: [marketId] } });
  await page('fees', { filters: { epochSeq: ['205'] } });
  await rest();
  expect(listsIn(stored[0])).toEqual([
    'status',
    'parameters',
    'markets',
    `provisions ${marketId.slice(0, 4)}`,
    'fees 205',
  ]);
});

it('What is read again and again is stored every ten minutes', async () => {
  const { client, stored, rest, page, clock } = recording();
  for (let minute = 0; minute < 25; minute++) {
    await client.get(STATISTICS_REQUEST);
    await page('validators');
    await rest();
    clock.nowMs += MINUTE_MS;
  }
  expect(stored.map(({ snapshot }) => snapshot.takenMs / MINUTE_MS - Date.UTC(2026, 9, 1, 12) / MINUTE_MS)).toEqual([
    0, 10, 20,
  ]);
  await page('bundles');
  await rest();
  expect(listsIn(stored[3])).toEqual(['status', 'validators', 'bundles']);
});

it('Nothing is stored of a chain that has no name, and of two chains only what came after the change', async () => {
  const { client, stored, rest, page } = recording();
  await page('bundles');
  await rest();
  expect(stored).toEqual([]);
  await client.get(STATISTICS_REQUEST);
  node.alter = async (url, own) =>
    url.pathname === '/statistics' ? { body: (await own()).replaceAll('demo-chain-1', 'other') } : undefined;
  await client.get(STATISTICS_REQUEST);
  await page('validators');
  await rest();
  expect(stored.map(partial => [partial.chainId, listsIn(partial)])).toEqual([['other', ['status', 'validators']]]);
});

it('Why it cannot be stored is said once', async () => {
  const { client, problems, rest, page } = recording(async () => ({ kind: 'failed', problem: 'the disk is full' }));
  await client.get(STATISTICS_REQUEST);
  for (const id of ['validators', 'bundles', 'oracles']) {
    await page(id);
    await rest();
  }
  expect(problems).toEqual(['the disk is full']);
});

it('Lists that another explorer keeps from being stored are stored a moment later, unless a recorder stays', async () => {
  const tries: (readonly string[])[] = [];
  const results: StoreResult['kind'][] = ['busy', 'stored', 'busy', 'busy'];
  const { client, problems, rest, page } = recording(async partial => {
    tries.push(listsIn(partial));
    return { kind: results.shift() === 'busy' ? 'busy' : 'stored' };
  });
  await client.get(STATISTICS_REQUEST);
  await page('validators');
  await rest();
  await rest();
  await page('bundles');
  await rest();
  await rest();
  await page('oracles');
  await rest();
  const [validators, bundles] = [
    ['status', 'validators'],
    ['status', 'bundles'],
  ];
  expect(tries).toEqual([validators, validators, bundles, bundles, ['status', 'oracles']]);
  expect(problems).toEqual([]);
});

it('The thread stores a partial snapshot, and leaves it to a recorder that runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-lists-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { client, stored, rest, page } = recording();
  await client.get(STATISTICS_REQUEST);
  await page('validators');
  await rest();
  const [partial] = stored;
  if (partial === undefined) throw new Error('nothing is stored');
  expect(await storeInThread(folder, partial)).toEqual({ kind: 'stored' });
  const opened = openSnapshots(fileOfChain(folder, 'demo-chain-1'));
  expect(opened.all()).toMatchObject([{ id: 1, listsRead: 2, isPartial: true }]);
  expect(opened.list(1, { list: 'parameters', scope: '' })).toMatchObject({ kind: 'unread' });
  const recorder = openRecorder({ folder, chainId: 'demo-chain-1', nowMs: Date.now });
  expect(await storeInThread(folder, partial)).toEqual({ kind: 'busy' });
  recorder.close();
  expect(opened.all().length).toBe(1);
  opened.close();
  expect(await storeInThread('/proc/nowhere', partial)).toMatchObject({
    kind: 'failed',
    problem: expect.stringContaining('/proc/nowhere cannot be created'),
  });
});

it('Only a node is recorded, and only with the setting', () => {
  const keysOf = (label: string, recordLists: 'on' | 'off', moment: object | null = null) =>
    recordingEffects(Object.assign({ status: 'ready', requestId: 1, label, moment }) as never, { recordLists }).length;
  expect(keysOf('', 'on')).toBe(1);
  expect(keysOf('', 'off')).toBe(0);
  expect(keysOf('demo', 'on')).toBe(0);
  expect(keysOf('', 'on', { id: 1 })).toBe(0);
});
