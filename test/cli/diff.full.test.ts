import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import * as store from '../../src/memory/snapshots/index.ts';
import { type Alteration, type AlteredNode, startAlteredNode } from '../memory/record/altered-node.ts';
import { run } from './run-command.ts';

let node: AlteredNode;
let other: AlteredNode;
beforeAll(async () => {
  [node, other] = await Promise.all([startAlteredNode(2), startAlteredNode(2)]);
});
afterAll(() => Promise.all([node, other].map(one => one[Symbol.asyncDispose]())));
beforeEach(() => {
  node.alter = () => undefined;
  other.alter = () => undefined;
});

function commands(settings: Awaited<ReturnType<Context['settings']>> = {}) {
  const state = mkdtempSync(join(tmpdir(), 'blockglass-diff-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const members = { env: { XDG_STATE_HOME: state }, settings: async () => settings };
  const folder = join(state, 'blockglass', 'snapshots');
  return {
    folder,
    record: () => run(['record', '--once', '--node', node.url], members),
    diff: (...words: readonly string[]) => run(['diff', ...words], members),
    stopped: (signal: AbortSignal, ...words: readonly string[]) => run(['diff', ...words], { ...members, signal }),
  };
}

const changing =
  (path: string, change: (body: string) => string): Alteration =>
  async (url, own) =>
    url.pathname.endsWith(path) ? { body: change(await own()) } : undefined;

/** A list of JSON as a stored list. */
const stored = (list: string, records: readonly object[], scope = '') => ({
  ...{ list, scope, kind: 'read' as const },
  records: records.map(record => JSON.stringify(record)),
});

/** Stores snapshots by hand, a day apart. */
function store2(folder: string, ...all: readonly (readonly ReturnType<typeof stored>[])[]): string {
  const recorder = store.openRecorder({ folder, chainId: 'c', nowMs: () => Date.UTC(2026, 9, 30) });
  for (const [day, lists] of all.entries()) {
    const takenMs = Date.UTC(2026, 9, day + 1);
    recorder.add({
      ...{ takenMs, endedMs: takenMs, node: 'http://n', blockHeight: `${day}`, blockTimeNs: null, genesisTime: null },
      lists,
    });
  }
  recorder.close();
  return recorder.path;
}

const parameters = (...values: readonly (readonly [string, string])[]) =>
  stored(
    'parameters',
    values.map(([key, value]) => ({ key, value })),
  );

describe('diff', () => {
  it('`diff` of two nodes with the same data finds nothing and exits with 0', async () => {
    const { code, out, err } = await commands().diff(node.url, other.url);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^a {2}http:.* UTC, block 23531\nb {2}http:.* UTC, block 23531\nno differences in 24 lists\n$/);
  });

  it.each([
    ['parameters', '/network/parameters', /"value":"[^"\\]+"/, '"value":"changed"'],
    ['bundles', '/removed/bundles', /"signatures":"0x/, '"signatures":"0x00'],
    ['oracles', '/oracle/specs', /"status":"STATUS_ACTIVE"/, '"status":"STATUS_DEACTIVATED"'],
    ['markets', '/api/v2/markets', /"tradingMode":"[^"]*"/, '"tradingMode":"TRADING_MODE_NO_TRADING_AT_ALL"'],
    ['assets', '/api/v2/assets', /"quantum":"\d+"/, '"quantum":"7"'],
    ['validators', '/api/v2/nodes', /"multisigScore":"[^"]*"/, '"multisigScore":"0.12345"'],
    [
      'provisions',
      '/all-provisions',
      /"commitmentAmount":"\d+"/,
      '"commitmentAmount":"123456789012345678901234567891"',
    ],
    ['fees', '/paidfees', /"totalFeesPaid":"\d+"/, '"totalFeesPaid":"1"'],
    ['segments', '/segments', /"historySegmentId":"Qm/, '"historySegmentId":"QmX'],
    ['status', '/statistics', /"appVersion":"[^"]*"/, '"appVersion":"v9"'],
    ['info', '/api/v2/info', /"version":"[^"]*"/, '"version":"v9"'],
  ])('`diff` finds a change in the %s of one node, and no other change', async (list, path, pattern, text) => {
    other.alter = changing(path, body => body.replace(pattern, text));
    const { code, out } = await commands().diff(node.url, other.url, '-o', 'json');
    expect(code).toBe(1);
    const { changes } = JSON.parse(out);
    expect(new Set(changes.map(({ resource }: { resource: string }) => resource))).toEqual(new Set([list]));
    expect(changes.every(({ members }: { members: unknown[] }) => members.length === 1)).toBe(true);
  });

  it('`diff` finds a missing provider and ignores shares that move', async () => {
    other.alter = async (url, own) => {
      if (!url.pathname.endsWith('/liquidity/providers')) return undefined;
      const answer = JSON.parse((await own()).replaceAll(/"averageScore":"[^"]*"/g, '"averageScore":"0.123"'));
      const { edges } = answer.liquidityProviders;
      edges.splice(1, 1);
      return { body: JSON.stringify(answer) };
    };
    const { code, out, err } = await commands().diff(node.url, other.url, '-o', 'ndjson', '--resource', 'providers');
    expect(code).toBe(1);
    const changes = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(changes.every(({ resource, change }) => resource === 'providers' && change === 'removed')).toBe(true);
    expect(err).toMatch(/^note: left out: \d+ records of providers differ in shares, scores and time on the book/);
  });

  it('`diff` compares a snapshot with the node now, and shows values in units', async () => {
    const { record, diff } = commands();
    await record();
    node.alter = changing('/network/parameters', body =>
      body.replace(/("key":"validators\.epoch\.length","value":)"[^"]*"/, '$1"7h30m"'),
    );
    const { code, out, err } = await diff('1', '--node', node.url);
    expect([code, err]).toEqual([1, '']);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^a {2}snapshot 1, .* UTC, block 23531$/);
    expect(lines[2]).toBe('LIST        RECORD                   MEMBER  CHANGE');
    expect(lines[3]).toMatch(/^parameters {2}validators\.epoch\.length {2}value {3}.* -> 7 h 30 min \(7h30m\)$/);
    expect(lines[4]).toBe('1 record differs: 1 in parameters');
    const markdown = await diff('1', '--node', node.url, '-o', 'markdown');
    expect(markdown.out).toMatch(
      /^\| resource \| key .*\n\| --- .*\n\| parameters \| validators\.epoch\.length \| .* \| 7 h 30 min \(7h30m\) \|\n$/,
    );
    const swapped = await diff(node.url, '1');
    expect(swapped.out).toMatch(/7 h 30 min \(7h30m\) -> /);
  });

  it('`diff` reads no lists by market or epoch that are not compared', async () => {
    node.requests.length = 0;
    const { code } = await commands().diff(node.url, other.url, '--resource', 'parameters');
    expect(code).toBe(0);
    expect(node.requests.filter(request => /provisions|providers|paidfees/.test(request))).toEqual([]);
  });

  it('`diff` compares two snapshots by day, without a node', async () => {
    const { folder, diff } = commands();
    store2(folder, [parameters(['a', '24h'], ['b', '1'])], [parameters(['a', '24h0m0s'], ['c', '1'])]);
    const { code, out, err } = await diff('2026-10-01', '2026-10-02', '-o', 'json', '--resource', 'parameters');
    expect([code, err]).toEqual([1, '']);
    const { a, b, changes } = JSON.parse(out);
    expect(a).toEqual({
      ...{ snapshot: 1, node: 'http://n', chainId: 'c', blockHeight: '0', unread: [] },
      takenAt: '2026-10-01T00:00:00.000Z',
    });
    expect(b.snapshot).toBe(2);
    expect(changes).toEqual([
      {
        ...{ resource: 'parameters', key: 'b', change: 'removed' },
        members: [
          { path: 'key', from: 'b', to: null },
          { path: 'value', from: '1', to: null },
        ],
      },
      {
        ...{ resource: 'parameters', key: 'c', change: 'added' },
        members: [
          { path: 'key', from: null, to: 'c' },
          { path: 'value', from: null, to: '1' },
        ],
      },
    ]);
    const twice = await diff('2', '2', '--resource', 'parameters');
    expect([twice.code, twice.err]).toEqual([0, 'note: both sides are snapshot 2\n']);
  });

  it('`diff` prints numbers exactly as they were sent', async () => {
    const { folder, diff } = commands();
    const list = (digits: string) => ({ ...parameters(), records: [`{"key":"k","value":"1","n":${digits}}`] });
    store2(folder, [list('1.0')], [list('123456789012345678901234567890.10')]);
    const { out } = await diff('1', '2', '-o', 'ndjson', '--resource', 'parameters');
    expect(out).toBe(
      '{"resource":"parameters","key":"k","change":"changed","members":[{"path":"n","from":1.0,"to":123456789012345678901234567890.10}]}\n',
    );
  });

  it('`diff` lists what was not read, and then does not exit with 0', async () => {
    other.alter = url =>
      url.pathname.endsWith('/specs') ? { status: 500, body: '{"code":13,"message":"no"}' } : undefined;
    const { code, out, err } = await commands().diff(node.url, other.url);
    expect(code).toBe(5);
    expect(out).toContain('no differences in 23 lists\n');
    expect(err).toBe('note: not compared: oracles: could not be read in b (HTTP 500: no)\n');
  });

  it('`diff` ends like other commands if a node is not there or is lost on the way', async () => {
    other.alter = () => 'gone';
    const { code, out, err } = await commands().diff(node.url, other.url);
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain('try:');
    other.alter = url => (/markets|assets|nodes|paidfees|liquidity/.test(url.pathname) ? 'gone' : undefined);
    const halfway = await commands().diff(node.url, other.url);
    expect(halfway.code).toBe(5);
    expect(halfway.out).toContain('no differences in 6 lists\n');
    expect(halfway.err).toContain('the node stopped answering');
  });

  it('`diff` refuses two chains in one sentence', async () => {
    other.alter = async (url, own) =>
      /statistics|segments/.test(url.pathname)
        ? { body: (await own()).replaceAll('demo-chain-1', 'other-1') }
        : undefined;
    const { code, out, err } = await commands().diff(node.url, other.url);
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(
      'blockglass: the two sides are of different chains, demo-chain-1 and other-1: nothing to compare\n',
    );
  });

  it('`diff` reports that there are no snapshots of the chain of the node, before it reads the lists', async () => {
    const { folder, diff } = commands();
    store2(folder, [parameters()]);
    node.requests.length = 0;
    const { code, err } = await diff('1', '--node', node.url);
    expect(code).toBe(2);
    expect(err).toContain('no snapshots of the chain demo-chain-1.');
    expect(node.requests.length).toBeLessThan(4);
  });

  it('`diff` asks which chain is meant if there are several', async () => {
    const { folder, diff } = commands();
    store2(folder, [parameters(['a', '1'])], [parameters(['a', '2'])]);
    store.openRecorder({ folder, chainId: 'd', nowMs: Date.now }).close();
    expect((await diff('1', '2')).err).toContain('Choose one with --chain c or --chain d');
    expect((await diff('1', '2', '--chain', 'c', '--resource', 'parameters')).code).toBe(1);
    expect((await diff('1', '2', '--chain', 'x')).err).toContain('no snapshots of the chain "x"');
    expect((await diff('1', node.url, '--chain', 'c')).err).toContain('different chains, c and demo-chain-1');
  });

  it('`diff` reports a damaged file', async () => {
    const { folder, diff } = commands();
    const path = store2(folder, [parameters(['a', '1'])], [parameters(['a', '2'])]);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4096));
    const { code, out, err } = await diff('1', '2');
    expect([code, out]).toEqual([5, '']);
    expect(err).toContain('is damaged');
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  it('`diff` prints text from a hostile node safely in every format', async () => {
    const evil = '\u001b[2J\u202e|<b>\r\n`x`';
    const { folder, diff } = commands();
    store2(
      folder,
      [parameters([evil, '1'], ['k', 'a'])],
      [parameters([`${evil}2`, '1'], ['k', `${evil}${'z'.repeat(300)}`])],
    );
    for (const format of ['table', 'markdown'])
      for (const text of Object.values(await diff('1', '2', '-o', format, '--resource', 'parameters')))
        expect(String(text)).not.toMatch(/[\u001b\u202e\r]/);
    for (const format of ['json', 'ndjson']) {
      const { out } = await diff('1', '2', '-o', format, '--resource', 'parameters');
      expect(out).not.toContain('\u001b');
      expect(out).toContain(JSON.stringify(evil).slice(1, -1));
    }
  });

  it('`diff` shows the part of two long values that differs', async () => {
    const { folder, diff } = commands();
    const long = (end: string) => `0x${'a'.repeat(500)}${end}${'b'.repeat(300)}`;
    store2(folder, [parameters(['k', long('1')])], [parameters(['k', long('2')])]);
    const { out } = await diff('1', '2', '--resource', 'parameters');
    expect(out).toContain(`...${'a'.repeat(20)}1${'b'.repeat(99)}... -> ...${'a'.repeat(20)}2${'b'.repeat(99)}...`);
    expect((await diff('1', '2', '-o', 'markdown', '--resource', 'parameters')).out).toContain(long('1'));
  });

  it('`diff` ends when it is interrupted', async () => {
    const stop = new AbortController();
    other.alter = url => {
      if (url.pathname.endsWith('/markets')) stop.abort();
      return undefined;
    };
    const { code, out } = await commands().stopped(stop.signal, node.url, other.url);
    expect([code, out]).toEqual([130, '']);
  });

  it('`diff` accepts profiles', async () => {
    const { diff } = commands({ profiles: { one: node.url, two: { url: other.url } } });
    expect((await diff('one', 'two', '--resource', 'parameters')).code).toBe(0);
    expect((await diff('one', '--node', 'two', '--resource', 'parameters')).code).toBe(0);
    expect((await diff('one', 'one')).err).toContain('both sides are the same node');
  });

  it.each([
    [[], 'missing argument. Usage: blockglass diff <a> [b]'],
    [['yesterdy'], '"yesterdy" is not a snapshot, time, profile or address.'],
    [['2026-02-30'], '"2026-02-30" is not a snapshot, time'],
    [['1', '2', '3'], 'unexpected argument "3"'],
    [['1', '2', '--demo'], '--demo sets the second side, and so does "2". Use only one.'],
    [['1', '--resource', 'paramters'], 'did you mean "parameters"?'],
    [['1', '-o', 'csv'], 'this command does not print csv'],
    [['1', '2'], 'no snapshots'],
  ])('`diff` refuses %j', async (words, message) => {
    const { code, out, err } = await commands().diff(...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it('`diff` shows the embedded node by its name, whatever its address is this time', async () => {
    const members = { startDemo: () => Promise.resolve({ url: node.url }) };
    const { out } = await run(['diff', 'demo', other.url, '--resource', 'assets'], members);
    expect(out).toMatch(/^a {2}demo, /);
    expect(out).toMatch(/^b {2}http:/m);
  });
});
