import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/chain/api/client.ts';
import type { Context } from '../../src/cli/context.ts';
import { Recording } from '../../src/cli/record/recording.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import * as store from '../../src/memory/snapshots/index.ts';
import { type AlteredNode, startAlteredNode } from '../memory/record/altered-node.ts';
import { contextWith, run } from './run-command.ts';

let node: AlteredNode;
beforeAll(async () => {
  node = await startAlteredNode(2);
});
afterAll(() => node[Symbol.asyncDispose]());
beforeEach(() => {
  node.alter = () => undefined;
});

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const filesIn = (state: string): string => join(state, 'blockglass', 'snapshots');

/** Runs commands with one state folder. */
function commands(state = stateFolder()) {
  const env = { XDG_STATE_HOME: state };
  return {
    state,
    record: (...words: readonly string[]) => run(['record', '--node', node.url, ...words], { env }),
    stopped: (signal: AbortSignal, ...words: readonly string[]) =>
      run(['record', '--node', node.url, ...words], { env, signal } satisfies Partial<Context>),
    stored: (...words: readonly string[]) => run(['record', ...words], { env }),
  };
}

const inChain = (chainId: string) => async (url: URL, own: () => Promise<string>) =>
  /statistics|segments/.test(url.pathname) ? { body: (await own()).replaceAll('demo-chain-1', chainId) } : undefined;

