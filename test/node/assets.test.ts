import { describe, expect, it } from 'vitest';
import { page, refusal, withNode } from './wire.ts';

const node = withNode();
const assets = (more: Record<string, string> = {}) => page(`${node.url}/api/v2/assets`, 'assets', more);
const failed = 'failed to get asset for ID';

describe('Assets of the embedded node', () => {
  it('Assets are enabled, have a quantum, and differ in their decimals', async () => {
    const records = (await assets()).edges.map(({ node: record }) => record);
    const text = JSON.stringify(records);
    for (const { status } of records) expect(status).toBe('STATUS_ENABLED');
    expect(text.match(/"quantum":"[1-9]\d*"/g)).toHaveLength(records.length);
    for (const decimals of ['6', '18', '8']) expect(text).toContain(`"decimals":"${decimals}"`);
  });

  it('Assets are listed by id, in descending order unless requested otherwise', async () => {
    const ids = (await assets()).edges.map(({ node: { id } }) => String(id));
    expect(ids).toEqual(ids.toSorted().toReversed());
    const oldest = await assets({ 'pagination.newestFirst': 'false' });
    expect(oldest.edges.map(({ node: { id } }) => id)).toEqual(ids.toReversed());
  });

  it('A request with an asset id returns that asset, whatever the page, and an unknown id is refused', async () => {
    const [first, second] = (await assets()).edges;
    const id = String(second?.node.id);
    const one = await assets({ assetId: id.toUpperCase(), 'pagination.first': '0' });
    expect(one.edges).toEqual([second]);
    expect(one.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: second?.cursor,
      endCursor: second?.cursor,
    });
    expect((await assets({ assetId: '', 'pagination.first': '1' })).edges).toEqual([first]);
    const unknown = 'ab'.repeat(32);
    const asked = (id: string) => refusal(`${node.url}/api/v2/assets?assetId=${id}`);
    const inner = `failed to get asset by ID: ${unknown}: no resource corresponding to this id`;
    expect(await asked(unknown)).toEqual([404, 5, 200002, failed, inner]);
    expect((await asked('zz')).slice(0, 4)).toEqual([400, 3, 200002, failed]);
  });

  it('A request for assets with an invalid page gets status 500, unlike other lists', async () => {
    expect(await refusal(`${node.url}/api/v2/assets?pagination.first=0`)).toEqual([
      500,
      13,
      200001,
      'failed to get assets',
      'pagination limit must be in range 0-5000: invalid pagination',
    ]);
  });

  it('The list of assets refuses the cursor of another list', async () => {
    const cursor = Buffer.from('reward.asset').toString('base64');
    const told = await refusal(`${node.url}/api/v2/assets?pagination.after=${encodeURIComponent(cursor)}`);
    expect(told.slice(0, 4)).toEqual([500, 13, 200001, 'failed to get assets']);
  });
});
