import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetworkError, RefusedError } from '../../../src/chain/api/errors.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../src/chain/api/json.ts';
import type { NodeRequest } from '../../../src/chain/api/request.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import { MAX_WHAT_REQUESTS, type WhatAnswer, whatIs } from '../../../src/chain/what/what.ts';

const ID = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const ADDRESS = `0x${'ef'.repeat(20)}`;
const signal = new AbortController().signal;

/** A node that answers paths with these records or documents, and refuses the others as a gateway does. */
class FakeNode {
  readonly asked: NodeRequest[] = [];
  readonly #answers: { readonly [path: string]: Json | Error };

  constructor(answers: { readonly [path: string]: Json | Error }) {
    this.#answers = answers;
  }

  readonly get = async (request: NodeRequest) => {
    this.asked.push(request);
    const answer = this.#answers[request.path];
    if (answer instanceof Error) throw answer;
    if (answer === undefined)
      throw new RefusedError(404, { code: 5, message: 'Not Found', details: [] }, { url: '', hint: '' });
    return { json: answer, facts: { rate: {} }, bytes: 0, elapsedMs: 0 };
  };
}

const page = (wrapper: string, records: readonly JsonObject[], hasNextPage = false): JsonObject => ({
  [wrapper]: {
    edges: records.map(node => ({ node, cursor: 'a' })),
    pageInfo: { hasNextPage, hasPreviousPage: false, ...(records.length > 0 && { startCursor: 'a', endCursor: 'a' }) },
  },
});

const market = (id: string, members: JsonObject = {}): JsonObject => ({
  id,
  state: 'STATE_ACTIVE',
  tradableInstrument: { instrument: { code: 'HELDA/HUSD', name: 'Held A', ...members } },
});

const spec = (id: string, data: JsonObject): JsonObject => ({
  externalDataSourceSpec: { spec: { id, status: 'STATUS_ACTIVE', data } },
});

const ask = (text: string, node: FakeNode, directory = NO_NAMES): Promise<WhatAnswer> =>
  whatIs(text, { client: node, directory, signal });

const told = ({ roles }: WhatAnswer): readonly string[] => roles.map(({ role, text }) => `${role}: ${text}`);

const OTHER_ADDRESS = `0x${'0e'.repeat(20)}`;

