import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VECTORS } from '../chain/insight/signer-bundle/vectors.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

const [vector] = VECTORS.bundles;
if (vector === undefined) throw new Error('there is no bundle');
const row = {
  oldSigner: vector.oldSigner.toLowerCase(),
  submitter: vector.submitter.toLowerCase(),
  nonce: vector.nonce,
  timestamp: '1700000000000000000',
  signatures: vector.packedSignatures,
  epochSeq: '4',
};

const PAGE_INFO = { startCursor: 'c', endCursor: 'c', hasNextPage: false, hasPreviousPage: false };

/** A node with one bundle and nothing else. */
const server = createServer(({ url = '' }, response) => {
  const isList = url.includes('/removed/bundles');
  response.statusCode = isList ? 200 : 404;
  const page = { bundles: { edges: [{ node: row, cursor: 'c' }], pageInfo: PAGE_INFO } };
  response.end(JSON.stringify(isList ? page : { code: 5, message: 'Not Found', details: [] }));
});

let node: string;
let folder: string;
beforeAll(async () => {
  node = await urlOf(server);
  folder = await mkdtemp(join(tmpdir(), 'signers-'));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const meaning = (...words: readonly string[]) => run(['show', 'bundles', '0', '--meaning', '--node', node, ...words]);

describe('`show bundles` with signer flags', () => {
  it('`show bundles` recognises signers from a file and from flags, and shows their names', async () => {
    const file = join(folder, 'signers.txt');
    const [first, second, ...others] = vector.validators.map(({ address }) => address);
    await writeFile(file, `# ours\n${first} Validator 0\n${second?.toLowerCase()}\n`);
    const flags = others.flatMap((address, index) => ['--signer', `${address}=mine ${index}`]);
    const { code, out, err } = await meaning('--signers', file, ...flags, '-o', 'json');
    expect([code, err]).toEqual([0, '']);
    const told = JSON.parse(out);
    expect(told).toMatchObject({
      known: 5,
      form: 'v1 remove_signer',
      call: { calldata: vector.contractCall.calldata },
    });
    const names = told.signatures.map(({ name }: { readonly name: string | null }) => name);
    expect(names.toSorted()).toEqual(['Validator 0', 'mine 0', 'mine 1', 'mine 2', null]);
    expect((await meaning('--signers', file)).out).toMatch(/2 of 5 signatures known/);
  });

  it('`show bundles` counts signatures against a threshold', async () => {
    const flags = vector.validators.flatMap(({ address }) => ['--signer', address]);
    const { out } = await meaning(...flags, '--threshold', '666', '--signer-count', '7');
    expect(out).toContain(
      'Enough signatures if the contract knows these signers: 5 of 7 signers (71.4 %); it requires more than 66.6 %',
    );
  });

  it('`show bundles` reports every wrong line of a signers file, and contacts no node', async () => {
    const file = join(folder, 'wrong.txt');
    await writeFile(file, 'first 0x12\n\nsecond\u001b[2J\n');
    const { code, out, err } = await run(['show', 'bundles', '0', '--node', 'http://127.0.0.1:1', '--signers', file]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(
      `blockglass: line 1 of ${file}: "first" is not an Ethereum address (0x and 40 hex digits)\n` +
        `  line 3 of ${file}: "second\u241b[2J" is not an Ethereum address (0x and 40 hex digits)\n`,
    );
  });

  it('`show bundles` reports few and short lines of a file that is not a signers list, and limits what it reads', async () => {
    const file = join(folder, 'long.txt');
    await writeFile(file, `${'x'.repeat(100_000)}\n`.repeat(5) + 'y\n'.repeat(5000));
    const { code, err } = await meaning('--signers', file);
    expect(code).toBe(2);
    expect(err.length).toBeLessThan(10_000);
    expect(err).toMatch(/and 4984 more like these\n$/);
    for (const endless of ['/dev/zero', '/dev/urandom'])
      expect((await meaning('--signers', endless)).err).toContain(`${endless} cannot be read: it is larger than 1 MiB`);
  });

  it.each([
    [['--signers', '/nowhere/signers.txt'], /--signers \/nowhere\/signers\.txt cannot be read: ENOENT/],
    [['--signer', '0x12'], /--signer: "0x12" is not an Ethereum address/],
    [['--threshold', '1001'], /--threshold must be a whole number from 0 to 1000/],
    [['--threshold', '500', '--signer-count', '0'], /--signer-count must be a whole number from 1/],
    [['--signer-count', '5'], /--signer-count needs --threshold/],
  ])('`show bundles` refuses wrong signer flags: %j', async (words, problem) => {
    const { code, err } = await meaning(...words);
    expect(code).toBe(2);
    expect(err).toMatch(problem);
  });

  it('Signer flags are accepted for bundles only', async () => {
    const { code, err } = await run(['show', 'markets', '0', '--node', node, '--threshold', '5']);
    expect([code, err]).toEqual([2, 'blockglass: --threshold is for bundles, not for markets\n']);
  });

  it('`show bundles` finds a record by its key in lower case and in checksum case', async () => {
    for (const key of [
      `${row.oldSigner}/${row.submitter}/${row.nonce}`,
      `${vector.oldSigner}/${vector.submitter}/${vector.nonce}`,
    ])
      expect((await run(['show', 'bundles', key, '--node', node])).code).toBe(0);
  });
});
