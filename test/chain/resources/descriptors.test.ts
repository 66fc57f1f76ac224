import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';
import { baseAddress, requestUrl } from '../../../src/chain/api/request.ts';
import { longText, shortText } from '../../../src/chain/insight/kind.ts';
import { columnsTitledFor, csvFormOf, isShownByDefault } from '../../../src/chain/resources/columns.ts';
import {
  type Filter,
  type FilterValues,
  filterProblem,
  flagName,
  normalizeValue,
  unsetWord,
} from '../../../src/chain/resources/filter.ts';
import { orderProblem, type PageRequest, pageRequest } from '../../../src/chain/resources/page-request.ts';
import { RESOURCES, resourceById } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { FULL_RECORDS, objectOf } from './full-records.ts';

function resource(id: string): Resource {
  const found = resourceById(id);
  if (found === undefined) throw new Error(`no resource ${id}`);
  return found;
}

const first: PageRequest = { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } };
const asked = (id: string, page: Partial<PageRequest> = {}): string =>
  requestUrl(baseAddress('http://n'), pageRequest(resource(id), { ...first, ...page }));

const cells = (id: string, record: string): { readonly [column: string]: string } =>
  Object.fromEntries(resource(id).columns.map(column => [column.id, column.value(objectOf(record))]));

/** Members that came after the version that the embedded node is of. */
const LATER: ReadonlySet<string> = new Set(['tickSize']);

describe('List descriptors', () => {
  it('The descriptors begin with those of the published document', () => {
    const described = RESOURCES.map(({ id, path, wrapperKey, filters }) => [
      ...[id, path, wrapperKey],
      filters.map(({ name }) => name),
    ]);
    expect(described.slice(0, 5)).toEqual([
      ['parameters', 'api/v2/network/parameters', 'networkParameters', []],
      [
        'provisions',
        'api/v2/liquidity/provisions',
        'liquidityProvisions',
        ['marketId', 'partyId', 'reference', 'live'],
      ],
      ['fees', 'api/v2/liquidity/paidfees', 'paidLiquidityFees', ['marketId', 'assetId', 'epochSeq', 'partyIds']],
      [
        'bundles',
        'api/v2/erc20/multisigcontrol/signer/removed/bundles',
        'bundles',
        ['nodeId', 'submitter', 'epochSeq'],
      ],
      ['oracles', 'api/v2/oracle/specs', 'oracleSpecs', []],
    ]);
  });

  it.each(RESOURCES)(
    'The descriptor of $id has columns and kinds that exist in its records',
    ({ id, columns, kinds, sections }) => {
      expect(columns.map(column => column.id)).toEqual([...new Set(columns.map(column => column.id))]);
      const records = FULL_RECORDS.filter(([name]) => name === id).map(([, record]) => JSON.stringify(record));
      for (const path of [...Object.keys(kinds), ...sections.flatMap(({ paths }) => paths)])
        for (const name of path.split('.').filter(part => part !== '*' && !LATER.has(part)))
          expect(
            records.some(record => record.includes(`"${name}"`)),
            path,
          ).toBe(true);
    },
  );

  it.each(RESOURCES)('The descriptor of $id has its own place for every member with a kind', ({ kinds, sections }) => {
    const paths = sections.flatMap(section => section.paths);
    const isShown = (kind: string) => paths.some(path => path === kind || kind.startsWith(`${path}.`));
    expect(Object.keys(kinds).filter(kind => !isShown(kind))).toEqual([]);
  });

  it.each(FULL_RECORDS)('The descriptor of %s gives the prefix of the values of each state', (id, record) => {
    for (const { kind, value } of resource(id).columns)
      if (typeof kind !== 'string') expect(value(record)).toMatch(new RegExp(`^${kind.prefix}`));
  });

  it('The descriptors have unique ids, titles and paths', () => {
    for (const names of [
      RESOURCES.map(({ id }) => id),
      RESOURCES.map(({ title }) => title),
      RESOURCES.map(({ path }) => path),
    ])
      expect(names).toEqual([...new Set(names)]);
  });
});