describe('`what` for an id', () => {
  it('An id is a market by its provisions and fees if the node lists no markets, and leads to them', async () => {
    const version = { id: OTHER, partyId: OTHER, marketId: ID };
    const node = new FakeNode({
      'api/v2/liquidity/provisions': page('liquidityProvisions', [version, version]),
      'api/v2/liquidity/paidfees': page('paidLiquidityFees', [{ market: ID, epochSeq: '41', feesPaidPerParty: [] }]),
    });
    const answer = await ask(ID, node);
    expect(told(answer)).toEqual([
      'market with liquidity provisions: 1 provision in 2 versions',
      'market with fees: in epoch 41, the newest with fees',
    ]);
    expect(answer.roles.map(({ lead }) => lead)).toEqual(Array(2).fill({ entity: 'market', id: ID }));
    expect(answer.notServed).toContain('api/v2/markets');
    expect(answer.requests).toBe(node.asked.length);
    const { notFound } = await ask(OTHER, new FakeNode({ 'api/v2/liquidity/paidfees': page('paidLiquidityFees', []) }));
    expect(notFound).toEqual([
      'not a market with fees in the newest epoch with fees',
      'not a party with fees in the newest epoch with fees',
    ]);
  });

  it('An id is reported first as what it is, then where it is used, however many markets that are', async () => {
    const markets = Array.from({ length: 36 }, (_, index) =>
      market(index.toString(16).padStart(64, 'f'), { future: { settlementAsset: ID } }),
    );
    const node = new FakeNode({
      'api/v2/markets': page('markets', markets),
      'api/v2/assets': page('assets', [{ id: ID, details: { symbol: 'HUSD', name: 'Held USD', decimals: '6' } }]),
      'api/v2/oracle/specs': page('oracleSpecs', []),
    });
    const [first, second, ...others] = told(await ask(ID, node));
    expect(first).toBe('asset: HUSD, Held USD, 6 decimals');
    expect(second).toMatch(/^asset that a market settles in: /);
    expect(others.at(-1)).toBe('asset that a market settles in: and 26 more');
  });

  it('An id is reported with every role, each with where it was found and what it leads to', async () => {
    const node = new FakeNode({
      'api/v2/markets': page('markets', [market(OTHER, { future: { settlementAsset: ID } }), market(ID)]),
      'api/v2/assets': page('assets', [{ id: ID, details: { symbol: 'HUSD', name: 'Held USD', decimals: '6' } }]),
      'api/v2/nodes': page('nodes', [
        { id: 'n1', name: 'Validator 1', pubKey: ID.toUpperCase() },
        {
          id: ID,
          name: 'Validator 2',
          ethereumAddress: ADDRESS,
          rankingScore: { status: 'VALIDATOR_NODE_STATUS_TENDERMINT' },
        },
        { id: 'n3', name: 'Validator 3', delegations: [{ party: ID, amount: '1' }] },
      ]),
      'api/v2/liquidity/provisions': page('liquidityProvisions', [
        { id: 'p1', partyId: ID, marketId: OTHER },
        { id: 'p1', partyId: ID.toUpperCase(), marketId: OTHER },
        { id: 'p2', partyId: ID, marketId: ID },
      ]),
      'api/v2/liquidity/paidfees': page('paidLiquidityFees', [
        { market: OTHER, epochSeq: '41', feesPaidPerParty: [{ party: ID, amount: '1' }] },
      ]),
      'api/v2/oracle/specs': page('oracleSpecs', [
        spec(ID, {}),
        spec(OTHER, { external: { oracle: { signers: [{ pubKey: { key: ID } }] } } }),
        spec('ee', { external: { ethOracle: { args: [Buffer.from(ID, 'hex').toString('base64')] } } }),
      ]),
      'api/v2/erc20/multisigcontrol/signer/removed/bundles': page('bundles', [{ oldSigner: ADDRESS }]),
      'api/v2/network/parameters': page('networkParameters', [{ key: 'reward.asset', value: ID }]),
    });
    const answer = await ask(`"${ID.toUpperCase()}"`, node);
    expect(told(answer)).toEqual([
      'market: HELDA/HUSD, Held A, ACTIVE',
      'asset: HUSD, Held USD, 6 decimals',
      'public key of a validator: Validator 1',
      'validator: Validator 2, TENDERMINT',
      'party that delegates to a validator: Validator 3',
      'party with liquidity provisions: 2 provisions in 3 versions, on 2 markets: HELDA/HUSD cdcd, HELDA/HUSD abab',
      'party with fees: in epoch 41, the newest with fees, on 1 market: HELDA/HUSD cdcd',
      'oracle spec: ACTIVE',
      'validator that bundles remove: 1 bundle',
      'asset that a market settles in: HELDA/HUSD cdcd',
      'signer of an oracle spec: cdcdcdcd.., ACTIVE',
      'in the record of an oracle spec: ee.., ACTIVE',
      'value of a network parameter: reward.asset',
    ]);
    expect(answer.roles[0]).toMatchObject({ where: 'markets', lead: { entity: 'market', id: ID } });
    expect(answer).toMatchObject({ requests: 8, notFound: [], unchecked: [] });
  });

  it('An id is reported with ten roles of one kind, and a count of the others', async () => {
    const settling = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        market(String(index).padStart(64, '0'), { future: { settlementAsset: ID } }),
      );
    const rolesAmong = async (count: number) =>
      told(await ask(ID, new FakeNode({ 'api/v2/markets': page('markets', settling(count)) })));
    expect(await rolesAmong(10)).toHaveLength(10);
    const twelve = await rolesAmong(12);
    expect(twelve).toHaveLength(11);
    expect(twelve.at(-1)).toMatch(/: and 2 more$/);
  });

  it('An unknown id is reported with exactly what was searched', async () => {
    const node = new FakeNode({
      'api/v2/markets': page('markets', [market(OTHER)]),
      'api/v2/oracle/specs': page(
        'oracleSpecs',
        Array.from({ length: 46 }, (_, place) => ({ place })),
        true,
      ),
      'api/v2/liquidity/provisions': page('liquidityProvisions', []),
      'api/v2/liquidity/paidfees': new RefusedError(
        500,
        { code: 13, message: 'Internal error', details: [] },
        { url: '', hint: '' },
      ),
      'api/v2/nodes': { nodes: 7 },
    });
    const answer = await ask(ID, node);
    expect(answer.roles).toEqual([]);
    expect(answer.notFound).toEqual([
      'not among the 1 markets listed',
      'not a party with liquidity provisions',
      'not among the first 46 oracle specs',
    ]);
    expect(answer.unchecked).toHaveLength(5);
    expect(answer.unchecked).toContain('validators: the answer has no list');
    expect(answer.unchecked).toContain('assets: this node does not serve them');
    expect(answer.unchecked.find(why => why.startsWith('paid fees: '))).toContain('500');
  });

  it('An id gets no role from a list that was not filtered by it, and no count of an incomplete list', async () => {
    const bundle = (submitter: string) => ({ submitter, oldSigner: OTHER });
    const [bundles, liquidity] = ['api/v2/erc20/multisigcontrol/signer/removed/bundles', 'api/v2/liquidity'];
    const stray = new FakeNode({
      [`${liquidity}/provisions`]: page('liquidityProvisions', [{ id: 'p1', partyId: OTHER, marketId: OTHER }]),
      [`${liquidity}/paidfees`]: page('paidLiquidityFees', [
        { market: OTHER, epochSeq: '41', feesPaidPerParty: [{ party: OTHER, amount: '1' }] },
      ]),
      [bundles]: page('bundles', [bundle(`0x${'01'.repeat(20)}`)]),
    });
    const party = await ask(ID, stray);
    expect(told(party).filter(text => text.startsWith('party'))).toEqual([]);
    expect(party.notFound).toEqual([]);
    expect(party.unchecked.filter(why => !why.endsWith('does not serve them'))).toEqual([
      'liquidity provisions: the node ignores the filter marketId',
      'paid fees: the node ignores the filter marketId',
      'liquidity provisions: the node ignores the filter partyId',
      'paid fees: the node ignores the filter partyIds',
      'signer bundles: no listed validator has this id, so the answer cannot be checked',
    ]);
    expect((await ask(ADDRESS, stray)).roles).toEqual([]);
    const cut = new FakeNode({
      [`${liquidity}/provisions`]: page('liquidityProvisions', [{ id: 'p1', partyId: ID, marketId: OTHER }], true),
      [bundles]: page('bundles', [{ ...bundle(ADDRESS), oldSigner: OTHER_ADDRESS }], true),
      'api/v2/nodes': page('nodes', [{ id: ID, name: 'Validator 2', ethereumAddress: OTHER_ADDRESS }]),
    });
    expect(told(await ask(ID, cut))).toEqual([
      'validator: Validator 2',
      'party with liquidity provisions: at least 1 provision in 1 version, on 1 market: cdcd..cdcd',
      'validator that bundles remove: at least 1 bundle',
    ]);
    const submitter = await ask(ADDRESS, cut);
    expect(told(submitter)).toEqual([
      'submitter of signer bundles: at least 1 bundle for it to submit, 1 without usable signatures',
    ]);
    expect(submitter.notFound).toContain('not removed by any of the first 1 signer bundles');
  });

  it("An id is reported with the user's alias first", async () => {
    const aliases = new Map([[ID, 'cold wallet']]);
    const answer = await ask(ID, new FakeNode({}), { ...NO_NAMES, aliases });
    expect(told(answer)).toEqual(['named by you: @cold wallet']);
  });

  it('An id stays unknown if the node cannot be reached, which is an error', async () => {
    const error = new NetworkError('connection refused', { url: '', hint: '' });
    const paths = ['markets', 'assets', 'nodes', 'liquidity/provisions', 'liquidity/paidfees', 'oracle/specs'];
    const answers = Object.fromEntries([...paths, 'network/parameters'].map(path => [`api/v2/${path}`, error]));
    const all = { ...answers, 'api/v2/erc20/multisigcontrol/signer/removed/bundles': error };
    await expect(ask(ID, new FakeNode(all))).rejects.toBe(error);
  });
});

