import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import type { Json, JsonObject } from '../../../src/chain/api/json.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { createAsk } from '../../../src/chain/explain/ask.ts';
import { explainProvision } from '../../../src/chain/explain/liquidity-provisions.ts';
import { listening } from '../../support/loopback.ts';

const [MARKET, OTHER_MARKET, PARTY, OTHER] = ['0a', '0e', '0b', '0d'].map(id => id.repeat(32));
const asset = { symbol: 'HUSD', name: 'Held dollar', status: 'STATUS_ENABLED', decimals: 2, quantum: '1' };
const market = {
  ...{ code: 'HELDA/HUSD', name: 'Held A', state: 'STATE_ACTIVE', decimalPlaces: 5, positionDecimalPlaces: 0 },
  ...{ asset: '0c', specs: [] },
};
const NAMED: Directory = { ...NO_NAMES, markets: new Map([[MARKET ?? '', market]]), assets: new Map([['0c', asset]]) };

const provision = (members: JsonObject = {}): JsonObject => ({
  ...{ id: '01', marketId: MARKET ?? '', partyId: PARTY ?? '', commitmentAmount: '60000', fee: '0.0025' },
  ...{ reference: '', buys: [], sells: [], version: '1', status: 'STATUS_ACTIVE' },
  ...{ createdAt: '1795340000000000000', updatedAt: '1795340000000000000', ...members },
});

const provider = (partyId: string | undefined, share: JsonObject = {}, members: JsonObject = {}) => ({
  partyId: partyId ?? '',
  marketId: MARKET ?? '',
  feeShare: {
    ...{ party: partyId ?? '', equityLikeShare: '0.75', averageEntryValuation: '61000', averageScore: '0.2' },
    ...{ virtualStake: '60123.5', ...share },
  },
  sla: {
    ...{ party: partyId ?? '', currentEpochFractionOfTimeOnBook: '0.971', lastEpochFractionOfTimeOnBook: '0.9' },
    ...{ lastEpochFeePenalty: '0.045', lastEpochBondPenalty: '0', hysteresisPeriodFeePenalties: ['0.1', '0'] },
    ...{ requiredLiquidity: '300000', notionalVolumeBuys: '310000', notionalVolumeSells: '299999.5' },
  },
  ...members,
});
const second = provider(OTHER, { equityLikeShare: '0.25', averageScore: '0.6' });

const account = (balance: string, members: JsonObject = {}): JsonObject => ({
  ...{ owner: PARTY ?? '', balance, asset: '0c', marketId: MARKET ?? '', type: 'ACCOUNT_TYPE_BOND', ...members },
});

const page = (wrapper: string, records: readonly Json[], info: JsonObject = {}): JsonObject => ({
  [wrapper]: {
    edges: records.map(node => ({ node, cursor: 'c' })),
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: 'c', endCursor: 'c', ...info },
  },
});

interface Has {
  /** The answer about the part of fees shared by equity-like share. */
  readonly equityPart?: Json | number;
  readonly version?: string;
  /** A number is the status of a refusal. */
  readonly providers?: Json | number;
  readonly accounts?: Json | number;
  readonly provisions?: readonly JsonObject[];
}

/** What may be asked, and with which parameters: a data node ignores those it does not know. */
const KNOWN: { readonly [path: string]: readonly string[] } = {
  'liquidity/providers': ['marketId', 'partyId', 'pagination.first'],
  info: [],
  'network/parameters': ['pagination.first'],
  'network/parameters/market.liquidity.equityLikeShareFeeFraction': [],
  accounts: ['filter.partyIds', 'filter.marketIds', 'filter.accountTypes', 'pagination.first'],
  'liquidity/all-provisions': ['marketId', 'live', 'pagination.first'],
  'liquidity/provisions': ['marketId', 'partyId', 'live', 'pagination.first'],
};

