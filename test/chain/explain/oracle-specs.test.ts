import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { readNames } from '../../../src/chain/directory/fetch-directory.ts';
import type { Ask } from '../../../src/chain/explain/explanation.ts';
import { fetchArrivals } from '../../../src/chain/explain/oracle/known-spec.ts';
import { explainOracleSpec } from '../../../src/chain/explain/oracle-specs.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const ID = 'ab'.repeat(32);
const NOW = Date.UTC(2026, 10, 22, 12, 30);
const unix = (iso: string) => String(Date.parse(`${iso}Z`) / 1000);
const ns = (iso: string) => `${Date.parse(`${iso}Z`)}000000`;
const HEX = 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43';

const specOf = (data: Json, more: JsonObject = {}): JsonObject => ({
  externalDataSourceSpec: {
    spec: { id: ID, createdAt: ns('2026-11-20T09:00:00'), updatedAt: '0', status: 'STATUS_ACTIVE', data, ...more },
  },
});

const price = {
  key: { name: 'price', type: 'TYPE_INTEGER', numberDecimalPlaces: '8' },
  conditions: [
    { operator: 'OPERATOR_GREATER_THAN', value: '0' },
    { operator: 'OPERATOR_LESS_THAN_OR_EQUAL', value: '4300050000000' },
  ],
};
const call = {
  address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  abi: JSON.stringify([
    {
      name: 'getPrice',
      inputs: [
        { name: 'feed', type: 'bytes32' },
        { name: 'age', type: 'uint256' },
      ],
      outputs: [{ type: 'int256' }],
      stateMutability: 'view',
      type: 'function',
    },
  ]),
  method: 'getPrice',
  args: [Buffer.from(HEX, 'hex').toString('base64'), 60],
  trigger: { timeTrigger: { initial: unix('2026-11-20T10:00:00'), every: '3600' } },
  requiredConfirmations: '3',
  filters: [price],
  normalisers: [{ name: 'price', expression: '$[0]' }],
  sourceChainId: '1',
};
const ethOracle = (more: JsonObject = {}) => specOf({ external: { ethOracle: { ...call, ...more } } });

const arrived = (broadcastAt: string, readAt: string, more: JsonObject = {}): JsonObject => ({
  externalData: {
    data: {
      signers: [],
      data: [{ name: 'price', value: '4200012000000' }],
      matchedSpecIds: [ID],
      broadcastAt: ns(broadcastAt),
      metaData: [
        { name: 'eth-block-height', value: '21000000' },
        { name: 'eth-block-time', value: unix(readAt) },
      ],
      ...more,
    },
  },
});

/** A node that serves these values, and whose last block is of that time. */
const nodeWith =
  (records: readonly JsonObject[], { head = '2026-11-22T12:30:00', hasNextPage = false } = {}): Ask =>
  async ({ path }) => {
    if (path === 'api/v2/vega/time') return { timestamp: ns(head) };
    const edges = records.map(node => ({ node, cursor: '' }));
    return { oracleData: { edges, pageInfo: { hasNextPage, hasPreviousPage: false, startCursor: '', endCursor: '' } } };
  };

const nothing: Ask = async () => undefined;

const explained = (row: JsonObject, ask: Ask = nothing, directory: Directory = NO_NAMES) =>
  explainOracleSpec(row, { directory, nowMs: NOW, around: { filters: {}, rows: [row] }, ask });

async function told(row: JsonObject, ask: Ask = nothing, directory: Directory = NO_NAMES) {
  const { parts } = await explained(row, ask, directory);
  return parts.map(({ title, lines }) => [title, ...lines.map(line => `${line.label}: ${line.text}`)]);
}

const lineOf = async (label: string, row: JsonObject, ask?: Ask, directory?: Directory) => {
  const { parts } = await explained(row, ask, directory);
  return parts.flatMap(({ lines }) => lines).filter(line => line.label === label);
};

const market = { decimalPlaces: 5, positionDecimalPlaces: 0, asset: '', state: 'STATE_ACTIVE', name: '' };
const waiting: Directory = {
  ...NO_NAMES,
  markets: new Map([
    ['01', { ...market, code: 'HELDA/HUSD', specs: [{ use: 'settlement', specId: ID.toUpperCase() }] }],
    ['02', { ...market, code: 'HELDB/HUSD', specs: [{ use: 'settlement', specId: 'cd'.repeat(32) }] }],
    [
      '03',
      {
        ...market,
        code: 'HELDC/HUSD',
        specs: [
          { use: 'schedule', specId: ID },
          { use: 'settlement', specId: ID },
        ],
      },
    ],
  ]),
};