describe('Ordinal number columns', () => {
  const isName = (path: string): boolean => /(?:^|\.)(?:nonce|epoch|epochSeq|version|\w*[hH]eight)$/.test(path);
  const named = RESOURCES.flatMap(({ id, columns, kinds }) => [
    ...columns.filter(column => isName(column.id)).map(({ id: column, kind }) => [id, column, kind] as const),
    ...Object.entries(kinds).flatMap(([path, kind]) => (isName(path) ? [[id, path, kind] as const] : [])),
  ]);

  it.each(named)('The column %s.%s shows its numbers without digit groups', (_list, _path, kind) => {
    for (const text of [shortText, longText]) expect(text(kind, '1234567', 0)).not.toContain(' ');
  });

  it('The ordinal number columns are of several lists', () => expect(named.length).toBeGreaterThan(5));
});

describe('List columns', () => {
  it('Columns are shown by default, and extra ones only if their filter is active', () => {
    const usual = (id: string, filters: FilterValues) =>
      resource(id).columns.flatMap(column => (isShownByDefault(column, filters) ? [] : [column.id]));
    expect(usual('provisions', { partyIds: ['aa'], live: ['true'] })).toEqual([
      'share',
      ...['pending-commitment', 'pending-fee', 'pending-version', 'buys', 'sells'],
    ]);
    expect(usual('provisions', { marketId: ['aa'], live: ['true'] })).not.toContain('share');
    expect(usual('fees', {})).toEqual(['paid', 'share']);
    expect(usual('fees', { partyIds: [] })).toEqual(['paid', 'share']);
    expect(usual('fees', { partyIds: ['aa'] })).toEqual(['top', 'top-share']);
    expect(usual('parameters', {})).toEqual(['type']);
  });

  it('Columns count the entries of a list, and count a value that is not a list as empty', () => {
    expect(cells('provisions', '{"buys":[{},{}],"sells":"none"}')).toMatchObject({ buys: '2', sells: '0' });
    expect(cells('provisions', '{"buys":null}')).toMatchObject({ buys: '0', sells: '0' });
  });

  it('The parties column of fees knows every party behind its count', () => {
    const parties = resource('fees').columns.find(({ id }) => id === 'parties');
    expect(parties?.ids?.(objectOf('{"feesPaidPerParty":[{"party":"06"},{"party":"07"}]}'))).toEqual(['06', '07']);
  });

  it('Columns keep 64-bit integers that come as bare numbers to the digit', () => {
    expect(
      cells(
        'provisions',
        '{"createdAt":1700000000123456789,"version":18446744073709551615,"commitmentAmount":9007199254740993}',
      ),
    ).toMatchObject({
      created: '1700000000123456789',
      version: '18446744073709551615',
      commitment: '9007199254740993',
    });
  });

  it('Columns show an unknown enum value as it is', () => {
    expect(cells('provisions', '{"status":"STATUS_FROM_THE_FUTURE"}').status).toBe('STATUS_FROM_THE_FUTURE');
    expect(cells('provisions', '{"status":42}').status).toBe('42');
  });

  it.each([
    [
      '{"data":{"external":{"ethOracle":{"method":"f","address":"0x0c","trigger":{"timeTrigger":{"every":"3600"}},"filters":[{"key":{"name":"price"},"conditions":[{"operator":"OPERATOR_GREATER_THAN_OR_EQUAL","value":"0"}]}]}}}}',
      'eth-oracle',
      'call f() on 0x0c, every 1 h: price ≥ 0',
    ],
    [
      '{"data":{"external":{"oracle":{"signers":[{"pubKey":{"key":"0e"}}],"filters":[{"key":{"name":"BTC"}}]}}}}',
      'oracle',
      'BTC signed by 0e',
    ],
    [
      '{"data":{"external":{"oracle":{"signers":[{"ethAddress":{"address":"0x0d"}}]}}}}',
      'oracle',
      'any data signed by 0x0d',
    ],
    [
      '{"data":{"external":{"oracle":{"signers":[{"ethAddress":{"address":"0x0d"}},{}]}}}}',
      'oracle',
      'any data signed by any of 2 signers',
    ],
    [
      '{"data":{"internal":{"time":{"conditions":[{"operator":"OPERATOR_LESS_THAN","value":"5"}]}}}}',
      'time',
      'chain time < 1970-01-01 00:00:05 UTC',
    ],
    ['{"data":{"internal":{"timeTrigger":{"triggers":[{"every":"60"}]}}}}', 'time-trigger', 'chain time, every 1 min'],
    [
      '{"data":{"internal":{"time":{"conditions":[{"operator":"OPERATOR_NEW","value":"5"}]}}}}',
      'time',
      'chain time OPERATOR_NEW 1970-01-01 00:00:05 UTC',
    ],
    ['{"data":{}}', 'none', 'no data source'],
    ['{"data":null}', 'none', 'no data source'],
  ])('Columns show what a data source delivers: %s', (spec, source, sentence) => {
    expect(cells('oracles', `{"externalDataSourceSpec":{"spec":${spec}}}`)).toMatchObject({
      source,
      delivers: sentence,
    });
  });

  it.each([
    ['', '0'],
    [`0x${'1b'.repeat(65)}`, '1'],
    [`0x${'1b'.repeat(195)}`, '3'],
    [`0x${'1b'.repeat(65)}${'ab'.repeat(65)}`, '2, 1 bad'],
    [`0x${'ab'.repeat(64)}`, 'bad length'],
  ])('Columns count the signatures of a bundle: %s', (signatures, count) => {
    expect(cells('bundles', JSON.stringify({ signatures })).signatures).toBe(count);
  });
});

