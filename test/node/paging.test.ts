import { describe, expect, it } from 'vitest';
import { marketId, page, refusal, type WirePage, withNode } from './wire.ts';

const node = withNode();

interface WalkedList {
  readonly name: string;
  readonly path: string;
  readonly wrapper: string;
  readonly filters: () => Promise<Record<string, string>>;
  readonly pageSize: string;
}

const none = async () => ({});

const lists: readonly WalkedList[] = [
  {
    name: 'network parameters',
    path: '/api/v2/network/parameters',
    wrapper: 'networkParameters',
    filters: none,
    pageSize: '37',
  },
  {
    name: 'oracle specs',
    path: '/api/v2/oracle/specs',
    wrapper: 'oracleSpecs',
    filters: none,
    pageSize: '7',
  },
  {
    name: 'signer bundles',
    path: '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
    wrapper: 'bundles',
    filters: none,
    pageSize: '5',
  },
  {
    name: 'all versions of provisions',
    path: '/api/v2/liquidity/provisions',
    wrapper: 'liquidityProvisions',
    filters: async () => ({ marketId: await marketId(node.url) }),
    pageSize: '31',
  },
  {
    name: 'live provisions',
    path: '/api/v2/liquidity/provisions',
    wrapper: 'liquidityProvisions',
    filters: async () => ({ marketId: await marketId(node.url), live: 'true' }),
    pageSize: '4',
  },
];

