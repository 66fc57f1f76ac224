import { appendFile, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/history/download/progress.ts';
import { lockFolder } from '../../../src/history/manifest/folder-lock.ts';
import { readManifest } from '../../../src/history/manifest/manifest.ts';
import { openHistory } from '../../../src/history/store/chain-history.ts';
import { checkHistory, forgetHistory } from '../../../src/history/store/check-history.ts';
import { type FetchHistoryOptions, fetchHistory } from '../../../src/history/store/fetch-history.ts';
import { type FetchOptions, planFetch } from '../../../src/history/store/plan-fetch.ts';
import { folderForTest } from './chain-on-disk.ts';
import { type SegmentNode, segmentNode, segmentsOfTen } from './segment-node.ts';

const planOf = (node: SegmentNode, root: string, options: Partial<FetchOptions> = {}) =>
  planFetch({
    ...{ client: node.client, root, tables: ['blocks'], sliceSegments: 2, signal: new AbortController().signal },
    ...options,
  });

/** Plans and fetches, as the command does. */
async function fetchInto(
  root: string,
  node: SegmentNode,
  options: Partial<FetchOptions> = {},
  fetching: Partial<FetchHistoryOptions> = {},
) {
  const plan = await planOf(node, root, options);
  const steps: Progress[] = [];
  const result = await fetchHistory({
    ...{ plan, client: node.client, program: 'blockglass test', retryMs: 1 },
    signal: new AbortController().signal,
    ...fetching,
    onProgress: step => {
      steps.push(step);
      fetching.onProgress?.(step);
    },
  });
  return { plan, result, steps };
}

const rangesOf = async (folder: string, table = 'blocks') =>
  (await openHistory(folder)).tables
    .find(found => found.table === table)
    ?.ranges.map(({ from, to }) => `${from}-${to}`);

const failureOf = ({ result }: { readonly result: Awaited<ReturnType<typeof fetchHistory>> }): unknown =>
  result.cause?.kind === 'failed' ? result.cause.error : undefined;

describe('Fetch into an empty folder', () => {
  it('Fetches all segments in slices, newest first, and keeps them with their ids', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(5));
    const { plan, result, steps } = await fetchInto(root, node);
    expect(plan).toMatchObject({ segments: { missing: 5, of: 5 }, estimatedBytes: null, notes: [] });
    expect(result).toMatchObject({
      kind: 'complete',
      segments: { done: 5, of: 5 },
      failed: [],
      folder: join(root, 'c'),
    });
    expect(node.asked).toEqual(['blocks 41-50', 'blocks 21-40', 'blocks 1-20']);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-50']);
    const manifest = await readManifest(join(root, 'c', 'blocks'));
    expect(manifest).toMatchObject({ fromBlock: '1', toBlock: '50', chainId: 'c', segmentsPerSlice: 2 });
    expect(manifest?.slices.map(({ segmentIds, previousSegmentId }) => [segmentIds, previousSegmentId])).toEqual([
      [['Qm0', 'Qm1'], ''],
      [['Qm2', 'Qm3'], 'Qm1'],
      [['Qm4'], 'Qm3'],
    ]);
    expect(manifest?.finished).not.toBeNull();
    expect(steps.map(({ parts }) => parts.done)).toEqual(
      steps.map(({ parts }) => parts.done).toSorted((one, other) => one - other),
    );
    expect(steps.at(-1)).toMatchObject({
      parts: { unit: 'segment', done: 5, failed: 0, underWay: 0, of: 5 },
      leftMs: null,
      last: { table: 'blocks', rows: 20 },
    });
    expect(JSON.parse(await readFile(join(root, 'c', 'chain.json'), 'utf8'))).toMatchObject({
      ...{ format: 1, chainId: 'c', genesisTime: '2026-01-01T00:00:00Z', sliceSegments: 2 },
      nodes: [{ address: node.url }],
    });
  });

  it('Fetches the oldest segments first when asked to', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(5));
    await fetchInto(root, node, { order: 'oldest-first' });
    expect(node.asked).toEqual(['blocks 1-20', 'blocks 21-40', 'blocks 41-50']);
  });

  it('Fetches only the segments that have blocks of the range, each as a whole', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(9));
    await fetchInto(root, node, { range: { kind: 'between', from: '15', to: '33' } });
    expect(await rangesOf(join(root, 'c'))).toEqual(['11-40']);
    await fetchInto(root, node, { range: { kind: 'open', from: '81' } });
    expect(await rangesOf(join(root, 'c'))).toEqual(['11-40', '81-90']);
    const { plan } = await fetchInto(root, node, { range: { kind: 'last', segments: 1 } });
    expect(plan.segments).toEqual({ missing: 0, of: 1 });
    const reversed = await planOf(node, root, { range: { kind: 'open', from: '50', to: '20' } });
    expect(reversed.problem).toMatchObject({
      kind: 'range',
      text: expect.stringContaining('put the earlier end first'),
    });
    const outside = await planOf(node, root, { range: { kind: 'open', from: '500' } });
    expect(outside.problem?.kind).toBe('range');
  });

  it('Splits no slice at a schema change, whose CSVs are checked each by its own columns', async () => {
    const root = await folderForTest();
    const segments = segmentsOfTen(4).map(segment => ({ ...segment, version: segment.from > 10 ? 93 : 68 }));
    const node = await segmentNode(segments);
    const { result } = await fetchInto(root, node, { tables: ['ledger'] });
    expect(result.kind).toBe('complete');
    const manifest = await readManifest(join(root, 'c', 'ledger'));
    expect(manifest?.slices.map(({ csvs }) => csvs.map(({ schemaVersion }) => schemaVersion))).toEqual([
      [68, 93],
      [93],
    ]);
  });
});

