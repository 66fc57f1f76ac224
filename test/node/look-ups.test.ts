import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ask, page, refusal, withNode } from './wire.ts';

const node = withNode();
const unknown = 'ab'.repeat(32);

interface LookUp {
  readonly list: string;
  readonly wrapper: string;
  readonly path: string;
  readonly member: string;
  readonly idOf?: (record: Record<string, unknown>) => unknown;
  readonly notFound: readonly unknown[];
  /** What is no id, with its refusal; a parameter's name can be anything. */
  readonly wrong?: readonly [id: string, refusal: readonly unknown[]];
}

const noSuch = 'no resource corresponding to this id';

const specSchema = v.object({ externalDataSourceSpec: v.object({ spec: v.object({ id: v.string() }) }) });

const lookUps: readonly LookUp[] = [
  {
    list: 'markets',
    wrapper: 'markets',
    path: 'market',
    member: 'market',
    notFound: [404, 5, 30002, 'failed to get market for ID', noSuch],
    wrong: ['abcd', [400, 3, 10000, 'invalid market ID', '']],
  },
  {
    list: 'assets',
    wrapper: 'assets',
    path: 'asset',
    member: 'asset',
    notFound: [404, 5, 200002, 'failed to get asset for ID', noSuch],
    wrong: ['fUSDC', [400, 3, 10038, 'invalid asset ID', '']],
  },
  {
    list: 'nodes',
    wrapper: 'nodes',
    path: 'node',
    member: 'node',
    notFound: [404, 5, 10000, noSuch, ''],
    wrong: ['zz', [400, 3, 10000, "decoding 'zz': not a valid hex id (or well known exception)", '']],
  },
  {
    list: 'oracle/specs',
    wrapper: 'oracleSpecs',
    path: 'oracle/spec',
    member: 'oracleSpec',
    idOf: record => v.parse(specSchema, record).externalDataSourceSpec.spec.id,
    notFound: [404, 5, 190001, 'failed retrieve data for oracle spec', `OracleSpecId: ${unknown}: ${noSuch}`],
    wrong: ['abcd', [400, 3, 10000, 'invalid oracle spec ID', '']],
  },
  {
    list: 'network/parameters',
    wrapper: 'networkParameters',
    path: 'network/parameters',
    member: 'networkParameter',
    idOf: ({ key }) => key,
    notFound: [404, 5, 100002, 'failed to get network parameters', noSuch],
  },
];

describe.each(lookUps)(
  'Record by id at $path',
  ({ list, wrapper, path, member, idOf = ({ id }) => id, notFound, wrong }) => {
    it('A request by id returns the record in the list, for every record and in either case', async () => {
      const { edges } = await page(`${node.url}/api/v2/${list}`, wrapper);
      expect(edges.length).toBeGreaterThan(4);
      for (const edge of edges) {
        const id = String(idOf(edge.node));
        // A spec whose definition could not be stored has no id to ask for.
        if (id === '') continue;
        const asked = wrong === undefined ? id : id.toUpperCase();
        const { status, text } = await ask(`${node.url}/api/v2/${path}/${asked}`);
        expect([status, JSON.parse(text)]).toEqual([200, { [member]: edge.node }]);
      }
    });

    it('A request by id is refused for an unknown id and for an invalid one', async () => {
      expect(await refusal(`${node.url}/api/v2/${path}/${unknown}`)).toEqual(notFound);
      if (wrong) expect(await refusal(`${node.url}/api/v2/${path}/${wrong[0]}`)).toEqual(wrong[1]);
    });
  },
);
