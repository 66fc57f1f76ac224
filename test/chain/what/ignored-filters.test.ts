import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/chain/api/client.ts';
import { type JsonObject, jsonText } from '../../../src/chain/api/json.ts';
import { readPage } from '../../../src/chain/api/page.ts';
import type { NodeRequest } from '../../../src/chain/api/request.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { createAsk } from '../../../src/chain/explain/ask.ts';
import { askParameter } from '../../../src/chain/explain/ask-parameter.ts';
import { fetchArrivals } from '../../../src/chain/explain/oracle/known-spec.ts';
import { fetchMarketProvisions, fetchProvisionVersions } from '../../../src/chain/explain/provision/known-provision.ts';
import { fetchEpoch } from '../../../src/chain/range/epoch.ts';
import { fetchPage } from '../../../src/chain/resources/fetch-page.ts';
import { matchesFilters } from '../../../src/chain/resources/filter-check.ts';
import { readProvision } from '../../../src/chain/resources/liquidity-provisions.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { whatIs } from '../../../src/chain/what/what.ts';
import { startNode } from '../../../src/node/index.ts';
import { unlimited } from '../../node/wire.ts';
import { type Listening, listening } from '../../support/loopback.ts';

const signal = new AbortController().signal;
const NOBODY = 'd7'.repeat(32);
const NOBODYS_ADDRESS = `0x${'d7'.repeat(20)}`;

/** Filters of which no record says anything: what is listed by them cannot be checked. */
const UNSEEN: readonly string[] = ['bundles nodeId', 'provisions live'];

const nodes: { demo?: Awaited<ReturnType<typeof startNode>>; deaf?: Listening; other?: Listening } = {};

/** A market of the demo that has provisions. */
let provided = '';

beforeAll(async () => {
  const demo = await startNode({ rateLimit: unlimited, provisions: 60 });
  nodes.demo = demo;
  provided = await marketWithProvisions(demo.url);
  nodes.deaf = await before(demo.url, (query, path) =>
    named(
      keep(query, name => name.startsWith('pagination.')),
      path,
    ),
  );
  // Whatever value is asked for: what the first row says, which somebody else asked for.
  nodes.other = await before(demo.url, otherwise);
});

afterAll(async () => {
  await nodes.deaf?.[Symbol.asyncDispose]();
  await nodes.other?.[Symbol.asyncDispose]();
  await nodes.demo?.close();
});

/** A node that asks another one, with another query than it was asked with. */
function before(url: string, change: (query: URLSearchParams, path: string) => URLSearchParams): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? '/', url);
    const path = asked.pathname.replace(/(network\/parameters\/).+/, '$1reward.asset');
    const answer = await fetch(`${url}${path}?${change(asked.searchParams, asked.pathname)}`);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  return listening(server);
}

/** Provisions are not to be had without a market or a party. */
function named(query: URLSearchParams, path: string): URLSearchParams {
  if (path.endsWith('provisions')) query.set('marketId', provided);
  return query;
}

async function marketWithProvisions(url: string): Promise<string> {
  const ask = createAsk(clientAt(url), Date.now)(signal);
  const listed = async (path: string, wrapper: string, query: NodeRequest['query'] = []) =>
    readPage((await ask({ path, query })) ?? null, wrapper)?.records ?? [];
  for (const { id } of await listed('api/v2/markets', 'markets')) {
    const query = [['marketId', jsonText(id)]] as const;
    if ((await listed('api/v2/liquidity/provisions', 'liquidityProvisions', query)).length > 0) return jsonText(id);
  }
  throw new Error('the demo has no provisions');
}

const keep = (query: URLSearchParams, isKept: (name: string) => boolean): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => isKept(name)));

/** One filter is heeded, with the value that a demo has, and not with the one asked for. */
function otherwise(query: URLSearchParams, path: string): URLSearchParams {
  const changed = keep(query, name => name.startsWith('pagination.') || name === 'live');
  if (path.endsWith('/paidfees')) changed.set('epochSeq', '30');
  if (path.endsWith('/epoch')) changed.set('id', '2');
  return named(changed, path);
}

const clientAt = (url: string | undefined): Client => createClient({ base: new URL(`${url}/`) });

