import { describe, expect, it } from 'vitest';
import { RateLimitedError, RefusedError, UndecodableError } from '../../../src/chain/api/errors.ts';
import { parseJson } from '../../../src/chain/api/json.ts';
import type { NodeRequest } from '../../../src/chain/api/request.ts';
import { RESOURCES, resourceById } from '../../../src/chain/resources/registry.ts';
import { walkPages, withRateLimitWaits } from '../../../src/chain/resources/walk-pages.ts';
import { createWalkProgress } from '../../../src/cli/walk-progress.ts';
import { contextWith } from '../../cli/run-command.ts';
import { clientOf } from '../../support/client.ts';

type Answer = { readonly rows: number; readonly endCursor: string; readonly hasNextPage?: boolean } | Error;

/** A client that gives these answers, one after the other. */
function answering(answers: readonly Answer[]) {
  const asked: NodeRequest[] = [];
  const client = clientOf(async request => {
    const answer = answers[asked.length];
    asked.push(request);
    if (answer === undefined) throw new Error('asked too often');
    if (answer instanceof Error) throw answer;
    const { rows, endCursor, hasNextPage = true } = answer;
    const cursorOf = (index: number) => (index === rows - 1 ? endCursor : `${asked.length}.${index}`);
    const edges = Array.from({ length: rows }, (_, index) => ({
      node: { key: `${asked.length}.${index}` },
      cursor: cursorOf(index),
    }));
    const json = parseJson(JSON.stringify({ networkParameters: { edges, pageInfo: { endCursor, hasNextPage } } }));
    return { json, facts: { rate: {} }, bytes: 0, elapsedMs: 0 };
  });
  return { client, asked };
}

async function walk(answers: readonly Answer[], id = 'parameters') {
  const resource = resourceById(id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  const { client, asked } = answering(answers);
  const waits: number[] = [];
  const keys: string[] = [];
  const options = {
    client,
    resource,
    signal: new AbortController().signal,
    onWait: (ms: number) => waits.push(ms),
    onSmaller: () => {},
    onNote: () => {},
  };
  const request = { filters: {}, size: 2, newestFirst: true, position: { kind: 'first' } } as const;
  const error = await (async () => {
    for await (const page of walkPages(options, request)) keys.push(...page.rows.map(row => String(row.key)));
    return null;
  })().catch((caught: unknown) => caught);
  return { asked, keys, waits, error };
}

const limited = () => new RateLimitedError('HTTP 429', { url: '', retryAtMs: 0 });

describe('Walk over pages', () => {
  it('The walk goes from cursor to cursor to the end', async () => {
    const { keys, asked, error } = await walk([
      { rows: 2, endCursor: 'a' },
      { rows: 2, endCursor: 'b' },
      { rows: 1, endCursor: 'c', hasNextPage: false },
    ]);
    expect(error).toBeNull();
    expect(keys).toEqual(['1.0', '1.1', '2.0', '2.1', '3.0']);
    expect(asked.map(({ query }) => query.at(-1))).toEqual([
      ['pagination.first', '2'],
      ['pagination.after', 'a'],
      ['pagination.after', 'b'],
    ]);
  });

  it('The walk does not end as complete if more rows follow and the node gives no cursor', async () => {
    const { keys, error } = await walk([
      { rows: 2, endCursor: 'a' },
      { rows: 1, endCursor: '' },
    ]);
    expect(keys).toEqual(['1.0', '1.1', '2.0']);
    expect(error).toMatchObject({
      kind: 'undecodable',
      message: 'this page of 1 row reports more but has no cursor',
      hint: expect.stringContaining('3 rows were read as the node sent them, others may be missing'),
    });
  });

  it('The walk uses the singular for a single row of a broken page', async () => {
    const { error } = await walk([{ rows: 1, endCursor: '' }]);
    expect(error).toMatchObject({ hint: expect.stringMatching(/^one row was read as the node sent it, /) });
  });

  it('The walk stops at a node that repeats a cursor', async () => {
    const { error } = await walk([
      { rows: 1, endCursor: 'a' },
      { rows: 1, endCursor: 'a' },
    ]);
    expect(error).toBeInstanceOf(UndecodableError);
    expect(String(error)).toContain('the same cursor again');
  });

  it('The walk returns no row of a page that leads nowhere, so all returned rows are right', async () => {
    const { keys } = await walk([
      { rows: 1, endCursor: 'a' },
      { rows: 1, endCursor: 'a' },
    ]);
    expect(keys).toEqual(['1.0']);
  });

  it('The walk stops at a node that leads in a circle', async () => {
    const circle = Array.from({ length: 20 }, (_, index) => ({ rows: 1, endCursor: index % 2 === 0 ? 'a' : 'b' }));
    const { error, asked } = await walk(circle);
    expect(error).toBeInstanceOf(UndecodableError);
    expect(asked.length).toBeLessThan(10);
  });

  it('The walk waits after too many requests, and continues with the same page', async () => {
    const { keys, waits, asked } = await walk([limited(), { rows: 1, endCursor: 'a', hasNextPage: false }]);
    expect(keys).toEqual(['2.0']);
    expect(waits).toEqual([0]);
    expect(asked[0]).toEqual(asked[1]);
  });

  it('The walk gives up after five waits', async () => {
    const { error, waits } = await walk(Array.from({ length: 9 }, limited));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(waits.length).toBe(5);
  });

  it('The walk explains a refusal at a cursor for which the list is known', async () => {
    const refused = new RefusedError(500, { message: 'Internal error', details: [] }, { url: '', hint: 'try again' });
    const fees = await walk([refused], 'fees');
    expect(fees.error).toMatchObject({ hint: 'try again' });
  });
});

describe('Wait message of a walk', () => {
  it.each([
    ['HTTP 429: too many requests', 'HTTP 429: too many requests: waiting 3 s\n'],
    [
      'HTTP 403: banned for now; duration not reported',
      'HTTP 403: banned for now; duration not reported: waiting 3 s\n',
    ],
    ['not asked: \u001b[2J', 'not asked: \u241b[2J: waiting 3 s\n'],
  ])('The wait message has what the node said, not more: %s', async (message, line) => {
    const { context, stderr } = contextWith();
    let isRefused = true;
    const step = async () => {
      if (!isRefused) return 'found';
      isRefused = false;
      throw new RateLimitedError(message, { url: '', retryAtMs: Date.now() - 1 });
    };
    const { onWait, onSmaller, onNote } = createWalkProgress(context);
    const { client } = answering([]);
    const resource = RESOURCES[0];
    if (resource === undefined) throw new Error('no resource');
    const whys: string[] = [];
    const told = (_ms: number, why: string) => {
      whys.push(why);
      onWait(2_500, why);
    };
    const found = withRateLimitWaits({ client, resource, signal: context.signal, onWait: told, onSmaller, onNote })(
      step,
    );
    expect(await found).toBe('found');
    expect([whys, stderr.text]).toEqual([[message], line]);
  });
});
