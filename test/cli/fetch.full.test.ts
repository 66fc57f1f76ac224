import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit-code.ts';
import { folderForTest } from '../history/store/chain-on-disk.ts';
import { type SegmentNode, segmentNode, segmentsOfTen } from '../history/store/segment-node.ts';
import { run } from './run-command.ts';

const fetching = (node: SegmentNode, root: string, ...words: readonly string[]) =>
  run(['fetch', '--node', node.url, '--history', root, ...words]);

describe('blockglass fetch', () => {
  it('The plan is printed, nothing is fetched by it, and the folder is the only data of a fetch', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    const plan = await fetching(node, root, '--tables', 'blocks,checkpoints', '--plan');
    expect(plan.code).toBe(EXIT.done);
    expect(plan.out).toContain('missing   50 of 50 segments: 25 each of blocks, checkpoints\n');
    expect(plan.out).toContain('size      not known before the first slices\n');
    expect(node.asked).toEqual([]);
    const { code, out, err } = await fetching(node, root, '--tables', 'blocks,checkpoints');
    expect(code).toBe(EXIT.done);
    expect(out).toBe(`${join(root, 'c')}\n`);
    expect(err).toContain('blocks 101 to 200: 100 rows');
    expect(err).toContain('complete: 50 segments fetched, 250 rows');
    expect(err).toContain('history of c: blocks, checkpoints; blocks 1-250');
    node.segments = segmentsOfTen(26);
    const again = await fetching(node, root, '--tables', 'blocks', '--plan');
    expect(again.out).toMatch(
      /missing {3}1 of 26 segments: blocks 1\nsize {6}about [\d.]+ k?B, .*by the slices on disk\n/,
    );
  });

  it('A quiet fetch prints nothing unless something is wrong', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    expect(await fetching(node, root, '--tables', 'blocks', '--quiet')).toEqual({ code: EXIT.done, out: '', err: '' });
    node.segments = segmentsOfTen(30);
    node.onExport = response => {
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.end('no zip');
      return true;
    };
    const { code, out, err } = await fetching(node, root, '--tables', 'blocks', '--quiet');
    expect(code).toBe(EXIT.untrusted);
    expect(out).toBe('');
    expect(err).toContain('blocks 251 to 300 could not be fetched:');
  });

  it('A purpose, a question or a list names the tables', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(2));
    const missing = async (...words: readonly string[]) =>
      /missing +(.*)/.exec((await fetching(node, root, '--plan', ...words)).out)?.[1];
    expect(await missing()).toBe(
      '14 of 14 segments: 2 each of ledger, balances, rewards, trades, deposits, withdrawals, blocks',
    );
    expect(await missing('--for', 'answer', 'fills')).toBe('2 of 2 segments: trades 2');
    expect(await missing('--tables', 'TABLE_BLOCKS')).toBe('2 of 2 segments: blocks 2');
    expect(await missing('--from', '11')).toBe(
      '7 of 7 segments: 1 each of ledger, balances, rewards, trades, deposits, withdrawals, blocks',
    );
  });

  it.each([
    [['--for', 'tax'], '--for must be one of report, audit, answer, all, not "tax"'],
    [['--for', 'answer', 'reward'], 'unknown question "reward"'],
    [['rewards'], 'unexpected argument "rewards". A question follows --for answer.'],
    [['--tables', 'ledger', '--for', 'all'], 'use only one of --tables and --for'],
    [['--tables', 'leger'], 'unknown table "leger"'],
    [['--tables', ','], '--tables is empty'],
    [['--chain', ''], '--chain must have 1 to 4096 characters'],
    [['--check', '--forget'], '--forget and --check cannot be used together'],
    [['--forget', '--plan'], '--forget and --plan cannot be used together'],
    [['--forget', '--for', 'answer', 'trades'], '--forget and --for cannot be used together'],
    [['--forget', '--from', '1', '--to', '1000'], '--forget and --from cannot be used together'],
    [['--forget', '--last', '1'], '--forget and --last cannot be used together'],
    [['--check', '--plan'], '--check and --plan cannot be used together'],
    [['--check', '--last', '1'], '--check and --last cannot be used together'],
  ])('The command line %j is refused before any request', async (words, message) => {
    const { code, err } = await run(['fetch', '--node', 'http://127.0.0.1:9', ...words]);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain(message);
  });

  it('Another history, a gap in what the node has, and no history at all have exit codes of their own', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(3, 'Qm', 3));
    await fetching(node, root, '--tables', 'blocks');
    node.segments = segmentsOfTen(3, 'Other', 3);
    const other = await fetching(node, root, '--tables', 'blocks');
    expect(other.code).toBe(EXIT.untrusted);
    expect(other.err).toContain('this node has another history of c than');
    expect((await fetching(node, root, '--tables', 'blocks', '--from', '900')).code).toBe(EXIT.untrusted);
    node.segments = [];
    expect((await fetching(node, root, '--tables', 'blocks')).code).toBe(EXIT.refused);
    expect((await run(['fetch', '--node', 'http://127.0.0.1:9', '--history', root])).code).toBe(EXIT.unreachable);
  });

  it('--check sets a damaged slice aside and fetches it anew, and --forget frees the disk, both without naming the chain', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    await fetching(node, root, '--tables', 'blocks');
    const path = join(root, 'c', 'blocks', 'c-blocks-000101-000200.zip');
    const bytes = await readFile(path);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    await writeFile(path, bytes);
    node.asked.length = 0;
    const checked = await fetching(node, root, '--check');
    expect(checked.code).toBe(EXIT.done);
    expect(checked.err).toContain('damaged: blocks/c-blocks-000101-000200.zip');
    expect(node.asked).toEqual(['blocks 101-200']);
    const sound = await run(['fetch', '--check', '--history', root]);
    expect(sound).toMatchObject({ code: EXIT.done, err: '3 slices verified, 250 rows; 0 damaged\n' });
    const freed = await run(['fetch', '--forget', '--history', root, '--chain', 'c']);
    expect(freed.err).toMatch(/^[\d.]+ kB freed in /);
    expect(await readdir(root)).toEqual([]);
    expect((await run(['fetch', '--forget', '--history', root])).code).toBe(EXIT.usage);
  });

  it('--check mends a damaged manifest and a damaged slice in one go, and fetches nothing else that is missing', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    await fetching(node, root, '--tables', 'blocks,ledger', '--from', '101', '--to', '250');
    await writeFile(join(root, 'c', 'blocks', 'manifest.json'), '{');
    await writeFile(join(root, 'c', 'ledger', 'c-ledger-000101-000200.zip'), 'x');
    node.asked.length = 0;
    const checked = await fetching(node, root, '--check');
    expect(checked.code).toBe(EXIT.done);
    expect(checked.err).toMatch(
      /^damaged: .*manifest\.json is not a manifest of an export.*Its 2 files are verified again\.$/m,
    );
    expect(node.asked).toEqual(['ledger 101-200']);
    const sound = await run(['fetch', '--check', '--history', root]);
    expect(sound).toMatchObject({ code: EXIT.done, err: '4 slices verified, 150 rows; 0 damaged\n' });
  });

  it('Damage that --check finds without a node is untrusted data, not a wrong command line', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    await fetching(node, root, '--tables', 'blocks');
    await writeFile(join(root, 'c', 'blocks', 'c-blocks-000101-000200.zip'), 'x');
    const { code, err } = await run(['fetch', '--check', '--history', root]);
    expect(code).toBe(EXIT.untrusted);
    expect(err).toContain('damaged: blocks/c-blocks-000101-000200.zip');
    expect(err).toContain('Fetch it again: blockglass fetch --node URL.');
  });

  it('A node that cannot be reached leaves what --check set aside to the next fetch, and the exit code is that of damage', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    await fetching(node, root, '--tables', 'blocks');
    await writeFile(join(root, 'c', 'blocks', 'c-blocks-000101-000200.zip'), 'x');
    const line = ['fetch', '--check', '--history', root, '--chain', 'c', '--node', 'http://127.0.0.1:9'];
    const { code, err } = await run(line);
    expect(code).toBe(EXIT.untrusted);
    expect(err).toContain('damaged: blocks/c-blocks-000101-000200.zip');
    expect(err).toContain('1 damaged slice could not be replaced. The next blockglass fetch brings it.');
    node.asked.length = 0;
    expect((await fetching(node, root, '--tables', 'blocks')).code).toBe(EXIT.done);
    expect(node.asked).toEqual(['blocks 101-200']);
  });

  it('A damaged chain.json is said and not replaced; without it the slices are taken again', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(25));
    await fetching(node, root, '--tables', 'blocks');
    const path = join(root, 'c', 'chain.json');
    await writeFile(path, '{"format":1');
    for (const words of [['--plan'], []]) {
      const { code, out, err } = await fetching(node, root, '--tables', 'blocks', ...words);
      expect([code, out]).toEqual([EXIT.usage, '']);
      expect(err).toContain(`${path} cannot be used: it is damaged`);
      expect(err).toContain('Move this file away, and fetch again');
    }
    expect(await readFile(path, 'utf8')).toBe('{"format":1');
    await rm(path);
    node.asked.length = 0;
    expect((await fetching(node, root, '--tables', 'blocks')).code).toBe(EXIT.done);
    expect(node.asked).toEqual([]);
  });

  it('--forget leaves what a link leads to, and files that no fetch made', async () => {
    const [root, elsewhere] = [await folderForTest(), await folderForTest()];
    const node = await segmentNode(segmentsOfTen(2));
    await fetching(node, root, '--tables', 'blocks,checkpoints');
    const chain = join(root, 'c');
    await writeFile(join(elsewhere, 'c-blocks-000001-000010.zip'), 'mine');
    await writeFile(join(elsewhere, 'manifest.json'), 'mine');
    await symlink(elsewhere, join(chain, 'ledger'));
    await symlink(elsewhere, join(chain, 'parquet'));
    await writeFile(join(chain, 'blocks', 'notes.txt'), 'mine');
    expect((await fetching(node, root, '--forget')).code).toBe(EXIT.done);
    expect((await readdir(elsewhere)).toSorted()).toEqual(['c-blocks-000001-000010.zip', 'manifest.json']);
    expect(await readdir(chain)).toEqual(['blocks']);
    expect(await readdir(join(chain, 'blocks'))).toEqual(['notes.txt']);
  });

  it.each([
    ['an empty name', () => '', '--history is empty'],
    ['a file', (root: string) => join(root, 'file'), 'is not a folder'],
    ['a folder in a file', (root: string) => join(root, 'file', 'x'), 'is not a folder'],
    ['a device', () => '/dev/null', '/dev/null is not a folder'],
    ['a folder of the kernel', () => '/proc/nope', '/proc/nope cannot be created'],
    ['a name with a line break', (root: string) => join(root, 'a\nb'), 'has a line break'],
    ['a name that is too long', (root: string) => join(root, 'x'.repeat(300)), 'cannot be used: '],
  ])('--history with %s is refused in a sentence', async (_, place, message) => {
    const root = await folderForTest();
    await writeFile(join(root, 'file'), '');
    const node = await segmentNode(segmentsOfTen(2));
    const { code, err } = await fetching(node, place(root), '--tables', 'blocks');
    expect([code, node.asked]).toEqual([EXIT.usage, []]);
    expect(err).toContain(message);
  });

  it('Of two histories with one chain id none is guessed: a question names both folders, and one is chosen by its folder', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(2));
    await fetching(node, root, '--tables', 'blocks');
    node.genesisTime = '2026-03-01T00:00:00Z';
    node.segments = segmentsOfTen(3, 'New');
    await fetching(node, root, '--tables', 'blocks');
    const question = ['query', 'SELECT count(*)::INT AS n FROM blocks', '-o', 'csv', '--history', root];
    const refused = await run([...question, '--chain', 'c']);
    expect([refused.code, refused.out]).toEqual([EXIT.usage, '']);
    expect(refused.err).toContain('2 histories of c are on disk. Choose one');
    expect(refused.err).toContain(`--chain ${join(root, 'c')}   (started 2026-01-01T00:00:00Z, fetched `);
    expect((await run([...question, '--chain', join(root, 'c')])).out).toBe('n\r\n20\r\n');
    const fetched = await run([...question, '--chain', join(root, 'c.2'), '--node', node.url, '--fetch']);
    expect([fetched.code, fetched.out]).toEqual([EXIT.done, 'n\r\n30\r\n']);
    const other = await run([...question, '--chain', join(root, 'c'), '--node', node.url, '--fetch']);
    expect(other.code).toBe(EXIT.untrusted);
    expect(other.err).toContain(`this node does not have the history of ${join(root, 'c')}`);
  });

  it('Of two histories with one chain id, --forget deletes only the one whose folder is named', async () => {
    const root = await folderForTest();
    const node = await segmentNode(segmentsOfTen(3));
    await fetching(node, root, '--tables', 'blocks');
    node.genesisTime = '2026-03-01T00:00:00Z';
    node.segments = segmentsOfTen(3, 'New');
    await fetching(node, root, '--tables', 'blocks');
    const folders = [join(root, 'c'), join(root, 'c.2')];
    for (const words of [['--chain', 'c'], [], ['--node', node.url]]) {
      const refused = await run(['fetch', '--forget', '--history', root, ...words]);
      expect(refused.code).toBe(EXIT.usage);
      for (const folder of folders) expect(refused.err).toContain(`--chain ${folder} `);
    }
    expect((await readdir(root)).toSorted()).toEqual(['c', 'c.2']);
    expect((await run(['fetch', '--forget', '--history', root, '--chain', join(root, 'c')])).code).toBe(EXIT.done);
    expect(await readdir(root)).toEqual(['c.2']);
  });
});
