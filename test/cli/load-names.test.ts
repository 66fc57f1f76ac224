import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSink } from '../../src/cli/sink.ts';
import { startNode } from '../../src/node/index.ts';
import { answer, serve } from '../chain/api/loopback-server.ts';
import { run, TextStream } from './run-command.ts';

const [MARKET, OTHER, ASSET, PARTY] = ['8a2f', '77aa', 'c0de', 'c4ce'].map(start => start.padEnd(64, '0'));

const list = (name: string, ...records: readonly unknown[]) =>
  JSON.stringify({ [name]: { edges: records.map(node => ({ node })), pageInfo: { hasNextPage: false } } });

const market = (id = '', code = '') => ({
  ...{ id, decimalPlaces: '5', positionDecimalPlaces: '2', state: 'STATE_ACTIVE' },
  tradableInstrument: { instrument: { code, name: code, future: { settlementAsset: ASSET } } },
});

const provision = (marketId = '', commitmentAmount = '') => ({
  ...{ id: '01', marketId, partyId: PARTY, commitmentAmount, fee: '0.01', version: '1', status: 'STATUS_ACTIVE' },
  buys: [{ orderId: '02', liquidityOrder: { offset: '250', proportion: 1, reference: 'PEGGED_REFERENCE_MID' } }],
});

const ANSWERS: { readonly [path: string]: string } = {
  '/statistics': '{"statistics":{"chainId":"chain-1"}}',
  '/api/v2/markets': list('markets', market(MARKET, 'HELDA/HUSD'), market(OTHER, 'HELDB/HUSD')),
  '/api/v2/assets': list('assets', { id: ASSET, details: { symbol: 'HUSD', decimals: '6' } }),
  '/api/v2/nodes': list('nodes'),
  '/api/v2/liquidity/provisions': list(
    'liquidityProvisions',
    provision(MARKET, '6121370000000'),
    provision(OTHER, '1905000123456'),
  ),
  '/api/v2/liquidity/paidfees': list('paidLiquidityFees', {
    ...{ market: MARKET, asset: ASSET, epochSeq: '41', totalFeesPaid: '12410000' },
    feesPaidPerParty: [{ party: PARTY, amount: '2410000', quantumAmount: '' }],
  }),
};

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-cli-names-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** A node that serves these, without those that are left out. */
async function nodeWithout(...left: readonly string[]) {
  const { url, seen } = await serve(({ url: path = '' }, response) => {
    const body = left.some(part => path.includes(part)) ? undefined : ANSWERS[path.replace(/\?.*$/, '')];
    answer(response, body === undefined ? 404 : 200, body ?? '{"code":5,"message":"Not Found","details":[]}');
  });
  const aliases = { [PARTY ?? '']: 'cold wallet' };
  const members = { env: { HOME: home }, settings: async () => ({ aliases }) };
  const onNode = (...words: readonly string[]) => run([...words, '--node', url], members);
  return { onNode, seen, paths: () => seen.map(path => path.replace(/\?.*$/, '')), url };
}

const NAMES = ['/statistics', '/api/v2/markets', '/api/v2/assets', '/api/v2/nodes'];
const PROVISIONS = '/api/v2/liquidity/provisions';
const rowsOf = (text: string): readonly string[] => text.split(/\r?\n/).slice(0, -1);