describe('`what` for the id of a segment or chain', () => {
  const [SEGMENT, BEFORE] = ['QmNSXFaq3tWnoCnGgrKTCRRaSBzwHkEJKEzBuU1XzRDCVp', `Qm${'a1'.repeat(22)}`];
  const segment = { historySegmentId: SEGMENT, previousHistorySegmentId: BEFORE, chainId: 'vega-mainnet-0011' };
  const segments = {
    segments: [
      { ...segment, fromHeight: '1', toHeight: '1000' },
      { ...segment, historySegmentId: 'QmOther', fromHeight: '1001', toHeight: '2000' },
    ],
  };
  const statistics = { statistics: { chainId: 'vega-mainnet-0011', blockHeight: '2345', epochSeq: '7' } };

  it.each([
    [SEGMENT, ['history segment: blocks 1 to 1000 of vega-mainnet-0011']],
    [SEGMENT.slice(0, 12), [`part of the id of a history segment: ${SEGMENT}, blocks 1 to 1000 of vega-mainnet-0011`]],
    [
      `${SEGMENT.slice(0, 8)}..`,
      [`part of the id of a history segment: ${SEGMENT}, blocks 1 to 1000 of vega-mainnet-0011`],
    ],
    [SEGMENT.toLowerCase(), []],
    [
      'vega-mainnet-0011',
      ['chain: 2 history segments here, up to block 2000', 'chain: the chain of this node, at block 2345 of epoch 7'],
    ],
    ['vega-mainnet-0012', []],
  ])('The id of a segment or chain is recognised: %s', async (value, roles) => {
    const node = new FakeNode({ 'api/v2/networkhistory/segments': segments, statistics });
    const answer = await ask(value, node);
    expect(told(answer)).toEqual(roles);
    const isWhole = value === SEGMENT;
    expect(answer.formNotes).toEqual([isWhole ? 'an IPFS content id: history segments have one' : 'treated as a name']);
  });

  it('The id of a chain is known without a core, and that of a segment as the one before', async () => {
    const node = new FakeNode({ 'api/v2/networkhistory/segments': segments });
    expect(told(await ask('vega-mainnet-0011', node)).length).toBe(1);
    expect(told(await ask(BEFORE, node))).toEqual([
      'id of the history segment before: blocks 1 to 1000 of vega-mainnet-0011',
      'id of the history segment before: blocks 1001 to 2000 of vega-mainnet-0011',
    ]);
  });
});

