import { describe, expect, it } from 'vitest';
import { hasRealNode, recordedNode } from './recorded-node.ts';

const json = async (url: string): Promise<unknown> => await (await fetch(url)).json();

describe.skipIf(!hasRealNode)('Recorded node', () => {
  it('The recorded node replays what was recorded with its status, headers and bytes', async () => {
    await using node = await recordedNode();
    const statistics = await fetch(`${node.url}/statistics`);
    expect(statistics.status).toBe(503);
    expect(statistics.headers.get('X-Block-Height')).toBe('5002');
    expect(statistics.headers.get('Content-Type')).toBe('application/json, application/grpc');
    const archive = await fetch(`${node.url}/api/v2/networkhistory/export?table=TABLE_LEDGER&fromBlock=1&toBlock=5000`);
    expect(
      Buffer.from(await archive.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    expect(node.missing).toEqual([]);
  });

  it('The recorded node derives other pages and filters from the recorded lists', async () => {
    await using node = await recordedNode();
    const page = await json(`${node.url}/api/v2/oracle/specs?pagination.first=30`);
    expect(page).toMatchObject({ oracleSpecs: { pageInfo: { hasNextPage: true, hasPreviousPage: false } } });
    const parties = await json(`${node.url}/api/v2/liquidity/provisions?partyId=ff00`);
    expect(parties).toMatchObject({ liquidityProvisions: { edges: [] } });
  });

  it('The recorded node refuses provisions without a market or a party, as deployed nodes do', async () => {
    await using node = await recordedNode();
    expect((await fetch(`${node.url}/api/v2/liquidity/provisions?pagination.first=50`)).status).toBe(500);
  });

  it('The recorded node knows the epochs shown by the exports, and reports that it has no other', async () => {
    await using node = await recordedNode();
    const newest = await json(`${node.url}/api/v2/epoch`);
    const derived = await json(`${node.url}/api/v2/epoch?id=280`);
    expect(newest).toMatchObject({ epoch: { seq: '280', timestamps: { firstBlock: '4994' } } });
    expect(derived).toMatchObject({
      epoch: { timestamps: { startTime: '1674005924074395000', firstBlock: '4994', endTime: '0' } },
    });
    expect(await json(`${node.url}/api/v2/epoch?id=279`)).toMatchObject({
      epoch: { timestamps: { lastBlock: '4994' } },
    });
    expect((await fetch(`${node.url}/api/v2/epoch?id=281`)).status).toBe(404);
  });

  it('The recorded node answers what it cannot know with 501, and says what it is', async () => {
    await using node = await recordedNode();
    expect((await fetch(`${node.url}/api/v2/votes`)).status).toBe(501);
    expect(node.missing).toEqual(['GET /api/v2/votes']);
  });
});