describe('Fetch again', () => {
  it('Fetches only what is new, and nothing when nothing is', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(4));
    await fetchInto(root, node);
    node.asked.length = 0;
    const { plan, result } = await fetchInto(root, node);
    expect(plan.segments).toEqual({ missing: 0, of: 4 });
    expect(result).toMatchObject({ kind: 'complete', fetched: [], segments: { done: 0, of: 0 } });
    expect(node.asked).toEqual([]);
    node.segments = segmentsOfTen(7);
    const grown = await fetchInto(root, node);
    expect(grown.plan.estimatedBytes).toBeGreaterThan(0);
    expect(node.asked).toEqual(['blocks 61-70', 'blocks 41-60']);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-70']);
  });

  it('Fetches a slice again whose file is gone or was cut, and keeps the cut one aside', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    await fetchInto(root, node);
    node.asked.length = 0;
    await rm(join(root, 'c', 'blocks', 'c-blocks-000001-000020.zip'));
    await truncate(join(root, 'c', 'blocks', 'c-blocks-000041-000060.zip'), 50);
    await fetchInto(root, node);
    expect(node.asked).toEqual(['blocks 41-60', 'blocks 1-20']);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
    expect(await readdir(join(root, 'c', 'blocks'))).toContain('c-blocks-000041-000060.zip.changed');
  });

  it('Takes a whole file without a record, which a killed fetch leaves, and fetches a damaged one again', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    await fetchInto(root, node);
    node.asked.length = 0;
    const path = join(root, 'c', 'blocks', 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...manifest, slices: manifest.slices.slice(0, 1) }));
    await appendFile(join(root, 'c', 'blocks', 'c-blocks-000041-000060.zip'), 'x');
    const { result } = await fetchInto(root, node);
    expect(result.kind).toBe('complete');
    expect(node.asked).toEqual(['blocks 41-60']);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
  });

  it('A damaged manifest is set aside, and the slices are verified again instead of fetched', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    await fetchInto(root, node);
    node.asked.length = 0;
    await writeFile(join(root, 'c', 'blocks', 'manifest.json'), '{');
    const { plan, result } = await fetchInto(root, node);
    expect(plan.notes.join()).toContain('is not a manifest of an export');
    expect(result).toMatchObject({ kind: 'complete', notes: [expect.stringContaining('its manifest was damaged')] });
    expect(node.asked).toEqual([]);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
  });
});

describe('Plan of a fetch', () => {
  it('A start after the newest block is refused with that block', async () => {
    const node = await segmentNode(segmentsOfTen(3));
    const { problem } = await planOf(node, await folderForTest(), { range: { kind: 'open', from: '900' } });
    expect(problem).toEqual({
      kind: 'range',
      text: expect.stringMatching(/^900 is after the newest block .* 30:/),
    });
  });

  it('Too few segments on disk give no estimate of many others, and enough of them do', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(40));
    await fetchInto(root, node, { range: { kind: 'last', segments: 2 } });
    expect((await planOf(node, root)).estimatedBytes).toBeNull();
    await fetchInto(root, node, { range: { kind: 'last', segments: 6 } });
    expect((await planOf(node, root)).estimatedBytes).toBeGreaterThan(0);
  });
});

