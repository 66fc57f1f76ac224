import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEntryName, pathHazard, shortenEntryName } from '../../../src/history/check/entry-name.ts';
import { balances, balancesCsv, balancesName, judge, summary } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

function twoRuns(end: number): readonly (readonly [version: number, from: number, to: number])[] {
  return [
    [68, 1, end],
    [93, end + 1, 1000],
  ];
}

function archive(...names: readonly string[]) {
  return zipOf(names.map(name => ({ name, content: balancesCsv })));
}

test('An entry name is parsed from the right, because chain IDs contain hyphens', () => {
  expect(parseEntryName('vega-mainnet-0011-market_data-093-000001-4000000.csv')).toEqual({
    chainId: 'vega-mainnet-0011',
    table: 'market_data',
    schemaVersion: 93,
    fromBlock: 1n,
    toBlock: 4000000n,
  });
  expect(parseEntryName('a-ledger-1-1000.csv')).toMatchObject({ schemaVersion: undefined, toBlock: 1000n });
  expect(parseEntryName('a-ledger-7-1-9223372036854775807.csv')).toMatchObject({
    toBlock: 9223372036854775807n,
  });
  expect(parseEntryName('ledger-1-1000.csv')).toBeUndefined();
  expect(parseEntryName('a-ledger-1-1000.zip')).toBeUndefined();
  expect(parseEntryName('a-ledger-1-1000.csv.exe')).toBeUndefined();
  expect(parseEntryName('a-ledger-1-1000-csv')).toBeUndefined();
  expect(parseEntryName('a-ledger-1-10000000000000000000.csv')).toBeUndefined();
  expect(parseEntryName('a\nb-ledger-1-1000.csv')).toMatchObject({ chainId: 'a\nb' });
});

test('An entry name is shown up to 200 characters', () => {
  expect(shortenEntryName('a'.repeat(200))).toBe('a'.repeat(200));
  expect(shortenEntryName('a'.repeat(201))).toBe(`${'a'.repeat(200)}...`);
});

test.each([
  '',
  '../a-balances-093-1-1000.csv',
  '/etc/a-balances-093-1-1000.csv',
  'a\\b-balances-093-1-1000.csv',
  'C:a-balances-093-1-1000.csv',
  'a..-balances-093-1-1000.csv',
  'a\u001b[2J-balances-093-1-1000.csv',
  'a\u202e-balances-093-1-1000.csv',
  `${'a'.repeat(300)}-balances-093-1-1000.csv`,
])('An entry name that is hostile is damage: %j', async name => {
  expect(pathHazard(name)).toBeDefined();
  expect(summary(await judge(archive(name), balances))).toContain('damaged hostile-name: The name of an entry ');
});

test('An entry name that is sound has no hazard', () => {
  expect(pathHazard(balancesName)).toBeUndefined();
});

