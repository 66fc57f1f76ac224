import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UndecodableError } from '../../../src/chain/api/errors.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import type { PageRequest } from '../../../src/chain/resources/page-request.ts';
import { walkPages } from '../../../src/chain/resources/walk-pages.ts';
import { clientOf } from '../../support/client.ts';

interface LiveRow {
  readonly id: string;
  readonly time: number;
}

/**
 * A list of live rows, newest first, as deployed nodes page it (node-behaviour.md section 3.2); it changes after each
 * answer.
 */
function movingNode(count: number, changes: readonly (readonly Change[])[]) {
  let rows: LiveRow[] = Array.from({ length: count }, (_, index) => ({ id: `p${index}`, time: count - index }));
  let time = count;
  let asked = 0;
  let rowsThen = rows;
  const change = ({ kind, at }: Change): void => {
    const row = rows[at % Math.max(1, rows.length)];
    time++;
    if (kind === 'add') rows = [{ id: `new ${time}`, time }, ...rows];
    else if (row !== undefined) {
      const others = rows.filter(other => other !== row);
      rows = kind === 'remove' ? others : [{ ...row, time }, ...others];
    }
  };
  const client = clientOf(async ({ query }) => {
    const given = new Map(query);
    const limit = Number(given.get('pagination.first'));
    const after = given.get('pagination.after');
    const json = { liquidityProvisions: pageOf(rows, limit, after === undefined ? undefined : Number(after)) };
    rowsThen = rows;
    for (const one of changes[asked++] ?? []) change(one);
    return { json, facts: { rate: {} }, bytes: 0, elapsedMs: 0 };
  });
  return { client, rowsThen: () => rowsThen };
}

interface Change {
  readonly kind: 'amend' | 'remove' | 'add';
  readonly at: number;
}

function pageOf(rows: readonly LiveRow[], limit: number, after: number | undefined) {
  const from = after === undefined ? rows : rows.filter(({ time }) => time <= after);
  const fetched = from.slice(0, limit + (after === undefined ? 1 : 2));
  const dropsFirst = after !== undefined && (fetched.length > limit || fetched[0]?.time === after);
  const shown = (dropsFirst ? fetched.slice(1) : fetched).slice(0, limit);
  return {
    edges: shown.map(({ id, time }) => ({ node: { id, version: String(time) }, cursor: String(time) })),
    pageInfo: {
      startCursor: String(shown[0]?.time ?? ''),
      endCursor: String(shown.at(-1)?.time ?? ''),
      hasNextPage: fetched.length > shown.length + (dropsFirst ? 1 : 0),
      hasPreviousPage: dropsFirst,
    },
  };
}

async function walk(count: number, size: number, changes: readonly (readonly Change[])[]) {
  const { client, rowsThen } = movingNode(count, changes);
  const request: PageRequest = {
    filters: { live: ['true'] },
    size,
    newestFirst: true,
    position: { kind: 'first' },
  };
  const listed: string[] = [];
  const quiet = { onWait: () => {}, onSmaller: () => {}, onNote: () => {} };
  const options = { client, resource: liquidityProvisions, signal: new AbortController().signal, ...quiet };
  try {
    for await (const page of walkPages(options, request))
      listed.push(...page.rows.map(row => `${row.id} ${row.version}`));
    return { listed, rowsThen: rowsThen().map(({ id, time }) => `${id} ${time}`), error: null };
  } catch (error) {
    return { listed, rowsThen: [], error };
  }
}

describe('Walk over a list whose rows move', () => {
  it('The walk loses nothing if the row of the cursor is amended between two pages, and reports it', async () => {
    const { listed, error } = await walk(60, 20, [[{ kind: 'amend', at: 19 }]]);
    expect(error).toBeInstanceOf(UndecodableError);
    expect(String(error)).toContain('1 of its rows were added or amended');
    expect(error).toMatchObject({
      hint: 'each row is as the node sent it, but they are not from one moment: list them again',
    });
    for (let index = 0; index < 60; index++) expect(listed).toContain(`p${index} ${60 - index}`);
  });

  it('The walk does not report added rows if rows at the top were only removed', async () => {
    const gone = Array.from({ length: 20 }, () => ({ kind: 'remove', at: 0 }) as const);
    const { error } = await walk(60, 20, [[], [], gone]);
    expect(String(error)).toContain('all rows of its first page have moved or gone: some may be missing');
  });

  it('The walk loses nothing if the row of the cursor is removed between two pages', async () => {
    const { listed, error } = await walk(60, 20, [[{ kind: 'remove', at: 19 }]]);
    expect(error).toBeNull();
    expect(listed.length).toBe(60);
  });

  it('The walk reports that a row may be missing if all rows at the border are gone', async () => {
    const gone = Array.from({ length: 12 }, () => ({ kind: 'remove', at: 8 }) as const);
    const { error } = await walk(60, 20, [gone]);
    expect(String(error)).toContain('have moved since they were read: one may be missing here');
  });

  it('The walk is complete and current as of the last answer whenever it reports nothing', async () => {
    const change = fc.record({ kind: fc.constantFrom('amend', 'remove', 'add'), at: fc.nat(200) });
    const changes = fc.array(
      fc.oneof(fc.constant([]), fc.array(change, { maxLength: 3 }), fc.array(change, { maxLength: 20 })),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 2, max: 40 }), changes, async (...given) => {
        const { listed, rowsThen, error } = await walk(...given);
        expect(new Set(listed).size).toBe(listed.length);
        if (error !== null) return;
        for (const row of rowsThen) expect(listed).toContain(row);
      }),
      { numRuns: 500 },
    );
  });
});
