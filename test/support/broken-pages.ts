/** A page of three parameters, sound but for what a case changes. */
const edge = (key: string) => ({ node: { key, value: '1' }, cursor: `c-${key}` });
const edges = [edge('a'), edge('b'), edge('c')];
const info = { startCursor: 'c-a', endCursor: 'c-c', hasNextPage: false, hasPreviousPage: false };
const page = (part: object) => ({ networkParameters: { edges, pageInfo: info, ...part } });
const withInfo = (part: object) => page({ pageInfo: { ...info, ...part } });

export interface BrokenPage {
  readonly what: string;
  readonly answer: unknown;
  /** The sentence that says it; a count is in it wherever rows came. */
  readonly says: string;
  /** Rows that can be read; none when the answer is no page at all. */
  readonly rows?: number;
}

const NO_EDGES = 'no "networkParameters" with a list of edges';

/** Everything that a page can be but right, asked for with room for five rows. */
export const BROKEN_PAGES: readonly BrokenPage[] = [
  { what: 'edges that are text', answer: page({ edges: 'many' }), says: NO_EDGES },
  { what: 'edges that are an object', answer: page({ edges: { 0: edge('a') } }), says: NO_EDGES },
  { what: 'edges that are null', answer: page({ edges: null }), says: NO_EDGES },
  { what: 'no edges', answer: { networkParameters: { pageInfo: info } }, says: NO_EDGES },
  { what: 'a null edge', answer: page({ edges: [...edges, null] }), says: '1 of the 4 edges on this page', rows: 3 },
  {
    what: 'null nodes',
    answer: page({ edges: [{ node: null, cursor: 'x' }, ...edges, { node: null, cursor: 'y' }] }),
    says: '2 of the 5 edges on this page cannot be read',
    rows: 3,
  },
  {
    what: 'junk for edges',
    answer: page({ edges: [edge('a'), 'junk', 7, [], {}] }),
    says: '4 of the 5 edges on this page cannot be read',
    rows: 1,
  },
  {
    what: 'junk for nodes',
    answer: page({ edges: [edge('a'), { node: 'junk' }, { node: 7 }, { node: [] }] }),
    says: '3 of the 4 edges on this page cannot be read',
    rows: 1,
  },
  {
    what: 'nothing but junk',
    answer: page({ edges: [null, 'junk'] }),
    says: '2 of the 2 edges on this page cannot be read',
    rows: 0,
  },
  {
    what: 'no pageInfo',
    answer: { networkParameters: { edges } },
    says: 'this page of 3 rows does not show whether more follow',
    rows: 3,
  },
  { what: 'pageInfo that is text', answer: page({ pageInfo: 'last' }), says: '3 rows does not show whether', rows: 3 },
  { what: 'hasNextPage as text', answer: withInfo({ hasNextPage: 'true' }), says: '3 rows does not show', rows: 3 },
  { what: 'hasNextPage as a number', answer: withInfo({ hasNextPage: 1 }), says: '3 rows does not show', rows: 3 },
  { what: 'hasNextPage null', answer: withInfo({ hasNextPage: null }), says: '3 rows does not show', rows: 3 },
  {
    what: 'hasPreviousPage as text',
    answer: withInfo({ hasPreviousPage: 'no' }),
    says: '3 rows does not show',
    rows: 3,
  },
  {
    what: 'more to come and no cursor anywhere',
    answer: page({
      edges: [edge('a'), edge('b'), { node: { key: 'c', value: '1' } }],
      pageInfo: { ...info, hasNextPage: true, endCursor: '' },
    }),
    says: 'this page of 3 rows reports more but has no cursor',
    rows: 3,
  },
  {
    what: 'more to come, a null cursor and rows without one',
    answer: page({
      edges: ['a', 'b', 'c'].map(key => ({ node: { key, value: '1' } })),
      pageInfo: { ...info, startCursor: null, hasNextPage: true, endCursor: null },
    }),
    says: 'this page of 3 rows reports more but has no cursor',
    rows: 3,
  },
  {
    what: 'a number for a cursor',
    answer: withInfo({ hasNextPage: true, endCursor: 12 }),
    says: 'a cursor of this page of 3 rows is not text',
    rows: 3,
  },
  {
    what: 'no rows and more to come',
    answer: page({ edges: [], pageInfo: { ...info, hasNextPage: true } }),
    says: 'this page of 0 rows reports more',
    rows: 0,
  },
  {
    what: 'more rows than were asked for',
    answer: page({ edges: ['a', 'b', 'd', 'e', 'f', 'c'].map(edge) }),
    says: '6 rows came, only 5 were requested',
    rows: 6,
  },
  {
    what: 'an end that is not the last row',
    answer: withInfo({ endCursor: 'c-z' }),
    says: 'the endCursor of this page of 3 rows is not the cursor of its last row',
    rows: 3,
  },
  {
    what: 'an end inside of the page',
    answer: withInfo({ endCursor: 'c-b', hasNextPage: true }),
    says: 'the endCursor of this page of 3 rows is not the cursor of its last row',
    rows: 3,
  },
  {
    what: 'a start that is not the first row',
    answer: withInfo({ startCursor: 'c-b' }),
    says: 'the startCursor of this page of 3 rows is not the cursor of its first row',
    rows: 3,
  },
  {
    what: 'the cursor of a row and no rows',
    answer: page({ edges: [] }),
    says: 'this page of 0 rows has the cursor of a row',
    rows: 0,
  },
  {
    what: 'more to come and a last row without a cursor',
    answer: page({
      edges: [edge('a'), edge('b'), { node: { key: 'c', value: '1' } }],
      pageInfo: { ...info, hasNextPage: true },
    }),
    says: 'the last row of this page of 3 rows has no cursor',
    rows: 3,
  },
  {
    what: 'rows before the first page',
    answer: withInfo({ hasPreviousPage: true }),
    says: 'the first page, of 3 rows, claims that rows come before it',
    rows: 3,
  },
];
