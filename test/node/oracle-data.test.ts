import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { page, refusal, withNode } from './wire.ts';

let nowMs = Date.UTC(2026, 10, 20, 12);
const node = withNode({ clock: () => nowMs });
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

describe('Oracle data of the embedded node', () => {
  it('Oracle data are the values that arrived for one spec, newest first', async () => {
    const all = await arrivals();
    for (const id of new Set(all.flatMap(({ matchedSpecIds }) => matchedSpecIds))) {
      const own = await arrivals({ oracleSpecId: id });
      expect(own).toEqual(all.filter(({ matchedSpecIds }) => matchedSpecIds.includes(id)));
      const times = own.map(({ broadcastAt }) => BigInt(broadcastAt));
      expect(times).toEqual(times.toSorted((a, b) => Number(b - a)));
    }
  });

  it('Oracle data have the names that the filters of their spec request, and signers of that spec', async () => {
    const specs = await page(`${node.url}/api/v2/oracle/specs`, 'oracleSpecs');
    const all = await arrivals();
    expect(all.some(({ error }) => error !== undefined)).toBe(true);
    for (const { signers, data: values, matchedSpecIds, metaData, broadcastAt, error } of all) {
      const spec = JSON.stringify(
        specs.edges.filter(edge => JSON.stringify(edge.node).includes(matchedSpecIds[0] ?? '-')),
      );
      for (const { name } of values) expect(spec).toContain(`"name":"${name}"`);
      for (const signer of signers) expect(spec).toContain(JSON.stringify(signer));
      const read = error === undefined ? ['eth-block-height', 'eth-block-time'] : [];
      expect(metaData.map(({ name }) => name)).toEqual(signers.length === 0 ? [...read, 'vega-time'] : []);
      const arrivedAt = Math.floor(Number(broadcastAt) / 1e9);
      for (const { name, value } of metaData) {
        if (name === 'vega-time') expect(Number(value)).toBe(arrivedAt);
        // A call is made before its result arrives, and what it reads was published before.
        if (name === 'eth-block-time') expect(Number(value)).toBeLessThan(arrivedAt);
      }
      const published = values.find(({ name }) => name.endsWith('publishTime'))?.value ?? '0';
      expect(Number(published)).toBeLessThan(arrivedAt);
    }
  });

  it('Oracle data are empty for a spec without arrivals, and refused for an invalid id', async () => {
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

  it('Oracle data come page by page without a gap', async () => {
    const [all, first] = [await data({ 'pagination.first': '9' }), await data({ 'pagination.first': '4' })];
    const second = await data({ 'pagination.first': '5', 'pagination.after': first.pageInfo.endCursor });
    expect([...first.edges, ...second.edges]).toEqual(all.edges);
  });
});

const timesSchema = v.object({
  external: v.object({
    ethOracle: v.object({
      trigger: v.object({
        timeTrigger: v.object({
          initial: v.optional(v.string()),
          every: v.optional(v.string()),
          until: v.optional(v.string()),
        }),
      }),
    }),
  }),
});
const specSchema = v.object({
  externalDataSourceSpec: v.object({ spec: v.object({ id: v.string(), data: v.unknown() }) }),
});

/** How a call of a contract stands: when it was due last and will be next, and when something arrived, in seconds from now. */
async function standing(record: Record<string, unknown>) {
  const { spec } = v.parse(specSchema, record).externalDataSourceSpec;
  if (!v.is(timesSchema, spec.data)) return undefined;
  const { initial = '', every = '0', until = '' } = spec.data.external.ethOracle.trigger.timeTrigger;
  const nowSeconds = Math.floor(nowMs / 1000);
  const [arrival] = await arrivals({ oracleSpecId: spec.id, 'pagination.first': '1' });
  const since = (seconds: number) => Math.round(seconds) - nowSeconds;
  return {
    first: initial === '' ? undefined : since(Number(initial)),
    every: Number(every),
    last: until === '' ? undefined : since(Number(until)),
    arrived: arrival && since(Number(arrival.broadcastAt) / 1e9),
  };
}

describe('Due contract calls of oracles', () => {
  const standings = async () => {
    const specs = await page(`${node.url}/api/v2/oracle/specs`, 'oracleSpecs');
    return (await Promise.all(specs.edges.map(edge => standing(edge.node)))).filter(found => found !== undefined);
  };
  /** Of what repeats, how long ago it was due last. */
  const dueAgo = (first: number, every: number) => (-first % every) + (first > 0 ? every : 0);

  it('The due calls include every state that a schedule can have', async () => {
    const all = await standings();
    const isNow = (ago: number | undefined, seconds: number) => ago !== undefined && ago <= 0 && ago > -seconds - 5;
    const some = (holds: (one: (typeof all)[number]) => boolean) => expect(all.some(holds)).toBe(true);
    // As it should be, for ever and until a time that has not come.
    for (const isForEver of [true, false])
      some(({ every, last, arrived }) => every > 0 && (last === undefined) === isForEver && isNow(arrived, every));
    // Next within a minute, of what comes each hour.
    some(
      ({ first = 0, every, arrived }) => every === 3600 && 3600 - dueAgo(first, every) < 60 && isNow(arrived, every),
    );
    // Two hours late, and more.
    some(({ every, arrived = 0, last }) => every === 3600 && last === undefined && arrived < -2 * 3600);
    // Over, and its last value from before the end.
    some(({ last = 1, arrived = 0 }) => last < 0 && arrived <= last + 5 && arrived > last - 120);
    // Not begun; once and still to come; once and done; once and missed; no time at all.
    some(({ first = 0, every, arrived }) => first > 0 && every > 0 && arrived === undefined);
    some(({ first = 0, every, arrived }) => first > 0 && every === 0 && arrived === undefined);
    some(({ first = 1, every, arrived = 0 }) => first < 0 && every === 0 && arrived >= first && arrived < first + 10);
    some(({ first = 1, every, arrived }) => first < -3600 && every === 0 && arrived === undefined);
    some(({ first, every }) => first === undefined && every === 0);
  });

  it('A due call is read at its time, or a moment later', async () => {
    const specs = await page(`${node.url}/api/v2/oracle/specs`, 'oracleSpecs');
    const calls = specs.edges.map(edge => v.parse(specSchema, edge.node).externalDataSourceSpec.spec);
    for (const { id, data: definition } of calls) {
      if (!v.is(timesSchema, definition)) continue;
      const { initial = '0', every = '0' } = definition.external.ethOracle.trigger.timeTrigger;
      for (const { metaData, error } of await arrivals({ oracleSpecId: id })) {
        // What failed has no block that it was read in.
        if (error !== undefined) continue;
        const since = Number(metaData[1]?.value) - Number(initial);
        expect(every === '0' ? since : since % Number(every)).toBeLessThan(3);
      }
    }
  });

  it('The result of a due call arrives while the node runs, soon after its time and never before', async () => {
    const before = await standings();
    nowMs += 3_000_000;
    const after = await standings();
    for (const [index, { first = 0, every, last, arrived }] of after.entries()) {
      const was = before[index]?.arrived;
      if (was === undefined || every === 0 || last !== undefined || was < -every - 5) continue;
      expect(arrived).toBeLessThanOrEqual(0);
      expect(Math.abs((arrived ?? 0) + dueAgo(first, every))).toBeLessThan(every < 300 ? 65 : 8);
    }
    nowMs -= 3_000_000;
  });
});
