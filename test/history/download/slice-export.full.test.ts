import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { type Boundaries, fetchBoundaries, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import type { Pause } from '../../../src/history/download/progress.ts';
import { exportSlices } from '../../../src/history/download/slice-export.ts';
import { lockFolder } from '../../../src/history/manifest/folder-lock.ts';
import { readManifest, type SliceRecord } from '../../../src/history/manifest/manifest.ts';
import { findExportTable } from '../../../src/history/plan/export-tables.ts';
import { verifyFolder } from '../../../src/history/verify/verify-folder.ts';
import { type RunningNode, startNode } from '../../../src/node/index.ts';
import { type FaultyNodeOptions, startFaultyNode } from '../../support/faults/faulty-node.ts';

const NAME = 'demo-chain-1-trades-013001-017500';

let folder: string;
let nodes: RunningNode[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-slices-'));
  nodes = [];
});

afterEach(async () => {
  for (const node of nodes) await node.close();
  await rm(folder, { recursive: true, force: true });
});

interface Wanted {
  readonly segmentsPerSlice?: number;
  readonly parallel?: number;
  readonly table?: string;
  readonly signal?: AbortSignal;
  readonly onSlices?: (done: number, total: number) => void;
  readonly onPause?: (pause: Pause) => void;
  readonly retryMs?: number;
  readonly boundaries?: Boundaries;
}

/** Each run has a node of its own, and all of them one chain. */
const clock = () => Date.UTC(2026, 10, 20, 12);

/** Ledger blocks 13001 to 17500: five segments, the schema changes after the second. */
async function run(options: FaultyNodeOptions, wanted: Wanted = {}) {
  const node = await startFaultyNode({ clock, ...options });
  nodes.push(node);
  const client = createClient({ base: baseAddress(node.url) });
  const table = findExportTable(wanted.table ?? 'trades');
  if (table === undefined) throw new Error('no such table');
  const boundaries = wanted.boundaries ?? (await fetchBoundaries(client)).boundaries;
  const { segmentsPerSlice = 2, parallel = 1 } = wanted;
  return exportSlices({
    client,
    plan: {
      table,
      fromBlock: 13001n,
      toBlock: 17500n,
      chainId: 'demo-chain-1',
      destination: folder,
      mayOverwrite: false,
    },
    boundaries,
    slices: { segmentsPerSlice, parallel },
    program: 'blockglass test',
    signal: wanted.signal ?? new AbortController().signal,
    onProgress: ({ slices, pause }) => {
      if (pause !== undefined) wanted.onPause?.(pause);
      wanted.onSlices?.(slices?.done ?? 0, slices?.total ?? 0);
    },
    firstByteMs: 10_000,
    idleMs: 5000,
    retryMs: wanted.retryMs ?? 1,
  });
}

const inFolder = (...names: readonly string[]): string => join(folder, NAME, ...names);
const files = async () => (await readdir(inFolder())).toSorted();

