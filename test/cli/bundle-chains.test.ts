import { createServer } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signerBundles } from '../../src/chain/resources/signer-bundles.ts';
import { FORM, keyNumber, REMOVAL } from '../chain/insight/signer-bundle/signing.ts';
import { listening } from '../support/loopback.ts';
import { run } from './run-command.ts';

const { address: submitter } = keyNumber(1);
const SIGNED = `0x${keyNumber(1).sign(FORM, { ...REMOVAL, submitter })}`;
const bundle = (chainId: string | undefined, members: object = {}) => ({
  ...REMOVAL,
  ...{
    submitter,
    nonce: '42',
    timestamp: '1700000000000000000',
    signatures: SIGNED,
    epochSeq: '4',
  },
  ...(chainId !== undefined && { chainId }),
  ...members,
});
const [CONTRACT, OTHER_CONTRACT] = ['0c', '0d'].map(byte => `0x${byte.repeat(20)}`);
const PARAMETERS: { readonly [key: string]: string } = {
  'blockchains.ethereumConfig': JSON.stringify({ chain_id: '1', multisig_control_contract: { address: CONTRACT } }),
  'blockchains.evmBridgeConfigs': JSON.stringify({
    configs: [{ chain_id: '42161', multisig_control_contract: { address: OTHER_CONTRACT } }],
  }),
};

/** What comes of a command on a node with these bundles. */
async function onNode(bundles: readonly object[], ...words: readonly string[]) {
  const server = createServer(({ url = '' }, response) => {
    const edges = bundles.map((node, index) => ({ node, cursor: `c${index}` }));
    const pageInfo = {
      startCursor: 'c0',
      endCursor: `c${edges.length - 1}`,
      hasNextPage: false,
      hasPreviousPage: false,
    };
    const key = /parameters\/([^?]+)/.exec(url)?.[1] ?? '';
    const parameter = PARAMETERS[key];
    const validators = [{ node: { id: '01', name: 'Validator 1', ethereumAddress: submitter }, cursor: 'n' }];
    if (url.includes('/removed/bundles')) response.end(JSON.stringify({ bundles: { edges, pageInfo } }));
    else if (url.includes('/nodes')) response.end(JSON.stringify({ nodes: { edges: validators, pageInfo: {} } }));
    else if (parameter !== undefined) response.end(JSON.stringify({ networkParameter: { key, value: parameter } }));
    else response.writeHead(404).end('{"code":5,"message":"Not Found","details":[]}');
  });
  await using node = await listening(server);
  return await run([...words, '--node', node.url]);
}

const OLD_KEY = `${REMOVAL.oldSigner}/${submitter}/42`;
const twoChains = [bundle('1'), bundle('42161', { signatures: '' })];

describe('Bundles that differ only in chain', () => {
  it.each([[[]], [['--meaning']]])(
    'Bundles of two chains are never mixed up: show %j asks which one is meant and accepts the full key',
    async part => {
      const asked = await onNode(twoChains, 'show', 'bundles', OLD_KEY, ...part);
      expect([asked.code, asked.out]).toEqual([2, '']);
      expect(asked.err).toContain(`2 of the 2 rows searched match "${OLD_KEY}". Choose one:`);
      for (const chain of ['1', '42161']) {
        expect(asked.err).toContain(`${OLD_KEY}/${chain}`);
        const { code, out } = await onNode(twoChains, 'show', 'bundles', `${OLD_KEY}/${chain}`, ...part, '-o', 'json');
        expect([code, JSON.parse(out).chainId]).toEqual([0, chain]);
      }
    },
  );

  it('A bundle is found by its old key if that belongs to one bundle, even if other nonces start alike', async () => {
    const rows = [bundle('1', { nonce: '421' }), bundle('1'), bundle('1', { nonce: '420' })];
    const { code, out, err } = await onNode(rows, 'show', 'bundles', OLD_KEY, '-o', 'json');
    expect([code, JSON.parse(out).nonce]).toEqual([0, '42']);
    expect(err).toContain(`${OLD_KEY}/1 is the only signer bundle`);
    const old = await onNode([bundle(undefined)], 'show', 'bundles', OLD_KEY, '-o', 'json');
    expect([old.code, old.err]).toEqual([0, '']);
  });

  it('Bundle tables have a chain column if the node sends the chain', async () => {
    const table = await onNode(twoChains, 'list', 'bundles');
    expect(table.out).toMatch(/SUBMITTER +CHAIN +SIGNATURES/);
    expect(table.out).toMatch(/ 42161 +0 /);
    expect((await onNode([bundle(undefined)], 'list', 'bundles')).out).not.toContain('CHAIN');
    const one = await onNode(twoChains, 'list', 'bundles', '--where', 'chain=42161', '-o', 'ndjson');
    expect(
      one.out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).chainId),
    ).toEqual(['42161']);
  });

  it('A bundle is explained with only its own chain and the contract of that chain', async () => {
    const explained = await onNode(twoChains, 'show', 'bundles', '1', '--meaning');
    expect(explained.out).toContain('can submit it, on Arbitrum One (chain 42161)');
    expect(explained.out).toContain('chain 42161');
    expect(explained.out).not.toMatch(new RegExp(CONTRACT ?? '', 'i'));
    const { out } = await onNode(twoChains, 'show', 'bundles', '0', '--meaning', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      chainId: '1',
      form: 'v1 remove_signer',
      call: { contracts: [{ chainId: '1' }] },
    });
    expect(
      JSON.parse((await onNode([bundle(undefined)], 'show', 'bundles', '0', '--meaning', '-o', 'json')).out).chainId,
    ).toBe(null);
  });

  it('A bundle is not assigned a contract if its signatures are for another chain', async () => {
    const { out } = await onNode([bundle('42161')], 'show', 'bundles', '0');
    expect(out).toContain(
      'The signatures are in the form for the primary chain, which is not the chain of this bundle.',
    );
    expect(out).toContain('cast send CONTRACT');
  });
});

it('A bundle key is unique: bundles that differ in chain, submitter or nonce have different keys', () => {
  const any = fc.record({
    chainId: fc.constantFrom('', '1', '42', '42161'),
    submitter: fc.constantFrom('0x01', '0x02'),
    nonce: fc.constantFrom('4', '42'),
  });
  fc.assert(
    fc.property(any, any, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      const keys = [one, other].map(({ chainId, ...row }) =>
        signerBundles.keyOf({ oldSigner: '0x0a', ...row, ...(chainId !== '' && { chainId }) }),
      );
      expect(keys[0] === keys[1]).toBe(isSame);
    }),
  );
});