/** The explanation of a provision by a node that has these, over the wire. */
async function explained(
  { providers = 404, accounts = 404, provisions = [provision()], equityPart = 404, version = 'v0.74.10' }: Has,
  row = { current: provision() },
) {
  const strange: string[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://n');
    const path = pathname.replace('/api/v2/', '');
    strange.push(
      ...[...searchParams.keys()].filter(key => KNOWN[path]?.includes(key) !== true).map(key => `${path} ${key}`),
    );
    asked.push(`${path} ${searchParams.has('partyId') ? 'of party' : ''}`.trim());
    const answers: { readonly [path: string]: Json | number } = {
      'liquidity/providers': providers,
      'network/parameters/market.liquidity.equityLikeShareFeeFraction': equityPart,
      info: { version },
      accounts,
      'liquidity/all-provisions': page(
        'liquidityProvisions',
        provisions.map(current => ({ current })),
      ),
      'liquidity/provisions': page('liquidityProvisions', provisions),
    };
    const answer = answers[path] ?? 404;
    if (typeof answer === 'number') response.writeHead(answer).end('<html>no</html>');
    else response.end(JSON.stringify(answer));
  });
  await using node = await listening(server);
  const client = createClient({ base: baseAddress(node.url), wait: async () => {} });
  const ask = createAsk(client, () => 0)(new AbortController().signal);
  const { parts, json } = await explainProvision(row, {
    ...{ directory: NAMED, nowMs: 1_795_340_000_000, around: { filters: {}, rows: [row] }, ask },
  });
  expect(strange).toEqual([]);
  const lines = parts.flatMap(({ lines: all }) => all.map(({ label, text }) => `${label}: ${text}`));
  const shared = parts.find(({ title }) => title === 'How fees are shared')?.lines ?? [];
  return { lines, shared: shared.map(({ label, text }) => `${label}: ${text}`), json, asked };
}

const providers = (...rows: readonly Json[]) => page('liquidityProviders', rows);
const accounts = (...rows: readonly Json[]) => page('accounts', rows);