describe('`what` for an address', () => {
  it('An address is reported as signer, submitter, contract and value', async () => {
    const node = new FakeNode({
      'api/v2/nodes': page('nodes', [{ id: 'n1', name: 'Validator 1', ethereumAddress: ADDRESS }]),
      'api/v2/erc20/multisigcontrol/signer/removed/bundles': page('bundles', [
        { oldSigner: ADDRESS, submitter: `0x${'12'.repeat(20)}`, epochSeq: '4', timestamp: '1700000000000000000' },
        { oldSigner: OTHER, submitter: ADDRESS },
      ]),
      'api/v2/oracle/specs': page('oracleSpecs', [
        spec('aa', { external: { ethOracle: { address: `0x${'EF'.repeat(20)}` } } }),
        spec('bb', { external: { oracle: { signers: [{ ethAddress: { address: ADDRESS } }] } } }),
      ]),
      'api/v2/assets': page('assets', [{ id: 'a', details: { symbol: 'HUSD', erc20: { contractAddress: ADDRESS } } }]),
      'api/v2/network/parameters': page('networkParameters', [
        { key: 'blockchains.ethereumConfig', value: `{"a":{"address":"${ADDRESS}"}}` },
      ]),
    });
    const answer = await ask(ADDRESS.slice(2).toUpperCase(), node);
    expect(answer.roles.map(({ role }) => role)).toEqual([
      'Ethereum address of a validator',
      'submitter of signer bundles',
      'old signer of a bundle',
      'token contract of an asset',
      'contract that an oracle spec calls',
      'signer of an oracle spec',
      'in the value of a network parameter',
    ]);
    expect(answer.roles[2]?.text).toContain('2023-11-14 22:13:20 UTC');
  });
});