describe('Fetch from a node with trouble', () => {
  it('A damaged slice is not kept, and does not stop the others', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    node.onExport = (response, { from }) => {
      if (from !== 21) return false;
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.end('{"error":{"code":13,"message":"late","details":[]}}');
      return true;
    };
    const { result } = await fetchInto(root, node);
    expect(result).toMatchObject({ kind: 'partial', failed: [{ table: 'blocks', range: { from: 21n, to: 40n } }] });
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-20', '41-60']);
    expect((await readdir(join(root, 'c', 'blocks'))).filter(name => name.includes('000021'))).toEqual([]);
    node.onExport = () => false;
    expect((await fetchInto(root, node)).result.kind).toBe('complete');
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
  });

  it('A table that the node refuses is given up after three slices', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(20));
    node.onExport = response => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"code":3,"message":"no","details":[]}');
      return true;
    };
    const { result } = await fetchInto(root, node, { tables: ['blocks', 'checkpoints'] });
    expect(result.kind).toBe('partial');
    expect(result.failed.map(({ table, result: failed }) => [table, failed.kind])).toEqual(
      ['blocks', 'blocks', 'blocks', 'checkpoints', 'checkpoints', 'checkpoints'].map(table => [table, 'failed']),
    );
    expect(result.notes).toContain('blocks: given up after 3 slices that could not be downloaded');
    expect(node.asked).toHaveLength(6);
  });

  it('A table that the node does not serve does not stop the others', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(20));
    node.onExport = (response, { table }) => {
      if (table === 'checkpoints') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"code":3,"message":"no","details":[]}');
      return true;
    };
    await fetchInto(root, node, { tables: ['blocks', 'checkpoints'] });
    expect(await rangesOf(join(root, 'c'), 'checkpoints')).toEqual(['1-200']);
  });

  it('Segments that vanish during a fetch are said, and what is there is fetched', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    node.onExport = (_, { from }) => {
      if (from === 41) node.segments = segmentsOfTen(4, 'Qm', 2);
      return false;
    };
    const { result } = await fetchInto(root, node, { tables: ['blocks', 'checkpoints'] });
    expect(result.kind).toBe('partial');
    expect(result.notes.join()).toContain('the node no longer lists 2 segments that it listed before, from block 1 on');
    expect(await rangesOf(join(root, 'c'))).toEqual(['21-60']);
    expect(await rangesOf(join(root, 'c'), 'checkpoints')).toEqual(['21-60']);
  });

  it('Segments that vanish before a later table are not counted as fetched, and their blocks are said', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    node.onExport = (_, { table, from }) => {
      if (table === 'blocks' && from === 1) setImmediate(() => (node.segments = segmentsOfTen(4, 'Qm', 2)));
      return false;
    };
    const { result } = await fetchInto(root, node, { tables: ['blocks', 'checkpoints'] });
    expect(result).toMatchObject({
      ...{ kind: 'partial', segments: { done: 10, of: 12 } },
      failed: [{ table: 'checkpoints', range: { from: 1n, to: 20n } }],
    });
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
    expect(await rangesOf(join(root, 'c'), 'checkpoints')).toEqual(['21-60']);
  });

  it('Segments that go table by table are one note', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(8));
    node.onExport = () => {
      node.segments = (node.segments ?? []).slice(1);
      return false;
    };
    const range = { kind: 'last', segments: 8 } as const;
    const { result } = await fetchInto(root, node, { tables: ['blocks', 'checkpoints', 'ledger'], range });
    expect(result.notes.filter(note => note.includes('no longer lists'))).toHaveLength(1);
    expect(new Set(result.notes).size).toBe(result.notes.length);
  });

  it('Slices of a history that is replaced by one with other cuts are set aside', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(4));
    const other = segmentsOfTen(4, 'Other').map(segment => ({
      ...segment,
      from: segment.from + 3,
      to: segment.to + 3,
    }));
    node.onExport = () => {
      setImmediate(() => (node.segments = other));
      return false;
    };
    const fetching = await fetchInto(root, node, { sliceSegments: 4, tables: ['blocks', 'checkpoints'] });
    expect(String(failureOf(fetching))).toContain('the history of the node changed while blocks was fetched');
    expect((await openHistory(join(root, 'c'))).tables).toEqual([]);
  });

  it('A slice that is fetched replaces the record of one whose file is gone, whatever the clock said then', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    await fetchInto(root, node, { sliceSegments: 6 });
    const folder = join(root, 'c', 'blocks');
    const path = join(folder, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/"finished": "20\d\d/g, '"finished": "2099'));
    await rm(join(folder, 'c-blocks-000001-000060.zip'));
    await fetchInto(root, node, { range: { kind: 'between', from: '21', to: '30' } });
    expect(await rangesOf(join(root, 'c'))).toEqual(['21-30']);
    node.asked.length = 0;
    await fetchInto(root, node, { range: { kind: 'between', from: '21', to: '30' } });
    expect(node.asked).toEqual([]);
  });

  it('Slices whose segments get other ids while they are fetched are set aside, and nothing is mixed', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(4));
    node.onExport = () => {
      node.segments = segmentsOfTen(4, 'Other');
      return false;
    };
    const fetching = await fetchInto(root, node);
    expect(String(failureOf(fetching))).toContain('the history of the node changed while blocks was fetched');
    expect((await openHistory(join(root, 'c'))).tables).toEqual([]);
    const names = await readdir(join(root, 'c', 'blocks'));
    expect(names.filter(name => name.endsWith('.zip'))).toEqual([]);
    expect(names.filter(name => name.endsWith('.changed'))).toHaveLength(2);
  });

  it('A node that serves another chain during a fetch gives nothing to the history', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(4));
    node.onExport = () => {
      node.chainId = 'd';
      return false;
    };
    const { result } = await fetchInto(root, node);
    expect(result.kind).toBe('stopped');
    expect((await openHistory(join(root, 'c'))).tables).toEqual([]);
  });

  it('A fetch that was cancelled keeps its slices, and goes on there', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    const stop = new AbortController();
    const onProgress = ({ parts }: Progress): void => {
      if (parts.done === 2) stop.abort();
    };
    const { result } = await fetchInto(root, node, {}, { signal: stop.signal, onProgress });
    expect(result).toMatchObject({ kind: 'stopped', cause: { kind: 'cancelled' }, segments: { done: 2, of: 6 } });
    expect(await rangesOf(join(root, 'c'))).toEqual(['41-60']);
    await fetchInto(root, node);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
    expect(node.asked.filter(asked => asked === 'blocks 41-60')).toHaveLength(1);
  });

  it('A node that lists no segments is fetched by ranges of 1000 blocks, which have to be named', async () => {
    const root = await folderForTest();
    const node = await segmentNode(null);
    expect((await planOf(node, root)).problem).toMatchObject({
      kind: 'range',
      text: 'this node does not list its segments: give the first and the last block',
      flags: '--from HEIGHT --to HEIGHT',
    });
    node.asked.length = 0;
    const { plan, result } = await fetchInto(root, node, { range: { kind: 'between', from: '1', to: '3000' } });
    expect(plan.notes.join()).toContain('assuming 1000 blocks each');
    expect(result.kind).toBe('complete');
    // The checkpoints are asked for to look for its segments: it exports whatever is asked for.
    expect(node.asked.filter(asked => !asked.startsWith('checkpoints'))).toEqual(['blocks 2001-3000', 'blocks 1-2000']);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-3000']);
  });

  it('A node without history, or without a chain id, is refused with what to do', async () => {
    const root = await folderForTest();
    const empty = await segmentNode([]);
    expect((await planOf(empty, root)).problem).toMatchObject({ kind: 'no-history' });
    const nameless = await segmentNode(segmentsOfTen(2));
    nameless.chainId = '';
    expect((await planOf(nameless, root)).problem).toMatchObject({ kind: 'no-history' });
    expect(await readdir(root)).toEqual([]);
  });
});

