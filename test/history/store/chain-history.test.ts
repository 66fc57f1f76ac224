import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import {
  type ChainHistory,
  chooseHistory,
  describeHistory,
  estimateBlockTime,
  listHistories,
  openHistory,
} from '../../../src/history/store/chain-history.ts';
import { chainFolderName, historyRoot } from '../../../src/history/store/history-root.ts';
import { folderForTest, historyOnDisk } from './chain-on-disk.ts';

describe('historyRoot', () => {
  it('Histories are in the data folder of the user unless another folder is given', () => {
    expect(historyRoot({ HOME: '/home/me' })).toBe('/home/me/.local/share/blockglass/history');
    expect(historyRoot({ HOME: '/home/me', XDG_DATA_HOME: '/data' })).toBe('/data/blockglass/history');
    expect(historyRoot({ HOME: '/home/me', XDG_DATA_HOME: 'relative' })).toBe(
      '/home/me/.local/share/blockglass/history',
    );
    expect(historyRoot({ HOME: '/home/me' }, '/mine')).toBe('/mine');
    expect(historyRoot({})).toBeNull();
  });

  it('The folder of a chain has a safe name whatever the node calls the chain', () => {
    expect(chainFolderName('vega-mainnet-0011')).toBe('vega-mainnet-0011');
    expect(chainFolderName('../../etc/passwd')).toBe('_.._etc_passwd');
    expect(chainFolderName('..')).toBe('chain');
    expect(chainFolderName('')).toBe('chain');
    expect(chainFolderName('c', 2)).toBe('c.2');
    expect(chainFolderName('x'.repeat(500))).toHaveLength(100);
  });
});

describe('History on disk', () => {
  it('An opened history has its tables with their slices, joined ranges, rows and bytes', async () => {
    const folder = await folderForTest();
    await historyOnDisk(folder, [
      [21n, 30n],
      [1n, 10n],
      [11n, 20n],
      [41n, 50n],
    ]);
    const history = await openHistory(folder);
    const [blocks, ...others] = history.tables;
    expect(others).toEqual([]);
    expect(blocks).toMatchObject({ table: 'blocks', rows: 40, finished: 'now', folder: join(folder, 'blocks') });
    expect(blocks?.ranges).toEqual([
      { from: 1n, to: 30n },
      { from: 41n, to: 50n },
    ]);
    expect(blocks?.slices.map(({ fromBlock }) => fromBlock)).toEqual(['1', '11', '21', '41']);
  });

  it('A slice whose file is gone or has another size is not part of the history', async () => {
    const folder = await folderForTest();
    await historyOnDisk(folder, [
      [1n, 10n],
      [11n, 20n],
      [21n, 30n],
    ]);
    await rm(join(folder, 'blocks', 'c-blocks-000001-000010.zip'));
    await truncate(join(folder, 'blocks', 'c-blocks-000021-000030.zip'), 40);
    expect((await openHistory(folder)).tables[0]?.ranges).toEqual([{ from: 11n, to: 20n }]);
  });

  it('Slices that overlap are not counted twice', async () => {
    const folder = await folderForTest();
    await historyOnDisk(folder, [
      [1n, 10n],
      [5n, 12n],
      [11n, 20n],
    ]);
    expect((await openHistory(folder)).tables[0]).toMatchObject({ rows: 20, ranges: [{ from: 1n, to: 20n }] });
  });

  it('A table with a manifest of another chain is a problem and does not hide the other tables', async () => {
    const folder = await folderForTest();
    await historyOnDisk(folder, [[1n, 10n]], { chainId: 'other' });
    const history = await openHistory(folder);
    expect(history.tables).toEqual([]);
    expect(history.problems).toEqual([
      `${join(folder, 'blocks')} has blocks of c, not blocks of other: move it away, and fetch again`,
    ]);
  });

  it('A folder that is not a history is refused with a reason', async () => {
    const folder = await folderForTest();
    await expect(openHistory(folder)).rejects.toThrow(DestinationError);
    for (const content of ['', 'null', '{"format":2}', '[]']) {
      await writeFile(join(folder, 'chain.json'), content);
      await expect(openHistory(folder)).rejects.toThrow('it is damaged, or of a newer blockglass');
    }
  });

  it('A record with a time that no calendar has is refused with a reason', async () => {
    const folder = await folderForTest();
    await historyOnDisk(folder, [[1n, 100n]], { blockTimes: [{ height: '1', timeMs: Number.MAX_SAFE_INTEGER }] });
    await expect(openHistory(folder)).rejects.toThrow('it is damaged, or of a newer blockglass');
  });

  it.each([
    ['a block beyond 64 bits', '9999999999999999999'],
    ['other blocks than its file name', '9000000000000000000'],
  ])('A manifest that records %s is a problem, and none of its slices is used', async (_, toBlock) => {
    const folder = await folderForTest();
    await historyOnDisk(folder, [[1n, 10n]]);
    const path = join(folder, 'blocks', 'manifest.json');
    const manifest: { slices: { toBlock: string }[] } = JSON.parse(await readFile(path, 'utf8'));
    for (const slice of manifest.slices) slice.toBlock = toBlock;
    await writeFile(path, JSON.stringify(manifest));
    const { tables, problems } = await openHistory(folder);
    expect([tables, problems]).toEqual([[], [expect.stringContaining(`${path} is`)]]);
  });

  it('The list of histories begins with the newest fetch, and reports what cannot be read', async () => {
    const root = await folderForTest();
    const nodes = (lastFetched: string) => [{ address: 'http://n', lastFetched, bytesPerS: null }];
    await historyOnDisk(join(root, 'old'), [[1n, 10n]], { nodes: nodes('2026-01-01') });
    await historyOnDisk(join(root, 'new'), [[1n, 10n]], { nodes: nodes('2026-03-01') });
    await mkdir(join(root, 'empty'));
    await mkdir(join(root, 'bad'));
    await writeFile(join(root, 'bad', 'chain.json'), 'no');
    const problems: string[] = [];
    const found = await listHistories(root, problem => problems.push(problem));
    expect(found.map(({ folder }) => folder)).toEqual([join(root, 'new'), join(root, 'old')]);
    expect(problems).toEqual([
      `${join(root, 'bad', 'chain.json')} cannot be used: it is damaged, or of a newer blockglass. Move this file away, and fetch again: good slices are not downloaded again`,
    ]);
    expect(await listHistories(join(root, 'nowhere'))).toEqual([]);
  });
});

