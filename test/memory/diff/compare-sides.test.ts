import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';
import { compareSides } from '../../../src/memory/diff/compare-sides.ts';
import { comparisonNotes } from '../../../src/memory/diff/comparison-notes.ts';
import { LIST_RULES } from '../../../src/memory/diff/list-rules.ts';
import type { StoredList } from '../../../src/memory/snapshots/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { parameter, readList, side, unreadList } from './sides.ts';

const only = (list: string) => ({ wanted: (name: string) => name === list });

/** What differs in one list with one record. */
function differing(list: string, from: Json, to: Json, isAll = false) {
  const compared = compareSides(side(readList(list, [from])), side(readList(list, [to])), { ...only(list), isAll });
  return compared.changes.flatMap(({ change, members }) =>
    change === 'changed' ? members.map(({ path, from: one, to: other }) => [path, one, other]) : [change],
  );
}

const differingValues = (from: string, to: string, key = 'network.someLength') =>
  differing('parameters', parameter(key, from), parameter(key, to));

describe('Equivalent values in a diff', () => {
  it.each([
    ['24h', '24h0m0s'],
    ['24h', '1440m'],
    ['0.50', '0.5'],
    ['1e-6', '0.000001'],
    ['+5', '5'],
    ['{"a":1,"b":[1,2]}', '{ "b": [1.0, 2], "a": 1 }'],
    ['{"threshold":"1h"}', '{"threshold":"60m"}'],
  ])('Parameter values that mean the same are not a change: %s and %s', (from, to) => {
    expect(differingValues(from, to)).toEqual([]);
    expect(differingValues(to, from)).toEqual([]);
  });

  it.each([
    ['24h', '24h0m1s'],
    ['0.50', '0.51'],
    ['', '0'],
    ['[1,2]', '[2,1]'],
    ['true', 'True'],
  ])('Parameter values that mean different things are a change: %s and %s', (from, to) =>
    expect(differingValues(from, to).length).toBeGreaterThan(0),
  );

  it('A changed member of a document is found, and reported by its path', () => {
    expect(differingValues('{"chain_id":"1","confirmations":50}', '{"confirmations":64,"chain_id":"1"}')).toEqual([
      ['value.confirmations', 50, 64],
    ]);
  });

  it('Values are compared by the type of their member: a reference is text, a fee is a number', () => {
    const provision = (fee: string, reference: string) => ({ current: { id: '1', fee, reference } });
    expect(differing('provisions', provision('0.50', '1.1'), provision('.5', '1.10'))).toEqual([
      ['reference', '1.1', '1.10'],
    ]);
    // A pair that an earlier release stored is the same as the flat record of this one.
    const { current } = provision('0.5', '1.1');
    expect(differing('provisions', { ...current, pending: null }, { current })).toEqual([]);
    expect(differing('parameters', parameter('reward.asset', '1e2'), parameter('reward.asset', '100'))).toEqual([
      ['value', '1e2', '100'],
    ]);
  });

  it('A number equals its digits, null equals nothing, and an address matches in any case', () => {
    expect(differing('validators', { id: '1', extra: 5 }, { id: '1', extra: '5', more: null })).toEqual([]);
    expect(differing('validators', { id: '1', ethereumAddress: '0xAB' }, { id: '1', ethereumAddress: '0xab' })).toEqual(
      [],
    );
    expect(differing('validators', { id: '1', pubKey: 'AB' }, { id: '1', pubKey: 'ab' })).toEqual([
      ['pubKey', 'AB', 'ab'],
    ]);
  });
});

describe('Values of many digits', () => {
  it.each(['', '"'])('A value of many digits is found to differ in its last digit (%s)', quote => {
    const record = (digits: string): StoredList => ({
      ...{ list: 'validators', scope: '', kind: 'read' },
      records: [`{"id":"1","stakedTotal":${quote}${digits}${quote}}`],
    });
    const [from, to] = ['123456789012345678901234567890', '123456789012345678901234567891'];
    const { changes } = compareSides(side(record(from)), side(record(to)), only('validators'));
    expect(changes.map(({ members }) => members.map(({ path }) => path))).toEqual([['stakedTotal']]);
    expect(compareSides(side(record(from)), side(record(from)), only('validators')).changes).toEqual([]);
  });
});

