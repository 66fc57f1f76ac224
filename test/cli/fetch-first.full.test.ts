import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { createSink } from '../../src/cli/sink.ts';
import { startNode } from '../../src/node/index.ts';
import { paidParty } from '../flows/support/paid-party.ts';
import { folderForTest } from '../history/store/chain-on-disk.ts';
import { segmentNode, segmentsOfTen, segmentsOfThousand } from '../history/store/segment-node.ts';
import { unlimited } from '../node/wire.ts';
import { documentedGateway } from '../support/documented-gateway.ts';
import { hasRealNode, recordedNode } from '../support/recorded-node.ts';
import { contextWith, run, TextStream } from './run-command.ts';

/** Liquidity provider of the recorded chain. */
const RECORDED_PARTY = 'c75946d940020ad8df9dd0ece42ba5d533166cc6ecf237e7779f1021c42499de';

interface Asked {
  readonly url: string;
  readonly close: () => Promise<unknown>;
  readonly party: string;
  readonly year: string;
}

const embedded = async (): Promise<Asked> => {
  const { url, close } = await startNode({ rateLimit: unlimited, historyScale: 0.05 });
  return { url, close, party: await paidParty(url), year: String(new Date().getUTCFullYear()) };
};

const recorded = async (): Promise<Asked> => {
  const node = await recordedNode();
  return { url: node.url, close: async () => node[Symbol.asyncDispose](), party: RECORDED_PARTY, year: '2023' };
};

/** Only what the published interface has, so no segments, chain id, times of blocks, or names. */
const strict = (start: () => Promise<Asked>) => async (): Promise<Asked> => {
  const { url, close, ...asked } = await start();
  const gateway = await documentedGateway(url);
  return { ...asked, url: gateway.url, close: async () => [await gateway[Symbol.asyncDispose](), await close()] };
};

const NODES: readonly (readonly [name: string, start: () => Promise<Asked>])[] = [
  ['embedded node', embedded],
  ['embedded node behind a strict gateway', strict(embedded)],
  ...(hasRealNode
    ? ([
        ['recorded node', recorded],
        ['recorded node behind a strict gateway', strict(recorded)],
      ] as const)
    : []),
];

describe('One command from a node to the answer', () => {
  it.each(NODES)(
    'The %s answers what was received, whether it adds up, and a report, then offline',
    async (_, start) => {
      const root = await folderForTest();
      const { url, party, year, close } = await start();
      let isOpen = true;
      onTestFinished(async () => {
        if (isOpen) await close();
      });
      const questions = [
        ['answer', 'received', '--party', party, '-o', 'csv'],
        ['audit', '-o', 'json'],
        ['report', '--party', party, '--year', year, '--out', join(root, 'fetched.html')],
      ];
      const first = [];
      for (const line of questions) first.push(await run([...line, '--node', url, '--history', root, '--fetch']));
      expect(first.map(({ code, err }) => (code === 0 ? 0 : err))).toEqual([0, 0, 0]);
      for (const { err } of first) expect(err).toMatch(/^history of [\w-]+: [a-z_, ]+; blocks /m);
      await close();
      isOpen = false;
      const again = [];
      for (const line of [questions[0] ?? [], questions[1] ?? []])
        again.push(await run([...line, '--node', url, '--history', root]));
      expect(again.map(({ code, out }) => [code, out])).toEqual(first.slice(0, 2).map(({ code, out }) => [code, out]));
    },
  );
});

