import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORM, flipped, keyNumber, REMOVAL } from '../chain/insight/signer-bundle/signing.ts';
import { VECTORS } from '../chain/insight/signer-bundle/vectors.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

const [vector] = VECTORS.bundles;
if (vector === undefined) throw new Error('there is no bundle');
const keys = [0, 1].map(keyNumber);
const [one = '', two = ''] = keys.map(({ sign }) => sign());

const rows = [
  {
    oldSigner: vector.oldSigner.toLowerCase(),
    submitter: vector.submitter.toLowerCase(),
    nonce: vector.nonce,
    timestamp: '1700000000000000000',
    signatures: vector.packedSignatures,
    epochSeq: '4',
  },
  {
    ...REMOVAL,
    nonce: '42',
    timestamp: '1',
    signatures: `0x${one}${flipped(two, 9)}${one}`,
    epochSeq: '5',
    chainId: '1',
  },
  { ...REMOVAL, nonce: '42', timestamp: '1', signatures: '', epochSeq: '5' },
  { ...REMOVAL, nonce: '42', timestamp: '1', signatures: `0x${keyNumber(7).sign(FORM)}`, epochSeq: '6' },
];
const nodes = [...vector.validators, ...keys].map(({ address }, index) => ({
  id: `0${index}`,
  name: `Validator ${index}`,
  ethereumAddress: address.toLowerCase(),
}));

const pageOf = (records: readonly object[]) => ({
  edges: records.map((node, index) => ({ node, cursor: `c${index}` })),
  pageInfo: { startCursor: 'c0', endCursor: `c${records.length - 1}`, hasNextPage: false, hasPreviousPage: false },
});

const requests: string[] = [];
let hasNodes = true;
const server = createServer(({ url = '' }, response) => {
  requests.push(url.replace(/\?.*/, ''));
  const page = url.includes('/removed/bundles')
    ? { bundles: pageOf(rows) }
    : hasNodes && url.includes('/api/v2/nodes')
      ? { nodes: pageOf(nodes) }
      : undefined;
  response.statusCode = page === undefined ? 404 : 200;
  response.end(JSON.stringify(page ?? { code: 5, message: 'Not Found', details: [] }));
});
let node: string;
beforeAll(async () => {
  node = await urlOf(server);
});
afterAll(() => server.close());

const records = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(','));

it('The bundle CSV has the signatures as sent, their form, and the signers', async () => {
  const { out, code } = await run(['list', 'bundles', '-o', 'csv', '--node', node]);
  expect(code).toBe(0);
  const [head, ...lines] = records(out);
  expect(head?.join(' ')).toBe(
    'old-signer submitter count epoch time nonce chain signatures form known signers problems',
  );
  expect(lines.map(line => line[7])).toEqual(rows.map(({ signatures }) => signatures));
  const signers = vector.recoveredInPackedOrder.join(' ');
  const spelt = [one, two].map((_, index) => keys[index]?.address);
  expect(lines.map(line => [line[2], line[6], line[8], line[9], line[11]])).toEqual([
    ['5', '', 'v1 remove_signer', '5', ''],
    ['3', '1', 'v1 remove_signer', '1', '2 flipped bit; 3 duplicate'],
    ['0', '', '', '0', ''],
    ['1', '', '', '0', ''],
  ]);
  expect(lines.map(line => line[10])).toEqual([
    signers,
    expect.stringMatching(new RegExp(`^${spelt[0]} ${spelt[1]} ${spelt[0]}$`, 'i')),
    '',
    '?',
  ]);
});

it('The bundle CSV requests what it needs once for any number of bundles, and other formats request nothing', async () => {
  requests.length = 0;
  await run(['list', 'bundles', '-o', 'csv', '--node', node]);
  expect(new Set(requests).size).toBe(requests.length);
  requests.length = 0;
  for (const format of ['table', 'json', 'ndjson']) await run(['list', 'bundles', '-o', format, '--node', node]);
  expect(requests.filter(path => /parameters/.test(path))).toEqual([]);
});

it('The CSV of one bundle is the same record as in the list', async () => {
  const { out } = await run(['show', 'bundles', '1', '-o', 'csv', '--node', node]);
  const whole = await run(['list', 'bundles', '-o', 'csv', '--node', node]);
  expect(records(out)).toEqual([records(whole.out)[0], records(whole.out)[2]]);
});

it('The bundle CSV of a node that lists no validators has the signatures and no signers', async () => {
  hasNodes = false;
  const { out } = await run(['show', 'bundles', '0', '-o', 'csv', '--node', node]);
  expect(records(out)[1]?.slice(8)).toEqual(['', '0', '? ? ? ? ?', '']);
});

it('The bundle CSV of a node that lists no validators has the signers given with `--signer`', async () => {
  hasNodes = false;
  const flags = vector.validators.flatMap(({ address }) => ['--signer', address]);
  for (const words of [
    ['list', 'bundles'],
    ['show', 'bundles', '0'],
  ]) {
    const { out } = await run([...words, '-o', 'csv', '--node', node, ...flags]);
    expect(records(out)[1]?.slice(8)).toEqual(['v1 remove_signer', '5', vector.recoveredInPackedOrder.join(' '), '']);
  }
});

it('The `--signer` flag is accepted only with CSV output', async () => {
  const flags = ['--signer', vector.submitter];
  expect(await run(['list', 'bundles', '--node', node, ...flags])).toMatchObject({
    code: 2,
    err: 'blockglass: --signer needs -o csv, which has columns for who signed. For people, use blockglass show.\n',
  });
  for (const form of [['-o', 'json'], ['-o', 'ndjson'], ['--raw'], ['--exact']])
    expect(await run(['show', 'bundles', '0', ...form, '--node', node, ...flags])).toMatchObject({
      code: 2,
      err: 'blockglass: --signer needs --meaning here: the record has no place for it\n',
    });
  expect(await run(['show', 'bundles', '0', '-o', 'csv', '--node', node, '--threshold', '5'])).toMatchObject({
    code: 2,
    err: 'blockglass: --threshold needs --meaning here: the record has no place for it\n',
  });
  const { err } = await run(['list', 'markets', '-o', 'csv', '--node', node, ...flags]);
  expect(err).toBe('blockglass: --signer is for bundles, not for markets\n');
});
