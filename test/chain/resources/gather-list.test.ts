import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/chain/api/client.ts';
import { NetworkError, PageTooLargeError, RateLimitedError } from '../../../src/chain/api/errors.ts';
import { type GatherProgress, gatherList } from '../../../src/chain/resources/gather-list.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { provision } from '../../explorer/support/provision-pages.ts';
import { clientOf } from '../../support/client.ts';

const at = { url: '', hint: '' };

/** A node with so many provisions, by the place of the last one as cursor; `trouble` comes in place of an answer. */
function nodeWith(count: number, trouble: (asked: number) => Error | undefined = () => undefined) {
  const sizes: number[] = [];
  let first = 0;
  const client = clientOf(async ({ query }, signal) => {
    signal?.throwIfAborted();
    const given = new Map(query);
    const error = trouble(sizes.length);
    sizes.push(Number(given.get('pagination.first')));
    if (error !== undefined) throw error;
    const from = Number(given.get('pagination.after') ?? first - 1) + 1;
    const to = Math.min(count, from + (sizes.at(-1) ?? 0));
    const edges = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
      node: provision(from + index),
      cursor: String(from + index),
    }));
    const pageInfo = {
      hasNextPage: to < count,
      hasPreviousPage: from > 0,
      startCursor: String(from),
      endCursor: String(to - 1),
    };
    return { json: { liquidityProvisions: { edges, pageInfo } }, facts: { rate: {} }, bytes: 0, elapsedMs: 0 };
  });
  const addOnTop = (): void => {
    first--;
  };
  return { client, sizes, addOnTop };
}

function gather(client: Client, onProgress: (progress: GatherProgress) => void = () => {}, live = false) {
  const signal = new AbortController().signal;
  const filters = live ? { live: ['true'] } : {};
  return gatherList({ client, resource: liquidityProvisions, signal }, { filters, newestFirst: true }, onProgress);
}

const references = (rows: Awaited<ReturnType<typeof gather>>['rows']): readonly string[] =>
  rows.list.slice().map(({ reference }) => String(reference));

const inOrder = (count: number): readonly string[] => Array.from({ length: count }, (_, place) => `reference-${place}`);

describe('`gatherList`', () => {
  it('`gatherList` returns every row of every page once, and reports progress', async () => {
    const { client } = nodeWith(7500);
    const told: GatherProgress[] = [];
    const { rows, problem } = await gather(client, progress => told.push(progress));
    expect(problem).toBeNull();
    expect(references(rows)).toEqual(inOrder(7500));
    expect(told.map(({ pages }) => pages)).toEqual(told.map((_, page) => page + 1));
    expect(told.at(-1)?.rows).toBe(7500);
  });

  it('`gatherList` requests a small page first, then pages that are read within the time a key may wait', async () => {
    const { client, sizes } = nodeWith(9000);
    await gather(client);
    expect(sizes[0]).toBe(1000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5000);
    expect(sizes.length).toBeLessThan(7);
  });

  it('`gatherList` never requests more rows again than the node could send at once', async () => {
    const { client, sizes } = nodeWith(2500, asked =>
      asked === 0 ? new PageTooLargeError(429, { message: '', details: [] }, at) : undefined,
    );
    expect((await gather(client)).rows.list.length).toBe(2500);
    expect(sizes).toEqual([1000, 500, 500, 500, 500, 500]);
  });

  it('`gatherList` returns all rows of a short list around a row, and a sample of all parts of a long list', async () => {
    const short = await gather(nodeWith(3).client);
    const [row] = short.rows.list.slice();
    expect(row && short.rows.around(row)).toBe(short.rows.list);
    const long = await gather(nodeWith(9000).client);
    const places = long.rows.sample.map(({ reference }) => Number(String(reference).slice('reference-'.length)));
    expect(places.length).toBeGreaterThan(99);
    expect(places.length).toBeLessThan(201);
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeGreaterThan(8900);
  });

  it('`gatherList` waits after too many requests, and reports it', async () => {
    const { client } = nodeWith(3000, asked =>
      asked === 1 ? new RateLimitedError('HTTP 429', { url: '', retryAtMs: Date.now() + 20 }) : undefined,
    );
    const told: GatherProgress[] = [];
    const { rows, problem } = await gather(client, progress => told.push(progress));
    expect(problem).toBeNull();
    expect(references(rows)).toEqual(inOrder(3000));
    expect(told.filter(({ waitMs }) => waitMs > 0)).toMatchObject([{ rows: 1000, pages: 1 }]);
  });

  it('`gatherList` keeps what came before a failure, and the reason why the rest is missing', async () => {
    const failure = new NetworkError('connection reset', at);
    const { rows, problem } = await gather(nodeWith(9000, asked => (asked === 1 ? failure : undefined)).client);
    expect(references(rows)).toEqual(inOrder(1000));
    expect(problem).toContain('connection reset');
  });

  it('`gatherList` fails if not even its first page came', async () => {
    const failure = new NetworkError('connection reset', at);
    await expect(gather(nodeWith(9000, () => failure).client)).rejects.toThrow('connection reset');
  });

  it('`gatherList` reports that its first rows changed while it was read', async () => {
    const { client, sizes, addOnTop } = nodeWith(4000, () => {
      if (sizes.length === 2) addOnTop();
      return undefined;
    });
    const { rows, problem } = await gather(client, () => {}, true);
    expect(rows.list.length).toBe(4000);
    expect(problem).toMatch(/^while the list was read, .*: some may be missing or out of date$/);
  });

  it.each([
    [{ rows: 3000, characters: 1e9 }, 3000, null],
    [{ rows: 2999, characters: 1e9 }, 2999, 'only the first 2 999 rows are loaded'],
    [{ rows: 1000, characters: 1e9 }, 1000, 'only the first 1 000 rows are loaded'],
    [{ rows: 9999, characters: 1 }, 1000, 'not all rows are loaded: these take 0 MB'],
  ])('`gatherList` has room for %o of 3000 rows, and reports if there are more', async (room, count, said) => {
    const { client } = nodeWith(3000);
    const signal = new AbortController().signal;
    const options = { client, resource: liquidityProvisions, signal, room };
    const { rows, problem } = await gatherList(options, { filters: {}, newestFirst: true }, () => {});
    expect([references(rows), problem]).toEqual([inOrder(count), said]);
  });

  it('`gatherList` ends with the reason when it is aborted, whatever came before', async () => {
    const { client } = nodeWith(9000);
    const abort = new AbortController();
    const gathering = gatherList(
      { client, resource: liquidityProvisions, signal: abort.signal },
      { filters: {}, newestFirst: true },
      () => abort.abort(new Error('not wanted')),
    );
    await expect(gathering).rejects.toThrow('not wanted');
  });
});
