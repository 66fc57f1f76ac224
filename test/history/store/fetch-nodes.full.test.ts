import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readNamesFile } from '../../../src/chain/directory/names-file.ts';
import { EXIT } from '../../../src/cli/exit-code.ts';
import { openHistory } from '../../../src/history/store/chain-history.ts';
import { startNode } from '../../../src/node/index.ts';
import { run } from '../../cli/run-command.ts';
import { bundle } from '../../flows/support/explorer.ts';
import { unlimited } from '../../node/wire.ts';
import { documentedGateway } from '../../support/documented-gateway.ts';
import { hasRealNode, recordedNode } from '../../support/recorded-node.ts';
import { startStrictNode } from '../../support/strict-node.ts';
import { folderForTest } from './chain-on-disk.ts';
import { type SegmentNode, segmentNode, segmentsOfTen, segmentsOfThousand } from './segment-node.ts';

describe.skipIf(!hasRealNode)('Fetch from the recorded node', () => {
  it('The history of a node whose core does not answer is fetched whole for every purpose, with names and epochs', async () => {
    await using node = await recordedNode();
    const root = await folderForTest();
    const fetching = (...words: readonly string[]) => run(['fetch', '--node', node.url, '--history', root, ...words]);
    const { code, err } = await fetching('--for', 'all');
    expect(err).toContain('complete: 75 segments fetched');
    expect(code).toBe(EXIT.done);
    const history = await openHistory(join(root, 'testnet-001'));
    expect(history.genesisTime).toBeNull();
    expect(history.tables.map(({ ranges }) => ranges)).toEqual(history.tables.map(() => [{ from: 1n, to: 5000n }]));
    expect(history.tables).toHaveLength(15);
    expect(history.tables.find(({ table }) => table === 'blocks')?.rows).toBe(5000);
    const names = readNamesFile(join(history.folder, 'names.json'));
    expect(names?.names.markets.size).toBeGreaterThan(0);
    expect(names?.epochs.length).toBeGreaterThan(0);
    const exports = node.asked.filter(asked => asked.includes('/export')).length;
    expect((await fetching('--for', 'audit')).err).toContain('complete: everything was on disk');
    expect(node.asked.filter(asked => asked.includes('/export'))).toHaveLength(exports);
    expect((await run(['fetch', '--check', '--history', root])).err).toContain('15 slices verified');
  });
});

