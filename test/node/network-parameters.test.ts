import { describe, expect, it } from 'vitest';
import { page, withNode } from './wire.ts';

const node = withNode();

const parameters = (more: Record<string, string> = {}) =>
  page(`${node.url}/api/v2/network/parameters`, 'networkParameters', more);

describe('Network parameters of the embedded node', () => {
  it('Network parameters are sorted by key, whatever newestFirst is', async () => {
    const ascending = (await parameters()).edges.map(({ node: { key } }) => String(key));
    expect(ascending.length).toBeGreaterThan(150);
    expect(ascending).toEqual(ascending.toSorted());
    expect(await parameters({ 'pagination.newestFirst': 'false' })).toEqual(await parameters());
  });

  it('Network parameters have their key as cursor', async () => {
    const [edge] = (await parameters()).edges;
    expect(Buffer.from(edge?.cursor ?? '', 'base64').toString()).toBe(edge?.node.key);
  });

  it('Network parameters include numbers, decimals, durations, times, ids and JSON documents', async () => {
    const values = new Map((await parameters()).edges.map(({ node: { key, value } }) => [key, String(value)]));
    expect(values.get('snapshot.interval.length')).toBe('1000');
    expect(values.get('market.liquidity.bondPenaltyParameter')).toBe('.1');
    expect(values.get('governance.proposal.asset.maxClose')).toBe('8760h0m0s');
    expect(values.get('limits.markets.proposeEnabledFrom')).toBe('2024-03-14T09:30:00Z');
    expect(values.get('reward.asset')).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(values.get('blockchains.ethereumConfig') ?? '')).toHaveProperty(
      'multisig_control_contract.address',
    );
  });
});