describe('Fee share of a liquidity provider', () => {
  it('The fee share is explained for the provider, with its share among all of its market', async () => {
    const { shared, json, asked } = await explained({ providers: providers(provider(PARTY), second) });
    expect(shared).toEqual([
      'share of fees: 50.0 %, before penalties',
      'after penalties: 50.0 %, if this epoch has the penalties of the last',
      'fees are shared: by equity-like share x liquidity score, not by commitment',
      'equity-like share: 75 %',
      'liquidity score: 20 %',
      'virtual stake: 601.235 HUSD',
      'entry valuation: 610 HUSD',
      'time on the book: this epoch 97.1 %, last epoch 90 %',
      'last penalties: fees 4.5 %, bond 0 %',
      'past fee penalties: 10 %, 0 %',
      'required liquidity: 3 000 HUSD',
      'orders in range: buys 3 100 HUSD, sells 2 999.995 HUSD',
    ]);
    expect(json.fees).toMatchObject({
      equityPart: '1',
      share: { numerator: '1', denominator: '2', percent: '50.0' },
      afterPenalties: { numerator: '1', denominator: '2', percent: '50.0' },
      ...{ sharePercent: '50.0', shareProblem: null, equityLikeShare: '0.75', virtualStake: '60123.5' },
      ...{ penalties: { fee: '0.045', bond: '0', earlierFees: ['0.1', '0'] } },
      liquidity: { required: '300000', buys: '310000', sells: '299999.5' },
    });
    expect(asked.filter(path => path.startsWith('liquidity/providers'))).toEqual(['liquidity/providers']);
  });

  it.each([
    [10, 'past fee penalties: 0 %, 1 %, 2 %, 3 %, 4 %, 5 %, 6 %, 7 %, 8 %, 9 %'],
    [11, 'past fee penalties: 1 %, 2 %, 3 %, 4 %, 5 %, 6 %, 7 %, 8 %, 9 %, 10 %, the last 10 of 11'],
  ])('Of %i past fee penalties the last ten are shown, and how many there were', async (count, line) => {
    const earlier = Array.from({ length: count }, (_, epoch) => String(epoch / 100));
    const { sla } = provider(PARTY);
    const told = { ...sla, hysteresisPeriodFeePenalties: earlier };
    const { shared } = await explained({ providers: providers(provider(PARTY, {}, { sla: told })) });
    expect(shared).toContain(line);
  });

  it('Part of the fee share is by score only, when the chain says so, and others may then have a part of it', async () => {
    const half = { networkParameter: { key: 'market.liquidity.equityLikeShareFeeFraction', value: '0.5' } };
    const has = { providers: providers(provider(PARTY), second), equityPart: half, version: 'v0.79.0' };
    const { shared, json } = await explained(has);
    expect(shared.slice(0, 3)).toEqual([
      'share of fees: 37.5 %, before penalties',
      'after penalties: 37.5 %, if this epoch has the penalties of the last',
      'fees are shared: 50 % by equity-like share x liquidity score, not by commitment; the rest by score. Automated market makers share it too, and are not listed',
    ]);
    expect(json.fees).toMatchObject({ equityPart: '0.5', share: { numerator: '3', denominator: '8' } });
  });

  it.each(['v0.77.0', 'v0.79.0', 'v1.0.0', '', 'custom'])(
    'The fee share is unknown when a node of version "%s" does not say how fees are shared',
    async version => {
      const { shared, json } = await explained({ providers: providers(provider(PARTY), second), version });
      expect(shared[0]).toBe('share of fees: not known: the node does not report how fees are shared');
      expect(shared.join()).not.toContain('not by commitment');
      expect(json.fees).toMatchObject({ equityPart: null, share: null, afterPenalties: null });
    },
  );

  it('The fee share after penalties is what penalties leave of it', async () => {
    const penalty = (of: string) => ({ sla: { party: OTHER ?? '', lastEpochFeePenalty: of } });
    const share = { equityLikeShare: '0.25', averageScore: '0.6' };
    const { json } = await explained({ providers: providers(provider(PARTY), provider(OTHER, share, penalty('0.5'))) });
    // 0.955 of one half, and 0.5 of the other.
    expect(json.fees).toMatchObject({ afterPenalties: { numerator: '191', denominator: '291', percent: '65.6' } });
    const unsaid = await explained({ providers: providers(provider(PARTY), provider(OTHER, share, penalty(''))) });
    expect(unsaid.shared[1]).toBe('after penalties: not known: the last fee penalty of 1 provider is not known');
    expect(unsaid.json.fees).toMatchObject({ sharePercent: '50.0', afterPenalties: null });
  });

  it.each([
    ['another party', [provider(OTHER)], 'not among the liquidity providers'],
    ['another market', [provider(PARTY, {}, { marketId: OTHER_MARKET ?? '' })], 'not among the liquidity providers'],
    ['nobody', [], 'not among the liquidity providers'],
    ['the party twice, differently', [provider(PARTY), provider(PARTY, { averageScore: '1' })], 'more than once'],
    ['the party without members', [{ partyId: PARTY ?? '', marketId: MARKET ?? '' }], 'cannot be read'],
    ['no objects', ['x', null, 5], 'not among the liquidity providers'],
    ['shares that make too much', [provider(PARTY, { equityLikeShare: '1' }), second], 'add up to 125.00 %'],
    ['a share below 0', [provider(PARTY, { equityLikeShare: '-1' }), second], 'cannot be read'],
    ['a share of another party', [provider(PARTY, { party: OTHER ?? '' }), second], 'cannot be read'],
    ['nulls', [provider(PARTY, {}, { feeShare: null, sla: null }), second], 'cannot be read'],
    ['texts for numbers', [provider(PARTY, { virtualStake: '\u001b[31m1e9' }), second], 'virtual stake: not an amount'],
  ])('The fee share is not made up for a node that lists %s', async (_, rows, says) => {
    const { shared } = await explained({ providers: providers(...rows) });
    expect(shared.join('\n')).toContain(says);
    expect(shared.join('\n')).not.toMatch(/NaN|undefined|null|\u001b/);
  });

  it('The fee share does not rely on a list with repeated rows, and says so', async () => {
    const { json } = await explained({ providers: providers(provider(PARTY), provider(PARTY), second) });
    expect(json.fees).toMatchObject({ sharePercent: null, shareProblem: expect.stringContaining('twice') });
  });

  it.each([404, 501, 500])('The fee share is replaced by a hint when the node answers %i', async status => {
    const { shared, json, lines } = await explained({ providers: status, accounts: status });
    expect(shared).toEqual([': The node did not list the liquidity providers of this market.']);
    expect(lines).toContain('share of commitment: 100.0 % of 600 HUSD; rank 1 of 1 on this market');
    expect(json).toMatchObject({ fees: null, bond: null, stale: null });
  });

  it('The fee share is read with a request for the party when it is not among the first of thousands', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => provider(index.toString(16).padStart(64, '0')));
    const cut = page('liquidityProviders', many, { hasNextPage: true });
    const { shared, asked } = await explained({ providers: cut });
    expect(shared).toEqual([': This party is not among the liquidity providers the node lists.']);
    expect(asked).toContain('liquidity/providers of party');
    const among = page('liquidityProviders', [...many, provider(PARTY)], { hasNextPage: true });
    expect((await explained({ providers: among })).shared[0]).toContain('does not list all providers');
  });

  it('The fee share is not requested for a provision that is history or has not begun', async () => {
    const has = { providers: providers(provider(PARTY)), accounts: accounts(account('1')) };
    for (const status of ['STATUS_CANCELLED', 'STATUS_PENDING']) {
      const { shared, json, asked } = await explained(has, { current: provision({ status }) });
      expect([shared, json.bond, json.fees]).toEqual([[], null, null]);
      expect(asked.some(path => /providers|accounts/.test(path))).toBe(false);
    }
  });
});

