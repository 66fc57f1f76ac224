import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveNamesPath, readNamesFile } from '../../src/chain/directory/names-file.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

let node: RunningNode;
let twin: RunningNode;
let folder = '';
const SEGMENTS = '/api/v2/networkhistory/segments';

/** Names another id for the segment that ends at block 2000, with a control sequence in it. */
const forked = createServer((_, response) => {
  void fetch(`${node.url}${SEGMENTS}`).then(async answer => {
    const { segments } = JSON.parse(await answer.text());
    const changed = segments.map((segment: { readonly toHeight: string }) =>
      segment.toHeight === '2000' ? { ...segment, historySegmentId: 'Qm\u001b[31mother' } : segment,
    );
    response.end(JSON.stringify({ segments: changed }));
  });
});
let forkedUrl = '';
const clock = () => Date.UTC(2026, 8, 14, 14);
let heard: string[] = [];

beforeAll(async () => {
  [node, twin] = await Promise.all([startNode({ clock }), startNode({ clock })]);
  forkedUrl = await urlOf(forked);
  forked.on('request', ({ url = '' }) => void heard.push(url));
});
afterAll(() => Promise.all([node.close(), twin.close(), forked.close()]));
beforeEach(async () => {
  heard = [];
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const exporting = async (...words: readonly string[]) => {
  const profiles = {
    ...{
      home: node.url,
      again: node.url,
      here: node.url.replace('127.0.0.1', 'localhost'),
      backup: twin.url,
      wrong: 'no address at all:',
    },
    ...{ eu: forkedUrl, off: 'http://127.0.0.1:9' },
  };
  const asked = ['export', '--table', 'ledger', '--from', '1001', '--to', '3000', '--out', folder];
  return run([...asked, '--node', 'home', ...words], { settings: async () => ({ profiles }) });
};

describe('Segment lists of other profiles', () => {
  it('The export requests the segment list of each other profile of the chain once, and saves the answers', async () => {
    const { code, out, err } = await exporting();
    expect(code, err).toBe(0);
    expect(err).toContain('witness   backup reports the same history for these blocks\n');
    expect(err).toMatch(
      /^witness {3}eu reports a different history: for blocks 1001 to 2000 segment Qm\S*other, this node \S+$/m,
    );
    expect(err).toMatch(/^witness {3}off was not compared: .+$/m);
    expect(err).not.toContain('\u001b');
    expect(err).not.toMatch(/again|here/);
    expect(heard).toEqual([SEGMENTS]);
    expect(readNamesFile(archiveNamesPath(out.trim()))?.witnesses).toMatchObject([
      { node: 'backup', same: 2, of: 2, differs: null, problem: null },
      { node: 'eu', same: 1, of: 2, differs: { fromBlock: '1001', toBlock: '2000' }, problem: null },
      { node: 'off', same: 0, of: 2, differs: null },
    ]);
  });

  it('The export saves the segment lists in the manifest of slices too, and a later run replaces them', async () => {
    const { out, err } = await exporting('--slice', '1');
    const saved = async () => JSON.parse(await readFile(join(out.trim(), 'manifest.json'), 'utf8')).witnesses;
    expect(await saved(), err).toMatchObject([{ node: 'backup' }, { node: 'eu' }, { node: 'off' }]);
    await exporting('--slice', '1', '--no-witnesses');
    expect(await saved()).toHaveLength(3);
  });

  it('The export queries no other profile with `--no-witnesses` or for the demo', async () => {
    const { err } = await exporting('--no-witnesses', '--plan');
    expect(err).not.toContain('witness');
    const profiles = { eu: forkedUrl };
    const demo = ['export', '--table', 'ledger', '--last', '1', '--plan', '--demo'];
    const members = { settings: async () => ({ profiles }), startDemo: () => Promise.resolve({ url: node.url }) };
    expect((await run(demo, members)).code).toBe(0);
    expect(heard).toEqual([]);
  });
});

describe('`segments` of several nodes', () => {
  it('`segments` lists those of the first node, and notes whether the other nodes have the same', async () => {
    const profiles = { home: node.url, backup: twin.url, eu: forkedUrl, off: 'http://127.0.0.1:9' };
    const members = { settings: async () => ({ profiles }) };
    const nodes = ['home', 'backup', 'eu', 'off'].flatMap(name => ['--node', name]);
    const alone = await run(['segments', '--node', 'home', '-o', 'json'], members);
    const { code, out, err } = await run(['segments', ...nodes, '-o', 'json'], members);
    expect([code, out]).toEqual([1, alone.out]);
    expect((await run(['segments', '--node', 'home', '--node', 'backup', '--node', 'off'], members)).code).toBe(0);
    expect(err.split('\n')).toEqual(
      expect.arrayContaining([
        'note: backup reports the same history for these blocks',
        expect.stringMatching(
          /^note: eu reports a different history: for blocks 1001 to 2000 segment \S+, this node \S+$/,
        ),
        expect.stringMatching(/^note: off was not compared: .+$/),
      ]),
    );
    expect(err).not.toContain('\u001b');
    expect((await run(['segments', ...nodes, '--at', '1'], members)).err).toContain('--at shows one snapshot');
  });
});