describe('record', () => {
  it('`record --once` stores what the node shows, and only the changes the second time', async () => {
    const { record, stored } = commands();
    const first = await record('--once');
    expect([first.code, first.err]).toEqual([0, '']);
    expect(first.out).toMatch(/^snapshot 1 of demo-chain-1, 20.* UTC, block 23531: .* records in 24 lists, all new\n$/);
    node.alter = async (url, own) =>
      url.pathname === '/api/v2/network/parameters'
        ? { body: (await own()).replace(/"value":"[\d.]+"/, '"value":"changed"') }
        : undefined;
    const second = JSON.parse((await record('--once', '-o', 'ndjson')).out);
    expect(second).toMatchObject({ id: 2, chainId: 'demo-chain-1', listsUnread: 0, unread: [], removed: 0 });
    expect(second.changed).toBe(1);
    const listed = JSON.parse((await stored('list', '-o', 'json')).out);
    expect(listed).toMatchObject([{ chainId: 'demo-chain-1', problem: null, snapshots: [{ id: 1 }, { id: 2 }] }]);
    expect((await stored('check')).out).toBe('demo-chain-1: 2 snapshots, ok\n');
    const export1 = (await stored('export', '1')).out.split('\n');
    const export2 = (await stored('export')).out.split('\n');
    const differing = export2.filter(line => !export1.includes(line) && line.includes('"parameters"'));
    expect(differing.length).toBe(1);
    expect(differing[0]).toContain('"value":"changed"');
    expect(export1.filter(line => line.startsWith('{"list":"parameters"')).length).toBe(173);
  });

  it('`record` reports a node behind the last snapshot as behind, and never records as removed', async () => {
    const { record, state } = commands();
    await record('--once');
    node.alter = async (url, own) => {
      const body = await own();
      const headers = { 'x-block-height': '22531' };
      if (url.pathname !== '/api/v2/network/parameters') return { headers, body };
      const { networkParameters } = JSON.parse(body);
      networkParameters.edges.splice(3, 1);
      return { headers, body: JSON.stringify({ networkParameters }) };
    };
    const { code, out, err } = await record('--once');
    expect(code).toBe(0);
    expect(out).toContain('1 000 blocks behind the snapshot before\n');
    expect(out).not.toContain('changed');
    expect(err).toContain('the node is at block 22531, and the last snapshot has block 23531: the node went back, or');
    const compared = await run(['diff', '1', '2'], { env: { XDG_STATE_HOME: state } });
    expect(compared.out).toContain('only in a');
    expect(compared.out).not.toContain('removed');
    expect(compared.err).toContain('b is at block 22531, 1 000 blocks before a: the node went back, or is behind.');
  });

  it('`record` reports which lists could not be read, and stores the others', async () => {
    const { record, stored } = commands();
    node.alter = url =>
      url.pathname.endsWith('/specs') ? { status: 500, body: '{"code":13,"message":"no\\u001b[2J"}' } : undefined;
    const { code, out, err } = await record('--once');
    expect(code).toBe(0);
    expect(out).toContain('in 23 lists');
    expect(err).toBe('note: 1 list could not be read (oracles): HTTP 500: no\u241b[2J\n');
    const exported = (await stored('export')).out.split('\n').filter(line => line.includes('"oracles"'));
    expect(exported.map(line => JSON.parse(line))).toEqual([
      { list: 'oracles', scope: '', unread: 'HTTP 500: no\u001b[2J' },
    ]);
  });

  it('`record` stores nothing if the node cannot be reached', async () => {
    const { record, state } = commands();
    node.alter = () => 'gone';
    const { code, out, err } = await record('--once');
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain('try:');
    expect(() => readdirSync(filesIn(state))).toThrow('ENOENT');
  });

  it('`record` stores the address of the node without its login', async () => {
    const { state, stored } = commands();
    const env = { XDG_STATE_HOME: state };
    const { code } = await run(['record', '--once', '--node', node.url.replace('://', '://user:secret@')], { env });
    expect(code).toBe(0);
    const { out } = await stored('export');
    expect(JSON.parse(out.split('\n')[0] ?? '').snapshot.node).toBe(node.url);
    const [file = ''] = readdirSync(filesIn(state)).filter(name => name.endsWith('.sqlite'));
    expect(readFileSync(join(filesIn(state), file)).includes('secret')).toBe(false);
  });

  it('`record` keeps the chains of one address apart', async () => {
    const { record, stored } = commands();
    await record('--once');
    node.alter = inChain('other/../chain');
    await record('--once');
    const listed = JSON.parse((await stored('list', '-o', 'json')).out);
    expect(listed.map(({ chainId }: { chainId: string }) => chainId)).toEqual(['demo-chain-1', 'other/../chain']);
    expect((await stored('export')).err).toContain('found snapshots of 2 chains. Choose one with --chain');
    const { out } = await stored('export', '--chain', 'other/../chain');
    expect(JSON.parse(out.split('\n')[0] ?? '').snapshot.chainId).toBe('other/../chain');
  });

  it('`record` runs until it is stopped, which is not an error', async () => {
    const { state, stored } = commands();
    const stop = new AbortController();
    const { context, stdout } = contextWith({ env: { XDG_STATE_HOME: state }, signal: stop.signal });
    const running = runCommandLine(['record', '--node', node.url, '--every', '10s'], context);
    await expect.poll(() => stdout.text).toMatch(/^snapshot 1 .*\n$/);
    stop.abort();
    expect(await running).toBe(0);
    expect((await stored('check')).code).toBe(0);
  });

  it('`record` stores nothing of an interrupted snapshot, and reports the interruption', async () => {
    const { stopped, stored } = commands();
    const stop = new AbortController();
    node.alter = url => {
      if (url.pathname.endsWith('/markets')) stop.abort();
      return undefined;
    };
    const { code, out } = await stopped(stop.signal, '--once');
    expect([code, out]).toEqual([130, '']);
    expect((await stored('list')).out).toContain('demo-chain-1: 0 snapshots');
  });

  it('`record` resumes when the next snapshot is due after an earlier run ended', async () => {
    const { record, stored } = commands();
    await record('--once');
    const { code, out, err } = await record('--every', '1h', '--for', '1s');
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(
      /^note: waiting: the last snapshot of demo-chain-1 is [\d.]+ m?s old, the next one is due in (59|60) min\n$/,
    );
    expect((await stored('list')).out).toContain('demo-chain-1: 1 snapshot,');
  });

  it('`record` reports the process that already records the chain, before it reads any list', async () => {
    const { state, record } = commands();
    const recorder = store.openRecorder({ folder: filesIn(state), chainId: 'demo-chain-1', nowMs: Date.now });
    node.requests.length = 0;
    const { code, err } = await record('--once');
    recorder.close();
    expect(code).toBe(2);
    expect(err).toContain(`process ${process.pid} (since `);
    expect(node.requests.length).toBe(2);
  });

  it.each([
    [['--once', '--every', '10m'], '--once and --every cannot be used together'],
    [['--every', '1s'], '--every must be a time from 10s to 7d, such as 10m, 24h or 90d, not "1s"'],
    [['--every', '10'], '--every must be a time'],
    [['--for', 'ever'], '--for must be a time'],
    [['--keep', '-1d'], '--keep'],
    [['--keep', '999999999d'], '--keep must be a time'],
  ])('`record` refuses %j', async (words, message) => {
    const { code, err } = await commands().record(...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('`record` needs a folder for its files', async () => {
    const { code, err } = await run(['record', '--once', '--node', node.url], { env: {} });
    expect([code, err]).toEqual([2, 'blockglass: no home folder for the snapshots. Set HOME or XDG_STATE_HOME.\n']);
    const file = join(stateFolder(), 'file');
    writeFileSync(file, '');
    const inFile = await run(['record', '--once', '--node', node.url], { env: { XDG_STATE_HOME: file } });
    expect(inFile.code).toBe(1);
    expect(inFile.err).toContain('cannot be created');
  });
});

describe('Recording', () => {
  function recording(nowMs: () => number, notes: string[]) {
    const folder = filesIn(stateFolder());
    const { signal } = new AbortController();
    const client = createClient({ base: new URL(node.url) });
    const made = new Recording({
      client,
      store,
      folder,
      keepMs: undefined,
      signal,
      onNote: note => notes.push(note),
      nowMs,
    });
    onTestFinished(() => made.close());
    return made;
  }

  it('A recording reports that the chain of the address changed, and stores into the file of each', async () => {
    const notes: string[] = [];
    const made = recording(Date.now, notes);
    const first = await made.take();
    node.alter = inChain('second');
    const second = await made.take();
    node.alter = () => undefined;
    const third = await made.take();
    expect([first, second, third].map(({ chainId, info }) => [chainId, info.id])).toEqual([
      ['demo-chain-1', 1],
      ['second', 1],
      ['demo-chain-1', 2],
    ]);
    expect(notes).toEqual([
      'the node now serves chain second, not demo-chain-1: each chain has its own snapshots',
      'the node now serves chain demo-chain-1, not second: each chain has its own snapshots',
    ]);
  });

  it('A recording reports that the clock was set back, and stores in the order of arrival', async () => {
    const notes: string[] = [];
    let now = Date.UTC(2026, 9, 2);
    const made = recording(() => now, notes);
    await made.take();
    now = Date.UTC(2026, 9, 1);
    expect((await made.take()).info.id).toBe(2);
    expect(notes).toEqual([
      'the clock was set back: the last snapshot is of 2026-10-02 00:00:00 UTC, this one of 2026-10-01 00:00:00 UTC',
    ]);
    expect(made.sinceLast('demo-chain-1')).toBe(0);
    now -= 1;
    expect(made.sinceLast('demo-chain-1')).toBeUndefined();
  });

  it('A recording reports that a chain was restarted', async () => {
    const notes: string[] = [];
    const made = recording(Date.now, notes);
    await made.take();
    node.alter = async (url, own) =>
      url.pathname === '/statistics'
        ? { body: (await own()).replace(/"genesisTime":"[^"]*"/, '"genesisTime":"2027-01-01T00:00:00Z"') }
        : undefined;
    await made.take();
    expect(notes.join()).toMatch(
      /^the chain was restarted: its genesis is 2027-01-01T00:00:00Z, the last snapshot has 2026/,
    );
  });
});

function rootPageOf(path: string, table: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) ?? {};
  database.close();
  return Number(rootpage);
}

describe('record list, check, prune and export', () => {
  it('`record list` shows the newest snapshots, and how to see the rest', async () => {
    const { state, stored } = commands();
    const recorder = store.openRecorder({ folder: filesIn(state), chainId: 'c', nowMs: Date.now });
    for (let id = 1; id <= 25; id++)
      recorder.add({
        ...{ takenMs: Date.UTC(2026, 9, id), endedMs: Date.UTC(2026, 9, id), node: 'n', blockHeight: `${id}` },
        ...{
          blockTimeNs: null,
          genesisTime: null,
          lists: [{ list: 'fees', scope: '', kind: 'unread', problem: 'no' }],
        },
      });
    recorder.close();
    const { out } = await stored('list');
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^c: 25 snapshots, [\d.]+ kB, \/.*\.sqlite$/);
    expect(lines[1]).toBe('5 earlier snapshots not shown: --last 25');
    expect(lines.slice(2, 4)).toEqual([
      'ID  TAKEN (UTC)          BLOCK  RECORDS  CHANGED  LISTS  UNREAD',
      ' 6  2026-10-06 00:00:00      6        0        0      0       1',
    ]);
    expect((await stored('list', '--last', '25')).out.split('\n').length).toBe(28);
    const at = async (name: string) =>
      JSON.parse((await stored('export', name)).out.split('\n')[0] ?? '{}').snapshot.id;
    expect(await at('7')).toBe(7);
    expect(await at('2026-10-07')).toBe(7);
    expect(await at('2026-10-07 23:59')).toBe(7);
    expect((await stored('export', '26')).err).toContain(
      'snapshot 26 not found; the newest is 25, of 2026-10-25 00:00:00 UTC',
    );
    expect((await stored('export', '2026-09-30')).code).toBe(2);
    expect((await stored('export', 'never')).err).toContain('a snapshot is an id, a date (2026-10-01)');
    expect((await stored('prune', '--keep', '10d')).out).toMatch(/^c: 14 snapshots removed, 11 snapshots left, /);
  });

  it('`record list` reports that there are no snapshots', async () => {
    const { stored } = commands();
    const { code, out, err } = await stored('list');
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('Store one with blockglass record --once');
  });

  it('`record list` reports an unreadable file, and lists the others', async () => {
    const { state, record, stored } = commands();
    await record('--once');
    writeFileSync(join(filesIn(state), `broken-${'0'.repeat(16)}.sqlite`), 'x'.repeat(5000));
    const { code, out } = await stored('list');
    expect(code).toBe(5);
    expect(out).toContain('is damaged');
    expect(out).toContain('demo-chain-1: 1 snapshot,');
    expect((await stored('check')).code).toBe(5);
  });

  it('`record list` reports which file is damaged, and lists the others', async () => {
    const { state, record, stored } = commands();
    await record('--once');
    const recorder = store.openRecorder({ folder: filesIn(state), chainId: 'another', nowMs: Date.now });
    recorder.close();
    const root = rootPageOf(recorder.path, 'snapshot');
    writeFileSync(recorder.path, readFileSync(recorder.path).fill(0xff, (root - 1) * 4096, root * 4096));
    const { code, out } = await stored('list');
    expect(code).toBe(5);
    expect(out).toContain(`${recorder.path} is damaged\n`);
    expect(out).toContain('demo-chain-1: 1 snapshot,');
  });

  it.each([
    [['lists'], 'unknown argument "lists"'],
    [['list', '3'], 'Only record export takes a snapshot.'],
    [['prune'], 'missing --keep TIME'],
    [['list', '--once'], 'record list does not accept --once. Only record does.'],
    [
      ['check', '--node', 'http://127.0.0.1:1'],
      'record check reads stored snapshots and contacts no node. Leave --node out, or choose a chain with --chain ID.',
    ],
    [['list', '-o', 'ndjson'], 'this command does not print ndjson. Use -o table or -o json'],
    [['--last', '3'], 'record does not accept --last. Only record list does.'],
    [['-o', 'json'], 'this command does not print json. Use -o table or -o ndjson'],
    [['list', '--keep', '1d'], 'record list does not accept --keep. Only record and record prune do.'],
    [
      ['export', '-o', 'json'],
      'record export does not accept --output. Only record and record list and record check do.',
    ],
    [['export', '--chain', 'x'], 'no snapshots of the chain "x"'],
  ])('`record list`, `check`, `prune` and `export` refuse %j', async (words, message) => {
    const { code, err } = await commands().stored(...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