describe('One history by several nodes', () => {
  it('Another node completes the history, and ids of segments prove that it is the same', async () => {
    const root = await folderForTest();
    const young = await segmentNode(segmentsOfTen(3, 'Qm', 3));
    const first = await fetchInto(root, young);
    expect(first.plan.notes.join()).toContain('this node lacks blocks 1 to 30. To fetch them, use another node');
    const old = await segmentNode(segmentsOfTen(4));
    const { plan, result } = await fetchInto(root, old);
    expect(plan.notes).toEqual([]);
    expect(result.kind).toBe('complete');
    expect(old.asked).toEqual(['blocks 21-30', 'blocks 1-20']);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-60']);
    expect((await openHistory(join(root, 'c'))).nodes.map(({ address }) => address)).toEqual([young.url, old.url]);
  });

  it('The link between neighbouring segments proves it too; without any the one line says that only the chain id agrees', async () => {
    const root = await folderForTest();
    await fetchInto(root, await segmentNode(segmentsOfTen(3, 'Qm', 3)));
    expect((await planOf(await segmentNode(segmentsOfTen(3)), root)).notes).toEqual([]);
    const apart = await planOf(await segmentNode(segmentsOfTen(1)), root);
    expect(apart.notes.join()).toContain('so only its chain id shows that it is the same history');
    expect(apart.problem).toBeUndefined();
  });

  it('A node that cut its segments anew is said to have other segments, and what cannot be compared is left out with what to do', async () => {
    const root = await folderForTest();
    await fetchInto(root, await segmentNode(segmentsOfTen(3, 'Qm', 3)));
    const anew = [{ from: 36, to: 65, id: 'New0', previous: 'New', version: 93 }];
    const { notes, problem } = await planOf(await segmentNode(anew), root);
    expect(problem).toBeUndefined();
    expect(notes).toEqual([
      `this node divides the blocks into other segments than those in ${join(root, 'c')}, so only its chain id shows that it is the same history`,
      'this node lacks blocks 1 to 35. To fetch them, use another node: --node URL',
      'blocks: blocks 36 to 65 are left out, because the segments of this node begin at other blocks than those on disk. Fetch from the node used before, or delete the table: blockglass fetch --forget --tables blocks',
    ]);
  });

  it.each<[string, () => SegmentNode['segments']]>([
    [
      'the same blocks',
      () =>
        segmentsOfTen(6).map(segment =>
          segment.from < 41
            ? segment
            : {
                ...segment,
                id: `X${segment.from}`,
                previous: segment.from === 41 ? segment.previous : `X${segment.from - 10}`,
              },
        ),
    ],
    ['the segment before', () => segmentsOfTen(3, 'Other')],
    ['the segment after', () => segmentsOfTen(2, 'Other', 6)],
  ])('A node that has another segment for %s is refused, and nothing is written', async (_title, segments) => {
    const root = await folderForTest();
    await fetchInto(root, await segmentNode(segmentsOfTen(3, 'Qm', 3)));
    const before = await readdir(join(root, 'c', 'blocks'));
    const other = await segmentNode(segments() ?? []);
    const fetching = await fetchInto(root, other);
    expect(fetching.plan.problem).toMatchObject({ kind: 'other-history' });
    expect(fetching.plan.problem?.text).toMatch(/on this node, and .* on disk .*--history DIR/s);
    expect(String(failureOf(fetching))).toContain('this node has another history of c');
    expect(await readdir(join(root, 'c', 'blocks'))).toEqual(before);
    expect(other.asked).toEqual([]);
  });

  it('A chain that began anew under the same id gets a folder of its own, by its genesis or its first segment', async () => {
    const root = await folderForTest();
    await fetchInto(root, await segmentNode(segmentsOfTen(3)));
    const again = await segmentNode(segmentsOfTen(3, 'Again'));
    again.genesisTime = '2026-05-05T00:00:00Z';
    const { plan, result } = await fetchInto(root, again);
    expect(plan.notes.join()).toContain('so it gets a folder of its own: its genesis is 2026-05-05T00:00:00Z');
    expect(result).toMatchObject({ kind: 'complete', folder: join(root, 'c.2') });
    const third = await segmentNode(segmentsOfTen(3, 'Third'));
    third.genesisTime = null;
    expect((await fetchInto(root, third)).result.folder).toBe(join(root, 'c.3'));
    expect((await planOf(again, root)).folder).toBe(join(root, 'c.2'));
    expect((await planOf(again, root)).segments.missing).toBe(0);
  });

  it('Another chain at a known address has its own history, and that is said', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(2));
    await fetchInto(root, node);
    node.chainId = 'd';
    const { plan, result } = await fetchInto(root, node);
    expect(plan.notes).toEqual([`${node.url} served c before and serves d now; each has a history of its own`]);
    expect(result.folder).toBe(join(root, 'd'));
  });

  it('Segments that do not form one chain are refused', async () => {
    const root = await folderForTest();
    const node = await segmentNode(
      segmentsOfTen(4).map(segment => (segment.from === 21 ? { ...segment, previous: 'X' } : segment)),
    );
    expect((await planOf(node, root)).problem).toMatchObject({
      kind: 'other-history',
      text: expect.stringContaining('do not form one chain at block 21'),
    });
    expect((await planOf(node, root, { range: { kind: 'open', from: '21' } })).problem).toBeUndefined();
  });
});

