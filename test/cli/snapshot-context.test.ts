import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { startNode } from '../../src/node/index.ts';
import { type AlteredNode, startAlteredNode } from '../memory/record/altered-node.ts';
import { contextWith, run } from './run-command.ts';

const NOON_MS = Date.UTC(2026, 9, 1, 12);
const HOUR_MS = 3_600_000;

let nowMs = NOON_MS;
let node: AlteredNode;
const state = mkdtempSync(join(tmpdir(), 'blockglass-at-'));
const closers: (() => Promise<void>)[] = [];
/** Where snapshots are served inside the program, which is nobody's business. */
const servedAt = new Set<string>();

const members = (): Partial<Context> => ({
  env: { XDG_STATE_HOME: state },
  nowMs: () => nowMs,
  startSnapshot: async recorded => {
    const served = await startNode({ recorded });
    closers.push(served.close);
    servedAt.add(new URL(served.url).host);
    return served;
  },
});
const commands = (...words: readonly string[]) => run(words, members());
const live = (...words: readonly string[]) => commands(...words, '--node', node.url);
const at = (when: string, ...words: readonly string[]) => commands(...words, '--at', when);

let marketId = '';
let partyId = '';
let bundleNode = '';

/** Commands whose answer a snapshot has. */
const asked = (): readonly (readonly string[])[] => [
  ['list', 'parameters', '--all'],
  ['list', 'markets', '--all'],
  ['list', 'markets', '--all', '--include-settled=false'],
  ['list', 'validators', '--all'],
  ['list', 'oracles', '--all'],
  ['list', 'bundles', '--all'],
  ['list', 'bundles', '--all', '--oldest-first'],
  ['list', 'bundles', '--all', '--node-id', bundleNode],
  ['list', 'bundles', '--all', '--epoch-seq', '42'],
  ['list', 'bundles', '--page-size', '5'],
  ['list', 'bundles', '--last', '5'],
  ['list', 'bundles', '--all', '-o', 'table'],
  ['list', 'validators', '--all', '-o', 'csv'],
  ['list', 'fees', '--all'],
  ['list', 'fees', '--all', '--epoch-seq', '38'],
  ['list', 'fees', '--all', '--epoch-seq', '38', '--party-ids', partyId],
  ['list', 'provisions', '--all', '--live', '--market-id', marketId],
  ['list', 'provisions', '--all', '--live', '--market-id', marketId, '--oldest-first'],
  ['list', 'provisions', '--all', '--live', '--market-id', marketId, '--party-id', partyId],
  ['segments'],
  ['show', 'parameters', 'validators.epoch.length'],
  ['show', 'markets', marketId],
  ['show', 'markets', marketId, '--meaning'],
  ['show', 'validators', '0', '--meaning'],
];

/** What the node answered at a time, as exact text. */
const then = new Map<string, string>();

async function answers(ask: (...words: readonly string[]) => ReturnType<typeof run>) {
  const found = new Map<string, string>();
  for (const words of asked()) {
    const { code, out } = await ask(...words, ...(words.includes('-o') ? [] : ['-o', 'json']));
    found.set(words.join(' '), `${code} ${out}`);
  }
  return found;
}

beforeAll(async () => {
  node = await startAlteredNode(3, () => nowMs);
  const markets = JSON.parse((await live('list', 'markets', '--all', '-o', 'json')).out);
  marketId = markets[0].id;
  const fees = JSON.parse((await live('list', 'fees', '--all', '--epoch-seq', '38', '-o', 'json')).out);
  partyId = fees[0].feesPaidPerParty[0].party;
  const validators = JSON.parse((await live('list', 'validators', '--all', '-o', 'json')).out);
  const bundles = JSON.parse((await live('list', 'bundles', '--all', '-o', 'json')).out);
  bundleNode = validators.find((one: { ethereumAddress: string }) => one.ethereumAddress === bundles[0].oldSigner).id;
  expect((await live('record', '--once')).code).toBe(0);
  for (const [words, answer] of await answers(live)) then.set(words, answer);
  // Two hours later a parameter is another, provisions have moved on and a list cannot be read.
  nowMs = NOON_MS + 2 * HOUR_MS;
  node.alter = async (url, own) => {
    if (url.pathname.endsWith('/specs')) return { status: 500, body: '{"code":13,"message":"broken"}' };
    const body = await own();
    return url.pathname.endsWith('/parameters')
      ? { body: body.replace('length","value":"10m0s"', 'length","value":"2m0s"') }
      : undefined;
  };
  expect((await live('record', '--once')).code).toBe(0);
  nowMs = NOON_MS + 24 * HOUR_MS;
}, 60_000);
afterAll(async () => {
  for (const close of closers) await close();
  await node[Symbol.asyncDispose]();
  rmSync(state, { recursive: true, force: true });
});