describe('Aliases', () => {
  it.each([
    ['list', ['list', 'provisions', '--party-id']],
    ['list, of several', ['list', 'fees', '--party-ids', PARTY ?? '', '--party-ids']],
    ['show', ['show', 'provisions', '0', '--party-id']],
    ['statement', ['statement', '--last', '2', '--party']],
  ])('An alias stands for its id in %s', async (_, words) => {
    for (const word of ['cold wallet', '@Cold Wallet', PARTY ?? '']) {
      const { onNode, seen } = await nodeWithout();
      await onNode(...words, word);
      const first = seen.find(path => /liquidity.*part(y|ies)/i.test(path)) ?? '';
      expect(first).toContain(PARTY);
      expect(first).not.toMatch(/wallet/i);
    }
  });

  it('An alias is not resolved to an id if it matches nothing or several things', async () => {
    const { onNode, paths, url } = await nodeWithout();
    const { code, err } = await onNode('list', 'provisions', '--party-id', 'hot wallet');
    expect([code, paths()]).toEqual([2, NAMES]);
    expect(err).toContain('--party-id: none of the parties known here is called "hot wallet"');
    const aliases = { [MARKET ?? '']: 'mine', [PARTY ?? '']: 'me', [OTHER?.replace('7', '8') ?? '']: 'Me' };
    const settings = async () => ({ aliases });
    const doubtful = await run(['list', 'provisions', '--party-id', '@me', '--node', url], { settings });
    expect(doubtful.code).toBe(2);
    expect(doubtful.err).toContain('--party-id: 2 parties are called "@me". Give the id of one:');
    expect(doubtful.err).toContain(PARTY);
  });

  it('An alias is resolved only for ids', async () => {
    const { onNode, seen } = await nodeWithout();
    await onNode('list', 'provisions', '--party-id', PARTY ?? '', '--reference', 'cold wallet');
    expect(seen[0]).toContain('reference=cold%20wallet');
  });
});

describe('Tables with names and units', () => {
  it('A table has names for ids and units for amounts, keeps every digit in a pipe, and caches the names', async () => {
    const { onNode, paths } = await nodeWithout();
    const { code, out } = await onNode('list', 'provisions', '--party-id', PARTY ?? '');
    expect(code).toBe(0);
    expect(out).toMatch(/PARTY +MARKET +STATUS +COMMITMENT HUSD +COMMIT % +FEE/);
    expect(out).toMatch(/@cold wallet +HELDA\/HUSD +ACTIVE +6 121 370\.000000 +- +1 %/);
    expect(out).toMatch(/@cold wallet +HELDB\/HUSD +ACTIVE +1 905 000\.123456 +- +1 %/);
    expect(paths()).toEqual([PROVISIONS, ...NAMES]);
    await onNode('list', 'provisions', '--party-id', PARTY ?? '');
    expect(paths().slice(5)).toEqual([PROVISIONS, '/statistics']);
    expect(await readdir(join(home, '.cache', 'blockglass', 'names'))).toHaveLength(1);
  });

  it('A table on a terminal rounds to two places, half to even, with a note', async () => {
    const { url } = await nodeWithout();
    const stdout = new TextStream(true);
    await run(['list', 'provisions', '--node', url], { env: { HOME: home }, stdout: createSink(stdout) });
    expect(stdout.text).toMatch(/COMMITMENT HUSD, rounded +COMMIT % +FEE/);
    expect(stdout.text).toMatch(/6 121 370\.00 +- +1 %/);
    expect(stdout.text).toMatch(/1 905 000\.12 +- +1 %/);
  });

  it('A table of a node without names shows ids and smallest units without an error', async () => {
    const { onNode } = await nodeWithout('/markets', '/assets', '/nodes', '/statistics');
    const { code, out, err } = await onNode('list', 'provisions');
    expect([code, err.includes('blockglass:')]).toEqual([0, false]);
    expect(out).toMatch(/COMMITMENT, decimals not known +COMMIT % +FEE/);
    expect(out).toMatch(new RegExp(`@cold wallet +${MARKET} +ACTIVE +6 121 370 000 000 +- +1 %`));
  });

  it('A table with `--exact` has values as sent, and requests nothing more', async () => {
    const { onNode, paths } = await nodeWithout();
    const { out } = await onNode('list', 'provisions', '--exact');
    expect(out).toMatch(/MARKET +STATUS +COMMITMENT +COMMIT % +FEE/);
    expect(out).toMatch(new RegExp(`${PARTY} +${MARKET} +ACTIVE +6 121 370 000 000 +- +1 %`));
    expect(paths()).toEqual([PROVISIONS]);
  });

  it('A table of one record has names and units too, with the values as sent next to them', async () => {
    const { onNode } = await nodeWithout();
    const { out } = await onNode('show', 'provisions', '0');
    expect(out).toMatch(/commitmentAmount +6 121 370 HUSD {2}\(6121370000000\)\n/);
    expect(out).toMatch(new RegExp(`marketId +HELDA/HUSD {2}${MARKET}\n`));
    expect(out).toMatch(/offset +0\.0025 {2}\(250\)\n/);
    expect((await onNode('show', 'provisions', '0', '--exact')).out).toMatch(new RegExp(`marketId +${MARKET}\n`));
  });

  it('A table says that decimals are not known, except for exact values', async () => {
    const node = await startNode({});
    const { url } = await serve(async ({ url: path = '' }, response) => {
      if (path.includes('reward.asset')) return answer(response, 404, '{"code":5,"message":"Not Found"}');
      const forwarded = await fetch(`${node.url}${path}`);
      answer(response, forwarded.status, await forwarded.text());
    });
    const onNode = (...words: readonly string[]) => run(['list', 'validators', ...words, '--node', url]);
    expect((await onNode()).out).toContain('STAKE, decimals not known');
    expect((await onNode('--exact')).out).toMatch(/ STAKE +SIGNS AS/);
    await node.close();
  });

  it('A table of a list without ids and amounts requests no names', async () => {
    const node = await startNode({});
    const log = join(home, 'requests.log');
    await run(['list', 'oracles', '--node', node.url, '--log', log], { env: { HOME: home } });
    await node.close();
    expect((await readFile(log, 'utf8')).split('\n').filter(line => line.includes('GET'))).toHaveLength(1);
    await expect(readdir(join(home, '.cache', 'blockglass', 'names'))).rejects.toThrow('ENOENT');
  });
});

