import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { page, withNode } from './wire.ts';

const node = withNode();

const specs = (more: Record<string, string> = {}) => page(`${node.url}/api/v2/oracle/specs`, 'oracleSpecs', more);

describe('Oracle specs of the embedded node', () => {
  const statusesById = async (more: Record<string, string>) =>
    new Map((await specs(more)).edges.map(({ node }) => [specOf(node).id, specOf(node).status]));

  it('Oracle specs are forty ids with one row each', async () => {
    const { edges } = await specs();
    expect(edges).toHaveLength(40);
    const ids = edges.map(({ cursor }) => Buffer.from(cursor, 'base64').toString().slice(-66, -2));
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  it('Oracle specs come in the newest version forward newest first or backward oldest first, else in the oldest', async () => {
    const newest = await statusesById({ 'pagination.first': '100' });
    const oldest = await statusesById({ 'pagination.first': '100', 'pagination.newestFirst': 'false' });
    expect([...newest.values()]).toContain('STATUS_DEACTIVATED');
    expect([...oldest.values()]).not.toContain('STATUS_DEACTIVATED');
    const backward = (newestFirst: string) =>
      statusesById({ 'pagination.last': '100', 'pagination.newestFirst': newestFirst });
    expect(await backward('true')).toEqual(new Map([...oldest].toReversed()));
    expect(await backward('false')).toEqual(new Map([...newest].toReversed()));
  });

  it('Oracle specs show every variant of a definition, one of them lost', async () => {
    const found = (await specs()).edges.map(({ node }) => JSON.stringify(specOf(node).data));
    for (const start of [
      '{"external":{"ethOracle":',
      '{"external":{"oracle":{"signers":[{"pubKey":',
      '{"external":{"oracle":{"signers":[{"ethAddress":',
      '{"internal":{"time":',
      '{"internal":{"timeTrigger":',
      '{}',
      'null',
    ]) {
      expect(found.some(data => data.startsWith(start))).toBe(true);
    }
    const [lost] = (await specs()).edges.filter(({ node }) => specOf(node).data === null);
    expect(lost && specOf(lost.node)).toEqual({
      id: '',
      createdAt: '0',
      updatedAt: '0',
      data: null,
      status: 'STATUS_UNSPECIFIED',
    });
  });
});

describe('Oracle specs used by markets', () => {
  it('The specs of markets are listed, active, as old as their market, and each used by one market', async () => {
    const { edges } = await specs();
    const byId = new Map(edges.map(edge => [specOf(edge.node).id, specOf(edge.node)]));
    const markets = await page(`${node.url}/api/v2/markets`, 'markets', { includeSettled: 'false' });
    const named: string[] = [];
    for (const { node: market } of markets.edges) {
      const text = JSON.stringify(market);
      const ids = [...text.matchAll(/"(dataSourceSpecFor\w+)":\{"id":"(\w+)"/g)].map(([, use = '', id = '']) => [
        use,
        id,
      ]);
      const uses = ids.map(([use]) => use?.replace('dataSourceSpecFor', ''));
      const product = /"(future|perpetual|spot)":/.exec(text)?.[1] ?? '';
      expect(uses).toEqual(USES[product]);
      for (const [, id = ''] of ids) {
        named.push(id);
        expect(byId.get(id)?.status).toBe('STATUS_ACTIVE');
        const { proposed } = v.parse(v.object({ marketTimestamps: timestamps }), market).marketTimestamps;
        expect(byId.get(id)?.createdAt).toBe(proposed);
      }
    }
    expect(new Set(named).size).toBe(named.length);
    expect(named.length).toBe(20);
  });
});

const timestamps = v.object({ proposed: v.string() });
const USES: { readonly [product: string]: readonly string[] } = {
  future: ['SettlementData', 'TradingTermination'],
  perpetual: ['SettlementData', 'SettlementSchedule'],
  spot: [],
};

const specSchema = v.strictObject({
  externalDataSourceSpec: v.strictObject({
    spec: v.strictObject({
      id: v.string(),
      createdAt: v.string(),
      updatedAt: v.string(),
      data: v.unknown(),
      status: v.string(),
    }),
  }),
});

function specOf(wrapped: Record<string, unknown>) {
  return v.parse(specSchema, wrapped).externalDataSourceSpec.spec;
}
