import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../../src/chain/api/client.ts';
import { baseAddress } from '../../../../src/chain/api/request.ts';
import type { FetchRequest } from '../../../../src/explorer/services/chain-history/chain-history.ts';
import { fetchEstimateText } from '../../../../src/explorer/services/chain-history/fetch-text.ts';
import { estimateFetch } from '../../../../src/explorer/services/chain-history/history-on-disk.ts';
import { fetchForScreen } from '../../../../src/explorer/services/chain-history/run-fetch.ts';
import { openHistory } from '../../../../src/history/store/chain-history.ts';
import { tablesFor } from '../../../../src/history/store/purposes.ts';
import { folderForTest } from '../../../history/store/chain-on-disk.ts';
import { segmentNode, segmentsOfTen, segmentsOfThousand } from '../../../history/store/segment-node.ts';
import { documentedGateway } from '../../../support/documented-gateway.ts';

describe.each([
  ['lists its segments', false],
  ['lists none', true],
])('A node that %s', (_, isGateway) => {
  it.each([
    ['a report', tablesFor('report')],
    ['an audit', tablesFor('audit')],
    ['an answer', tablesFor('answer', 'received')],
    ['another answer', tablesFor('answer', 'rewards')],
    ['one table', ['balances']],
    ['all tables', tablesFor('all')],
  ])('A fetch is asked for as many segments as the estimate and the progress count: %s', async (title, tables) => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfThousand(3))];
    const gateway = await documentedGateway(node.url);
    onTestFinished(() => gateway[Symbol.asyncDispose]());
    const base = baseAddress(isGateway ? gateway.url : node.url);
    const client = createClient({ base, perSecond: 10_000 });
    const { signal } = new AbortController();
    const estimate = await estimateFetch({ root, client, range: 'all' }, signal);
    const counted = new Set<number>();
    const { kind, lines } = await fetchForScreen(
      { title, tables, range: 'all' },
      {
        ...{ client: () => client, root, program: 'blockglass test', firstByteMs: 5000, idleMs: 5000, signal },
        onProgress: ({ parts }) => counted.add(parts.of),
      },
    );
    const text = fetchEstimateText(estimate, tables, '');
    expect([kind, lines[0]]).toEqual(['fetched', expect.stringMatching(`^Complete: ${text} fetched, `)]);
    expect([...counted].map(of => `${of} segments`)).toEqual([text]);
    expect(fetchEstimateText(await estimateFetch({ root, client, range: 'all' }, signal), tables)).toBeUndefined();
  });
});

it('What a node refuses is said in one line, and the rest is fetched', async () => {
  const [root, node] = [await folderForTest(), await segmentNode(segmentsOfThousand(45))];
  await using gateway = await documentedGateway(node.url, { tables: ['ledger', 'deposits'] });
  const client = createClient({ base: baseAddress(gateway.url), perSecond: 10_000 });
  const { kind, lines } = await fetchForScreen(
    { title: 'test', tables: ['ledger'], range: 'all' },
    {
      ...{ client: () => client, root, program: 'blockglass test', firstByteMs: 5000, idleMs: 5000 },
      ...{ onProgress: () => {}, signal: new AbortController().signal },
    },
  );
  expect([kind, ...lines.slice(0, 3)]).toEqual([
    'stopped',
    expect.stringMatching(/^90 of 135 segments are verified and on disk/),
    expect.stringMatching(/^markets \d+ to 45000 could not be fetched: .*HTTP 400/),
    'Another node may export them: N chooses one.',
  ]);
});

it('Verifying the history on disk fetches the damaged files again, and nothing else that is missing', async () => {
  const root = await folderForTest();
  const node = await segmentNode(segmentsOfTen(25));
  const fetched = (request: Omit<FetchRequest, 'title'>) =>
    fetchForScreen(
      { title: 'test', ...request },
      {
        ...{ client: () => node.client, root, program: 'blockglass test', firstByteMs: 5000, idleMs: 5000 },
        ...{ onProgress: () => {}, signal: new AbortController().signal },
      },
    );
  await fetched({ tables: ['blocks', 'ledger'], range: '101..250' });
  const folder = join(root, 'c');
  await writeFile(join(folder, 'blocks', 'c-blocks-000201-000250.zip'), 'x');
  await writeFile(join(folder, 'ledger', 'manifest.json'), '{');
  node.asked.length = 0;
  const { kind, lines } = await fetched({ tables: ['blocks', 'ledger'], range: 'all', checkedFolder: folder });
  expect([kind, lines[0]]).toEqual([
    'fetched',
    expect.stringMatching(
      /^1 file verified again; 1 damaged file set aside \(blocks, .*; the manifest of ledger is damaged/,
    ),
  ]);
  expect(node.asked).toEqual(['blocks 201-250']);
  const { tables, problems } = await openHistory(folder);
  expect(tables.map(({ ranges }) => ranges)).toEqual([[{ from: 101n, to: 250n }], [{ from: 101n, to: 250n }]]);
  expect(problems).toEqual([]);
  const again = await fetched({ tables: ['blocks', 'ledger'], range: 'all', checkedFolder: folder });
  expect(again).toEqual({ kind: 'fetched', lines: ['4 files verified again: no damage found.'] });
});