describe('Explanation of an oracle spec', () => {
  it('The explanation of a contract call says what, where, when, its conditions, who waits and what came last', async () => {
    const node = nodeWith([arrived('2026-11-22T12:01:30', '2026-11-22T12:00:11')]);
    expect(await told(ethOracle(), node, waiting)).toEqual([
      [
        '',
        ': price, by calling getPrice() of a contract',
        'status: ACTIVE, activated 2 d 3 h ago (2026-11-20 09:00:00 UTC)',
        'contract: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        'on: Ethereum mainnet',
        'method: getPrice(bytes32 feed, uint256 age) view returns (int256)',
        'fires: every 1 h indefinitely, from 2026-11-20 10:00:00 UTC',
        'last due: 30 min ago, a value came since (2026-11-22 12:00:00 UTC)',
        'next: in 30 min (2026-11-22 13:00:00 UTC)',
        'must hold: price > 0 and ≤ 43 000.5',
        'markets: HELDA/HUSD settles on it, ACTIVE',
        'markets: HELDC/HUSD is scheduled by it and settles on it, ACTIVE',
        'last value: 28 min 30 s ago: price 42 000.12',
      ],
      [
        'Call',
        'signature: getPrice(bytes32,uint256)',
        'selector: 0xc9280f06',
        `feed bytes32: 0x${HEX}`,
        'age uint256: 60',
        'confirmations: 3 blocks of that chain',
      ],
      ['Values from the result', 'price: $[0], the int256 that is returned'],
      [
        'Last value',
        'price: 42 000.12',
        'arrived: 28 min 30 s ago (2026-11-22 12:01:30 UTC)',
        'read at: 29 min 49 s ago (2026-11-22 12:00:11 UTC), block 21000000 of the other chain',
      ],
    ]);
  });

  it('The explanation fits its answers on a screen of 24 lines', async () => {
    const row = ethOracle({ filters: Array.from({ length: 50 }, () => price) });
    const many = new Map(
      Array.from({ length: 50 }, (_, index) => [
        `${index}`,
        { ...market, code: `M${index}`, specs: [{ use: 'settlement' as const, specId: ID }] },
      ]),
    );
    const { parts } = await explained(row, nodeWith([]), { ...NO_NAMES, markets: many });
    expect(parts[0]?.lines.length).toBeLessThanOrEqual(18);
    const texts = parts[0]?.lines.map(({ text }) => text);
    expect(texts).toContain('and 47 more values, below');
    expect(texts).toContain('and 47 more markets, below');
    const below = parts.slice(1).map(({ title, isFolded, lines }) => [title, isFolded, lines.length]);
    expect(below).toContainEqual(['All conditions (50)', true, 50]);
    expect(below).toContainEqual(['All markets that use it (50)', true, 50]);
  });

  it('The explanation has stable members for programs', async () => {
    const node = nodeWith([arrived('2026-11-22T12:01:30', '2026-11-22T12:00:11')]);
    const { json, copies } = await explained(ethOracle(), node, waiting);
    expect(json).toEqual({
      id: ID,
      status: 'ACTIVE',
      createdAt: '2026-11-20T09:00:00Z',
      watches: 'price, by calling getPrice() of a contract',
      source: {
        kind: 'eth-oracle',
        chain: { id: '1', name: 'Ethereum mainnet' },
        contract: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        method: {
          key: 'getPrice',
          declaration: 'getPrice(bytes32 feed, uint256 age) view returns (int256)',
          signature: 'getPrice(bytes32,uint256)',
          selector: '0xc9280f06',
          problem: '',
        },
        args: [
          { name: 'feed', type: 'bytes32', raw: `"${call.args[0]}"`, value: `0x${HEX}` },
          { name: 'age', type: 'uint256', raw: '60', value: '60' },
        ],
        confirmations: '3',
        normalisers: [{ name: 'price', expression: '$[0]', words: '$[0], the int256 that is returned' }],
      },
      triggers: [
        {
          repeats: true,
          first: '2026-11-20T10:00:00Z',
          everySeconds: '3600',
          until: 'for ever',
          words: 'every 1 h indefinitely, from 2026-11-20 10:00:00 UTC',
        },
      ],
      last: { due: '2026-11-22T12:00:00Z', standing: 'arrived', missedSince: 'never' },
      next: { due: '2026-11-22T13:00:00Z', words: 'in 30 min (2026-11-22 13:00:00 UTC)' },
      conditions: [
        {
          key: 'price',
          type: 'INTEGER',
          decimals: '8',
          operator: 'GREATER_THAN',
          raw: '0',
          value: '0',
          words: 'price > 0',
        },
        {
          ...{ key: 'price', type: 'INTEGER', decimals: '8', operator: 'LESS_THAN_OR_EQUAL', raw: '4300050000000' },
          ...{ value: '43000.5', words: 'price ≤ 43 000.5' },
        },
      ],
      markets: [
        { id: '01', name: 'HELDA/HUSD', state: 'ACTIVE', uses: ['settlement'] },
        { id: '03', name: 'HELDC/HUSD', state: 'ACTIVE', uses: ['schedule', 'settlement'] },
      ],
      lastValue: {
        arrived: true,
        at: '2026-11-22T12:01:30Z',
        readAt: '2026-11-22T12:00:11Z',
        readAtBlock: '21000000',
        signers: [],
        data: [{ name: 'price', raw: '4200012000000', value: '42000.12' }],
      },
      errors: [],
      ignored: { conditions: [], triggers: 0 },
      unknown: [],
    });
    expect(copies).toEqual([
      { what: 'contract address', text: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { what: 'method signature', text: 'getPrice(bytes32,uint256)' },
      { what: 'selector', text: '0xc9280f06' },
    ]);
  });
});

describe('Oracle spec that was due', () => {
  const lastDue = async (ask: Ask, more: JsonObject = {}) => [
    ...(await lineOf('last due', ethOracle(more), ask)).map(({ text, tone }) => [text, tone]),
    ...(await lineOf('overdue since', ethOracle(more), ask)).map(({ text, tone }) => [`overdue since: ${text}`, tone]),
  ];

  it('An oracle spec is not called overdue when nothing says what arrived', async () => {
    expect(await lastDue(nothing)).toEqual([['was due 30 min ago (2026-11-22 12:00:00 UTC)', undefined]]);
    const { json } = await explained(ethOracle());
    expect(json).toMatchObject({
      last: { standing: 'was-due', missedSince: null },
      lastValue: null,
      markets: null,
      errors: null,
    });
    expect(json.unknown).toEqual([
      'which markets use it: no market is loaded',
      'the last value: the node does not serve it, or not now',
    ]);
  });

  it('An earlier value is not confused with one that was read earlier and arrived later', async () => {
    // It came after 12:00, but was read before.
    expect(await lastDue(nodeWith([arrived('2026-11-22T12:01:00', '2026-11-22T11:00:05')]))).toEqual([
      ['overdue since: 2026-11-22 12:00:00 UTC (30 min)', 'bad'],
    ]);
    expect(await lastDue(nodeWith([arrived('2026-11-22T10:01:00', '2026-11-22T10:00:05')]))).toEqual([
      ['overdue since: 2026-11-22 11:00:00 UTC (1 h 30 min)', 'bad'],
    ]);
    expect(await lastDue(nodeWith([]))).toEqual([['overdue since: 2026-11-20 10:00:00 UTC (2 d 2 h)', 'bad']]);
  });

  it('A missing value may have been held back when the oracle spec has conditions', async () => {
    const node = nodeWith([]);
    const held = 'this node has no value since then; values that fail a condition are not sent';
    expect(await lineOf('', ethOracle(), node)).toContainEqual({ label: '', text: held, tone: 'quiet' });
    const free = 'this node has no value since then';
    expect(await lineOf('', ethOracle({ filters: [] }), node)).toContainEqual({ label: '', text: free, tone: 'quiet' });
  });

  it.each(['-5', '0', '1790000000000', 'soon'])(
    'An oracle spec is called neither late nor up to date by a value that was read at %j',
    async value => {
      const metaData = [{ name: 'eth-block-time', value }];
      const node = nodeWith([arrived('2026-11-22T12:01:00', 'never', { metaData })]);
      expect(await lastDue(node)).toEqual([['was due 30 min ago (2026-11-22 12:00:00 UTC)', undefined]]);
    },
  );

  it('An oracle spec is not called late by a node that does not report the time of its last block', async () => {
    const all = nodeWith([arrived('2026-11-22T10:01:00', '2026-11-22T10:00:05')]);
    const node: Ask = async request => (request.path === 'api/v2/vega/time' ? undefined : all(request));
    expect(await lastDue(node)).toEqual([['was due 30 min ago (2026-11-22 12:00:00 UTC)', undefined]]);
    const { json } = await explained(ethOracle(), node);
    expect(json).toMatchObject({ last: { standing: 'was-due', missedSince: null } });
    expect(json.unknown).toContain('whether a value is late: the node did not give the time of its last block');
  });

  it('A value of an oracle spec may have to wait for confirmations', async () => {
    const slow = { requiredConfirmations: '256' };
    expect(await lastDue(nodeWith([arrived('2026-11-22T11:31:00', '2026-11-22T11:00:05')]), slow)).toEqual([
      ['due 30 min ago; no value yet, not overdue', 'pending'],
    ]);
  });

  it('A value that the node cannot have received yet is not missing', async () => {
    const node = nodeWith([arrived('2026-11-22T11:01:00', '2026-11-22T11:00:05')], { head: '2026-11-22T11:30:00' });
    expect(await lastDue(node)).toEqual([['1 h 30 min ago, a value came since (2026-11-22 11:00:00 UTC)', undefined]]);
    expect((await explained(ethOracle(), node)).json.unknown).toContain(
      'what happened in the last 1 h: the node has no later block',
    );
  });

  it('A value is not missing because the clock of the node is ahead', async () => {
    const node = nodeWith([arrived('2026-11-22T12:01:00', '2026-11-22T12:00:05')], { head: '2026-11-22T15:00:00' });
    expect(await lastDue(node)).toEqual([['30 min ago, a value came since (2026-11-22 12:00:00 UTC)', undefined]]);
    expect((await explained(ethOracle(), node)).json.unknown).toEqual(['which markets use it: no market is loaded']);
  });

  it('An error is not a value of an oracle spec, and is reported', async () => {
    const failed = arrived('2026-11-22T12:00:30', '2026-11-22T12:00:05', {
      data: [],
      metaData: [],
      error: 'execution reverted',
    });
    const node = nodeWith([failed, arrived('2026-11-22T11:01:00', '2026-11-22T11:00:05')]);
    expect(await lineOf('last error', ethOracle(), node)).toEqual([
      { label: 'last error', text: '29 min 30 s ago: execution reverted', tone: 'bad' },
    ]);
    expect((await lastDue(node))[0]?.[0]).toMatch(/^overdue since: .*\(30 min\)$/);
    // Among the last there is no value: what is behind them was not looked at.
    const errors = nodeWith([failed], { hasNextPage: true });
    expect((await lastDue(errors))[0]?.[0]).toMatch(/^was due/);
    expect((await lineOf('last value', ethOracle(), errors))[0]?.text).toBe('none among the newest data');
    expect((await explained(ethOracle(), errors)).json).toMatchObject({
      lastValue: null,
      errors: [{ at: '2026-11-22T12:00:30Z', message: 'execution reverted' }],
    });
  });

  it('The newest value counts, in any order of arrival, and values of other specs do not', async () => {
    const other = arrived('2026-11-22T12:20:00', '2026-11-22T12:20:00', { matchedSpecIds: ['cd'] });
    const node = nodeWith([
      arrived('2026-11-22T11:01:00', '2026-11-22T11:00:05'),
      arrived('2026-11-22T12:01:00', '2026-11-22T12:00:05'),
      other,
    ]);
    expect((await lastDue(node))[0]?.[0]).toBe('30 min ago, a value came since (2026-11-22 12:00:00 UTC)');
    expect((await lineOf('last value', ethOracle(), node))[0]?.text).toMatch(/^29 min ago/);
  });

  it('A deactivated oracle spec is over, at a time that nothing reports', async () => {
    const row = specOf({ external: { ethOracle: call } }, { status: 'STATUS_DEACTIVATED' });
    expect(await lineOf('last due', row, nodeWith([]))).toEqual([]);
    expect((await lineOf('next', row))[0]?.text).toBe('never: the spec is deactivated');
    const { json } = await explained(row);
    expect(json).toMatchObject({
      status: 'DEACTIVATED',
      next: { due: 'never' },
      last: { due: null, standing: 'over' },
    });
    expect(json.unknown).toContain('when it was deactivated');
  });

  it.each([
    [{ initial: unix('2026-11-21T10:00:00') }, 'never', 'never: it fires only once'],
    [{ initial: unix('2026-11-25T12:30:00') }, '2026-11-25T12:30:00Z', 'in 3 d (2026-11-25 12:30:00 UTC)'],
    [
      { initial: '60', every: '60', until: unix('2026-11-22T10:30:00') },
      'never',
      'never: it ended 2 h ago (2026-11-22 10:30:00 UTC)',
    ],
    [
      { initial: '60', every: '18446744073709551615', until: '1900000000' },
      'never',
      'never: the next time would be after its end (2030-03-17 17:46:40 UTC)',
    ],
    [{}, 'never', 'never: no time is given'],
    [{ every: 'often' }, null, 'not known'],
  ])('The next time of the trigger %j is %s for a program, and in words %s', async (timeTrigger, due, words) => {
    const row = ethOracle({ trigger: { timeTrigger } });
    expect((await lineOf('next', row))[0]?.text).toBe(words);
    expect((await explained(row)).json.next).toEqual({ due, words });
  });
});

describe('Oracle trigger with an end', () => {
  const trigger = {
    timeTrigger: { initial: unix('2026-11-20T10:00:00'), every: '3600', until: unix('2026-11-22T10:00:00') },
  };

  it('A trigger that has ended has nothing overdue: no later block fires it', async () => {
    const node = nodeWith([arrived('2026-11-22T08:01:00', '2026-11-22T08:00:11')]);
    const [first] = await told(ethOracle({ trigger }), node);
    expect(first?.slice(6, 12)).toEqual([
      'fires: every 1 h until 2026-11-22 10:00:00 UTC, from 2026-11-20 10:00:00 UTC',
      ': never at 2026-11-22 10:00:00 UTC: it ends before the next block of Ethereum',
      'last due: 3 h 30 min ago (2026-11-22 09:00:00 UTC), and no value came',
      ': no value since 2026-11-22 09:00:00 UTC; no later block can fire it',
      'next: never: it ended 2 h 30 min ago (2026-11-22 10:00:00 UTC)',
      'must hold: price > 0 and ≤ 43 000.5',
    ]);
    const { json } = await explained(ethOracle({ trigger }), node);
    expect(json.last).toEqual({
      due: '2026-11-22T09:00:00Z',
      standing: 'ended',
      missedSince: '2026-11-22T09:00:00Z',
    });
    expect(json.next).toMatchObject({ due: 'never' });
  });

  it('A trigger on another chain, where blocks are not at known seconds, says what it takes', async () => {
    const row = ethOracle({ trigger, sourceChainId: '100' });
    expect(await lineOf('', row, nodeWith([]))).toContainEqual({
      label: '',
      text: 'the last one needs a block at exactly that second',
      tone: 'quiet',
    });
  });
});

describe('Oracle trigger at a second that the chain must hit', () => {
  const exactly = (at: string) =>
    specOf({ internal: { time: { conditions: [{ operator: 'OPERATOR_EQUALS', value: unix(at) }] } } });
  const remark = 'only a block at exactly that second fires it: it may never fire';

  it('A trigger at an exact second says so before and after', async () => {
    expect((await told(exactly('2026-11-22T14:30:00')))[0]?.slice(3)).toEqual([
      'fires: at the first block that meets the condition',
      `: ${remark}`,
      'next: in 2 h (2026-11-22 14:30:00 UTC), but only if a block has exactly that second',
      'must hold: chain time = 2026-11-22 14:30:00 UTC',
    ]);
    const past = exactly('2026-11-21T14:30:00');
    expect((await lineOf('next', past))[0]?.text).toBe('never: that second has passed');
    expect((await lineOf('last due', past, nodeWith([])))[0]?.text).toMatch(/^was due 22 h/);
    const met = nodeWith([arrived('2026-11-21T14:30:00', 'never', { metaData: [] })]);
    expect((await lineOf('last due', past, met))[0]?.text).toMatch(/^22 h ago, a value came since/);
  });

  it('A trigger at an exact second is due at no time when its start is unknown', async () => {
    const conditions = [{ operator: 'OPERATOR_GREATER_THAN', value: '-62135596800' }];
    const row = specOf({ internal: { time: { conditions } } }, { createdAt: '0' });
    expect(await lineOf('last due', row, nodeWith([]))).toEqual([]);
  });

  it('A trigger at an exact second was never due where it was over when the spec began', async () => {
    const early = exactly('2026-11-20T08:59:59');
    expect(await lineOf('last due', early, nodeWith([]))).toEqual([]);
    expect((await lineOf('next', early))[0]?.text).toBe('never: that second has passed');
  });
});

describe('Markets that use an oracle definition without an ID', () => {
  const definition: JsonObject = { external: { ethOracle: call } };
  const product = (settlement: JsonObject): JsonObject => ({ code: 'A/B', perpetual: settlement });
  const priced = (instrument: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...{ id: '0a', state: 'STATE_ACTIVE', tradableInstrument: { instrument } },
    ...more,
  });
  const marketsOf = (...markets: readonly JsonObject[]): Directory => ({
    ...NO_NAMES,
    ...readNames('markets', markets),
  });
  const linesOf = async (directory: Directory, data: Json = definition) =>
    (await lineOf('markets', specOf(data), nothing, directory)).map(({ text }) => text);

  it('Each use of an oracle definition is listed once, however often it occurs', async () => {
    const composite = { internalCompositePriceConfig: { dataSourcesSpec: [definition] } };
    const market = priced(product({ dataSourceSpecForSettlementData: { id: ID, data: definition }, ...composite }), {
      markPriceConfiguration: { dataSourcesSpec: [definition, definition, { external: {} }, null] },
    });
    expect(await linesOf(marketsOf(market))).toEqual([
      'A/B settles on it, uses it for its mark price and uses it for its funding price, ACTIVE',
    ]);
    const { json } = await explained(specOf(definition), nothing, marketsOf(market));
    expect(json.markets).toMatchObject([{ uses: ['settlement', 'mark-price', 'internal-composite-price'] }]);
  });

  it('An oracle definition matches in any order of members and spelling of numbers, not with another value', async () => {
    const reversed = (value: Json): Json => {
      if (isJsonArray(value)) return value.map(reversed);
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, item]) => [name, reversed(item)]),
      );
    };
    const text = JSON.stringify(reversed(definition)).replace('[60', '[6.0e1').replace('"args"', '"none":null,"args"');
    const uses = (data: Json) =>
      marketsOf(priced({ code: 'A/B' }, { markPriceConfiguration: { dataSourcesSpec: [data] } }));
    expect(await linesOf(uses(parseJson(text.replace('60]', '6.0e1]'))))).toEqual([
      'A/B uses it for its mark price, ACTIVE',
    ]);
    for (const other of [
      { external: { ethOracle: { ...call, method: 'getprice' } } },
      { external: { ethOracle: { ...call, args: [call.args[0] ?? null, '60'] } } },
      { external: { ethOracle: { ...call, filters: [] } } },
    ])
      expect(await linesOf(uses(other))).toEqual(['not used by the 1 market loaded']);
  });

  it('An oracle definition that defines nothing is used by nobody', async () => {
    const empty = priced(
      { code: 'A/B' },
      { markPriceConfiguration: { dataSourcesSpec: [{}, null, { external: {} }] } },
    );
    for (const data of [{}, null, { external: {} }, { internal: null }])
      expect(await linesOf(marketsOf(empty), data)).toEqual(['not used by the 1 market loaded']);
  });
});