describe('`what` for a name', () => {
  const parameters = page('networkParameters', [
    { key: 'validators.epoch.length', value: '10m0s' },
    { key: 'validators.epoch', value: 'x' },
    { key: 'spam.protection.max', value: '3' },
  ]);
  const node = () =>
    new FakeNode({ 'api/v2/network/parameters': parameters, 'api/v2/markets': page('markets', [market(ID)]) });

  it.each([
    ['validators.epoch.length', 'network parameter: validators.epoch.length = 10m0s'],
    ['Validators.Epoch.Length', 'network parameter: validators.epoch.length = 10m0s'],
    ['validators.epoch.len', 'prefix of network parameters: validators.epoch.length = 10m0s'],
    ['protection', 'part of the names of network parameters: spam.protection.max = 3'],
    ['spam.protecton.max', 'nearly the name of a network parameter: spam.protection.max = 3'],
    ['10m0s', 'value of a network parameter: validators.epoch.length'],
    ['helda/husd', `name of a market: HELDA/HUSD, Held A, ACTIVE: ${ID}`],
  ])('The name %s is reported as %s', async (text, role) => expect(told(await ask(text, node()))[0]).toBe(role));
});

describe('`what` for a name that the program shows', () => {
  const [one, other] = [`0c41${'1'.repeat(60)}`, `9379${'2'.repeat(60)}`];
  const node = () =>
    new FakeNode({
      'api/v2/markets': page('markets', [market(one), market(other)]),
      'api/v2/nodes': page('nodes', [{ id: OTHER, name: 'Validator 5', ethereumAddress: ADDRESS }]),
      'api/v2/oracle/specs': page('oracleSpecs', [spec(ID, {})]),
      'api/v2/liquidity/paidfees': page('paidLiquidityFees', [
        { market: one, epochSeq: '41', feesPaidPerParty: [{ party: ID }, { party: OTHER }] },
      ]),
      'api/v2/erc20/multisigcontrol/signer/removed/bundles': page('bundles', [{ oldSigner: OTHER_ADDRESS }]),
    });
  const [first, second] = [one, other].map(id => `HELDA/HUSD, Held A, ACTIVE: ${id}`);

  it.each([
    ['HELDA/HUSD 0c41', [`name of a market: ${first}`]],
    ['helda/h', [`part of the name of a market: ${first}`, `part of the name of a market: ${second}`]],
    ['HELDA..0c41', [`part of the name of a market: ${first}`]],
    ['9379..2222', [`part of the id of a market: ${second}`]],
    ['abab\u2026abab', [`part of the id of an oracle spec: ${ID}, ACTIVE`, `part of the id of a party: ${ID}`]],
    [
      OTHER.slice(0, 24),
      [`part of the id of a validator: Validator 5: ${OTHER}`, `part of the id of a party: ${OTHER}`],
    ],
    ['0xEFef..EFef', [`part of the Ethereum address of a validator: Validator 5: ${OTHER}`]],
    ['0x0E0e..0E0e', [`part of the old signer of a bundle: epoch , submitter `]],
  ])('The shown name %s is reported as what it stands for', async (text, roles) =>
    expect(told(await ask(text, node()))).toEqual(roles),
  );

  it.each(['@cold wallet', 'Cold Wallet', 'you'])("The name %s is resolved to the user's id", async text => {
    const directory =
      text === 'you'
        ? { ...NO_NAMES, mine: { ...NOTHING_MINE, party: new Set([ID]) } }
        : { ...NO_NAMES, aliases: new Map([[ID, 'cold wallet']]) };
    const answer = await ask(text, node(), directory);
    expect(answer.value).toBe(ID);
    expect(told(answer)).toContain('oracle spec: ACTIVE');
  });
});

