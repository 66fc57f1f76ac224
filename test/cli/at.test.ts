import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { startNode } from '../../src/node/index.ts';
import { type AlteredNode, startAlteredNode } from '../record/altered-node.ts';
import { run } from './run-command.ts';

const NOON_MS = Date.UTC(2026, 9, 1, 12);
const HOUR_MS = 3_600_000;

let nowMs = NOON_MS;
let node: AlteredNode;
const state = mkdtempSync(join(tmpdir(), 'blockglass-at-'));
const closers: (() => Promise<void>)[] = [];

const members = (): Partial<Context> => ({
  env: { XDG_STATE_HOME: state },
  nowMs: () => nowMs,
  startSnapshot: async recorded => {
    const served = await startNode({ recorded });
    closers.push(served.close);
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
  ['explain', 'markets', marketId],
  ['explain', 'validators', '0'],
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
  it('answers each list, filter, page and order as the node did then, to the digit', async () => {
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
  ])('%s is the last snapshot taken by then, which is said', async (when, id) => {
    const { err, out } = await at(when, 'show', 'parameters', 'validators.epoch.length', '-o', 'json');
    expect(err).toContain(`(snapshot ${id}, block 23531, `);
    expect(out).toContain(id === '1' ? '10m0s' : '2m0s');
  });

  it('counts ages from then: nothing is behind', async () => {
    const status = await at('1', 'status');
    expect(status).toMatchObject({ code: 0 });
    expect(status.out).toContain('in sync');
    const overview = await at('1', 'overview', '-o', 'json');
    expect(JSON.parse(overview.out).node).toMatchObject({ lagSeconds: 0, behindBlocks: '0' });
  });

  it.each([
    [['list', 'oracles'], 'snapshot 2 has no oracles: the list could not be read then (HTTP 500: broken'],
    [['list', 'fees', '--epoch-seq', '3'], 'snapshot 2 has fees of the epochs 45 to 54 only, not of 3'],
    [['list', 'provisions', '--market-id', 'M'], 'snapshot 2 has only live provisions (live=true)'],
    [['show', 'oracles', 'ab'.repeat(32)], 'snapshot 2 has no oracles'],
  ])('%s says what is not there, and is never empty', async (words, sentence) => {
    const { code, out, err } = await at('2', ...words.map(word => (word === 'M' ? marketId : word)));
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain(sentence);
  });

  it.each([
    [['--at', '2026-09-01'], 'there is no snapshot from 2026-09-01 23:59:59 UTC or before; the oldest is 1'],
    [['--at', '9'], 'there is no snapshot 9'],
    [['--at', 'soon'], 'a snapshot is an id, a date (2026-10-01)'],
    [
      ['--at', '1', '--node', 'other.example'],
      'there are no snapshots from http://other.example. There are some of --node',
    ],
    [['--at', '1', '--demo'], undefined],
  ])('%s', async (flags, sentence) => {
    const { code, err } = await commands('list', 'assets', ...flags).then(() =>
      commands('list', 'parameters', ...flags),
    );
    expect(code).toBe(sentence === undefined ? 0 : 2);
    expect(err).toContain(sentence ?? 'snapshot 1');
  });

  it('of a file that is no database says so, as of data that cannot be trusted', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'blockglass-at-'));
    const folder = join(damaged, 'blockglass', 'snapshots');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `chain-${'0'.repeat(16)}.sqlite`), 'x'.repeat(5000));
    const { code, err } = await run(['list', 'markets', '--at', '1'], { env: { XDG_STATE_HOME: damaged } });
    rmSync(damaged, { recursive: true, force: true });
    expect([code, err.includes('is damaged')]).toEqual([5, true]);
  });

  it('is refused where no snapshot has an answer', async () => {
    expect((await at('1', 'export', '--table', 'ledger', '--from', '1', '--to', '2')).err).toContain(
      'snapshots have no network history to export',
    );
    expect((await at('1', 'record', '--once')).err).toContain('it stores what a node shows now');
    expect((await at('1', 'status', '--all')).err).toContain('--at shows one snapshot');
  });
});