describe('Two fetches at once', () => {
  it('A table that another program is writing is fetched after the others, when that is done', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(4));
    await fetchInto(root, node, { tables: ['blocks'], range: { kind: 'last', segments: 1 } });
    const lock = await lockFolder(join(root, 'c', 'blocks'));
    node.asked.length = 0;
    let isReleased = false;
    const { result } = await fetchInto(
      root,
      node,
      { tables: ['blocks', 'checkpoints'] },
      {
        onProgress: ({ pause }) => {
          if (pause?.reason === 'other-fetch' && !isReleased) void lock.release();
          isReleased ||= pause?.reason === 'other-fetch';
        },
      },
    );
    expect(isReleased).toBe(true);
    expect(result).toMatchObject({
      kind: 'complete',
      notes: [expect.stringContaining('blocks: another fetch was writing it')],
    });
    expect(node.asked.findIndex(asked => asked.startsWith('blocks'))).toBeGreaterThan(
      node.asked.findLastIndex(asked => asked.startsWith('checkpoints')),
    );
  });

  it('Two fetches of one history bring every slice once', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(12));
    const [one, other] = await Promise.all([fetchInto(root, node), fetchInto(root, node)]);
    expect([one.result.kind, other.result.kind]).toEqual(['complete', 'complete']);
    // What each did itself and what the other did for it is told apart.
    const shares = [one, other].map(({ result: { segments, fetched } }) => [
      segments.done - segments.byOthers,
      fetched.reduce((sum, { from, to }) => sum + Number(to - from + 1n) / 10, 0),
    ]);
    for (const [own, fetched] of shares) expect(own).toBe(fetched);
    expect(one.result.segments.byOthers + other.result.segments.byOthers).toBeGreaterThan(0);
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-120']);
    expect(node.asked.toSorted()).toEqual([...new Set(node.asked)].toSorted());
    expect(await readdir(root)).toEqual(['c']);
  });
});