describe('`what` for a number', () => {
  const epoch = (seq: string, members: JsonObject = {}): JsonObject => ({
    epoch: {
      seq,
      timestamps: {
        startTime: '1700000000000000000',
        endTime: '1700000100000000000',
        firstBlock: '1',
        lastBlock: '100',
        ...members,
      },
    },
  });

  it('A number is an epoch with its time and blocks, and a height with the time from the epoch', async () => {
    const answer = await ask('41', new FakeNode({ 'api/v2/epoch': epoch('41') }));
    expect(told(answer)).toEqual([
      'epoch: from 2023-11-14 22:13:20 UTC to 2023-11-14 22:15:00 UTC, blocks 1-100',
      'block height: in epoch 41, made at about 2023-11-14 22:14:00 UTC, estimated from the ends of epoch 41',
    ]);
  });

  it('A number is no epoch if the node returns another one, and an open epoch if it has not ended', async () => {
    const open = await ask('41', new FakeNode({ 'api/v2/epoch': epoch('41', { endTime: '0', lastBlock: '0' }) }));
    expect(told(open)).toEqual([
      'epoch: from 2023-11-14 22:13:20 UTC not ended, blocks from 1 on',
      'block height: in epoch 41, if the chain has reached it, from 2023-11-14 22:13:20 UTC not ended, blocks from 1 on',
    ]);
    const other = await ask('500', new FakeNode({ 'api/v2/epoch': epoch('41') }));
    expect(other.roles).toEqual([]);
    expect(other.notFound).toContain('no epoch 500');
  });

  it('A number is reported as not reached yet if the head of the chain is below it', async () => {
    const node = new FakeNode({ statistics: { statistics: { blockHeight: '100', epochSeq: '4' } } });
    const answer = await ask('999', node);
    expect(answer.notFound).toContain('not reached yet: the chain is at block 100 of epoch 4');
  });
});

describe('`what` for any answers of a node', () => {
  const values = [
    ID,
    'abab..abab',
    ADDRESS,
    '41',
    '1789382398',
    'some.name',
    Buffer.alloc(32).toString('base64'),
    '2026-01-01',
  ];

  it.each(values)('`what` sends at most ten requests and never throws: %s', async value => {
    const wrappers = [
      'markets',
      'assets',
      'nodes',
      'oracleSpecs',
      'networkParameters',
      'bundles',
      'liquidityProvisions',
    ];
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(...wrappers, 'paidLiquidityFees', ''), async (json, wrapper) => {
        const any = parseJson(JSON.stringify(json));
        const record = isJsonObject(any) ? any : { id: any };
        const answer =
          wrapper === '' ? any : page(wrapper, [record, { id: ID, details: any, tradableInstrument: any }]);
        let requests = 0;
        const client = {
          get: async () => {
            requests++;
            return { json: answer, facts: { rate: {} }, bytes: 0, elapsedMs: 0 };
          },
        };
        const made = await whatIs(value, { client, directory: NO_NAMES, signal });
        expect(requests).toBeLessThanOrEqual(MAX_WHAT_REQUESTS);
        expect(made.requests).toBe(requests);
      }),
      { numRuns: 60 },
    );
  });
});