describe('Lists inside a record', () => {
  const paid = (...parties: readonly (readonly [string, string])[]) => ({
    ...{ market: 'm', asset: 'a', epochSeq: '1' },
    feesPaidPerParty: parties.map(([party, amount]) => ({ party, amount })),
  });

  it('Lists inside a record may be in any order when order means nothing', () => {
    expect(differing('fees', paid(['p', '1'], ['q', '2']), paid(['q', '2'], ['p', '1']))).toEqual([]);
  });

  it('Lists inside a record identify an element by its key', () => {
    const [from, to] = [paid(['p', '1'], ['q', '2']), paid(['r', '7'], ['q', '3'])];
    expect(differing('fees', from, to)).toEqual([
      ['feesPaidPerParty["p"]', { party: 'p', amount: '1' }, null],
      ['feesPaidPerParty["q"].amount', '2', '3'],
      ['feesPaidPerParty["r"]', null, { party: 'r', amount: '7' }],
    ]);
  });

  const spec = (signers: readonly string[], args: readonly string[]) => ({
    externalDataSourceSpec: {
      spec: { id: '1', data: { external: { oracle: { signers: signers.map(key => ({ pubKey: { key } })) }, args } } },
    },
  });

  it('Lists of whole elements are compared as sets', () => {
    expect(differing('oracles', spec(['a', 'b', 'a'], []), spec(['a', 'a', 'b'], []))).toEqual([]);
    const path = 'externalDataSourceSpec.spec.data.external.oracle.signers';
    expect(differing('oracles', spec(['a', 'b'], []), spec(['c', 'a'], []))).toEqual([
      [`${path}[1].pubKey.key`, 'b', 'c'],
    ]);
    expect(differing('oracles', spec(['a', 'a'], []), spec(['a'], []))).toEqual([
      [`${path}[1]`, { pubKey: { key: 'a' } }, null],
    ]);
  });

  it('Other lists inside a record are compared in order', () => {
    expect(differing('oracles', spec([], ['a', 'b']), spec([], ['b', 'a'])).length).toBe(2);
  });
});

describe('Records in a diff', () => {
  const validator = (id: string, name = id) => ({ id, name });

  it('A record is added, removed or changed by its key, with all of its members', () => {
    const a = side(readList('validators', [validator('1'), validator('2'), validator('3')]));
    const b = side(readList('validators', [validator('3'), validator('2', 'x'), validator('4')]));
    expect(compareSides(a, b, only('validators')).changes).toMatchObject([
      { key: '1', change: 'removed', members: [{ path: 'id', from: '1', to: null }, { path: 'name' }], after: null },
      { key: '2', change: 'changed', members: [{ path: 'name', from: '2', to: 'x' }] },
      { key: '4', change: 'added', members: [{ path: 'id', from: null, to: '4' }, { path: 'name' }], before: null },
    ]);
  });

  it('Several records may have the same key', () => {
    const a = side(readList('validators', [validator('', 'a'), validator('', 'b'), validator('', 'b')]));
    const b = side(readList('validators', [validator('', 'b'), validator('', 'c'), validator('', 'b')]));
    expect(compareSides(a, b, only('validators')).changes).toMatchObject([
      { change: 'changed', members: [{ path: 'name', from: 'a', to: 'c' }] },
    ]);
    const none = side(readList('validators', []));
    expect(compareSides(a, none, only('validators')).changes.length).toBe(3);
  });

  it('The comparison of two sides takes records with members of any name', () => {
    const odd = (value: string) => ({ id: '1', constructor: value, 'a.b': value, __proto__: null, '': value });
    expect(differing('validators', odd('1'), odd('2'))).toEqual([
      ['constructor', '1', '2'],
      ['"a.b"', '1', '2'],
      ['""', '1', '2'],
    ]);
  });

  it('A record that cannot be read excludes its list from the diff, which is reported', () => {
    const broken: StoredList = { list: 'assets', scope: '', kind: 'read', records: ['7'] };
    expect(compareSides(side(broken), side(readList('assets', [])), only('assets'))).toMatchObject({
      changes: [],
      compared: 0,
      notCompared: [{ resource: 'assets', why: 'has a record that is not a JSON object', isFailure: true }],
    });
  });
});

