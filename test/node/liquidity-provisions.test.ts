import { describe, expect, it } from 'vitest';
import { ask, marketId, marketIds, page, refusal, withNode } from './wire.ts';

let nowMs = Date.UTC(2026, 10, 20, 12);
const node = withNode({ clock: () => nowMs });

const provisionsPath = '/api/v2/liquidity/provisions';
const provisions = (more: Record<string, string>) =>
  page(`${node.url}/api/v2/liquidity/provisions`, 'liquidityProvisions', {
    'pagination.first': '5000',
    ...more,
  });
const anyMarket = () => marketId(node.url);
const allMarkets = () => marketIds(node.url);
const unfound: Record<string, unknown> = {};

describe('Liquidity provisions of the embedded node', () => {
  it('A request for provisions needs a market or a party, and an empty id does not count', async () => {
    const failed = (inner: string) => [500, 13, 280001, 'failed to get liquidity provision', inner];
    const required = 'market or party filters are required';
    expect(await refusal(`${node.url}${provisionsPath}`)).toEqual(
      failed(`partyID: , marketID: , reference: : ${required}`),
    );
    expect(await refusal(`${node.url}${provisionsPath}?partyId=&marketId=&reference=x&live=1`)).toEqual(
      failed(`partyID: , marketID: , reference: x: ${required}`),
    );
  });

  it('A request for provisions is refused for an id that is not hex, and accepts either case', async () => {
    expect(await refusal(`${node.url}${provisionsPath}?partyId=zzz`)).toEqual([
      400,
      3,
      280001,
      'failed to get liquidity provision',
      "partyID: zzz, marketID: , reference: : scany: query multiple result rows: decoding 'zzz': not a valid hex id (or well known exception)",
    ]);
    expect((await refusal(`${node.url}${provisionsPath}?marketId=abc`))[2]).toBe(280001);
    const market = await anyMarket();
    expect(await provisions({ marketId: market.toUpperCase() })).toEqual(await provisions({ marketId: market }));
    expect((await provisions({ partyId: 'network' })).edges).toEqual([]);
  });

  it('Provisions are all versions without live, and one live row per id with it', async () => {
    const market = await anyMarket();
    const versions = (await provisions({ marketId: market })).edges.map(({ node }) => node);
    const live = (await provisions({ marketId: market, live: 'true' })).edges.map(({ node }) => node);
    expect(await provisions({ marketId: market, live: 'false' })).toEqual(await provisions({ marketId: market }));

    // Newest first, so the first row of an id is its latest.
    const latest = new Map<unknown, (typeof versions)[number]>();
    for (const version of versions) if (!latest.has(version.id)) latest.set(version.id, version);
    const isAlive = (status: unknown) => /^STATUS_(ACTIVE|UNDEPLOYED|PENDING)$/.test(String(status));
    expect(live).toEqual([...latest.values()].filter(({ status }) => isAlive(status)));
    expect(versions.length).toBeGreaterThan(live.length);
  });

  it('Provisions show every status, and are 3000 rows over all markets', async () => {
    const parties = new Set<string>();
    const statuses = new Set<unknown>();
    let rows = 0;
    let largest = 0n;
    for (const market of await allMarkets()) {
      for (const { node: provision } of (await provisions({ marketId: market })).edges) {
        rows += 1;
        const amount = BigInt(String(provision.commitmentAmount));
        if (amount > largest) largest = amount;
        statuses.add(provision.status);
        parties.add(String(provision.partyId));
      }
    }
    expect(rows).toBe(3000);
    expect(largest).toBeGreaterThan(2n ** 64n);
    expect(parties.size).toBe(60);
    expect([...statuses].toSorted()).toEqual([
      'STATUS_ACTIVE',
      'STATUS_CANCELLED',
      'STATUS_PENDING',
      'STATUS_REJECTED',
      'STATUS_STOPPED',
      'STATUS_UNDEPLOYED',
      'STATUS_UNSPECIFIED',
    ]);
  });

  it('Provisions are timed to the microsecond, and some have orders', async () => {
    const { edges } = await provisions({ marketId: await anyMarket() });
    for (const { node: provision } of edges) expect(provision.createdAt).toMatch(/^\d{16}000$/);
    expect(edges.some(({ node: { sells } }) => Array.isArray(sells) && sells.length > 0)).toBe(true);
  });

  it('Provisions are found by exact reference, and by market and party together', async () => {
    const market = await anyMarket();
    const { edges } = await provisions({ marketId: market });
    const [{ node: some } = { node: unfound }] = edges.filter(({ node: { reference } }) =>
      String(reference).startsWith('mm-'),
    );
    const byReference = await provisions({ marketId: market, reference: String(some.reference) });
    expect(byReference.edges).toEqual(edges.filter(({ node: { reference } }) => reference === some.reference));
    const byParty = await provisions({ marketId: market, partyId: String(some.partyId) });
    expect(byParty.edges).toEqual(edges.filter(({ node: { partyId } }) => partyId === some.partyId));
    expect((await provisions({ marketId: market, reference: 'MM-BOT-1' })).edges).toEqual([]);
  });

  it('Provisions escape angle brackets and ampersands as Go does, and escape control characters', async () => {
    const { text } = await ask(`${node.url}${provisionsPath}?marketId=${await anyMarket()}&pagination.first=5000`);
    expect(text).not.toMatch(/[<>&]/);
    const all = await Promise.all((await allMarkets()).map(id => ask(`${node.url}${provisionsPath}?marketId=${id}`)));
    expect(all.some(answer => answer.text.includes('\\u003cb\\u003etom \\u0026 jerry'))).toBe(true);
    expect(all.some(answer => answer.text.includes('\\u001b[31m'))).toBe(true);
  });

  it('Provisions have a cursor of block time and id', async () => {
    const [edge] = (await provisions({ marketId: await anyMarket() })).edges;
    const content = Buffer.from(edge?.cursor ?? '', 'base64').toString();
    expect(content).toMatch(/^\{"vegaTime":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z","id":"[0-9a-f]{64}"\}$/);
  });
});

describe('Lifecycle of provisions in the demo chain', () => {
  const lives = async () => {
    const rows: Record<string, unknown>[] = [];
    for (const marketId of await allMarkets()) {
      const { edges } = await provisions({ marketId, 'pagination.newestFirst': 'false' });
      rows.push(...edges.map(edge => edge.node));
    }
    return [...Map.groupBy(rows, ({ id }) => id).values()];
  };
  const timeOf = ({ updatedAt }: Record<string, unknown> = {}) => BigInt(String(updatedAt));
  const statistics = async () => JSON.parse((await ask(`${node.url}/statistics`)).text).statistics;

  it('A pending provision lasts at most one epoch, and the last ones belong to the current one', async () => {
    const { epochStartTime, vegaTime } = await statistics();
    const epochStart = BigInt(Date.parse(epochStartTime)) * 1_000_000n;
    for (const life of await lives()) {
      for (const [index, row] of life.entries()) {
        if (row.status !== 'STATUS_PENDING') continue;
        const next = life[index + 1];
        const held = (next ? timeOf(next) : BigInt(Date.parse(vegaTime) + 1) * 1_000_000n) - timeOf(row);
        expect(held > 0n && held < 602_000_000_000n).toBe(true);
        if (next === undefined) expect(timeOf(row)).toBeGreaterThanOrEqual(epochStart);
      }
    }
  });

  it('Provisions reach up to the head of the chain, and none beyond it', async () => {
    const headMs = Date.parse((await statistics()).vegaTime);
    const ages = (await lives()).flat().map(row => headMs - Number(timeOf(row) / 1_000_000n));
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...ages)).toBeLessThan(10_000);
    expect(ages.filter(age => age < 3_600_000).length).toBeGreaterThan(100);
  });

  it('A change of amount and fee makes a new version, or the fee changes at once while the amount is pending', async () => {
    let feesOverWaiting = 0;
    for (const life of await lives()) {
      for (const rows of Map.groupBy(life, ({ version }) => version).values()) {
        const terms = rows.map(({ commitmentAmount, fee, status }) => ({ commitmentAmount, fee, status }));
        const [waiting, atOnce, later] = terms;
        if (new Set(terms.map(({ commitmentAmount, fee }) => `${commitmentAmount} ${fee}`)).size === 1) continue;
        feesOverWaiting += 1;
        expect([waiting?.status, atOnce?.status]).toEqual(['STATUS_PENDING', 'STATUS_ACTIVE']);
        const before = life[life.findIndex(({ version }) => version === rows[0]?.version) - 1];
        expect(atOnce?.commitmentAmount).toBe(before?.commitmentAmount);
        if (later !== undefined) expect({ ...later, status: 'STATUS_PENDING' }).toEqual(waiting);
      }
    }
    expect(feesOverWaiting).toBeGreaterThan(3);
  });

  it('Provisions are amended before they apply, one of them at the head of the chain', async () => {
    const twice = (await lives()).filter(([first, second]) =>
      [first, second].every(row => row?.status === 'STATUS_PENDING'),
    );
    for (const [first, second] of twice) expect([first?.version, second?.version]).toEqual(['1', '2']);
    expect(twice.some(life => life.length === 2)).toBe(true);
    expect(twice.some(life => life[2]?.status === 'STATUS_ACTIVE')).toBe(true);
  });

  it('Pending provisions take effect while the node runs: at the next epoch they are cancelled or active', async () => {
    const waiting = (await lives()).map(life => life.at(-1)).filter(row => row?.status === 'STATUS_PENDING');
    expect(waiting.some(row => row?.commitmentAmount === '0')).toBe(true);
    nowMs += 600_000;
    const after = new Map((await lives()).map(life => [life[0]?.id, life]));
    for (const row of waiting) {
      const next = after.get(row?.id)?.at(-1);
      expect(next?.status).toBe(row?.commitmentAmount === '0' ? 'STATUS_CANCELLED' : 'STATUS_ACTIVE');
      expect([next?.commitmentAmount, next?.fee, next?.version]).toEqual([
        row?.commitmentAmount,
        row?.fee,
        row?.version,
      ]);
    }
    for (const marketId of await allMarkets())
      for (const { node: row } of (await provisions({ marketId, live: 'true' })).edges)
        expect(row.status).not.toBe('STATUS_PENDING');
    nowMs -= 600_000;
  });

  it('Provisions change their bond accounts: a cancelled one leaves nothing, a new one its whole bond', async () => {
    const bonds = async () => {
      const parameters = { 'filter.accountTypes': 'ACCOUNT_TYPE_BOND', 'pagination.first': '5000' };
      const { edges } = await page(`${node.url}/api/v2/accounts`, 'accounts', parameters);
      return new Map(edges.map(({ node: one }) => [`${one.marketId} ${one.owner}`, BigInt(String(one.balance))]));
    };
    const waiting = (await lives()).map(life => life.at(-1)).filter(row => row?.status === 'STATUS_PENDING');
    const before = await bonds();
    nowMs += 600_000;
    const after = await bonds();
    let [left, came] = [0, 0];
    for (const row of waiting) {
      const key = `${row?.marketId} ${row?.partyId}`;
      expect(before.get(key)).toBeGreaterThan(0n);
      expect(after.get(key)).toBe(BigInt(String(row?.commitmentAmount)));
      if (row?.commitmentAmount === '0') left += 1;
      else came += 1;
    }
    expect(Math.min(left, came)).toBeGreaterThan(0);
    for (const life of await lives())
      if (life.at(-1)?.status === 'STATUS_CANCELLED')
        expect(after.get(`${life[0]?.marketId} ${life[0]?.partyId}`)).toBe(0n);
    nowMs -= 600_000;
  });

  it('A party has one provision per market, and it begins after the market did', async () => {
    const markets = await page(`${node.url}/api/v2/markets`, 'markets');
    const proposed = new Map(
      markets.edges.map(({ node: market }) => [
        market.id,
        BigInt(/"proposed":"(\d+)"/.exec(JSON.stringify(market))?.[1] ?? '0'),
      ]),
    );
    const pairs = new Set<string>();
    const all = await lives();
    for (const [first] of all) {
      pairs.add(`${first?.marketId} ${first?.partyId}`);
      expect(timeOf(first)).toBeGreaterThan(proposed.get(first?.marketId) ?? 2n ** 64n);
    }
    expect(pairs.size).toBe(all.length);
  });
});