describe('checkHistory and forgetHistory', () => {
  it('A check finds a slice that was changed without changing its size, and makes its blocks missing', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(6));
    await fetchInto(root, node);
    const path = join(root, 'c', 'blocks', 'c-blocks-000021-000040.zip');
    const bytes = await readFile(path);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const check = () =>
      openHistory(join(root, 'c')).then(history =>
        checkHistory(history, { signal: new AbortController().signal, onProgress: () => {} }),
      );
    expect(await check()).toMatchObject({
      slices: 2,
      rows: 40,
      damaged: [{ table: 'blocks', range: { from: 21n, to: 40n } }],
    });
    expect(await rangesOf(join(root, 'c'))).toEqual(['1-20', '41-60']);
    await fetchInto(root, node);
    expect(await check()).toMatchObject({ slices: 3, rows: 60, damaged: [] });
  });

  it('A forgotten table frees its bytes, and a forgotten history its folder', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(2));
    await fetchInto(root, node, { tables: ['blocks', 'checkpoints'] });
    const history = await openHistory(join(root, 'c'));
    const freed = await forgetHistory(history, ['checkpoints']);
    expect(freed.bytes).toBeGreaterThan(history.tables.find(({ table }) => table === 'checkpoints')?.bytes ?? 0);
    expect((await openHistory(join(root, 'c'))).tables.map(({ table }) => table)).toEqual(['blocks']);
    await forgetHistory(history);
    expect(await readdir(root)).toEqual([]);
  });

  it('Of a history that is a link, what it leads to is deleted, and the link', async () => {
    const root = await folderForTest();
    const elsewhere = await folderForTest();
    await fetchInto(elsewhere, await segmentNode(segmentsOfTen(2)));
    await symlink(join(elsewhere, 'c'), join(root, 'c'));
    await forgetHistory({ folder: join(root, 'c') });
    expect([await readdir(root), await readdir(elsewhere)]).toEqual([[], []]);
  });

  it('Nothing of a history is forgotten while one of its tables is written', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(2));
    await fetchInto(root, node, { tables: ['blocks', 'checkpoints'] });
    const history = await openHistory(join(root, 'c'));
    const names = history.tables.map(({ table }) => table);
    const lock = await lockFolder(join(root, 'c', names.at(-1) ?? ''));
    await expect(forgetHistory(history)).rejects.toThrow('is writing to');
    expect((await openHistory(join(root, 'c'))).tables).toEqual(history.tables);
    await lock.release();
    await forgetHistory(history);
    expect(await readdir(root)).toEqual([]);
  });
});
