import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/chain/api/json.ts';
import { readPage } from '../../../src/chain/api/page.ts';

const sound = { startCursor: 'c0', endCursor: 'c1', hasNextPage: true, hasPreviousPage: true };
const read = (pageInfo: Json, rows = 2) =>
  readPage(
    { list: { edges: Array.from({ length: rows }, (_, n) => ({ node: { n }, cursor: `c${n}` })), pageInfo } },
    'list',
  );

describe('Page of a list', () => {
  it('A valid page has its records, cursors and flags, and no flaws', () => {
    expect(read(sound)).toEqual({
      ...sound,
      records: [{ n: 0 }, { n: 1 }],
      cursors: ['c0', 'c1'],
      flaws: [],
    });
  });

  it('An empty page is valid if nothing follows', () => {
    expect(read({ ...sound, hasNextPage: false, startCursor: '', endCursor: '' }, 0)).toMatchObject({ flaws: [] });
  });

  it.each<readonly [string, Json]>([
    ['no flag of rows before', { startCursor: 'c0', endCursor: 'c1', hasNextPage: true }],
    ['no cursors on its last page', { hasNextPage: false, hasPreviousPage: false }],
    ['null for what a node may leave out', { ...sound, startCursor: null, hasPreviousPage: null }],
    ['no cursors but those of its rows', { ...sound, startCursor: '', endCursor: '' }],
  ])('A page with %s is valid', (_, info) => expect(read(info)?.flaws).toEqual([]));

  it.each<readonly [string, Json, number, string]>([
    ['no pageInfo', null, 2, 'this page of 2 rows does not show whether more follow'],
    [
      'a flag that is text',
      { ...sound, hasNextPage: 'true' },
      1,
      'this page of 1 row does not show whether more follow',
    ],
    [
      'a flag of rows before that is a number',
      { ...sound, hasPreviousPage: 1 },
      2,
      'this page of 2 rows does not show whether others come before it',
    ],
    ['a start that is a number', { ...sound, startCursor: 1 }, 2, 'a cursor of this page of 2 rows is not text'],
    ['an end that is a list', { ...sound, endCursor: [] }, 2, 'a cursor of this page of 2 rows is not text'],
    ['more behind nothing', sound, 0, 'this page of 0 rows reports more'],
    [
      'an end that is another row',
      { ...sound, endCursor: 'c0' },
      2,
      'the endCursor of this page of 2 rows is not the cursor of its last row: rows after it may be missing',
    ],
    [
      'a start that is another row',
      { ...sound, startCursor: 'c1' },
      2,
      'the startCursor of this page of 2 rows is not the cursor of its first row: rows before it may be missing',
    ],
    [
      'the cursor of a row it has not',
      { ...sound, hasNextPage: false, startCursor: '' },
      0,
      'this page of 0 rows has the cursor of a row',
    ],
  ])('A page with %s reports that flaw', (_, info, rows, flaw) => expect(read(info, rows)?.flaws).toEqual([flaw]));

  it('A page counts only the rows that repeat under the same cursor', () => {
    const edges = (...rows: readonly (readonly [number, string])[]) =>
      readPage(
        { list: { edges: rows.map(([n, cursor]) => ({ node: { n }, cursor })), pageInfo: { hasNextPage: false } } },
        'list',
      )?.flaws;
    expect(edges([1, 'a'], [2, 'b'], [1, 'a'], [1, 'a'])).toEqual(['2 of the 4 rows on this page come twice']);
    expect(edges([1, 'a'], [2, 'a'], [1, 'b'])).toEqual([]);
    expect(edges([1, ''], [1, ''])).toEqual([]);
  });

  it('A page takes its cursors from its own rows if pageInfo has others', () => {
    expect(read({ ...sound, startCursor: 'before', endCursor: 'far behind' })).toMatchObject({
      startCursor: 'c0',
      endCursor: 'c1',
    });
  });

  it('A response without a list of edges under its key is not a page', () => {
    for (const odd of [null, [], { list: null }, { list: { edges: {} } }, { other: { edges: [] } }])
      expect(readPage(odd, 'list')).toBeUndefined();
  });

  it('A page does not accept an invalid value as a cursor or a flag', () => {
    const odd = { startCursor: 1, endCursor: {}, hasNextPage: 'true', hasPreviousPage: 1 };
    expect(read(odd, 0)).toMatchObject({ startCursor: '', endCursor: '', hasNextPage: false, hasPreviousPage: false });
    const page = readPage({ list: { edges: [{ node: { n: 0 }, cursor: 7 }, { node: { n: 1 } }] } }, 'list');
    expect(page?.cursors).toEqual(['', '']);
  });

  it('A page counts the edges without a record separately from its other flaws', () => {
    const page = readPage(
      { list: { edges: [{ node: { n: 0 }, cursor: 'c' }, null, { node: [] }], pageInfo: {} } },
      'list',
    );
    expect(page?.records).toEqual([{ n: 0 }]);
    expect(page?.flaws).toEqual([
      '2 of the 3 edges on this page cannot be read',
      'this page of 3 rows does not show whether more follow',
    ]);
  });
});