describe('List pages', () => {
  const page = (answer: Json) => resource('parameters').page(answer);

  it('A page is read with records, cursors and flags, and counts what is not a record', () => {
    const edges = [{ cursor: 'a', node: { key: 'k' } }, { node: null }, {}, null, { node: 'odd' }];
    expect(
      page(
        parseJson(JSON.stringify({ networkParameters: { edges, pageInfo: { endCursor: 'a', hasNextPage: true } } })),
      ),
    ).toEqual({
      rows: [{ key: 'k' }],
      cursors: ['a'],
      flaws: ['4 of the 5 edges on this page cannot be read'],
      startCursor: 'a',
      endCursor: 'a',
      hasNextPage: true,
      hasPreviousPage: false,
    });
  });

  it.each([
    null,
    {},
    [],
    'x',
    { networkParameters: null },
    { networkParameters: { edges: null } },
    { networkParameters: [] },
    { bundles: { edges: [] } },
  ])('No page is read from %j', answer => expect(page(answer)).toBeUndefined());
});

describe('List requests', () => {
  it('A request has the page and no parameter with its default', () => {
    const path = 'http://n/api/v2/oracle/specs';
    expect(asked('oracles')).toBe(`${path}?pagination.first=50`);
    expect(asked('oracles', { position: { kind: 'after', cursor: 'a+/=' }, newestFirst: false })).toBe(
      `${path}?pagination.first=50&pagination.after=a%2B%2F%3D&pagination.newestFirst=false`,
    );
    expect(asked('oracles', { position: { kind: 'before', cursor: 'c' }, size: 5000 })).toBe(
      `${path}?pagination.last=5000&pagination.before=c`,
    );
    expect(asked('oracles', { position: { kind: 'last' } })).toBe(`${path}?pagination.last=50`);
  });

  it('A request repeats a repeated filter, encodes every value, and leaves out filters of other lists', () => {
    expect(asked('fees', { filters: { partyIds: ['aa', 'bb'], epochSeq: ['4'], reference: ['x'] } })).toBe(
      'http://n/api/v2/liquidity/paidfees?epochSeq=4&partyIds=aa&partyIds=bb&pagination.first=50',
    );
    expect(asked('provisions', { filters: { reference: ['a&b=c #é'] } })).toContain(
      '?reference=a%26b%3Dc%20%23%C3%A9&',
    );
  });
});