describe('Other oracle sources', () => {
  it('A signed data source lists its signers, by known names', async () => {
    const key = '1571572281c2d6a15dd718d2113e694cf0c432870d5d9e215ca8b6d68251256c';
    const address = '0x124dd8a6044ef048614aea0aac86643a8ae1312d';
    const signers = [{ pubKey: { key } }, { ethAddress: { address } }, { other: 1 }];
    const row = specOf({
      external: {
        oracle: { signers, filters: [price, { key: { name: 'note', type: 'TYPE_EMPTY' }, conditions: [] }] },
      },
    });
    const directory: Directory = { ...NO_NAMES, aliases: new Map([[key, 'my feed']]) };
    const signed = arrived('2026-11-22T12:00:00', 'never', { metaData: [], signers: [{ pubKey: { key } }] });
    const [first, ...rest] = await told(row, nodeWith([signed]), directory);
    expect(first).toEqual([
      '',
      ': price and note, as signed by any of 3 signers',
      'status: ACTIVE, activated 2 d 3 h ago (2026-11-20 09:00:00 UTC)',
      `signer: @my feed  ${key}`,
      'address: 0x124Dd8a6044ef048614AEA0AAC86643a8Ae1312D',
      'signer: {"other":1}',
      'fires: whenever a signer sends data; it has no schedule',
      'next: not known: it depends on when a signer sends it',
      'must hold: price > 0 and ≤ 43 000.5',
      'must hold: note, any value',
      'last value: 30 min ago: price 42 000.12',
    ]);
    expect(rest.at(-1)).toContain(`signed by: @my feed  ${key}`);
    const { json } = await explained(row, nodeWith([signed]), directory);
    expect(json).toMatchObject({
      next: { due: null },
      last: { due: null, standing: 'nothing-due' },
      source: {
        kind: 'oracle',
        signers: [{ kind: 'key', id: key, name: '@my feed' }, { kind: 'address' }, { kind: 'other' }],
      },
      lastValue: { signers: [{ id: key }], readAt: null },
    });
  });

  it('A time source of the chain is due once, and no later than the spec', async () => {
    const time = (operator: string, value: string) =>
      specOf({
        internal: {
          time: {
            conditions: [
              { operator: `OPERATOR_${operator}`, value },
              { operator: 'OPERATOR_EQUALS', value: '1' },
            ],
          },
        },
      });
    const future = time('GREATER_THAN', unix('2026-11-22T14:29:59'));
    expect((await told(future))[0]).toEqual([
      '',
      ': chain time, until it is reached',
      'status: ACTIVE, activated 2 d 3 h ago (2026-11-20 09:00:00 UTC)',
      'fires: at the first block that meets the condition',
      'next: in 2 h (2026-11-22 14:30:00 UTC)',
      'must hold: chain time > 2026-11-22 14:29:59 UTC',
      ': only the first condition counts: the chain ignores = 1970-01-01 00:00:01 UTC',
    ]);
    const past = time('GREATER_THAN_OR_EQUAL', unix('2026-11-19T10:00:00'));
    expect((await lineOf('last due', past, nodeWith([])))[0]?.text).toBe(
      'was due 2 d 3 h ago (2026-11-20 09:00:00 UTC)',
    );
    expect((await lineOf('next', time('LESS_THAN', '5')))[0]?.text).toBe('not known: the spec gives no time');
  });

  it('The first of several triggers is shown, with a note that the others do not count', async () => {
    const triggers = [
      { initial: unix('2026-11-22T10:00:00'), every: '36000' },
      { initial: unix('2026-11-22T12:00:00'), every: '1800' },
      { every: '86400' },
    ];
    const row = specOf({ internal: { timeTrigger: { conditions: [], triggers } } });
    expect((await told(row))[0]?.slice(3)).toEqual([
      'fires: every 10 h indefinitely, from 2026-11-22 10:00:00 UTC',
      ': only the first trigger counts: the chain ignores 2 more',
      'last due: was due 2 h 30 min ago (2026-11-22 10:00:00 UTC)',
      'next: in 7 h 30 min (2026-11-22 20:00:00 UTC)',
      'must hold: the spec has no conditions',
    ]);
  });

  it('The next time of a trigger without a start is not known, and is not said to be never', async () => {
    const row = specOf({ internal: { timeTrigger: { conditions: [], triggers: [{ every: '3600' }] } } });
    expect((await explained(row)).json.next).toEqual({ due: null, words: 'not known' });
  });

  it('A time from the chain is shown as a time', async () => {
    const row = specOf({ internal: { timeTrigger: { conditions: [], triggers: [{ initial: '60', every: '3600' }] } } });
    const data = [{ name: 'vegaprotocol.builtin.timetrigger', value: unix('2026-11-22T12:01:00') }];
    const node = nodeWith([arrived('2026-11-22T12:01:01', 'never', { data, metaData: [] })]);
    expect((await lineOf('last value', row, node))[0]?.text).toBe(
      '28 min 59 s ago: vegaprotocol.builtin.timetrigger 2026-11-22 12:01:00 UTC',
    );
  });

  it('An oracle spec without an ID has no market waiting for it', async () => {
    const nameless: Directory = {
      ...NO_NAMES,
      markets: new Map([['01', { ...market, code: 'A', specs: [{ use: 'settlement', specId: '' }] }]]),
    };
    expect((await lineOf('markets', specOf(null, { id: '' }), nothing, nameless))[0]?.text).toBe(
      'not used by the 1 market loaded',
    );
  });

  it.each([null, {}, { external: {} }, { internal: null }, 5])(
    'An oracle spec without a definition (%j) says that it has none',
    async data => {
      const parts = await told(specOf(data));
      expect(parts[0]).toEqual([
        '',
        ': nothing: the node sends no data source for this spec',
        expect.stringMatching(/^status: ACTIVE/),
      ]);
    },
  );

  it('A second definition of an oracle spec is reported', async () => {
    const row = specOf({ external: { ethOracle: call, oracle: { signers: [], filters: [] } } });
    expect((await explained(row)).json.unknown).toContain('the other definitions: this is the first of 2 definitions');
  });
});