describe('Slice export', () => {
  it.each([1, 2])(
    'A slice export ends with a verified ZIP for each slice, %d at once, and a manifest of them',
    async parallel => {
      const result = await run({}, { parallel });
      expect(result).toMatchObject({ kind: 'saved-slices', folder: inFolder() });
      expect(await files()).toEqual([
        'demo-chain-1-trades-013001-014500.zip',
        'demo-chain-1-trades-014501-016500.zip',
        'demo-chain-1-trades-016501-017500.zip',
        'manifest.json',
      ]);
      const manifest = await readManifest(inFolder());
      expect(manifest).toMatchObject({ table: 'trades', fromBlock: '13001', toBlock: '17500', segmentsPerSlice: 2 });
      expect(manifest?.slices.map(({ csvs }) => csvs.map(({ schemaVersion }) => schemaVersion))).toEqual([
        [68],
        [93],
        [93],
      ]);
      expect(manifest?.finished).not.toBeNull();
      expect((await verifyFolder(inFolder(), new AbortController().signal)).kind).toBe('complete');
    },
  );

  it('A slice export survives a connection that breaks twice', async () => {
    expect(await run({ faults: ['cut-body:2'] })).toMatchObject({ kind: 'saved-slices' });
    expect((await files()).filter(name => name.endsWith('.part'))).toEqual([]);
  });

  it('A slice export stops at a node error, keeps what is whole, and continues from there', async () => {
    const abort = new AbortController();
    await run({}, { signal: abort.signal, onSlices: done => done === 1 && abort.abort() });
    const stopped = await run({ faults: ['error-after-archive'] });
    expect(stopped).toMatchObject({
      kind: 'stopped-slices',
      done: 1,
      total: 3,
      cause: { kind: 'not-complete', verdict: { kind: 'incomplete', nodeError: { code: 13 } } },
    });
    expect((await run({})).kind).toBe('saved-slices');
    expect((await files()).filter(name => name.endsWith('.part'))).toEqual([]);
  });

  it('A slice export keeps whole slices and downloads none of them again', async () => {
    await run({});
    const counts: number[] = [];
    // A node that fails on every export would show if one were asked for.
    const result = await run({ faults: ['error-instead'] }, { onSlices: count => counts.push(count) });
    expect(result).toMatchObject({ kind: 'saved-slices' });
    expect(counts.at(-1)).toBe(3);
    const manifest = await readManifest(inFolder());
    const noted = manifest?.slices.map(slice => ({ ...slice, notes: ['a line came near the limit'] }));
    await writeFile(inFolder('manifest.json'), JSON.stringify({ ...manifest, slices: noted }));
    expect(await run({ faults: ['error-instead'] })).toMatchObject({
      notes: Array(3).fill('a line came near the limit'),
    });
  });

  it('A slice export sets aside a slice that differs from the manifest, and downloads it again', async () => {
    await run({});
    await truncate(inFolder('demo-chain-1-trades-014501-016500.zip'), 1000);
    expect((await verifyFolder(inFolder(), new AbortController().signal)).kind).not.toBe('complete');
    expect(await run({})).toMatchObject({ kind: 'saved-slices' });
    expect(await files()).toContain('demo-chain-1-trades-014501-016500.zip.changed');
    expect((await verifyFolder(inFolder(), new AbortController().signal)).kind).toBe('complete');
  });

  it('A slice export adopts a whole slice that the manifest does not list yet', async () => {
    await run({});
    const manifest = JSON.parse(await readFile(inFolder('manifest.json'), 'utf8'));
    await writeFile(inFolder('manifest.json'), JSON.stringify({ ...manifest, finished: null, slices: [] }));
    const result = await run({ faults: ['error-instead'] });
    // Which segments the node listed when they were fetched is not known any more, and none are made up.
    expect(result).toMatchObject({ kind: 'saved-slices', notes: [expect.stringContaining('3 slices')] });
    expect((await readManifest(inFolder()))?.slices.map(({ segmentIds }) => segmentIds)).toEqual([null, null, null]);
  });

  it('A slice export does not trust a record of another slice: the slice is checked again', async () => {
    const edits: readonly ((slice: SliceRecord) => object)[] = [
      () => ({ csvs: [] }),
      ({ csvs }) => ({ csvs: [...csvs, ...csvs] }),
      ({ rows }) => ({ rows: rows + 1 }),
      ({ csvs }) => ({ rows: -5, csvs: csvs.map(csv => ({ ...csv, rows: -5 })) }),
      ({ csvs }) => ({ csvs: csvs.map(csv => ({ ...csv, schemaVersion: 0.5 })) }),
      ({ csvs }) => ({ csvs: csvs.map(csv => ({ ...csv, fromBlock: '9999999999999999999' })) }),
      ({ csvs }) => ({ csvs: csvs.map(csv => ({ ...csv, byteOffset: 2 ** 53 - 1 })) }),
    ];
    await run({});
    const good = await readManifest(inFolder());
    for (const edit of edits) {
      const slices = good?.slices.map((slice, index) => (index === 1 ? { ...slice, ...edit(slice) } : slice));
      await writeFile(inFolder('manifest.json'), JSON.stringify({ ...good, slices }));
      expect(await run({ faults: ['error-instead'] })).toMatchObject({ kind: 'saved-slices' });
      const { csvs, rows, segmentIds } = good?.slices[1] ?? {};
      expect((await readManifest(inFolder()))?.slices[1]).toMatchObject({ csvs, rows, segmentIds });
    }
  });

  it('A slice export is not mixed with slices of another size', async () => {
    await run({});
    const result = await run({}, { segmentsPerSlice: 3 });
    expect(result).toMatchObject({ kind: 'stopped-slices', cause: { kind: 'failed' } });
    expect(String(result.kind === 'stopped-slices' && result.cause.kind === 'failed' && result.cause.error)).toContain(
      '--slice 2',
    );
  });

  it('A slice export leaves a file untouched that is not a manifest', async () => {
    await run({});
    await writeFile(inFolder('manifest.json'), '{"format":2}');
    expect(await run({})).toMatchObject({ kind: 'stopped-slices' });
    expect(await readFile(inFolder('manifest.json'), 'utf8')).toBe('{"format":2}');
  });

  it('A slice export does not touch a folder that another export is writing, and counts nothing there', async () => {
    await run({});
    const lock = await lockFolder(inFolder());
    const result = await run({});
    expect(result).toMatchObject({ kind: 'stopped-slices', isCounted: false, cause: { kind: 'failed' } });
    await lock.release();
    expect(await run({})).toMatchObject({ kind: 'saved-slices' });
  });

  it('A slice export can be cancelled, and keeps what is whole', async () => {
    const abort = new AbortController();
    const result = await run({}, { signal: abort.signal, onSlices: done => done === 1 && abort.abort() });
    expect(result).toMatchObject({ kind: 'stopped-slices', done: 1, cause: { kind: 'cancelled' } });
    expect((await files()).filter(name => !name.endsWith('.zip'))).toEqual(['manifest.json']);
  });

  it('A slice export can be cancelled in the wait before a retry, and that is no failure', async () => {
    const abort = new AbortController();
    const pauses: Pause[] = [];
    const onPause = (pause: Pause) => {
      pauses.push(pause);
      abort.abort();
    };
    const result = await run({ faults: ['rate-limited'] }, { signal: abort.signal, retryMs: 60_000, onPause });
    expect(result).toMatchObject({ kind: 'stopped-slices', done: 0, isCounted: true, cause: { kind: 'cancelled' } });
    expect(pauses[0]).toMatchObject({ reason: 'rate-limit' });
    expect(await files()).toEqual(['manifest.json']);
  });

  it('A slice export reports how long it waits, and why', async () => {
    const pauses: Pause[] = [];
    const onPause = (pause: Pause) => pauses.push(pause);
    expect(await run({ faults: ['cut-body:1'] }, { onPause })).toMatchObject({ kind: 'saved-slices' });
    expect(new Set(pauses.map(({ reason }) => reason))).toEqual(new Set(['broken-line']));
    expect(pauses.every(({ leftMs }) => leftMs !== null && leftMs >= 0 && leftMs < 10)).toBe(true);
  });

  it.each(['manifest.json', 'blockglass.lock', 'demo-chain-1-trades-013001-014500.zip'])(
    'A slice export never blocks where %s is a pipe',
    async name => {
      await mkdir(inFolder());
      execFileSync('mkfifo', [inFolder(name)]);
      expect(await run({})).toMatchObject({ kind: 'stopped-slices', cause: { kind: 'failed' } });
    },
  );

  it('A slice export writes nothing through a link in its folder', async () => {
    await run({});
    const precious = join(folder, 'precious');
    await writeFile(precious, 'mine');
    const names = ['manifest.json.new', 'demo-chain-1-trades-014501-016500.zip.part'];
    await rm(inFolder('demo-chain-1-trades-014501-016500.zip'));
    for (const name of names) await symlink(precious, inFolder(name));
    expect(await run({})).toMatchObject({ kind: 'saved-slices' });
    expect(await readFile(precious, 'utf8')).toBe('mine');
  });
});