describe('Members that change all the time', () => {
  const scores = (score: string, multisigScore: string) => ({
    id: '1',
    rewardScore: { validatorScore: score, multisigScore },
  });

  it('Members that change all the time are left out of a diff and counted', () => {
    const [a, b] = [scores('0.1', '1'), scores('0.2', '1')].map(row => side(readList('validators', [row])));
    if (a === undefined || b === undefined) throw new Error('two');
    expect(compareSides(a, b, only('validators'))).toMatchObject({
      changes: [],
      leftOut: [{ resource: 'validators', records: 1 }],
    });
  });

  it('Members that are left out are counted next to those compared, and compared on request', () => {
    expect(differing('validators', scores('0.1', '1'), scores('0.2', '0'))).toEqual([
      ['rewardScore.multisigScore', '1', '0'],
    ]);
    expect(differing('validators', scores('0.1', '1'), scores('0.2', '0'), true).length).toBe(2);
  });

  it('Segments that only one side has are left out of a diff and counted', () => {
    const segment = (from: number, id: string) => ({ fromHeight: `${from}`, toHeight: `${from + 9}`, id });
    const a = side(readList('segments', [segment(0, 'x'), segment(10, 'y')]));
    const b = side(readList('segments', [segment(10, 'z'), segment(20, 'w')]));
    expect(compareSides(a, b, only('segments'))).toMatchObject({
      changes: [{ key: '10-19', change: 'changed' }],
      leftOut: [{ resource: 'segments', records: 2 }],
    });
    expect(compareSides(a, b, { ...only('segments'), isAll: true }).changes.length).toBe(3);
  });

  it('Segments that one side lacks because of a gap are not left out of a diff', () => {
    const segment = (from: number) => ({
      ...{ fromHeight: `${from}`, toHeight: `${from + 9}`, historySegmentId: `Qm${from}`, chainId: 'c' },
      ...{ previousHistorySegmentId: '', databaseVersion: '1' },
    });
    const whole = side(readList('segments', [0, 10, 20].map(segment)));
    const broken = side(readList('segments', [10, 30].map(segment)));
    expect(compareSides(whole, broken, only('segments'))).toMatchObject({
      changes: [{ key: '20-29', change: 'removed' }],
      leftOut: [{ resource: 'segments', records: 2 }],
    });
    expect(compareSides(broken, whole, only('segments')).changes).toMatchObject([{ key: '20-29', change: 'added' }]);
  });
});

describe('Lists in a diff', () => {
  const [M, N] = ['a'.repeat(64), 'b'.repeat(64)];
  const provision = { current: { id: '1' } };

  it('A list that was not read on one side is not compared', () => {
    const full = side(readList('parameters', [parameter('k', '1')]));
    for (const [a, b, where] of [
      [full, side(unreadList('parameters')), 'b'],
      [side(unreadList('parameters')), full, 'a'],
    ] as const)
      expect(compareSides(a, b, only('parameters'))).toEqual({
        changes: [],
        versions: null,
        leftOut: [],
        compared: 0,
        notCompared: [
          {
            ...{ resource: 'parameters', scopes: [''], isFailure: true },
            why: `could not be read in ${where} (HTTP 500)`,
          },
        ],
      });
    expect(compareSides(full, side(), only('parameters')).notCompared).toMatchObject([{ why: 'not read in b' }]);
  });

  it('A list that neither node has is not a failure', () => {
    const none = side(unreadList('providers', 'this node has no list of providers (HTTP 404)'));
    expect(compareSides(none, none, only('providers')).notCompared).toMatchObject([{ isFailure: false }]);
    expect(compareSides(none, side(readList('providers', [])), only('providers')).notCompared).toMatchObject([
      { isFailure: true },
    ]);
  });

  it('A damaged list is not compared, even if most of it is readable', () => {
    const damaged = side({ list: 'assets', scope: '', kind: 'damaged', records: ['{"id":"1"}'], expected: 2 });
    expect(compareSides(damaged, side(readList('assets', [])), only('assets'))).toMatchObject({
      changes: [],
      notCompared: [{ why: 'is damaged in a (1 of 2 records left)', isFailure: true }],
    });
  });

  it('An empty list has lost all its records', () => {
    const a = side(readList('parameters', [parameter('k', '1')]));
    expect(compareSides(a, side(readList('parameters', [])), only('parameters')).changes).toMatchObject([
      { key: 'k', change: 'removed' },
    ]);
  });

  it('A list of a closed market is not compared, and counts as empty before the market existed', () => {
    const b = side(readList('markets', [{ id: M }]), readList('provisions', [provision], M));
    const over = side(readList('markets', [{ id: M, state: 'STATE_SETTLED' }]));
    expect(compareSides(over, b, only('provisions'))).toMatchObject({
      changes: [],
      notCompared: [{ scopes: [M], why: 'not read in a, where the market is over', isFailure: false }],
    });
    const before = side(readList('markets', [{ id: N }]));
    expect(compareSides(before, b, only('provisions')).changes).toMatchObject([{ key: '1', change: 'added' }]);
    const unknown = side(unreadList('markets'));
    expect(compareSides(unknown, b, only('provisions')).changes).toEqual([]);
  });

  it('A list of a later epoch counts as empty before, and one of an earlier epoch is not compared', () => {
    const fee = (epoch: string) => readList('fees', [{ market: 'm', asset: 'a', epochSeq: epoch }], epoch);
    const a = side(readList('status', [{ epochSeq: '5' }]), fee('4'), fee('5'));
    const b = side(readList('status', [{ epochSeq: '6' }]), fee('5'), fee('6'));
    expect(compareSides(a, b, only('fees'))).toMatchObject({
      changes: [{ key: 'm/a/6', change: 'added' }],
      notCompared: [{ scopes: ['4'], why: 'not read in b, which has the last epochs only', isFailure: false }],
    });
    const within = side(readList('status', [{ epochSeq: '6' }]), fee('5'));
    expect(compareSides(within, b, only('fees'))).toMatchObject({
      changes: [{ key: 'm/a/6', change: 'added' }],
      notCompared: [],
    });
  });
});

