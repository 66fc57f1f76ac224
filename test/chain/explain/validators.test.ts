import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { explainValidator } from '../../../src/chain/explain/validators.ts';
import { VECTORS } from '../insight/signer-bundle/vectors.ts';
import { objectOf } from '../resources/full-records.ts';

const validator =
  objectOf(`{"id":"0a","name":"Validator 3","ethereumAddress":"0x9aed97a1e8a9d5b7a0ce0e54a7cf0a3b2b0c158a",
  "pubKey":"0b","stakedTotal":"1250000000000000000","delegations":[{},{}],
  "rankingScore":{"status":"VALIDATOR_NODE_STATUS_TENDERMINT","votingPower":"400","performanceScore":"0.985"}}`);

const asset = { symbol: 'VEGA', name: 'Vega', status: 'STATUS_ENABLED', decimals: 18, quantum: '1' };
const named: Directory = { ...NO_NAMES, assets: new Map([['0c', asset]]) };

async function explained(row: typeof validator, directory: Directory, rewardAsset?: string) {
  const { parts, json } = await explainValidator(row, {
    directory,
    nowMs: 0,
    around: { filters: {}, rows: [row] },
    ask: async () =>
      rewardAsset === undefined ? undefined : { networkParameter: { key: 'reward.asset', value: rewardAsset } },
  });
  return { json, lines: parts.flatMap(({ lines }) => lines.map(({ label, text }) => `${label}: ${text}`)) };
}

describe('Explanation of a validator', () => {
  it('The explanation says whether a validator takes part, its signing address, and its stake in units', async () => {
    const { lines, json } = await explained(validator, named, '0c');
    expect(lines[0]).toBe(': Validator 3 takes part in consensus');
    expect(lines).toContain('staked: 1.25 VEGA');
    expect(lines).toContain('change next epoch: not reported');
    expect(lines).toContain('performance: 98.5 %');
    expect(lines.find(line => line.startsWith('signs bundles as: '))).toMatch(/0x[0-9a-fA-F]*[A-F][0-9a-fA-F]*$/);
    expect(json).toMatchObject({
      role: 'TENDERMINT',
      votingPower: '400',
      delegations: 2,
      stake: { stakedTotal: { raw: '1250000000000000000', value: '1.25', symbol: 'VEGA' }, pendingStake: null },
    });
  });

  it('The explanation says what is unknown about a validator', async () => {
    const { lines, json } = await explained(objectOf('{"id":"0a"}'), NO_NAMES);
    expect(lines[0]).toBe(': an unnamed validator has an unknown role');
    expect(json).toMatchObject({ votingPower: null, delegations: null, stake: { stakedTotal: null } });
  });

  it('The explanation gives the stake of the next epoch as a change from this one', async () => {
    const change = async (pendingStake: string) => {
      const { lines } = await explained({ ...validator, pendingStake }, named, '0c');
      return lines.find(line => line.startsWith('change next epoch: '))?.slice('change next epoch: '.length);
    };
    expect(await change('250000000000000000')).toBe('+0.25 VEGA');
    expect(await change('-1250000000000000000')).toBe('-1.25 VEGA');
    expect(await change('0')).toBe('none');
  });
});

/** Validators with these scores, the first of which is explained; what the node lists as bundles. */
async function scored(
  nodes: readonly (readonly [power: number, score: string, role?: string])[],
  bundles?: Json,
  signers: readonly string[] = [],
) {
  const rows = nodes.map(([votingPower, multisigScore, role = 'TENDERMINT'], index) => ({
    ...{ id: `0${index}`, name: `Validator ${index}`, ethereumAddress: `0x0${index}`.padEnd(42, '0') },
    rankingScore: { status: `VALIDATOR_NODE_STATUS_${role}`, votingPower },
    rewardScore: { multisigScore, validatorStatus: `VALIDATOR_NODE_STATUS_${role}` },
  }));
  const [row = {}] = rows;
  const asked: string[] = [];
  const { parts, json } = await explainValidator(row, {
    ...{ directory: NO_NAMES, nowMs: 0, around: { filters: {}, rows } },
    signers: new Map(signers.map(address => [address.toLowerCase(), ''])),
    ask: async ({ path }) => {
      asked.push(path.split('/').at(-1) ?? '');
      return path.endsWith('bundles') ? bundles : undefined;
    },
  });
  const lines = parts.flatMap(({ title, lines: all }) => [title, ...all.map(({ label, text }) => `${label}: ${text}`)]);
  const why = lines.slice(lines.indexOf('Why the multisig score is 0') + 1 || lines.length);
  return { lines, why, json, asked };
}

