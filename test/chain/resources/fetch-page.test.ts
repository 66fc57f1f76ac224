import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { MissingListError, PageTooLargeError, UndecodableError } from '../../../src/chain/api/errors.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { fetchPage } from '../../../src/chain/resources/fetch-page.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { networkParameters } from '../../../src/chain/resources/network-parameters.ts';
import type { PageRequest } from '../../../src/chain/resources/page-request.ts';
import { paidLiquidityFees } from '../../../src/chain/resources/paid-liquidity-fees.ts';
import { urlOf } from '../../support/loopback.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A node with many rows under the key; a page of more rows than `most` is too large for it. */
async function node(wrapperKey: string, most: number, extraRows = 0) {
  const sizes: number[] = [];
  const server = createServer(({ url = '' }, response) => {
    const size = Number(/pagination\.(?:first|last)=(\d+)/.exec(url)?.[1]);
    sizes.push(size);
    response.writeHead(size > most ? 429 : 200);
    response.end(size > most ? TOO_LARGE : JSON.stringify({ [wrapperKey]: pageOf(size + extraRows) }));
  });
  const url = await urlOf(server);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { client: createClient({ base: baseAddress(url) }), sizes };
}

const TOO_LARGE = '{"code":8,"message":"grpc: received message larger than max (30000000 vs. 20971520)","details":[]}';

const pageOf = (rows: number) => ({
  edges: Array.from({ length: rows }, (_, index) => ({ node: { id: `r${index}` }, cursor: `c${index}` })),
  pageInfo: { startCursor: 'c0', endCursor: `c${rows - 1}`, hasNextPage: true, hasPreviousPage: false },
});

const first: PageRequest = { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } };

describe('`fetchPage` for a page too large for the node', () => {
  it('`fetchPage` halves a page until the node accepts it, and reports the size', async () => {
    const { client, sizes } = await node('networkParameters', 7);
    const { page, size } = await fetchPage(client, networkParameters, first);
    expect(sizes).toEqual([50, 25, 13, 7]);
    expect([page.rows.length, size]).toEqual([7, 7]);
  });

  it('`fetchPage` fails if one row is too large', async () => {
    const { client, sizes } = await node('networkParameters', 0);
    await expect(fetchPage(client, networkParameters, { ...first, size: 3 })).rejects.toThrow(PageTooLargeError);
    expect(sizes).toEqual([3, 2, 1]);
  });

  it('`fetchPage` fails if no cursor leads on from half of the page', async () => {
    const { client, sizes } = await node('paidLiquidityFees', 7);
    await expect(fetchPage(client, paidLiquidityFees, first)).rejects.toThrow(PageTooLargeError);
    expect(sizes).toEqual([50]);
  });
});

describe('`fetchPage`', () => {
  it('`fetchPage` rejects an answer without a list, and the error has the list and the address', async () => {
    const { client, sizes } = await node('somethingElse', 50);
    const error = await fetchPage(client, networkParameters, first).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UndecodableError);
    expect(error).toMatchObject({
      message: 'the answer has no "networkParameters" with a list of edges',
      url: expect.stringMatching(/\/api\/v2\/network\/parameters\?pagination\.first=50$/),
      hint: expect.stringContaining('REST address'),
    });
    expect(sizes).toEqual([50]);
  });

  it('`fetchPage` reports more rows than requested, and reports nothing for the requested number', async () => {
    const sound = await node('networkParameters', 50);
    expect((await fetchPage(sound.client, networkParameters, first)).page.flaws).toEqual([]);
    const broken = await node('networkParameters', 50, 2);
    const { page } = await fetchPage(broken.client, networkParameters, first);
    expect(page.flaws).toEqual(['52 rows came, only 50 were requested']);
    expect(page.rows.length).toBe(52);
  });

  it('`fetchPage` keeps the cursor of each row only if rows move', async () => {
    const { client } = await node('liquidityProvisions', 50);
    const cursors = async (filters: PageRequest['filters']) =>
      (await fetchPage(client, liquidityProvisions, { ...first, size: 2, filters })).page.cursors;
    expect(await cursors({ live: ['true'] })).toEqual(['c0', 'c1']);
    expect(await cursors({ live: ['false'] })).toEqual([]);
    expect(await cursors({})).toEqual([]);
    const parameters = await node('networkParameters', 50);
    expect((await fetchPage(parameters.client, networkParameters, first)).page.cursors).toEqual([]);
  });

  it('`fetchPage` requests the known rows as well, and returns only those after them', async () => {
    const { client, sizes } = await node('liquidityProvisions', 50);
    const position = { kind: 'after', cursor: 'x', overlap: { cursor: 'w', known: ['c0', 'c1'] } } as const;
    const asked = { ...first, filters: { live: ['true'] }, size: 3, position };
    const { page, size } = await fetchPage(client, liquidityProvisions, asked);
    expect([sizes, size]).toEqual([[5], 3]);
    expect(page).toMatchObject({ cursors: ['c2', 'c3', 'c4'], startCursor: 'c2', endCursor: 'c4', flaws: [] });
    expect(page.rows.map(({ id }) => id)).toEqual(['r2', 'r3', 'r4']);
  });
});