describe('Diff of any two lists', () => {
  // Values with several spellings of one meaning each, and what they mean by an independent table.
  const spellings: readonly (readonly [string, string])[] = [
    ['1h', 'one hour'],
    ['60m', 'one hour'],
    ['3600s', 'one hour'],
    ['0.5', 'half'],
    ['0.50', 'half'],
    ['5e-1', 'half'],
    ['2', 'two'],
    ['2.0', 'two'],
    ['{"a":"x","b":1}', 'document'],
    ['{"b":1.0,"a":"x"}', 'document'],
    ['word', 'word'],
  ];
  const rows = fc.uniqueArray(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.constantFrom(...spellings)), {
    selector: ([key]) => key,
  });

  it('Any two lists differ as a comparison key by key says', () => {
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const listOf = (some: typeof before) =>
          side(
            readList(
              'parameters',
              some.map(([key, [value]]) => parameter(key, value)),
            ),
          );
        const { changes } = compareSides(listOf(before), listOf(after), only('parameters'));
        const naive = [...'abcdefgh'].flatMap(key => {
          const [one, other] = [before, after].map(some => some.find(([name]) => name === key)?.[1][1]);
          if (one === other) return [];
          return [[key, one === undefined ? 'added' : other === undefined ? 'removed' : 'changed']];
        });
        expect(changes.map(({ key, change }) => [key, change])).toEqual(naive);
      }),
    );
  });

  // Without rules of meaning: numbers as their text, members sorted, null left out.
  const plain = (value: unknown): string =>
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(
            Object.entries(inner)
              .filter(([, item]) => item !== null)
              .sort(([one], [other]) => (one < other ? -1 : 1)),
          )
        : inner,
    );
  const words = fc.string({ minLength: 1 }).map(text => `x${text}`);
  const anyValue = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 3 }, words, fc.boolean(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(words, tie('value'), { maxKeys: 4 }),
  })).object;
  const record = fc.tuple(fc.constantFrom('1', '2', '3'), anyValue).map(([id, rest]) => ({ ...rest, id }));
  const records = fc.uniqueArray(record, { selector: ({ id }) => id });

  it('Lists of any records differ when their sorted text does, and each change corrects what it reports', () => {
    fc.assert(
      fc.property(records, records, (before, after) => {
        const [a, b] = [before, after].map(some =>
          side(
            readList(
              'validators',
              some.map(row => parseJson(JSON.stringify(row))),
            ),
          ),
        );
        if (a === undefined || b === undefined) throw new Error('two');
        const { changes } = compareSides(a, b, { ...only('validators'), isAll: true });
        const naive = ['1', '2', '3'].filter(id => {
          const [one, other] = [before, after].map(some => plain(some.find(row => row.id === id)));
          return one !== other;
        });
        expect(changes.map(({ key }) => key)).toEqual(naive);
        expect(changes.every(({ members }) => members.length > 0)).toBe(true);
        expect(compareSides(a, a, only('validators')).changes).toEqual([]);
      }),
    );
  });
});

it('Every recorded list has comparison rules', () => {
  expect(LIST_RULES.map(({ id }) => id).toSorted()).toEqual(
    [
      ...['parameters', 'bundles', 'oracles', 'markets', 'assets', 'validators', 'provisions', 'providers', 'fees'],
      ...['segments', 'status', 'info'],
    ].toSorted(),
  );
});