describe('Bond of a liquidity provision', () => {
  it('The bond of a provision is explained, and a larger commitment is called stale', async () => {
    const sound = await explained({ accounts: accounts(account('60000')) });
    expect(sound.lines).toContain('bond: 600 HUSD');
    expect(sound.json).toMatchObject({ bond: { raw: '60000', value: '600', symbol: 'HUSD' }, stale: false });
    const slashed = await explained({ accounts: accounts(account('59999')) });
    expect(slashed.lines.find(line => line.startsWith('bond'))).toBe(
      'bond: 599.99 HUSD, less than the commitment. Slashing does not create a new version, so this record and its share are out of date.',
    );
    expect(slashed.json).toMatchObject({ stale: true });
  });

  it('The bond of a provision is compared with the current commitment of the node, and with no older one', async () => {
    const has = {
      accounts: accounts(account('500')),
      provisions: [provision({ version: '2', commitmentAmount: '500' })],
    };
    const { json, lines } = await explained(has);
    expect(json).toMatchObject({ bond: { raw: '500' }, stale: false });
    expect(lines).toContain('bond: 5 HUSD');
  });

  it.each([
    ["another party's", [account('1', { owner: OTHER ?? '' })]],
    ["another market's", [account('1', { marketId: OTHER_MARKET ?? '' })]],
    ['another account', [account('1', { type: 'ACCOUNT_TYPE_MARGIN' })]],
    ['two that differ', [account('1'), account('2')]],
    ['no number', [account('-1')]],
    ['nothing', []],
  ])('The bond of a provision is unknown when a node answers with %s', async (_, rows) => {
    const { json, lines } = await explained({ accounts: accounts(...rows) });
    expect(json).toMatchObject({ bond: null, stale: null });
    expect(lines.some(line => line.startsWith('bond'))).toBe(false);
  });

  it('The bond of a provision is found among other accounts when the node does not support the filters', async () => {
    const all = [
      account('1', { owner: OTHER ?? '' }),
      account('70000'),
      account('3', { type: 'ACCOUNT_TYPE_GENERAL' }),
    ];
    expect((await explained({ accounts: accounts(...all) })).json).toMatchObject({
      bond: { raw: '70000' },
      stale: false,
    });
  });
});
