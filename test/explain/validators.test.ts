import { describe, expect, it } from 'vitest';
import { type Directory, NO_NAMES } from '../../src/directory/directory.ts';
import { explainValidator } from '../../src/explain/validators.ts';
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
    ask: async () => (rewardAsset === undefined ? undefined : { networkParameter: { value: rewardAsset } }),
  });
  return { json, lines: parts.flatMap(({ lines }) => lines.map(({ label, text }) => `${label}: ${text}`)) };
}

describe('the explanation of a validator', () => {
  it('says whether it takes part, by which address it signs, and its stake in units', async () => {
    const { lines, json } = await explained(validator, named, '0c');
    expect(lines[0]).toBe(': Validator 3 takes part in consensus');
    expect(lines).toContain('staked: 1.25 VEGA');
    expect(lines).toContain('from the next epoch: the node does not say');
    expect(lines).toContain('performance: 98.5 %');
    expect(lines.find(line => line.startsWith('signs bundles as: '))).toMatch(/0x[0-9a-fA-F]*[A-F][0-9a-fA-F]*$/);
    expect(json).toMatchObject({
      role: 'TENDERMINT',
      votingPower: '400',
      delegations: 2,
      stake: { stakedTotal: { raw: '1250000000000000000', value: '1.25', symbol: 'VEGA' }, pendingStake: null },
    });
  });

  it('says what it does not know', async () => {
    const { lines, json } = await explained(objectOf('{"id":"0a"}'), NO_NAMES);
    expect(lines[0]).toBe(': a validator without a name of no role that is known here');
    expect(json).toMatchObject({ votingPower: null, delegations: null, stake: { stakedTotal: null } });
  });
});