const historyOf = (members: Partial<ChainHistory>): ChainHistory => ({
  ...{ folder: '', chainId: 'c', genesisTime: null, nodes: [], blockTimes: [], sliceSegments: 1 },
  ...{ tables: [], problems: [] },
  ...members,
});

const fetchedFrom = (address: string, lastFetched: string) => ({ address, lastFetched, bytesPerS: null });

describe('chooseHistory', () => {
  const a = historyOf({ chainId: 'a', nodes: [fetchedFrom('http://n', '2026-01-01')] });
  const b = historyOf({ chainId: 'b', nodes: [fetchedFrom('http://n', '2026-02-01')] });
  const c = historyOf({ chainId: 'c', nodes: [fetchedFrom('http://m', '2026-03-01')] });

  it('The named chain wins, then the newest fetch from the node, then the only history', () => {
    expect(chooseHistory([a, b, c], { chain: 'a', node: 'http://n' })).toBe(a);
    expect(chooseHistory([a, b, c], { node: 'http://n' })).toBe(b);
    expect(chooseHistory([c], {})).toBe(c);
  });

  it('No history is guessed where several fit, or where none is of the named chain or node', () => {
    expect(chooseHistory([a, b], {})).toBeUndefined();
    expect(chooseHistory([a], { chain: 'b' })).toBeUndefined();
    expect(chooseHistory([a], { node: 'http://m' })).toBeUndefined();
    expect(chooseHistory([], {})).toBeUndefined();
  });

  it('Of two histories with one chain id the one fetched from the node is chosen, and none is guessed', () => {
    const again = historyOf({ chainId: 'a', folder: '2', nodes: [fetchedFrom('http://m', '2026-05-01')] });
    expect(chooseHistory([a, again], { chain: 'a', node: 'http://n' })).toBe(a);
    expect(chooseHistory([a, again], { chain: 'a', node: 'http://unknown' })).toBeUndefined();
    expect(chooseHistory([a, again], { chain: 'a' })).toBeUndefined();
    expect(chooseHistory([a, again], { chain: '2' })).toBe(again);
  });
});

const storedTable = (table: string, ...ranges: readonly (readonly [bigint, bigint])[]) => ({
  ...{ table, folder: '', slices: [], rows: 0, bytes: 0, finished: '' },
  ranges: ranges.map(([from, to]) => ({ from, to })),
});

describe('describeHistory', () => {
  const blockTimes = [
    { height: '1', timeMs: Date.UTC(2023, 0, 18) },
    { height: '5000', timeMs: Date.UTC(2023, 0, 20) },
  ];
  const tables = [
    storedTable('trades', [1n, 5000n]),
    storedTable('ledger', [1n, 5000n]),
    storedTable('rewards', [1n, 1000n], [3001n, 4000n]),
  ];

  it('A history is described by its tables, blocks and dates, with the other ranges after the common one', () => {
    expect(describeHistory(historyOf({ tables, blockTimes }))).toBe(
      'history of c: trades, ledger; blocks 1-5000, 2023-01-18 to 2023-01-20; rewards: blocks 1-1000, 3001-4000, 2023-01-18 to 2023-01-19',
    );
  });

  it('Only the tables that are asked for are described, and those that were never fetched are named', () => {
    expect(describeHistory(historyOf({ tables }), ['rewards', 'balances'])).toBe(
      'history of c: rewards; blocks 1-1000, 3001-4000; not fetched: balances',
    );
    expect(describeHistory(historyOf({}))).toBe('history of c: nothing fetched yet');
  });

  it('The time of a block is estimated between known blocks only', () => {
    expect(estimateBlockTime(blockTimes, 1n)).toBe(Date.UTC(2023, 0, 18));
    expect(estimateBlockTime(blockTimes, 5001n)).toBeUndefined();
    expect(estimateBlockTime([], 1n)).toBeUndefined();
  });
});