describe('Fetch before a question', () => {
  it('A node that exports nothing is refused in a sentence', async () => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfTen(3))];
    const gateway = await documentedGateway(node.url, { tables: [] });
    onTestFinished(() => gateway[Symbol.asyncDispose]());
    const { code, err } = await run(['audit', '--node', gateway.url, '--history', root, '--fetch']);
    expect([code, err]).toEqual([3, expect.stringContaining('the node does not report a chain id')]);
  });

  it('What a node does not export is named, with what can be done', async () => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfThousand(2))];
    const gateway = await documentedGateway(node.url, { tables: ['blocks', 'ledger'] });
    onTestFinished(() => gateway[Symbol.asyncDispose]());
    const line = ['audit', '--node', gateway.url, '--history', root];
    const { code, out, err } = await run([...line, '--fetch']);
    expect(err).toMatch(/^balances 1 to 2000, deposits .* could not be fetched: HTTP 400/m);
    expect(err).toContain('Another node may export them: --node URL');
    expect(err).toContain('not fetched: balances, deposits, withdrawals, rewards, trades, positions, orders');
    expect(code).toBe(3);
    expect(out).toMatch(/^ok +2 000 +block-numbers: /m);
    expect(out).toMatch(/balances/);
    const other = await run(['answer', 'rewards', '--node', gateway.url, '--history', root, '--fetch']);
    expect([other.code, other.out]).toEqual([3, '']);
    expect(other.err).toContain('not answered, because the fetch of rewards is incomplete');
  });

  it.each(['markets', 'deposits'])(
    'Without %s an answer is given, says what it lacks, and has the exit code',
    async lacking => {
      const root = await folderForTest();
      const { url, close, party } = await embedded();
      onTestFinished(async () => void (await close()));
      const tables = ['ledger', 'markets', 'deposits'].filter(table => table !== lacking);
      const gateway = await documentedGateway(url, { tables });
      onTestFinished(() => gateway[Symbol.asyncDispose]());
      const line = ['answer', 'received', '--party', party, '--node', gateway.url, '--history', root, '-o', 'csv'];
      const { code, out, err } = await run([...line, '--fetch']);
      expect(err.split('\n').filter(text => text.includes('could not be fetched'))).toEqual([
        `${lacking} 1 to 23500 could not be fetched: HTTP 400: Not Found`,
      ]);
      expect(code).toBe(3);
      expect(err).toMatch(
        lacking === 'markets' ? /fees of \d+ markets not known here/ : /accounts were computed from \d+ assets/,
      );
      const offline = await run(line);
      expect([offline.code, offline.out]).toEqual([0, out]);
      await using whole = await documentedGateway(url);
      const again = await run([...line.map(word => (word === gateway.url ? whole.url : word)), '--fetch']);
      expect([again.code, again.err]).toEqual([0, expect.stringContaining('complete: 24 segments fetched')]);
    },
  );

  it('Epochs cannot be found on a node that serves none, which is said; dates can, by the rows', async () => {
    const root = await folderForTest();
    const { url, close, party } = await strict(embedded)();
    onTestFinished(async () => void (await close()));
    const ask = (...range: readonly string[]) =>
      run(['answer', 'received', '--party', party, ...range, '--node', url, '--history', root, '--fetch', '-o', 'csv']);
    const epochs = await ask('--from', 'e20', '--to', 'e25');
    expect([epochs.code, epochs.err]).toEqual([
      2,
      expect.stringContaining('this node does not serve epochs, so e20 cannot be found: give dates or times instead'),
    ]);
    // Nothing is fetched for a question that it could not answer.
    expect(await readdir(root)).toEqual([]);
    const year = `${new Date().getUTCFullYear()}`;
    const dates = await ask('--from', `${year}-01-01`, '--to', `${year}-12-31`);
    expect([dates.code, dates.err]).toEqual([0, expect.stringContaining('complete: 72 segments fetched')]);
    expect(dates.out.split('\n').length).toBeGreaterThan(2);
  });

  it('Without a terminal nothing is fetched unless that was asked', async () => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfTen(3))];
    const { code, err } = await run(['query', 'FROM blocks', '--node', node.url, '--history', root]);
    expect([code, err]).toEqual([2, expect.stringContaining('no history of http://')]);
    expect([node.asked, await readdir(root)]).toEqual([[], []]);
  });

  it.each([
    ['n\n', 2, []],
    ['', 2, []],
    ['\n', 0, ['c']],
    ['yes\n', 0, ['c']],
  ] as const)('On a terminal the fetch is offered; after %j it ends with %i', async (typed, code, chains) => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfTen(3))];
    const [stdout, stderr] = [new TextStream(true), new TextStream(true)];
    const { context } = contextWith({
      stdin: () => Object.assign(Readable.from([typed]), { isTTY: true }),
      stdout: createSink(stdout),
      stderr: createSink(stderr),
    });
    const line = ['query', 'SELECT count(*)::INT FROM blocks', '--node', node.url, '--history', root];
    expect(await runCommandLine(line, context)).toBe(code);
    expect(stderr.text).toContain('needs blocks: 3 segments, size not known. Fetch? [Y/n] ');
    expect(await readdir(root)).toEqual(chains);
    expect(stdout.text.includes('30')).toBe(code === 0);
  });

  it('On a terminal the fetch is offered for a range that the disk lacks, and not for one that it has', async () => {
    const root = await folderForTest();
    const node = await startNode({ rateLimit: unlimited, historyScale: 0.05 });
    onTestFinished(() => node.close());
    const day = async (newest: boolean): Promise<string> => {
      const { out } = await run(['query', 'FROM blocks', '--node', node.url, '--history', root, '-o', 'json']);
      const times = [...out.matchAll(/"vega_time": ?"([^"]+)"/g)].map(([, time = '']) => time).toSorted();
      return `${(newest ? times.at(-1) : times[0])?.slice(0, 16).replace('T', ' ')}`;
    };
    const part = ['fetch', '--tables', 'blocks,trades', '--last', '3', '--node', node.url, '--history', root];
    expect((await run(part)).code).toBe(0);
    const [oldest, newest] = [await day(false), await day(true)];
    const ask = async (from: string) => {
      const stderr = new TextStream(true);
      const { context } = contextWith({
        stdin: () => Object.assign(Readable.from(['n\n']), { isTTY: true }),
        stdout: createSink(new TextStream(true)),
        stderr: createSink(stderr),
      });
      const line = ['answer', 'trades', '--from', from, '--to', newest, '--node', node.url, '--history', root];
      return [await runCommandLine(line, context), stderr.text.includes('Fetch? [Y/n]')];
    };
    const before = `${new Date(Date.parse(`${oldest.replace(' ', 'T')}Z`) - 3_600_000).toISOString().slice(0, 16).replace('T', ' ')}`;
    expect(await ask(before)).toEqual([0, true]);
    expect((await ask(newest))[1]).toBe(false);
  });

  it('`convert --fetch` fetches what is missing of the tables on disk', async () => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfTen(3))];
    const history = ['--node', node.url, '--history', root];
    await run(['fetch', '--tables', 'blocks', '--last', '1', ...history]);
    const { code, err } = await run(['convert', '--parquet', '--out', join(root, 'out'), '--fetch', ...history]);
    expect([code, err]).toEqual([0, expect.stringContaining('history of c: blocks; blocks 1-30')]);
    expect(node.asked.map(asked => asked.split(' ')[0])).toEqual(['blocks', 'blocks']);
  });

  it('A fetch that fails ends the command with its exit code, and nothing is asked', async () => {
    const [root, node] = [await folderForTest(), await segmentNode(segmentsOfTen(3))];
    node.onExport = response => {
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.end('no zip');
      return true;
    };
    const { code, out, err } = await run(['query', 'FROM blocks', '--node', node.url, '--history', root, '--fetch']);
    expect([code, out]).toEqual([5, '']);
    expect(err).toContain('not answered, because the fetch of blocks is incomplete');
  });

  it.each([
    [['query', 'SELECT 1', '--fetch'], '--fetch needs to know the tables'],
    [['query', 'SELECT 1', 'x.zip', '--fetch'], '--fetch is for the history on disk'],
    [['answer', 'rewards', '--last-month', '--from', 'e20'], '--last-month cannot be used with --from'],
    [['answer', 'rewards', '--last-month', '--last-week'], '--last-month cannot be used with --last-week'],
    [
      ['report', '--party', RECORDED_PARTY, '--this-month', '--year', '2026'],
      '--this-month cannot be used with --year',
    ],
  ] as const)('%j is refused: %s', async (line, message) => {
    const { code, err } = await run([...line], { env: { HOME: '/nowhere' } });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('Named ranges of an answer', () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'blockglass-ranges-'));
    const node = await startNode({ rateLimit: unlimited, historyScale: 0.1 });
    const { code } = await run(['fetch', '--for', 'answer', 'rewards', '--node', node.url, '--history', root]);
    await node.close();
    expect(code).toBe(0);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each([
    ['--last-month', 'from 2026-02-01 to 2026-02-28'],
    ['--last-week', 'from 2026-03-02 to 2026-03-08'],
    ['--this-month', 'from 2026-03-01 to the end of the history on disk'],
  ])('%s is %s', async (flag, range) => {
    const nowMs = () => Date.UTC(2026, 2, 12);
    const { err } = await run(['answer', 'rewards', flag, '--history', root], { nowMs });
    expect(err).toContain(`note: range: ${range}`);
  });
});