describe('CSV with names and units', () => {
  it('The CSV has amounts as sent, and next to them in units without losing a digit', async () => {
    const { onNode } = await nodeWithout();
    const [head = '', first = '', second = ''] = rowsOf((await onNode('list', 'provisions', '-o', 'csv')).out);
    expect(head).toContain('party,market,status,commitment,commitment_scaled,symbol,fee');
    expect(first).toContain(`${PARTY},${MARKET},STATUS_ACTIVE,6121370000000,6121370,HUSD,0.01`);
    expect(second).toContain(`${PARTY},${OTHER},STATUS_ACTIVE,1905000123456,1905000.123456,HUSD,0.01`);
    expect((await onNode('show', 'provisions', '1', '-o', 'csv')).out).toBe(`${head}\r\n${second}\r\n`);
  });

  it('The CSV of paid fees has both forms for the total and for each party', async () => {
    const { onNode } = await nodeWithout();
    const [head, first] = rowsOf((await onNode('list', 'fees', '-o', 'csv')).out);
    expect(head).toContain('total,total_scaled,symbol,parties,party,amount,amount_scaled,share');
    expect(first).toContain(`12410000,12.41,HUSD,1,${PARTY},2410000,2.41,`);
  });

  it('The CSV leaves unknown values empty', async () => {
    const { onNode } = await nodeWithout('/assets');
    const [, first] = rowsOf((await onNode('list', 'provisions', '-o', 'csv')).out);
    expect(first).toContain(`${MARKET},STATUS_ACTIVE,6121370000000,,,0.01`);
  });

  it('The CSV with `--exact` has only values as sent, and requests no names', async () => {
    const { onNode, paths } = await nodeWithout();
    const [head, first] = rowsOf((await onNode('list', 'provisions', '-o', 'csv', '--exact')).out);
    expect(head).toContain('party,market,status,commitment,fee');
    expect(first).toContain(`${MARKET},STATUS_ACTIVE,6121370000000,0.01`);
    await onNode('show', 'provisions', '0', '-o', 'csv', '--exact');
    expect(paths()).toEqual([PROVISIONS, PROVISIONS]);
  });
});

it.each(['json', 'ndjson'])('The %s format has values as sent, and requests no names', async format => {
  const { onNode, paths } = await nodeWithout();
  expect((await onNode('list', 'provisions', '-o', format)).out).toContain('"commitmentAmount":"6121370000000"');
  await onNode('show', 'provisions', '0', '-o', format);
  expect(paths()).toEqual([PROVISIONS, PROVISIONS]);
});

it('Names are still shown if the settings file is invalid', async () => {
  const { url } = await nodeWithout();
  const settings = () => Promise.reject(new Error('no JSON'));
  const { code, out } = await run(['list', 'provisions', '--node', url], { env: { HOME: home }, settings });
  expect([code, out.includes('HELDA/HUSD')]).toEqual([0, true]);
});