describe('Fetch from a node that lists no segments', () => {
  it('All blocks before and after an upgrade are fetched, which ends a segment early', async () => {
    const node = await startNode({ rateLimit: unlimited, historyScale: 0.01 });
    onTestFinished(() => node.close());
    await using gateway = await documentedGateway(node.url);
    const root = await folderForTest();
    const words = ['--tables', 'blocks', '--node', gateway.url, '--history', root];
    const { code, err } = await run(['fetch', ...words]);
    expect([code, err]).toEqual([EXIT.done, expect.stringContaining('complete: 24 segments fetched, 23 500 rows')]);
    expect(err).toMatch(/^note: blocks 1 to 23500 of demo-chain-1 were found .* It may have later ones; tried were /m);
    expect((await openHistory(join(root, 'demo-chain-1'))).tables[0]?.ranges).toEqual([{ from: 1n, to: 23_500n }]);
    expect((await run(['fetch', ...words])).err).toContain('complete: everything was on disk');
    // The same history by a list: nothing of it is fetched again.
    const listed = await run(['fetch', '--tables', 'blocks', '--node', node.url, '--history', root]);
    expect([listed.code, listed.err]).toEqual([EXIT.done, expect.stringContaining('everything was on disk')]);
  });

  /** A fetch during which the node changes with the second slice, then one of the rest. */
  async function changed(change: (node: SegmentNode) => void, back: (node: SegmentNode) => void) {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfThousand(30))];
    await using gateway = await documentedGateway(node.url);
    let slices = 0;
    node.onExport = (_, { table, from, to }) => {
      if (table === 'blocks' && to - from > 1000 && ++slices === 2) change(node);
      return false;
    };
    const words = ['fetch', '--tables', 'blocks', '--node', gateway.url, '--history', root];
    const first = await run(words);
    const kept = (await openHistory(join(root, 'c'))).tables[0]?.ranges;
    const again = await run(['fetch', '--check', '--history', root, '--chain', 'c']);
    expect([again.code, again.err]).toEqual([EXIT.done, expect.stringContaining('; 0 damaged')]);
    back(node);
    const rest = await run(words);
    expect([rest.code, rest.err]).toEqual([EXIT.done, expect.stringContaining('complete: ')]);
    expect((await openHistory(join(root, 'c'))).tables[0]?.ranges).toEqual([{ from: 1n, to: 30_000n }]);
    return { ...first, kept };
  }

  it('Where another chain answers during a fetch, nothing of it is kept', async () => {
    const { code, err, kept } = await changed(
      node => Object.assign(node, { chainId: 'other' }),
      node => Object.assign(node, { chainId: 'c' }),
    );
    expect([code, kept]).toEqual([EXIT.untrusted, [{ from: 20_001n, to: 30_000n }]]);
    expect(err).toMatch(/^blocks 10001 to 20000 could not be fetched: .* is of chain other, not c/m);
    // It was removed, so that no later run takes it up.
    expect(err).not.toContain('.part');
  });

  it('Where segments vanish during a fetch, the others are kept and a line names what is missing', async () => {
    const { code, err, kept } = await changed(
      node => Object.assign(node, { segments: segmentsOfThousand(10, 20) }),
      node => Object.assign(node, { segments: segmentsOfThousand(30) }),
    );
    expect([code, kept]).toEqual([EXIT.refused, [{ from: 20_001n, to: 30_000n }]]);
    expect(err).toMatch(/^blocks 1 to 20000 could not be fetched: .*HTTP 400/m);
    expect(err).toContain('Another node may export them: --node URL');
  });

  it('Two fetches at once, and one that was killed, leave one whole history', async () => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfThousand(30))];
    await using gateway = await documentedGateway(node.url);
    const words = ['fetch', '--tables', 'blocks,trades', '--node', gateway.url, '--history', root];
    const env = { PATH: process.env.PATH, HOME: root, LANG: 'C.UTF-8' };
    const killed = spawn(process.execPath, [bundle, ...words], { stdio: 'ignore', env });
    const gone = once(killed, 'close');
    node.onExport = (_, { from, to }) => {
      if (to - from > 1000) killed.kill('SIGKILL');
      return false;
    };
    await gone;
    node.onExport = () => false;
    const both = await Promise.all([run(words), run(words)]);
    expect(both.map(({ code, err }) => (code === EXIT.done ? code : err))).toEqual([EXIT.done, EXIT.done]);
    const { tables, problems } = await openHistory(join(root, 'c'));
    expect(tables.map(({ ranges }) => ranges)).toEqual([[{ from: 1n, to: 30_000n }], [{ from: 1n, to: 30_000n }]]);
    expect(problems).toEqual([]);
    const check = await run(['fetch', '--check', '--history', root]);
    expect([check.code, check.err]).toEqual([EXIT.done, expect.stringContaining('; 0 damaged')]);
  });
});

describe('Fetch from the strict node', () => {
  it('A node without a list of segments is asked for its blocks and its chain, also if both are given', async () => {
    await using node = await startStrictNode();
    const root = await folderForTest();
    const fetching = (...words: readonly string[]) =>
      run(['fetch', '--node', node.url, '--history', root, '--tables', 'blocks,ledger', ...words]);
    const newest = await fetching('--last', '2');
    expect([newest.code, newest.err]).toEqual([EXIT.done, expect.stringContaining('complete: 4 segments fetched')]);
    expect(newest.err).toContain('blocks 1 to 20000 of strict-chain-1 were found by asking for single segments');
    expect((await run(['fetch', '--forget', '--history', root])).code).toBe(EXIT.done);
    const words = ['--chain', 'strict-chain-1', '--from', '1', '--to', '20000'];
    const { code, err } = await fetching(...words);
    expect(err).toContain('complete: 40 segments fetched');
    expect(code).toBe(EXIT.done);
    const history = await openHistory(join(root, 'strict-chain-1'));
    expect(history.tables.map(({ table, ranges }) => [table, ranges])).toEqual([
      ['blocks', [{ from: 1n, to: 20_000n }]],
      ['ledger', [{ from: 1n, to: 20_000n }]],
    ]);
    expect((await fetching(...words)).err).toContain('complete: everything was on disk');
    expect((await fetching('--chain', 'wrong-chain', '--from', '1', '--to', '1000')).code).not.toBe(EXIT.done);
    expect((await openHistory(join(root, 'strict-chain-1'))).tables).toHaveLength(2);
  });

  it('A slice behind which the node reports an error, and one that breaks off each time, are not kept', async () => {
    await using node = await startStrictNode();
    const root = await folderForTest();
    const words = ['--chain', 'strict-chain-1', '--from', '1', '--to', '20000', '--tables', 'blocks'];
    node.setExportTail('{"error":{"code":13,"message":"Internal error","details":[]}}');
    const late = await run(['fetch', '--node', node.url, '--history', root, ...words]);
    expect([EXIT.untrusted, EXIT.refused]).toContain(late.code);
    expect(late.err).toContain('blocks 1 to 20000 could not be fetched');
    expect((await openHistory(join(root, 'strict-chain-1'))).tables).toEqual([]);
    node.setExportTail('');
    expect((await run(['fetch', '--node', node.url, '--history', root, ...words])).code).toBe(EXIT.done);
  });
});