describe('List filters', () => {
  const filter = (kind: Filter['kind']): Filter => ({ name: 'theFilter', title: 'it', kind, meaning: '' });

  it.each([
    ['id', 'AB01', 'ab01'],
    ['id', 'XYZalpha', 'XYZalpha'],
    ['address', '0xAB', '0xab'],
    ['address', '0xABCD12', '0xabcd12'],
    ['epoch', '007', '7'],
    ['epoch', '18446744073709551615', '18446744073709551615'],
    ['boolean', 'true', 'true'],
    ['boolean', 'false', 'false'],
    ['text', ' any ', ' any '],
  ] as const)('A filter of kind %s accepts %j as %j', (kind, value, normal) => {
    expect(filterProblem(filter(kind), value)).toBeUndefined();
    expect(normalizeValue(filter(kind), value)).toBe(normal);
  });

  it.each([
    ['id', 'abc'],
    ['id', ''],
    ['id', 'ab '],
    ['id', 'votE'],
    ['address', 'ab'],
    ['address', '0x'],
    ['address', '0xabc'],
    ['address', 'at 0xab'],
    ['address', '0xab or so'],
    ['epoch', '-1'],
    ['epoch', '1.0'],
    ['epoch', '18446744073709551616'],
    ['boolean', 'yes'],
    ['text', ''],
  ] as const)('A filter of kind %s refuses %j', (kind, value) => {
    expect(filterProblem(filter(kind), value)).toMatch(/^it must be .* not "/);
  });

  it('Filters have flags in kebab-case', () => {
    const flags = new Set(RESOURCES.flatMap(({ filters }) => filters.map(flagName)));
    for (const flag of ['market-id', 'party-id', 'reference', 'live', 'epoch-seq', 'party-ids', 'submitter'])
      expect(flags).toContain(flag);
    for (const flag of flags) expect(flag).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });
});

it('The order of a list can be chosen, or a reason is given', () => {
  expect(orderProblem(resource('provisions'), {})).toBeUndefined();
  expect(orderProblem(resource('parameters'), {})).toMatch(/always sorts/);
});

it.each([
  ['parameters', '{"key":"k"}', 'k'],
  ['provisions', '{"id":"01"}', '01'],
  ['fees', '{"market":"05","asset":"04","epochSeq":41}', '05/04/41'],
  ['bundles', '{"oldSigner":"0x07","submitter":"0x09","nonce":9007199254740993}', '0x07/0x09/9007199254740993'],
  ['oracles', '{"externalDataSourceSpec":{"spec":{"id":"0b"}}}', '0b'],
])('The key of a row of %s distinguishes it from every other: %s has the key %s', (id, record, key) => {
  expect(resource(id).keyOf(objectOf(record))).toBe(key);
});

describe('Descriptor of paid fees', () => {
  const both = { marketId: ['aa'], assetId: ['bb'] };
  const fees = resource('fees');

  it('Fees of a market and asset are requested with the reversed order, so that newest first is right', () => {
    expect(asked('fees', { filters: both })).toContain('pagination.newestFirst=false');
    expect(asked('fees', { filters: both, newestFirst: false })).not.toContain('newestFirst');
    for (const filters of [{}, { marketId: ['aa'] }, { ...both, epochSeq: ['4'] }])
      expect(asked('fees', { filters })).not.toContain('newestFirst');
  });

  it('Fees have an order to choose only if there is more than one epoch', () => {
    expect(orderProblem(fees, both)).toBeUndefined();
    for (const filters of [{}, { assetId: ['bb'] }, { ...both, epochSeq: ['4'] }])
      expect(orderProblem(fees, filters)).toMatch(/same epoch/);
  });

  it('Fees report which epochs are shown while none is requested, and any other filter that is not set', () => {
    const words = (filters: FilterValues) => fees.filters.map(filter => unsetWord(filter, filters));
    expect(words({})).toEqual(['any', 'any', 'newest', 'any']);
    expect(words(both)).toEqual(['any', 'any', 'all', 'any']);
  });

  it('Fees report their epoch, and what a row with some parties counts', () => {
    const words = (filters: FilterValues) => (fees.caveats?.(filters) ?? []).join();
    expect(words({})).toMatch(/newest epoch/);
    expect(words({ epochSeq: ['4'] })).toBe('');
    expect(words(both)).toBe('');
    expect(words({ ...both, partyIds: ['aa'] })).toMatch(/totals cover the whole market, parties those requested/);
    const titles = (filters: FilterValues) =>
      columnsTitledFor(fees, filters)
        .filter(column => isShownByDefault(column, filters))
        .map(({ title }) => title);
    expect(titles({})).toEqual(['EPOCH', 'MARKET', 'TOTAL', 'PARTIES', 'TOP PARTY', 'TOP SHARE', 'ASSET']);
    expect(titles({ partyIds: ['aa'] })).toEqual([
      ...['EPOCH', 'MARKET', 'AMOUNT', 'SHARE', 'MARKET TOTAL', 'MATCHING', 'ASSET'],
    ]);
  });

  it('Fees show the party paid most and its share, and no party if that cannot be known', () => {
    const record = (...amounts: readonly string[]) =>
      cells(
        'fees',
        JSON.stringify({
          totalFeesPaid: '8',
          feesPaidPerParty: amounts.map((amount, index) => ({ party: `0${index}`, amount })),
        }),
      );
    expect(record('1', '5', '2')).toMatchObject({ top: '01', 'top-share': '62.5', share: '100.0', parties: '3' });
    expect(record('1', '?')).toMatchObject({ top: '', 'top-share': '', paid: '', share: '' });
    expect(record('4', '4')).toMatchObject({ top: '', 'top-share': '', paid: '8', share: '100.0' });
    expect(record()).toMatchObject({ top: '', 'top-share': '', paid: '', share: '' });
  });

  it('Fees have one CSV record per party, and keep the total of a row without parties', () => {
    const records = (text: string) => {
      const form = csvFormOf(fees);
      return form.rowsOf(objectOf(text)).map(part => form.columns.map(({ value }) => value(part)).join());
    };
    expect(
      csvFormOf(fees)
        .columns.map(({ id }) => id)
        .join(),
    ).toBe('epoch,market,asset,total,parties,party,amount,share,quantum');
    const place = '"market":"05","asset":"04","epochSeq":41,"totalFeesPaid":9007199254740993';
    const parties = '[{"party":"06","amount":"9007199254740992"},{"party":"07","amount":"1","quantumAmount":"2"}]';
    expect(records(`{${place},"feesPaidPerParty":${parties}}`)).toEqual([
      '41,05,04,9007199254740993,2,06,9007199254740992,100.0,',
      '41,05,04,9007199254740993,2,07,1,0.0,2',
    ]);
    expect(records(`{${place}}`)).toEqual(['41,05,04,9007199254740993,0,,,,']);
  });

  it('Oracle specs have their definition as JSON in CSV, to the digit', () => {
    const form = csvFormOf(resource('oracles'));
    expect(form.columns.map(({ id }) => id).join()).toBe('id,status,source,created,delivers,updated,data');
    const data =
      '{"internal":{"time":{"conditions":[{"operator":"OPERATOR_EQUALS","value":9007199254740993}]},"new":1.10}}';
    const spec = objectOf(
      `{"externalDataSourceSpec":{"spec":{"id":"0b","createdAt":"1","updatedAt":"0","data":${data}}}}`,
    );
    expect(form.rowsOf(spec).map(part => form.columns.map(({ value }) => value(part)))).toEqual([
      ['0b', '', 'time', '1', 'chain time = 9007199254740993 (not a date)', '0', data],
    ]);
    expect(form.rowsOf({}).map(part => form.columns.map(({ value }) => value(part)).join())).toEqual([
      ',,none,,no data source,,null',
    ]);
  });

  it('Fees add up what the parties of a row were paid, and nothing without parties or with an invalid amount', () => {
    const paid = (...amounts: readonly string[]) =>
      cells('fees', JSON.stringify({ feesPaidPerParty: amounts.map(amount => ({ amount })) })).paid;
    expect(paid('1', '340282366920938463463374607431768211455')).toBe('340282366920938463463374607431768211456');
    expect([paid(), ...['', '1.5', '-1', '1 or so', 'some 1'].map(odd => paid('1', odd))]).toEqual(Array(6).fill(''));
  });
});
