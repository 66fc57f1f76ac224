import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from '../support/loopback.ts';

const MAX_MIB = 400;

const members = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member_${index}`, value]));

const RECORDS: { readonly [kind: string]: readonly object[] } = {
  'a record with 200,000 members': [{ key: 'a', value: '1', ...members(200_000, 'x') }],
  'a record with a list of 200,000 records': [
    { key: 'a', value: '1', list: Array.from({ length: 200_000 }, (_, i) => ({ i })) },
  ],
  'a value of 2 MB': [
    { key: 'a', value: 'v'.repeat(2e6) },
    { key: 'b', value: '2' },
  ],
  'a value of 2 MB of JSON': [
    { key: 'a', value: JSON.stringify(Array.from({ length: 60_000 }, (_, x) => ({ x, y: 'abc' }))) },
  ],
  'an answer of 15 MiB': Array.from({ length: 50 }, (_, row) => ({ key: `k${row}`, value: 'w'.repeat(3e5) })),
};

const FILTERS = 100_000;
const SPEC = {
  id: 'a'.repeat(64),
  createdAt: '1700000000000000000',
  status: 'STATUS_ACTIVE',
  data: {
    external: {
      oracle: {
        signers: [{ pubKey: { key: 'b'.repeat(64) } }],
        filters: Array.from({ length: FILTERS }, (_, at) => ({
          key: { name: `prices.ASSET${at}.value`, type: 'TYPE_INTEGER' },
          conditions: [{ operator: 'OPERATOR_GREATER_THAN', value: '0' }],
        })),
      },
    },
  },
};
const PROVISION = {
  id: 'a'.repeat(64),
  marketId: 'b'.repeat(64),
  partyId: 'c'.repeat(64),
  status: 'STATUS_ACTIVE',
  buys: Array.from({ length: FILTERS }, (_, at) => ({
    orderId: `${at}`.padStart(64, '0'),
    liquidityOrder: { reference: 'PEGGED_REFERENCE_MID', proportion: 1, offset: '1' },
  })),
};

/** Lists whose one record is longer than any other, and ways to have it. */
const LONG_RECORDS = [
  {
    list: 'oracles',
    path: '/oracle/specs',
    wrapper: 'oracleSpecs',
    node: { externalDataSourceSpec: { spec: SPEC } },
    filter: [],
  },
  {
    ...{ list: 'provisions', path: '/liquidity/provisions', wrapper: 'liquidityProvisions' },
    ...{ node: PROVISION, filter: ['--market-id', PROVISION.marketId] },
  },
];
const FORMS = [
  ['list', '-o', 'csv'],
  ['list', '-o', 'json'],
  ...[[], ['--meaning'], ['--raw']].flatMap(part => ['table', 'json'].map(form => ['show', ...part, '-o', form])),
];

const COMMANDS: readonly (readonly string[])[] = [
  ...['table', 'json', 'ndjson', 'csv'].map(format => ['list', 'parameters', '-o', format]),
  ['list', 'parameters', '--freq', 'value'],
  ['show', 'parameters', '0'],
  ['show', 'parameters', '0', '-o', 'json'],
  ['show', 'parameters', '0', '--meaning'],
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-huge-'));
  await writeFile(
    join(folder, 'peak.mjs'),
    `import { writeFileSync } from 'node:fs';
     process.on('exit', () => writeFileSync(${JSON.stringify(join(folder, 'peak'))}, String(process.resourceUsage().maxRSS)));`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(words: readonly string[]) {
  const child = spawn(process.execPath, ['--import', join(folder, 'peak.mjs'), 'dist/start.js', ...words], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err, mib: Number(await readFile(join(folder, 'peak'), 'utf8')) / 1024 };
}

describe.each(Object.entries(RECORDS))('Commands with %s', (_, records) => {
  const edges = records.map((node, index) => ({ node, cursor: `c${index}` }));
  const pageInfo = { startCursor: 'c0', endCursor: `c${edges.length - 1}`, hasNextPage: false, hasPreviousPage: false };
  const body = JSON.stringify({ networkParameters: { edges, pageInfo } });

  it('A huge record is listed, shown and explained whole, with table cells cut by a marker, in under 400 MiB', async () => {
    await using node = await listening(
      createServer(({ url = '' }, response) =>
        url.includes('/network/parameters') ? response.end(body) : response.writeHead(404).end(''),
      ),
    );
    for (const words of COMMANDS) {
      const { code, out, err, mib } = await run([...words, '--node', node.url]);
      expect([
        words.join(' '),
        code,
        err.replace(/\d+ (rows?|values? in \d+ rows?), (all of them|whole list)\n/, ''),
      ]).toEqual([words.join(' '), 0, '']);
      expect(mib).toBeLessThan(MAX_MIB);
      const isTable = words[0] === 'list' && !words.includes('-o') ? true : words.includes('table');
      if (isTable) {
        expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThan(11_000);
        if (body.includes('vvvv')) expect(out).toContain('... (2000000 characters; -o json prints them in full)');
      }
      if (words.includes('json')) expect(JSON.parse(out)).toEqual(words[0] === 'list' ? records : records[0]);
    }
  }, 120_000);
});

it.each(LONG_RECORDS)(
  'A record of 100,000 parts in $list takes less than 400 MiB to print or explain',
  async record => {
    const { list, path, wrapper, node: sent, filter } = record;
    const pageInfo = { startCursor: 'c', endCursor: 'c', hasNextPage: false, hasPreviousPage: false };
    const body = JSON.stringify({ [wrapper]: { edges: [{ node: sent, cursor: 'c' }], pageInfo } });
    await using node = await listening(
      createServer(({ url = '' }, response) =>
        url.includes(path) ? response.end(body) : response.writeHead(404).end(''),
      ),
    );
    for (const [command = '', ...form] of FORMS) {
      const key = command === 'list' ? [] : ['0'];
      const words = [command, list, ...key, ...filter, ...form];
      const { code, out, mib } = await run([...words, '--node', node.url]);
      expect([words.join(' '), code, mib < MAX_MIB ? 'enough' : mib]).toEqual([words.join(' '), 0, 'enough']);
      if (form.includes('csv') && list === 'oracles')
        expect(out).toContain(`,"${JSON.stringify(SPEC.data).replaceAll('"', '""')}"`);
      if (command === 'list' && form.includes('json')) expect(JSON.parse(out)).toEqual([sent]);
    }
  },
  180_000,
);