describe('Fetch onto a full disk', () => {
  it('What fits is kept, the command says what to do, and it goes on when there is space', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(400));
    const words = ['fetch', '--tables', 'blocks', '--node', node.url, '--history', root, '--oldest-first'];
    // The limit of a file stands for the disk: it ends writes with EFBIG, as a full one does with ENOSPC.
    const limited = spawn(
      'sh',
      ['-c', `trap '' XFSZ; ulimit -f 8; exec "$@"`, 'sh', process.execPath, bundle, ...words],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, HOME: root, LANG: 'C.UTF-8' },
      },
    );
    const [stderr, [code]] = await Promise.all([text(limited.stderr), once(limited, 'close')]);
    expect(code).toBe(EXIT.usage);
    expect(stderr).toMatch(
      /\b[1-9]\d* of 400 segments are verified and on disk, [^.]+\.?\d* kB fetched\. Free some space, and run the same command again/,
    );
    const kept = (await openHistory(join(root, 'c'))).tables[0]?.slices.length ?? 0;
    expect(kept).toBeGreaterThan(0);
    expect((await readdir(join(root, 'c', 'blocks'))).filter(name => /\.part$|\.new$/.test(name))).toEqual([]);
    node.asked.length = 0;
    expect((await run(['fetch', '--tables', 'blocks', '--node', node.url, '--history', root])).code).toBe(EXIT.done);
    expect((await openHistory(join(root, 'c'))).tables[0]?.ranges).toEqual([{ from: 1n, to: 4000n }]);
    expect(node.asked.length).toBeLessThanOrEqual(40 - kept);
  });
});

describe('Fetch onto a file system of its own', () => {
  it('A full disk loses no slice that is there, and the fetch goes on when there is space', async context => {
    const root = await folderForTest();
    if (!mountSmall(root, '16550k')) return context.skip();
    const node = await segmentNode(segmentsOfTen(1000));
    const line = ['fetch', '--tables', 'blocks', '--node', node.url, '--history', root];
    const { code, err } = await run(line);
    expect(code).toBe(EXIT.usage);
    expect(err).toMatch(/[Ff]ree some space,? and run the same command again/);
    const kept = (await openHistory(join(root, 'c'))).tables[0]?.slices ?? [];
    expect(kept.length).toBeGreaterThan(0);
    const again = await run(['fetch', '--check', '--history', root]);
    expect([again.code, again.err]).toEqual([EXIT.done, expect.stringContaining('; 0 damaged')]);
    expect(spawnSync('mount', ['-o', 'remount,size=40m', root]).status).toBe(0);
    expect((await run(line)).code).toBe(EXIT.done);
    const whole = (await openHistory(join(root, 'c'))).tables[0];
    expect(whole?.ranges).toEqual([{ from: 1n, to: 10_000n }]);
    expect(whole?.slices.map(({ file }) => file)).toEqual(expect.arrayContaining(kept.map(({ file }) => file)));
  });

  it('A read-only history with nothing to fetch is complete, and is checked; damage in it is said', async context => {
    const root = await folderForTest();
    if (!mountSmall(root, '40m')) return context.skip();
    const node = await segmentNode(segmentsOfTen(25));
    const line = ['fetch', '--tables', 'blocks', '--node', node.url, '--history', root];
    expect((await run(line)).code).toBe(EXIT.done);
    const makeReadOnly = (how: string) => expect(spawnSync('mount', ['-o', `remount,${how}`, root]).status).toBe(0);
    makeReadOnly('ro');
    expect(await run(line)).toMatchObject({ code: EXIT.done, err: expect.stringContaining('everything was on disk') });
    expect((await run(['fetch', '--check', '--history', root])).code).toBe(EXIT.done);
    makeReadOnly('rw');
    const [first] = (await openHistory(join(root, 'c'))).tables[0]?.slices ?? [];
    const path = join(root, 'c', 'blocks', first?.file ?? '');
    await writeFile(path, 'x'.repeat(first?.bytes ?? 0));
    makeReadOnly('ro');
    const { code, err } = await run(['fetch', '--check', '--history', root]);
    expect(code).toBe(EXIT.untrusted);
    expect(err).toContain('It cannot be set aside: the folder is read-only.');
    node.segments = segmentsOfTen(26);
    const more = await run(line);
    expect([more.code, more.err]).toEqual([EXIT.usage, expect.stringContaining('no permission to write')]);
  });
});

/** Only root may, and not everywhere. It is gone when the test ends. */
function mountSmall(folder: string, size: string): boolean {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return true;
}