/** Tells other segments than the node does. */
async function otherHistory(change: (segment: Segment) => Segment): Promise<Boundaries> {
  const node = await startNode({ clock });
  nodes.push(node);
  const { boundaries } = await fetchBoundaries(createClient({ base: baseAddress(node.url) }));
  if (boundaries.kind === 'rule') throw new Error('it lists none');
  return listedBoundaries(boundaries.segments.map(change));
}

describe('Slices of a changed history', () => {
  const changed = (segment: Segment): Segment =>
    segment.fromHeight === 14_501n ? { ...segment, historySegmentId: 'QmOther' } : segment;

  it('Slices of a changed history are each complete, with a note that the node lists other segments at the end', async () => {
    const result = await run({}, { boundaries: await otherHistory(changed) });
    expect(result).toMatchObject({ kind: 'saved-slices' });
    expect('notes' in result && result.notes).toEqual([expect.stringContaining('the history of the node changed')]);
    expect((await readManifest(inFolder()))?.notes.join()).toContain('014501-016500.zip');
    expect((await verifyFolder(inFolder(), new AbortController().signal)).notes.join()).toContain(
      'the history of the node changed',
    );
  });

  it('Slices of a changed history are reported when the export continues later', async () => {
    const abort = new AbortController();
    const boundaries = await otherHistory(segment =>
      segment.fromHeight === 13_001n ? { ...segment, historySegmentId: 'QmOther' } : segment,
    );
    await run({}, { boundaries, signal: abort.signal, onSlices: done => done === 1 && abort.abort() });
    const result = await run({});
    expect('notes' in result && result.notes.join()).toContain('for demo-chain-1-trades-013001-014500.zip');
  });

  it('Slices of an unchanged history have no notes', async () => {
    const result = await run({});
    expect(result).toMatchObject({ kind: 'saved-slices', notes: [] });
    expect((await readManifest(inFolder()))?.slices[0]?.segmentIds).toHaveLength(2);
  });

  it('Slices of a changed history include a note on a slice that was downloaded again with other bytes', async () => {
    await run({});
    const manifest = JSON.parse(await readFile(inFolder('manifest.json'), 'utf8'));
    const before = 'ab'.repeat(32);
    manifest.slices[1].sha256 = before;
    await writeFile(inFolder('manifest.json'), JSON.stringify(manifest));
    await rm(inFolder(manifest.slices[1].file));
    const result = await run({});
    expect('notes' in result && result.notes.join()).toContain(`${manifest.slices[1].file} was downloaded again`);
    expect((await readManifest(inFolder()))?.slices[1]).toMatchObject({ differsFrom: before });
  });

  it('Slices of a changed history keep the bytes of a missing slice on record until it is back', async () => {
    await run({});
    const file = 'demo-chain-1-trades-016501-017500.zip';
    const known = (await readManifest(inFolder()))?.slices[2];
    await rm(inFolder(file));
    await run({ faults: ['error-instead'] });
    expect((await readManifest(inFolder()))?.slices[2]).toEqual(known);
  });
});