describe('Check of entries against the request', () => {
  const name = (from: number, to: number, version: number | string = 93) => `c-balances-${version}-${from}-${to}.csv`;
  const cases: readonly [string, readonly string[], string][] = [
    ['unpadded numbers', [name(1, 1000)], 'complete -'],
    ['no version in an only entry', ['c-balances-1-1000.csv'], 'complete -'],
    ['several entries in order', [name(1, 500), name(501, 1000, 94)], 'complete -'],
    ['a gap between entries', [name(1, 500), name(502, 1000)], 'incomplete missing-range: Block 501 is missing.'],
    ['a missing start', [name(501, 1000)], 'incomplete missing-range: Blocks 1 to 500 are missing.'],
    ['a missing end', [name(1, 500)], 'incomplete missing-range: Blocks 501 to 1000 are missing.'],
    ['an overlap', [name(1, 500), name(500, 1000)], 'damaged order: c-balances-93-500-1000.csv overlaps'],
    ['the wrong order', [name(501, 1000), name(1, 500)], 'damaged order:'],
    ['more than was asked for', [name(1, 2000)], 'damaged request: The archive has blocks 1 to 2000'],
    ['another table', ['c-blocks-093-1-1000.csv'], 'damaged request: c-blocks-093-1-1000.csv is of table blocks'],
    ['two chains', [name(1, 500), 'd-balances-93-501-1000.csv'], 'damaged request: d-balances-93-501-1000.csv is of'],
    ['a name twice', [name(1, 1000), name(1, 1000)], 'damaged name: Two entries have the name'],
    ['no version in several entries', ['c-balances-1-500.csv', 'c-balances-501-1000.csv'], 'damaged name:'],
    [
      'a version only in the second of two',
      ['c-balances-1-500.csv', name(501, 1000)],
      'needs a schema version in its name.',
    ],
    [
      'a version only in the first of two',
      [name(1, 500), 'c-balances-501-1000.csv'],
      'damaged name: c-balances-501-1000.csv is one of several CSVs and needs a schema version in its name.',
    ],
    ['a range that runs backwards', [name(1000, 1)], 'damaged name: The name of an entry has a reversed range'],
    ['a file that is no CSV', ['readme.txt'], 'damaged name: An entry is not named like a CSV of an export'],
  ];
  test.each(cases)('The entries together must match the request: %s', async (_title, names, expected) => {
    expect(summary(await judge(archive(...names), balances))).toContain(expected);
  });

  test('The entries of another chain than the expected one are reported', async () => {
    const verdict = await judge(archive(name(1, 1000)), { ...balances, chainId: 'd' });
    expect(summary(verdict)).toContain('damaged request: c-balances-93-1-1000.csv is of chain c, not d.');
  });

  test('The entries must have exactly the requested blocks, even if it is a single one', async () => {
    const bound = fc.integer({ min: 1, max: 4 });
    await fc.assert(
      fc.asyncProperty(bound, bound, bound, bound, async (asked, askedTo, has, hasTo) => {
        fc.pre(asked <= askedTo && has <= hasTo);
        const expectation = { ...balances, fromBlock: BigInt(asked), toBlock: BigInt(askedTo) };
        const { kind, findings } = await judge(archive(name(has, hasTo)), expectation);
        const faults = findings.map(({ fault }) => fault);
        expect(kind === 'complete').toBe(asked === has && askedTo === hasTo);
        expect(faults.filter(fault => fault === 'missing-range')).toHaveLength(
          Number(has > asked) + Number(hasTo < askedTo),
        );
        expect(faults.includes('request')).toBe(has < asked || hasTo > askedTo);
      }),
    );
  });

  test('The check reports nothing as missing when an entry name tells nothing', async () => {
    const { findings } = await judge(archive(name(1, 500), 'readme.txt'), balances);
    expect(findings.map(({ fault }) => fault)).toEqual(['name']);
  });

  test('The check suggests no other runs when the blocks already differ', async () => {
    const runs = [{ schemaVersion: 93, fromBlock: 1n, toBlock: 1000n }];
    const { findings } = await judge(archive(name(1, 500)), { ...balances, runs });
    expect(findings.map(({ fault }) => fault)).toEqual(['missing-range']);
  });

  test('An archive for a request without runs should have no CSV', async () => {
    const { reason } = await judge(archive(name(1, 1000)), { table: 'balances', runs: [] });
    expect(reason).toBe('There should be no CSV; the archive has schema 93 for 1 to 1000.');
  });

  test('The fault of an entry has the position where the entry begins', async () => {
    const body = archive(name(1, 500), name(502, 1000), name(900, 999));
    const starts = [...body.toString('latin1').matchAll(/PK\x03\x04/g)].map(({ index }) => index);
    const { findings } = await judge(body, balances);
    expect(findings.flatMap(({ fault, at }) => (at ? [[fault, at]] : []))).toEqual([
      ['order', { byteOffset: starts[2] }],
      ['missing-range', { byteOffset: starts[1] }],
    ]);
  });

  test.each([
    ['one CSV without a version, for one run', ['c-balances-1-1000.csv'], [[93, 1, 1000]], 'complete'],
    ['one CSV without a version, for two runs', ['c-balances-1-1000.csv'], twoRuns(500), 'schema ? for 1 to 1000.'],
    ['two runs that meet elsewhere', [name(1, 500, 68), name(501, 1000)], twoRuns(400), 'damaged request'],
    ['another version', [name(1, 1000)], [[68, 1, 1000]], 'damaged request'],
    ['one more CSV than runs', [name(1, 500), name(501, 1000, 94)], [[93, 1, 500]], 'damaged request'],
  ] as const)('The entries must match the expected runs: %s', async (_title, names, runs, expected) => {
    const wanted = runs.map(([schemaVersion, from, to]) => ({
      schemaVersion,
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
    }));
    expect(summary(await judge(archive(...names), { table: 'balances', runs: wanted }))).toContain(expected);
  });

  test.each([
    [10, 'schema 10 for 10 to 10; the archive'],
    [12, 'schema 10 for 10 to 10, 2 more; the archive'],
  ])('The check lists no more than ten of %d runs', async (count, expected) => {
    const runs = Array.from({ length: count }, (_, index) => ({
      schemaVersion: index + 1,
      fromBlock: BigInt(index + 1),
      toBlock: BigInt(index + 1),
    }));
    const expectation = { table: 'balances', runs };
    expect((await judge(archive(name(1, count)), expectation)).reason).toContain(expected);
  });

  test('The entries are damaged when they form other runs than the segments make', async () => {
    const runs = [
      { schemaVersion: 68, fromBlock: 1n, toBlock: 500n },
      { schemaVersion: 93, fromBlock: 501n, toBlock: 1000n },
    ];
    const split = archive(name(1, 500, 68), name(501, 1000));
    expect(await judge(split, { ...balances, runs })).toMatchObject({ kind: 'complete' });
    expect(summary(await judge(archive(name(1, 1000)), { ...balances, runs }))).toContain(
      'damaged request: There should be schema 68 for 1 to 500, schema 93 for 501 to 1000; the archive has',
    );
  });
});
