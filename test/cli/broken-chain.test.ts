import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveNamesPath, readNamesFile } from '../../src/chain/directory/names-file.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

interface Sent {
  readonly fromHeight: string;
  readonly historySegmentId: string;
  readonly previousHistorySegmentId: string;
}

let node: RunningNode;
let url = '';
let folder = '';
let change: (segment: Sent) => Partial<Sent> = () => ({});

/** The embedded node, but for its list of segments. */
const server = createServer((request, response) => {
  void fetch(`${node.url}${request.url}`).then(async answer => {
    for (const name of ['x-block-height', 'x-block-timestamp', 'content-type', 'content-disposition'])
      response.setHeader(name, answer.headers.get(name) ?? '');
    response.statusCode = answer.status;
    const body = Buffer.from(await answer.arrayBuffer());
    response.end(request.url?.endsWith('/segments') === true ? changed(body.toString()) : body);
  });
});

function changed(list: string): string {
  const { segments }: { readonly segments: readonly Sent[] } = JSON.parse(list);
  return JSON.stringify({ segments: segments.map(segment => ({ ...segment, ...change(segment) })) });
}

beforeAll(async () => {
  node = await startNode();
  url = await urlOf(server);
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([node.close(), server.close(), rm(folder, { recursive: true })]);
});
beforeEach(() => {
  change = () => ({});
});

const at = (block: string, members: Partial<Sent>) => (segment: Sent) => (segment.fromHeight === block ? members : {});

const range = ['--table', 'ledger', '--from', '1', '--to', '2000'];
const one = (line: readonly string[]) => run([...line, '--node', url], { env: { XDG_STATE_HOME: folder } });

describe('Broken segment chain', () => {
  it.each([
    ['a wrong link', { previousHistorySegmentId: 'QmWRONG' }, /its segment names QmWRONG before it, not Qm\w{44}/],
    [
      'a missing link',
      { previousHistorySegmentId: '' },
      /its segment names none as the one before it, which is Qm\w{44}/,
    ],
  ])('A segment chain broken by %s is reported by every command that uses the history', async (_, members, why) => {
    change = at('1001', members);
    const sentence = new RegExp(`the segments do not form one chain at block 1001: ${why.source}`);
    const segments = await one(['segments']);
    expect([segments.code, segments.out]).toEqual([5, expect.stringMatching(sentence)]);
    const records = await one(['segments', '-o', 'ndjson']);
    expect([records.code, records.err]).toEqual([5, expect.stringMatching(sentence)]);
    const status = await one(['status']);
    expect([status.code, status.out]).toEqual([5, expect.stringMatching(/UNTRUSTED/)]);
    expect(status.out).toMatch(new RegExp(`problem +${sentence.source}`));
    const check = await one(['check', 'history']);
    expect([check.code, check.out]).toEqual([
      2,
      expect.stringMatching(new RegExp(`critical +history: ${sentence.source}`)),
    ]);
    const plan = await one(['export', ...range, '--plan']);
    expect(plan.out).toMatch(new RegExp(`links +${sentence.source}`));
    const overview = await one(['overview']);
    expect(overview.out).toMatch(sentence);
    expect(overview.out).toContain('no gap, not one chain at block 1001');
  });

  it('A segment id used for two ranges is reported with both ranges', async () => {
    const { segments }: { readonly segments: readonly Sent[] } = JSON.parse(
      await (await fetch(`${node.url}/api/v2/networkhistory/segments`)).text(),
    );
    const first = segments.find(({ fromHeight }) => fromHeight === '1')?.historySegmentId ?? '';
    change = at('1001', { historySegmentId: first });
    expect((await one(['segments'])).out).toContain(
      `the segments do not form one chain at block 1001: segment ${first} stands for blocks 1 to 1000 and for 1001 to 2000`,
    );
  });

  it('A broken segment chain is noted with an export of both sides, in its slices, and by the audit', async () => {
    change = at('1001', { previousHistorySegmentId: 'QmWRONG' });
    const exported = await one(['export', ...range, '--out', join(folder, 'a.zip')]);
    expect(exported.code, exported.err).toBe(0);
    expect(exported.err).toMatch(
      /note: the segments do not form one chain at block 1001: .*\. The file may mix two histories/,
    );
    expect(readNamesFile(archiveNamesPath(exported.out.trim()))?.ranges[0]?.segments?.breaks).toMatchObject([
      { at: '1001', against: '1000' },
    ]);
    const audit = await run(['audit', exported.out.trim()]);
    expect([audit.code, audit.out + audit.err]).toEqual([
      5,
      expect.stringContaining('the segments do not form one chain at block 1001: its segment names QmWRONG'),
    ]);
    const slices = await one(['export', ...range, '--slice', '1', '--out', folder]);
    expect(slices.err).toMatch(
      /note: the segments do not form one chain at block 1001: .* slices may mix two histories/,
    );
    const side = await one(['export', '--table', 'ledger', '--from', '1001', '--to', '2000', '--out', folder]);
    expect([side.code, side.err]).toEqual([0, expect.not.stringContaining('may mix')]);
  });

  it('A broken segment chain is not reported for the embedded node or for one that dropped its oldest segments', async () => {
    expect(await one(['segments'])).toMatchObject({ code: 0, err: '' });
    change = at('1', { previousHistorySegmentId: 'QmDropped' });
    expect(await one(['segments'])).toMatchObject({ code: 0, err: '' });
    expect((await one(['check', 'history'])).code).toBe(0);
    expect((await one(['status'])).code).toBe(0);
  });
});