const pageOf = (bundles: readonly JsonObject[]): Json => ({
  bundles: {
    edges: bundles.map(node => ({ node, cursor: 'c' })),
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
  },
});
const bundlesOf = (...rows: readonly (readonly [oldSigner: string, epochSeq: string])[]): Json =>
  pageOf(rows.map(([oldSigner, epochSeq]) => ({ oldSigner, epochSeq, submitter: '0x' })));
const [vector] = VECTORS.bundles;
const SIGNERS = vector?.validators.map(({ address }) => address) ?? [];
const SIGNED = {
  ...{ oldSigner: vector?.oldSigner ?? '', submitter: vector?.submitter ?? '', nonce: vector?.nonce ?? '' },
  signatures: vector?.packedSignatures ?? '',
};
const GONE = `0x${'0a'.repeat(20)}`;

describe('Scores of a validator', () => {
  it('The voting power is a share of the total, exact when all validators are listed and else approximate', async () => {
    const whole = await scored([
      [2499, '1'],
      [7500, '1'],
      [0, '1', 'ERSATZ'],
    ]);
    expect(whole.lines).toContain('voting power: 2499, 25.0 % of all');
    expect(whole.json).toMatchObject({ votingPower: '2499', votingPowerPercent: '25.0', multisigScore: '1' });
    const some = await scored([[2499, '1']]);
    expect(some.lines).toContain('voting power: 2499, about 25.0 % of all');
    expect(some.json).toMatchObject({ votingPowerPercent: null });
    expect(
      (
        await scored([
          [2499, '1'],
          [90_000, '1'],
        ])
      ).lines,
    ).toContain('voting power: 2499');
  });

  it('The scores are not mentioned if not 0 or if they do not count, and no bundle is requested then', async () => {
    for (const nodes of [
      [
        [5000, '1'],
        [5000, '0'],
      ],
      [
        [0, '0', 'ERSATZ'],
        [5000, '0'],
      ],
      [
        [5000, ''],
        [5000, '0'],
      ],
    ] as const) {
      const { why, asked, json } = await scored(nodes);
      expect([why, asked.includes('bundles'), json.multisigZero]).toEqual([[], false, null]);
    }
  });

  it('The scores say that one validator without a score is not a signer when others have one', async () => {
    const { why, asked, json } = await scored([
      [5000, '0'],
      [5000, '1'],
    ]);
    expect(why).toEqual([': Other consensus validators have a score, so this one is not a signer of the contract.']);
    expect(asked).not.toContain('bundles');
    expect(json).toMatchObject({ multisigZero: 'not-a-signer', removals: null });
  });

  it('The scores that are all 0 come with the reason, and with whom bundles can remove', async () => {
    const nodes = [
      [5000, '0'],
      [5000, '0.0'],
      [0, '1', 'ERSATZ'],
    ] as const;
    const all = bundlesOf(
      [GONE, '41'],
      [GONE, '9'],
      [`0x01${'0'.repeat(38)}`, '50'],
      ['nobody', '60'],
      [`0x${'0b'.repeat(20)}`, '7'],
    );
    const { why, json } = await scored(nodes, all);
    expect(why).toEqual([
      ': All 2 consensus validators listed have a score of 0, so none gets a reward. Either the contract has a signer outside consensus, or it has none of these validators.',
      'no usable bundle: 0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a: 2 bundles, the last in epoch 41',
      expect.stringContaining('1 bundle, the last in epoch 7'),
      ': blockglass cannot check who is still a signer of the contract.',
    ]);
    expect(json).toMatchObject({
      multisigZero: 'all',
      removals: [{ oldSigner: GONE, epochSeq: '41', bundles: 2, canBeSubmitted: false }, {}],
    });
    const signed = pageOf([
      { ...SIGNED, oldSigner: GONE, epochSeq: '41', signatures: '' },
      { ...SIGNED, epochSeq: '20' },
    ]);
    expect((await scored(nodes, signed, SIGNERS)).why.slice(1, 3)).toEqual([
      expect.stringMatching(/^can be removed: 0x.*: 1 bundle, the last in epoch 20$/),
      expect.stringMatching(/^no usable bundle: 0x0A0A0a.*: 1 bundle, the last in epoch 41$/),
    ]);
    expect((await scored(nodes, signed)).why.slice(1, 3)).toEqual([
      expect.stringMatching(/^not known: 0x.*: 1 bundle, the last in epoch 20$/),
      expect.stringMatching(/^no usable bundle: /),
    ]);
    expect((await scored(nodes, bundlesOf())).why[1]).toBe(
      ': No listed bundle removes anyone other than a consensus validator.',
    );
    expect((await scored(nodes)).why[1]).toBe(': The node did not list signer bundles.');
    expect((await scored([[10_000, '0']], bundlesOf())).why[0]).toContain('the only consensus validator listed');
  });
});