describe.each(lists)('Paging of the list of $name', ({ path, wrapper, filters, pageSize }) => {
  const read = async (more: Record<string, string>) =>
    page(`${node.url}${path}`, wrapper, { ...(await filters()), ...more });

  describe.each(['true', 'false'])('Paging with newestFirst=%s', newestFirst => {
    const walk = (more: Record<string, string>) => read({ 'pagination.newestFirst': newestFirst, ...more });

    it('A list of the node walked forward in pages has the same rows as fetched whole', async () => {
      const whole = await walk({ 'pagination.first': '5000' });
      const walked = await walkForward(walk, pageSize);
      expect(cursors(walked)).toEqual(cursors([whole]));
      expect(new Set(cursors(walked)).size).toBe(whole.edges.length);
      expect(walked.length).toBeGreaterThan(2);
    });

    it('A list of the node is walked back from its end to its beginning without loss', async () => {
      const whole = await walk({ 'pagination.last': '5000' });
      const walked = await walkBackward(walk, pageSize);
      expect(cursors(walked)).toEqual(cursors([whole]));
      expect(new Set(cursors(walked)).size).toBe(whole.edges.length);
    });

    it('Each page has the cursors of its own first and last rows', async () => {
      for (const { edges, pageInfo } of await walkForward(walk, pageSize)) {
        expect(pageInfo.startCursor).toBe(edges[0]?.cursor);
        expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor);
      }
    });
  });

  it('The first page reports no previous page, and the last page no next one', async () => {
    const walked = await walkForward(read, pageSize);
    expect(walked[0]?.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(walked[1]?.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(walked.at(-1)?.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('A page after the last row is empty and reports a previous page', async () => {
    const { pageInfo } = await read({ 'pagination.first': '5000' });
    const beyond = await read({ 'pagination.first': pageSize, 'pagination.after': pageInfo.endCursor });
    expect(beyond).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: '', endCursor: '' },
    });
  });

  it('A request with last but without before returns the final rows in reading order', async () => {
    const whole = await read({ 'pagination.last': '5000' });
    const tail = await read({ 'pagination.last': '3' });
    expect(cursors([tail])).toEqual(cursors([whole]).slice(-3));
    expect(tail.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('A page has 1000 rows when no size is given', async () => {
    const whole = await read({ 'pagination.first': '5000' });
    expect((await read({})).edges).toEqual(whole.edges.slice(0, 1000));
  });

  it('A page request is refused with both cursors, a size outside 1 to 5000, or a cursor that is not base64', async () => {
    const url = `${node.url}${path}?${new URLSearchParams(await filters())}`;
    const invalid = (inner: string) => [400, 3, 10028, 'invalid pagination', inner];
    const range = invalid('pagination limit must be in range 0-5000');
    expect(await refusal(`${url}&pagination.after=YQ==&pagination.before=YQ==`)).toEqual(
      invalid('cannot set both a before and after cursor'),
    );
    expect(await refusal(`${url}&pagination.first=0`)).toEqual(range);
    expect(await refusal(`${url}&pagination.last=-1`)).toEqual(range);
    expect(await refusal(`${url}&pagination.first=5001`)).toEqual(range);
    expect(await refusal(`${url}&pagination.after=`)).toEqual(
      invalid('failed to decode after cursor: cursor is empty'),
    );
    const notBase64 = 'failed to decode cursor: illegal base64 data at input byte';
    expect(await refusal(`${url}&pagination.before=ab-d`)).toEqual(
      invalid(`failed to decode before cursor: ${notBase64} 2`),
    );
    expect(await refusal(`${url}&pagination.after=YWJjZGU`)).toEqual(
      invalid(`failed to decode after cursor: ${notBase64} 4`),
    );
    // A plus sign that was not percent-encoded arrives as a space.
    expect(await refusal(`${url}&pagination.after=YW+j`)).toEqual(
      invalid(`failed to decode after cursor: ${notBase64} 2`),
    );
  });

  it('The parameter first wins over last and before, and last wins over after', async () => {
    const { pageInfo } = await read({ 'pagination.first': pageSize });
    const cursor = pageInfo.endCursor;
    const plain = await read({ 'pagination.first': '2' });
    expect(await read({ 'pagination.first': '2', 'pagination.last': '3' })).toEqual(plain);
    expect(await read({ 'pagination.first': '2', 'pagination.before': cursor })).toEqual(plain);
    expect(await read({ 'pagination.last': '2', 'pagination.after': cursor })).toEqual(
      await read({ 'pagination.last': '2' }),
    );
  });

  it('A request with only after pages forward by 1000, and with only before backward', async () => {
    const whole = await read({ 'pagination.first': '5000' });
    const second = whole.edges[1]?.cursor ?? '';
    expect(cursors([await read({ 'pagination.after': second })])).toEqual(cursors([whole]).slice(2, 1002));
    const back = await read({ 'pagination.before': second });
    expect(back.edges).toHaveLength(1);
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });
});

describe('Cursor with the wrong content', () => {
  const notJson = Buffer.from('hello').toString('base64');
  const cutShort = Buffer.from('{"vegaTime":').toString('base64');

  it.each([
    ['/api/v2/oracle/specs?x=', 190002, 'failed retrieve data for oracle specs'],
    ['/api/v2/liquidity/provisions?marketId=00', 280001, 'failed to get liquidity provision'],
    ['/api/v2/erc20/multisigcontrol/signer/removed/bundles?x=', 270002, 'failed to get removed multisig events'],
    ['/api/v2/liquidity/paidfees?x=', 10000, 'failed to list paid liquidity fees'],
  ] as const)('A cursor with the wrong content is answered with status 500 for %s', async (path, code, message) => {
    const inner = "parsing cursor: parsing cursor: invalid character 'h' looking for beginning of value";
    const answer = await refusal(`${node.url}${path}&pagination.after=${encodeURIComponent(notJson)}`);
    expect(answer).toEqual([500, 13, code, message, inner]);
    const short = await refusal(`${node.url}${path}&pagination.after=${encodeURIComponent(cutShort)}`);
    expect(short.at(-1)).toBe('parsing cursor: parsing cursor: unexpected end of JSON input');
  });

  it('A cursor of network parameters is only a position in alphabetical order', async () => {
    const cursor = Buffer.from('market.').toString('base64');
    const { edges } = await page(`${node.url}/api/v2/network/parameters`, 'networkParameters', {
      'pagination.after': cursor,
    });
    expect(edges[0]?.node.key).toBe('market.auction.maximumDuration');
  });
});

describe('Cursor of a row that was removed', () => {
  it('The cursor of a removed row costs one row when a full page follows, as on deployed nodes', async () => {
    const read = (more: Record<string, string>) =>
      page(`${node.url}/api/v2/network/parameters`, 'networkParameters', more);
    const gone = Buffer.from('a').toString('base64');
    const whole = await read({});
    const skipped = await read({ 'pagination.first': '3', 'pagination.after': gone });
    expect(cursors([skipped])).toEqual(cursors([whole]).slice(1, 4));
    const all = await read({ 'pagination.after': gone });
    expect(all.edges).toHaveLength(whole.edges.length);
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });
});

type Read = (more: Record<string, string>) => Promise<WirePage>;

async function walkForward(read: Read, pageSize: string): Promise<readonly WirePage[]> {
  const pages = [await read({ 'pagination.first': pageSize })];
  for (let last = pages.at(-1); last?.pageInfo.hasNextPage; last = pages.at(-1)) {
    pages.push(await read({ 'pagination.first': pageSize, 'pagination.after': last.pageInfo.endCursor }));
  }
  return pages;
}

async function walkBackward(read: Read, pageSize: string): Promise<readonly WirePage[]> {
  const pages = [await read({ 'pagination.last': pageSize })];
  for (let first = pages[0]; first?.pageInfo.hasPreviousPage; first = pages[0]) {
    pages.unshift(await read({ 'pagination.last': pageSize, 'pagination.before': first.pageInfo.startCursor }));
  }
  return pages;
}

function cursors(pages: readonly WirePage[]): readonly string[] {
  return pages.flatMap(({ edges }) => edges.map(({ cursor }) => cursor));
}