it('A diff of 20,000 changed records takes seconds', () => {
  const many = (value: string) =>
    side(
      readList(
        'parameters',
        Array.from({ length: 20_000 }, (_, index) => parameter(`k${index}`, `${value}${index}`)),
      ),
    );
  const startMs = cpuMs();
  expect(compareSides(many('1'), many('2'), only('parameters')).changes.length).toBe(20_000);
  const same = many('1');
  expect(compareSides(same, same, only('parameters')).changes.length).toBe(0);
  expect(cpuMs() - startMs).toBeLessThan(10_000);
});

it('A diff of 20,000 records with one key takes seconds', () => {
  const many = (value: string) =>
    side(
      readList(
        'parameters',
        Array.from({ length: 20_000 }, (_, index) => parameter('k', `${value}${index}`)),
      ),
    );
  const startMs = cpuMs();
  expect(compareSides(many('a'), many('b'), only('parameters')).changes.length).toBe(40_000);
  expect(cpuMs() - startMs).toBeLessThan(10_000);
});

describe('Diff of nodes with two versions', () => {
  const info = (version: string) => readList('info', [{ version }]);
  const market = (id: string, more: object = {}) => ({ id, state: 'STATE_ACTIVE', ...more });
  const newer = { tickSize: '1', enableTxReordering: true, liquidationStrategy: { disposalTimeStep: '1' } };
  const bundle = (more: object = {}) => ({ oldSigner: '0xa', submitter: '0xb', nonce: '7', signatures: '0x', ...more });

  it('A member that only one version has is reported once, not as a change of a record', () => {
    const [older, later] = [
      side(info('v0.74.10'), readList('markets', [market('1'), market('2')]), readList('bundles', [bundle()])),
      side(
        info('v0.79.0'),
        readList('markets', [market('1', newer), { ...market('2', newer), state: 'STATE_SETTLED' }]),
        readList('bundles', [bundle({ chainId: '1' })]),
      ),
    ];
    const { changes, versions } = compareSides(older, later);
    expect(changes.map(({ resource, key, members }) => [resource, key, members.map(({ path }) => path)])).toEqual([
      ['markets', '2', ['state']],
      ['info', 'info', ['version']],
    ]);
    const markets = ['tickSize', 'enableTxReordering', 'liquidationStrategy'];
    expect(versions).toEqual({
      ...{ a: 'v0.74.10', b: 'v0.79.0' },
      members: [
        { resource: 'bundles', paths: ['chainId'] },
        { resource: 'markets', paths: markets },
      ],
    });
    expect(comparisonNotes(compareSides(later, older), '')[0]).toBe(
      'the versions differ: v0.79.0 in a, v0.74.10 in b; left out: members that only one side has, in bundles (chainId), markets (tickSize, enableTxReordering, liquidationStrategy)',
    );
    expect(compareSides(older, later, { isAll: true }).changes.length).toBe(4);
  });

  it('A new member of a record is a change between nodes of one version', () => {
    const sides = [market('1'), market('1', { successorMarketId: '2' })].map(one =>
      side(info('v0.79.0'), readList('markets', [one, market('3', { successorMarketId: '4' })])),
    );
    const [before = side(), after = side()] = sides;
    const { changes, versions } = compareSides(before, after);
    expect([changes.length, versions]).toEqual([1, null]);
  });

  it('An empty member is not a change between nodes of unknown versions, and any other is', () => {
    expect(differing('markets', market('1'), market('1', { parentMarketId: '' }))).toEqual([]);
    expect(differing('markets', market('1'), market('1', { parentMarketId: '2' }))).toEqual([
      ['parentMarketId', null, '2'],
    ]);
  });
});

describe('Diff with a second side at an earlier block', () => {
  const at = (blockHeight: string, ...keys: readonly string[]) => ({
    ...side(
      readList(
        'parameters',
        keys.map(key => parameter(key, '1')),
      ),
    ),
    blockHeight,
  });
  const kinds = (a: ReturnType<typeof at>, b: ReturnType<typeof at>) =>
    compareSides(a, b).changes.map(({ key, change }) => `${key} ${change}`);

  it('A second side at an earlier block has neither added nor removed records', () => {
    expect(kinds(at('6010', 'x', 'y'), at('5002', 'x', 'z'))).toEqual(['y only-in-a', 'z only-in-b']);
    expect(kinds(at('9', 'x'), at('10', 'y'))).toEqual(['x removed', 'y added']);
    expect(kinds(at('', 'x'), at('10', 'y'))).toEqual(['x removed', 'y added']);
  });
});