describe.each(['deaf', 'other'] as const)('`what` on a node that ignores filters (%s)', kind => {
  const client = (): Client => clientAt(nodes[kind]?.url);
  const asks = () => createAsk(client(), Date.now)(signal);

  it('Every list reports that the node ignores a filter whose values its records show', async () => {
    for (const resource of RESOURCES)
      for (const filter of resource.filters) {
        const name = `${resource.id} ${filter.name}`;
        if (UNSEEN.includes(name)) continue;
        const value = { id: NOBODY, address: NOBODYS_ADDRESS, epoch: '999999', boolean: 'false', text: 'nobody' }[
          filter.kind
        ];
        const filters = { [filter.name]: [value] };
        const { page } = await fetchPage(client(), resource, {
          ...{ filters, size: 50, newestFirst: true, position: { kind: 'first' } },
        });
        const isWrong = page.rows.some(row => !matchesFilters(resource.filters, filters, row));
        expect(page.rows.length, name).toBeGreaterThan(0);
        if (filter.name !== 'includeSettled') expect(isWrong, name).toBe(true);
        expect(
          page.flaws.some(flaw => flaw.includes('the node ignores a filter')),
          name,
        ).toBe(isWrong);
      }
  });

  it('An unknown id gets no role that only a filter would give', async () => {
    for (const value of [NOBODY, NOBODYS_ADDRESS, '999999']) {
      const { roles } = await whatIs(value, { client: client(), directory: NO_NAMES, signal });
      expect(
        roles.filter(({ role }) => role !== 'block height'),
        value,
      ).toEqual([]);
    }
  });

  it('A market does not get the role of a validator or a party', async () => {
    const { page } = await fetchPage(client(), listNamed('markets'), {
      ...{ filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } },
    });
    const id = jsonText(page.rows[0]?.id);
    const { roles } = await whatIs(id, { client: client(), directory: NO_NAMES, signal });
    expect(roles.map(({ role }) => role)).toContain('market');
    expect(roles.filter(({ role }) => /validator|party|submitter/.test(role))).toEqual([]);
  });

  it('A validator is reported as removed by bundles if they remove its address, and no other is', async () => {
    const ask = asks();
    const records = async (path: string, wrapper: string): Promise<readonly JsonObject[]> =>
      readPage((await ask({ path, query: [] })) ?? null, wrapper)?.records ?? [];
    const bundles = await records('api/v2/erc20/multisigcontrol/signer/removed/bundles', 'bundles');
    const removed = new Set(bundles.map(({ oldSigner }) => jsonText(oldSigner).toLowerCase()));
    for (const { id, ethereumAddress } of (await records('api/v2/nodes', 'nodes')).slice(0, 8)) {
      const { roles } = await whatIs(jsonText(id), { client: client(), directory: NO_NAMES, signal });
      const isRemoved = removed.has(jsonText(ethereumAddress).toLowerCase());
      expect(roles.some(({ role }) => role === 'validator that bundles remove')).toBe(isRemoved);
    }
  });

  it('Explanations of a record use only the data of that record', async () => {
    const ask = asks();
    expect(await fetchMarketProvisions(ask, NOBODY)).toBeUndefined();
    const [row] =
      readPage((await ask({ path: 'api/v2/liquidity/all-provisions', query: [] })) ?? null, 'liquidityProvisions')
        ?.records ?? [];
    const own = row === undefined ? undefined : readProvision(row).current;
    if (own !== undefined) expect((await fetchProvisionVersions(ask, { ...own, id: NOBODY })) ?? []).toEqual([]);
    const arrivals = await fetchArrivals(NOBODY, ask);
    expect([arrivals?.value, arrivals?.errors ?? []]).toEqual([undefined, []]);
    // Those of this spec may lie behind the others: it is not said that there are none.
    expect(arrivals?.hasMore ?? true).toBe(true);
    expect(await askParameter('blockchains.ethereumConfig', ask)).toBeUndefined();
    expect(await askParameter('reward.asset', ask)).not.toBe('');
  });

  it('An epoch is not taken for another one', async () => {
    expect(await fetchEpoch(client(), '7', signal)).toEqual({ kind: 'unknown' });
  });
});

it('Every filter has values that records show, or is listed as one without', () => {
  const unseen = RESOURCES.flatMap(({ id, filters }) =>
    filters.flatMap(({ name, textsIn }) => (textsIn === undefined ? [`${id} ${name}`] : [])),
  );
  expect(unseen.toSorted()).toEqual(UNSEEN);
});

function listNamed(id: string) {
  const found = RESOURCES.find(resource => resource.id === id);
  if (found === undefined) throw new Error(`there is no list ${id}`);
  return found;
}