describe('--at', () => {
  it('`--at` answers each list, filter, page and sort order exactly as the node did then', async () => {
    node.requests.length = 0;
    const found = await answers((...words) => at('1', ...words));
    for (const [words, answer] of then) expect([words, found.get(words)]).toEqual([words, answer]);
    expect([...then].filter(([, answer]) => !answer.startsWith('0 '))).toEqual([]);
    // Nothing is asked of the node.
    expect(node.requests).toEqual([]);
  }, 60_000);

  it.each([
    ['2026-10-01 13:00', '1'],
    ['23h', '1'],
    ['2026-10-01 14:00', '2'],
    ['2026-10-01', '2'],
    ['yesterday', '2'],
  ])('`--at %s` uses the last snapshot taken by then and reports which one', async (when, id) => {
    const { err, out } = await at(when, 'show', 'parameters', 'validators.epoch.length', '-o', 'json');
    expect(err).toContain(`(snapshot ${id}, block ${id === '1' ? 23531 : 30388}, `);
    expect(out).toContain(id === '1' ? '10m0s' : '2m0s');
  });

  it('`--at now` queries the node itself', async () => {
    const { out, err } = await at('now', 'show', 'parameters', 'validators.epoch.length', '--node', node.url);
    expect(out).toContain('2m0s');
    expect(err).not.toContain('snapshot');
  });

  it('`--at` counts ages from the snapshot, so nothing is behind', async () => {
    const status = await at('1', 'status');
    expect(status).toMatchObject({ code: 0 });
    expect(status.out).toContain('in sync');
    const overview = await at('1', 'overview', '-o', 'json');
    expect(JSON.parse(overview.out).node).toMatchObject({ lagSeconds: 0.4, behindBlocks: '0' });
  });

  it.each([
    [['list', 'oracles'], 'snapshot 2 has no oracles: the list could not be read then (HTTP 500: broken'],
    [['list', 'fees', '--epoch-seq', '3'], 'snapshot 2 has fees of the epochs 44 to 54 only, not of 3'],
    [['list', 'provisions', '--market-id', 'M'], 'snapshot 2 has only live provisions (live=true)'],
    [['show', 'oracles', 'ab'.repeat(32)], 'snapshot 2 has no oracles'],
  ])('`--at` with %s says what is missing and never prints an empty list', async (words, sentence) => {
    const { code, out, err } = await at('2', ...words.map(word => (word === 'M' ? marketId : word)));
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain(sentence);
  });

  it.each([
    [['--at', '2026-09-01'], 'no snapshot from 2026-09-01 23:59:59 UTC or before; the oldest is 1'],
    [['--at', '9'], 'snapshot 9 not found'],
    [['--at', 'soon'], 'a snapshot is an id, a date (2026-10-01)'],
    [['--at', '1', '--node', 'other.example'], 'no snapshots from http://other.example. Found some with --node'],
    [['--at', '1', '--demo'], undefined],
  ])('`--at` selects a snapshot or refuses: %s', async (flags, sentence) => {
    const { code, err } = await commands('list', 'assets', ...flags).then(() =>
      commands('list', 'parameters', ...flags),
    );
    expect(code).toBe(sentence === undefined ? 0 : 2);
    expect(err).toContain(sentence ?? 'snapshot 1');
  });

  it('`--at` reports a file that is not a database like untrusted data', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'blockglass-at-'));
    const folder = join(damaged, 'blockglass', 'snapshots');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `chain-${'0'.repeat(16)}.sqlite`), 'x'.repeat(5000));
    const { code, err } = await run(['list', 'markets', '--at', '1'], { env: { XDG_STATE_HOME: damaged } });
    rmSync(damaged, { recursive: true, force: true });
    expect([code, err.includes('is damaged')]).toEqual([5, true]);
  });

  it('`statement --at` without a range adds up the recorded epochs and marks the older ones as unknown', async () => {
    const { code, out, err } = await at('1', 'statement', '--party', partyId, '-o', 'json');
    expect(code).toBe(0);
    const stored = err.match(/snapshot 1 has fees of the epochs (\d+) to \d+ only/)?.[1] ?? '';
    expect(stored).not.toBe('');
    const same = await at(
      '1',
      'statement',
      '--party',
      partyId,
      '--last',
      String(43 - Number(stored) - 1),
      '-o',
      'json',
    );
    expect(JSON.parse(out).totals).toEqual(JSON.parse(same.out).totals);
    const text = (await at('1', 'statement', '--party', partyId, '-o', 'table')).out;
    expect(text).toMatch(new RegExp(`^ *0-${Number(stored) - 1} +not known$`, 'm'));
  });

  it('`overview --at` has the fees of the last ten epochs, as the node listed them one by one', async () => {
    const { fees } = JSON.parse((await at('1', 'overview', '-o', 'json')).out);
    expect(fees.lastEpochs.epochs.map(({ epoch }: { epoch: string }) => epoch)).toEqual(
      Array.from({ length: 10 }, (_, index) => String(Number(fees.epoch) - 9 + index)),
    );
    for (const { epoch, raw } of fees.lastEpochs.epochs) {
      const listed = JSON.parse((await live('list', 'fees', '--all', '--epoch-seq', epoch, '-o', 'json')).out);
      const own = listed.filter(({ asset }: { asset: string }) => asset === fees.lastEpochs.asset);
      const total = own.reduce((sum: bigint, row: { totalFeesPaid: string }) => sum + BigInt(row.totalFeesPaid), 0n);
      expect([epoch, raw]).toEqual([epoch, String(total)]);
    }
  });

  it('`overview --at` sends no requests and mentions none', async () => {
    const { code, out } = await at('2', 'overview');
    expect([code, out]).toEqual([0, expect.not.stringContaining('requests sent')]);
  });

  it('`--at` names the recorded node and the snapshot, and no address of its own in any output', async () => {
    const log = join(state, 'requests.log');
    const forms = ['table', 'json', 'ndjson', 'csv'].map(format => ['-o', format]);
    const lines = [
      ...asked().flatMap(words => (words.includes('-o') ? [words] : forms.map(form => [...words, ...form]))),
      ...['overview', 'status'].flatMap(name => [[name], [name, '-o', 'json']]),
      ...['text', 'json', 'prometheus', 'nagios'].map(format => ['check', '-o', format]),
      ...[
        ['list', 'oracles'],
        ['list', 'fees', '--epoch-seq', '3'],
        ['show', 'oracles', 'ab'.repeat(32)],
      ],
      ...[
        ['what', partyId],
        ['statement', '--party', partyId],
        ['diff', '1'],
        ['show', 'validators', '0'],
      ],
    ];
    for (const words of lines) {
      const { out, err } = await at('2', ...words, '--log', log);
      for (const host of servedAt) expect([words, `${out}${err}`.includes(host)]).toEqual([words, false]);
    }
    const logged = readFileSync(log, 'utf8');
    expect(logged).toContain(`GET ${node.url}/`);
    for (const host of servedAt) expect(logged).not.toContain(host);
    expect((await at('2', 'overview')).out).toMatch(new RegExp(`^snapshot 2 \\(${node.url}\\)\n`));
    expect((await at('2', 'status')).out).toMatch(new RegExp(`^snapshot 2 \\(${node.url}\\): `));
    expect(JSON.parse((await at('2', 'overview', '-o', 'json')).out).node).toMatchObject({
      name: 'snapshot 2',
      address: node.url,
    });
    expect((await at('2', 'list', 'oracles')).err).toContain(`\n  at snapshot 2 of ${node.url}\n`);
  }, 60_000);

  it('`check --at` evaluates that moment, compares it with the day before and stores nothing', async () => {
    const checked = await at('2', 'check', 'history', 'parameter-changed', '-o', 'json');
    expect(JSON.parse(checked.out)).toEqual([
      expect.objectContaining({
        rule: 'parameter-changed',
        sentence: 'parameter validators.epoch.length is 2m0s, was 10m0s',
        since: '2026-10-01T14:00:00.000Z',
      }),
    ]);
    expect(checked.code).toBe(1);
    expect(existsSync(join(state, 'blockglass', 'checks'))).toBe(false);
    const all = await at('2', 'check');
    expect(all.out).toContain('snapshot 2 has no account balances: they are not recorded');
    for (const flags of [['--watch', '1m'], ['--accept'], ['--hold', '1m'], ['--textfile', join(state, 'x.prom')]])
      expect((await at('2', 'check', ...flags)).err).toContain(`so ${flags[0]} cannot be used with it`);
  });

  it('`diff --at` uses the snapshot as its second side and counts relative times back from it', async () => {
    nowMs = NOON_MS + 96 * HOUR_MS;
    const named = await commands('diff', '1', '2', '-o', 'json');
    const found = await at('2', 'diff', '1h', '-o', 'json');
    expect([found.code, found.out]).toEqual([1, named.out]);
    expect(JSON.parse(found.out)).toMatchObject({ a: { snapshot: 1 }, b: { snapshot: 2 } });
    expect((await at('2026-10-01', 'diff', '1', '-o', 'json')).out).toBe(named.out);
    // A node can be the first side.
    expect(JSON.parse((await at('1', 'diff', node.url, '-o', 'json')).out)).toMatchObject({
      a: { snapshot: null, node: node.url },
      b: { snapshot: 1 },
    });
    nowMs = NOON_MS + 24 * HOUR_MS;
    expect((await at('1', 'diff', '1', '2')).err).toContain('--at sets the second side, and so does "2"');
    expect((await at('1', 'diff', '1', '--demo')).err).toContain('--demo sets the second side, and so does --at');
  });

  it('`serve --at` serves a node from that snapshot', async () => {
    const stop = new AbortController();
    const served = run(['serve', '--at', '1', '--port', '0'], {
      ...members(),
      signal: stop.signal,
      stdout: {
        ...contextWith().context.stdout,
        safe: async url => {
          const list = await fetch(`${url.trim()}/api/v2/network/parameters`);
          expect(list.headers.get('x-block-height')).toBe('23531');
          expect(await list.text()).toContain('"validators.epoch.length","value":"10m0s"');
          stop.abort();
        },
      },
    });
    expect(await served).toMatchObject({ code: 130 });
    expect((await served).err).toContain('serving demo-chain-1 at 2026-10-01 12:00:00 UTC (snapshot 1, block 23531');
    expect((await commands('serve', '--at', '1', '--live')).err).toContain('--live is for the demo chain');
    expect((await commands('serve', '--chain', 'x')).err).toContain('it needs --at TIME');
  });

  it('`--at` is refused by a command that no snapshot can answer, with what to do instead', async () => {
    const refusals: Record<string, readonly string[]> = {
      'Use --from and --to to export an earlier time': ['export', '--table', 'ledger', '--from', '1', '--to', '2'],
      'Use blockglass record export TIME': ['record', '--once'],
      'Leave --at out': ['mine', 'list'],
      'Use blockglass --at TIME to open a snapshot': ['view', 'x'],
      'verify contacts no node': ['verify', 'x'],
      '--at shows one snapshot': ['status', '--all'],
    };
    for (const [sentence, words] of Object.entries(refusals)) {
      const { code, err } = await at('1', ...words);
      expect([words, code]).toEqual([words, 2]);
      expect(err).toContain(sentence);
    }
  });
});