it('The explanation of a huge oracle spec is made in a moment, and shows no more than can be read', async () => {
  const many = <Item>(item: Item): readonly Item[] => Array.from({ length: 10_000 }, () => item);
  const abi = `[${many('{"type":"function","name":"other","inputs":[]}').join(',')},${call.abi.slice(1)}`;
  const address = { ethAddress: { address: call.address } };
  const data = many({ name: 'price', value: '1'.repeat(70) });
  const node = nodeWith([arrived('2026-11-22T12:01:00', '2026-11-22T12:00:05', { data, signers: many(address) })]);
  for (const row of [
    ethOracle({ abi, filters: many(price), args: many(1), normalisers: many(call.normalisers[0] ?? null) }),
    specOf({ external: { oracle: { signers: many(address), filters: many(price) } } }),
    specOf({
      internal: { timeTrigger: { conditions: many(price.conditions[0] ?? null), triggers: many({ every: '60' }) } },
    }),
  ]) {
    const start = cpuMs();
    const { parts, json } = await explained(row, node);
    expect(cpuMs() - start).toBeLessThan(3000);
    expect(String(json.watches).length).toBeLessThan(200);
    for (const { lines } of parts) expect(lines.length).toBeLessThan(300);
  }
});

it('The explanation of an oracle spec with long names leaves room next to them', async () => {
  const name = 'n'.repeat(5_000_000);
  const named = { ...price, key: { ...price.key, name, type: name } };
  const row = ethOracle({ filters: Array.from({ length: 5 }, () => named), normalisers: [{ name, expression: '$' }] });
  const { parts } = await explained(
    row,
    nodeWith([arrived('2026-11-22T12:01:00', '2026-11-22T12:00:05', { data: [{ name, value: '1' }] })]),
  );
  for (const { lines } of parts) for (const { label } of lines) expect(label.length).toBeLessThan(45);
});