describe('`fetchPage` for a list that the node does not have', () => {
  const answering = async (status: number, body: string) => {
    const server = createServer((_, response) => response.writeHead(status).end(body));
    const url = await urlOf(server);
    closers.push(() => server.close());
    return fetchPage(createClient({ base: baseAddress(url) }), networkParameters, first);
  };
  const refusedWith = (code: number, details: readonly unknown[]) =>
    JSON.stringify({ code, message: 'Not Found', details });

  const DETAIL = { '@type': 'x/vega.ErrorDetail', code: 200002, message: 'failed', inner: 'no resource' };

  it.each([
    [404, refusedWith(5, [])],
    [404, '<html><title>Not Found</title></html>'],
    [405, ''],
    [501, refusedWith(12, [])],
    // A list is no request for one record, so this is not about one.
    [404, refusedWith(5, [DETAIL])],
  ])('`fetchPage` distinguishes a missing list from one that fails: HTTP %d, %s', async (status, body) => {
    const asked = answering(status, body);
    await expect(asked).rejects.toThrow(`this node has no list of parameters (HTTP ${status})`);
    await expect(asked).rejects.toBeInstanceOf(MissingListError);
  });

  it('`fetchPage` reports no missing list if something else goes wrong', async () => {
    await expect(answering(500, refusedWith(13, []))).rejects.not.toBeInstanceOf(MissingListError);
  });
});

describe('`fetchPage` for fees of one market and asset', () => {
  const both = { marketId: ['aa'], assetId: ['bb'] };
  const epochs = async (filters: PageRequest['filters'], newestFirst: boolean, sent: readonly string[]) => {
    const edges = sent.map(epochSeq => ({ node: { epochSeq }, cursor: 'c' }));
    const pageInfo = { startCursor: 'c', endCursor: 'c', hasNextPage: false, hasPreviousPage: false };
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ paidLiquidityFees: { edges, pageInfo } }));
    });
    const url = await urlOf(server);
    closers.push(() => server.close());
    const client = createClient({ base: baseAddress(url) });
    const { page } = await fetchPage(client, paidLiquidityFees, { ...first, filters, newestFirst });
    return page.rows.map(({ epochSeq }) => epochSeq);
  };

  it('`fetchPage` returns fees in the order of their epochs, whatever order the node has', async () => {
    for (const sent of [
      ['9', '10', '11'],
      ['11', '10', '9'],
      ['10', '11', '9'],
    ]) {
      expect(await epochs(both, true, sent)).toEqual(['11', '10', '9']);
      expect(await epochs(both, false, sent)).toEqual(['9', '10', '11']);
    }
  });

  it('`fetchPage` puts fees with an unreadable epoch last, in the order received', async () => {
    expect(await epochs(both, true, ['x', '2', '', '3', '2'])).toEqual(['3', '2', '2', 'x', '']);
  });

  it('`fetchPage` keeps the order of the node if all fees are of one epoch', async () => {
    expect(await epochs({ marketId: ['aa'] }, true, ['9', '11', '10'])).toEqual(['9', '11', '10']);
  });
});
