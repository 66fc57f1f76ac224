import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { page, refusal, withNode } from './wire.ts';

const node = withNode();
const data = (more: Record<string, string> = {}) => page(`${node.url}/api/v2/oracle/data`, 'oracleData', more);

const named = v.array(v.strictObject({ name: v.string(), value: v.string() }));
const recordSchema = v.strictObject({
  externalData: v.strictObject({
    data: v.strictObject({
      signers: v.array(v.unknown()),
      data: named,
      matchedSpecIds: v.array(v.string()),
      broadcastAt: v.string(),
      metaData: named,
      error: v.optional(v.string()),
    }),
  }),
});

const arrivals = async (more: Record<string, string> = {}) =>
  (await data({ 'pagination.first': '5000', ...more })).edges.map(
    ({ node: record }) => v.parse(recordSchema, record).externalData.data,
  );

describe('oracle data', () => {
  it('are what arrived for one spec, the newest first', async () => {
    const all = await arrivals();
    for (const id of new Set(all.flatMap(({ matchedSpecIds }) => matchedSpecIds))) {
      const own = await arrivals({ oracleSpecId: id });
      expect(own).toEqual(all.filter(({ matchedSpecIds }) => matchedSpecIds.includes(id)));
      const times = own.map(({ broadcastAt }) => BigInt(broadcastAt));
      expect(times).toEqual(times.toSorted((a, b) => Number(b - a)));
    }
  });

  it('carry the names that the filters of their spec ask for, and signers that it has', async () => {
    const specs = await page(`${node.url}/api/v2/oracle/specs`, 'oracleSpecs');
    for (const { signers, data: values, matchedSpecIds, metaData } of await arrivals()) {
      const spec = JSON.stringify(
        specs.edges.filter(edge => JSON.stringify(edge.node).includes(matchedSpecIds[0] ?? '-')),
      );
      for (const { name } of values) expect(spec).toContain(`"name":"${name}"`);
      for (const signer of signers) expect(spec).toContain(JSON.stringify(signer));
      const expected = signers.length === 0 ? ['eth-block-height', 'eth-block-time'] : [];
      expect(metaData.map(({ name }) => name)).toEqual(expected);
    }
  });

  it('are none for a spec that nothing arrived for, and refused for what is no id', async () => {
    expect((await data({ oracleSpecId: 'ab'.repeat(32) })).edges).toEqual([]);
    expect(await data({ oracleSpecId: '' })).toEqual(await data());
    expect(await refusal(`${node.url}/api/v2/oracle/data?oracleSpecId=zz`)).toEqual([
      400,
      3,
      190001,
      'failed retrieve data for oracle spec',
      "decoding 'zz': not a valid hex id (or well known exception)",
    ]);
  });

  it('come page by page without a gap', async () => {
    const [all, first] = [await data({ 'pagination.first': '9' }), await data({ 'pagination.first': '4' })];
    const second = await data({ 'pagination.first': '5', 'pagination.after': first.pageInfo.endCursor });
    expect([...first.edges, ...second.edges]).toEqual(all.edges);
  });
});