describe('Contract call of an oracle spec', () => {
  it.each([
    ['1', '1 block of that chain'],
    ['64', '64 blocks of that chain'],
    ['', 'not given'],
  ])('A contract call with %j confirmations shows %s', async (requiredConfirmations, words) => {
    expect((await lineOf('confirmations', ethOracle({ requiredConfirmations })))[0]?.text).toBe(words);
  });

  it('A contract call that is missing in the ABI is reported as a problem', async () => {
    const row = ethOracle({ abi: '[]' });
    expect((await lineOf('method', row))[0]?.text).toBe('getPrice: its ABI has no function with that name');
    expect((await explained(row)).json).toMatchObject({
      source: { method: { selector: null, problem: 'its ABI has no function with that name' } },
    });
    expect(await lineOf('argument 1', row)).toMatchObject([{ text: '60' }]);
  });

  it('A contract call with too few arguments or an unknown type reports either problem', async () => {
    expect((await lineOf('arguments', ethOracle({ args: [] })))[0]?.text).toBe('0 are given, the method takes 2');
    const odd = ethOracle({ abi: '[{"name":"getPrice","inputs":[{"type":"uint"}]}]' });
    expect((await lineOf('selector', odd))[0]?.text).toBe('none: it has a type that nodes do not accept');
  });

  it('A contract call to an address whose checksum does not match says so', async () => {
    const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const wrong = right.replace('Ae', 'aE');
    expect(await lineOf('sent as', ethOracle({ address: right }))).toEqual([]);
    expect(await lineOf('sent as', ethOracle({ address: right.toLowerCase() }))).toEqual([]);
    expect((await lineOf('sent as', ethOracle({ address: wrong })))[0]?.text).toBe(`${wrong}: checksum does not match`);
    expect(await lineOf('sent as', ethOracle({ address: `0x${right.slice(2).toUpperCase()}` }))).toEqual([]);
    expect((await lineOf('contract', ethOracle({ address: 'nowhere' })))[0]?.text).toBe('nowhere');
  });

  it('A contract call to a contract with an alias shows the alias and the address', async () => {
    const aliases: Directory = { ...NO_NAMES, aliases: new Map([[call.address, 'feed proxy']]) };
    const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(await lineOf('contract', ethOracle(), nothing, aliases)).toEqual([
      { label: 'contract', text: `@feed proxy  ${right}`, copied: right },
    ]);
  });
});

describe('Values that arrived at an oracle spec', () => {
  it.each(['', '..', 'abc', 'zz', '0x12', '12/34'])(
    'The values of an oracle spec are not requested when its ID is "%s"',
    async id => {
      const asked: unknown[] = [];
      const arrivals = await fetchArrivals(id, async request => {
        asked.push(request);
        return undefined;
      });
      expect([arrivals, asked]).toEqual([undefined, []]);
    },
  );
});