describe('Provisions with their pending versions', () => {
  const allPath = '/api/v2/liquidity/all-provisions';
  const pairs = (more: Record<string, string>) =>
    page(node.url + allPath, 'liquidityProvisions', { 'pagination.first': '5000', ...more });

  it('The list all-provisions refuses the same requests as the list of provisions', async () => {
    for (const query of ['', '?reference=x', '?partyId=zzz', '?marketId=abc', '?live=', '?pagination.first=0'])
      expect(await refusal(node.url + allPath + query)).toEqual(await refusal(node.url + provisionsPath + query));
  });

  it.each(['true', 'false'])(
    'The list all-provisions pairs each pending row with the current version, live %s',
    async live => {
      for (const marketId of await allMarkets()) {
        // Newest first, so the first active row of a version is its last.
        const versions = (await provisions({ marketId })).edges.map(edge => edge.node);
        const inForceBefore = (pending: Record<string, unknown>) =>
          versions.find(
            ({ id, version, status }) =>
              id === pending.id && Number(version) === Number(pending.version) - 1 && status === 'STATUS_ACTIVE',
          );
        const { edges, pageInfo } = await provisions({ marketId, live });
        const expected = edges.map(({ node: row, cursor }) => {
          const current = row.status === 'STATUS_PENDING' ? inForceBefore(row) : undefined;
          return { node: current === undefined ? { current: row } : { current, pending: row }, cursor };
        });
        expect(await pairs({ marketId, live })).toEqual({ edges: expected, pageInfo });
      }
    },
  );

  it('The list all-provisions shows a cancellation, an amendment and a new provision, each once when live', async () => {
    const live: Record<string, unknown>[] = [];
    for (const marketId of await allMarkets())
      live.push(...(await pairs({ marketId, live: 'true' })).edges.map(edge => edge.node));
    const told = (some: unknown) => JSON.parse(JSON.stringify(some ?? {}));
    const pending = live.filter(row => 'pending' in row).map(({ pending: row }) => told(row));
    expect(pending.some(({ commitmentAmount }) => commitmentAmount === '0')).toBe(true);
    expect(pending.some(({ commitmentAmount }) => commitmentAmount !== '0')).toBe(true);
    const isNew = (row: Record<string, unknown>) =>
      !('pending' in row) && told(row.current).status === 'STATUS_PENDING' && told(row.current).version === '1';
    expect(live.some(isNew)).toBe(true);
  });
});
