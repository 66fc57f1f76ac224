import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN_PAGES } from '../support/broken-pages.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

let answers: (path: string) => unknown = () => ({});
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answers(request.url ?? '')));
});
let url = '';
beforeAll(async () => {
  url = await urlOf(server);
});
afterAll(() => server.close());

const COMMANDS: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['list', ['list', 'parameters', '--page-size', '5']],
  ['list --all', ['list', 'parameters', '--all', '--page-size', '5']],
  ['list --first', ['list', 'parameters', '--first', '2', '--page-size', '5']],
  ['show by key', ['show', 'parameters', 'a', '--page-size', '5']],
  ['show by number', ['show', 'parameters', '0', '--page-size', '5']],
];

describe.each(COMMANDS)('`%s` on a broken page', (name, words) => {
  it.each(BROKEN_PAGES)(
    'The command reports the flaw at $what with the row count, and never claims to have all rows',
    async broken => {
      answers = () => broken.answer;
      const { code, err } = await run([...words, '--node', url]);
      // The record asked for by its key is there, whatever its page lacks.
      expect(code).toBe(name === 'show by key' && (broken.rows ?? 0) > 0 ? 0 : 5);
      expect(err).toContain(broken.says);
      expect(err).not.toContain('all of them');
    },
  );
});

describe('`list` on a broken page', () => {
  const listed = (...words: readonly string[]) =>
    run(['list', 'parameters', '--page-size', '5', '-o', 'ndjson', ...words, '--node', url]);

  it.each(BROKEN_PAGES)('`list` prints the rows that can be read at $what, like the explorer', async broken => {
    answers = () => broken.answer;
    for (const words of [[], ['--all']]) {
      const { code, out } = await listed(...words);
      expect([code, out.split('\n').length - 1]).toEqual([5, broken.rows ?? 0]);
    }
    // What is computed of all rows is not computed of some.
    expect((await listed('--sort', 'key')).out).toBe('');
  });

  const edge = (key: string) => ({ node: { key, value: '1' }, cursor: `c-${key}` });
  const pageOf = (keys: readonly string[], pageInfo: object) => ({
    networkParameters: { edges: keys.map(edge), pageInfo: { hasNextPage: false, hasPreviousPage: false, ...pageInfo } },
  });

  it.each([
    ['both cursors empty', { startCursor: '', endCursor: '' }],
    ['an empty startCursor', { startCursor: '' }],
    ['no cursors', {}],
    ['null for cursors', { startCursor: null, endCursor: null }],
  ])('`list` accepts %s in pageInfo, since each row has its own cursor', async (_, pageInfo) => {
    answers = path =>
      path.includes('after=c-b') ? pageOf(['c'], pageInfo) : pageOf(['a', 'b'], { ...pageInfo, hasNextPage: true });
    const { code, out } = await listed('--all');
    expect([code, out.split('\n').length - 1]).toEqual([0, 3]);
  });

  it('`list` ends at an empty page that returns the cursor it was requested with', async () => {
    answers = path =>
      path.includes('after=')
        ? pageOf([], { startCursor: 'c-b', endCursor: 'c-b', hasPreviousPage: true })
        : pageOf(['a', 'b'], { hasNextPage: true });
    const { code, out } = await listed('--all');
    expect([code, out.split('\n').length - 1]).toEqual([0, 2]);
  });
});

describe('`segments` on a broken response', () => {
  const segment = { fromHeight: '1', toHeight: '1000', databaseVersion: '93', chainId: 'c', historySegmentId: 'Q' };

  it.each([
    [[segment, null], '1 of the 2 segments cannot be read'],
    [[segment, 'junk', 7, [], {}], '4 of the 5 segments cannot be read'],
    [[{ ...segment, toHeight: '0' }, segment], '1 of the 2 segments cannot be read'],
    [[{ ...segment, fromHeight: '-1' }], '1 of the 1 segments cannot be read'],
    [[{ ...segment, fromHeight: '1e3' }], '1 of the 1 segments cannot be read'],
    ['many', 'the answer has no "segments"'],
    [null, 'the answer has no "segments"'],
  ])('`segments` exits with 5 at %j and reports what cannot be read', async (segments, sentence) => {
    answers = () => ({ segments });
    const { code, out, err } = await run(['segments', '--node', url]);
    expect([code, out]).toEqual([5, '']);
    expect(err).toContain(sentence);
  });
});

describe('`list --all` over broken pages', () => {
  const edge = (key: string) => ({ node: { key, value: '1' }, cursor: `c-${key}` });
  const answer = (keys: readonly string[], endCursor: string) => ({
    networkParameters: {
      edges: keys.map((key, index) => ({ ...edge(key), ...(index === keys.length - 1 && { cursor: endCursor }) })),
      pageInfo: {
        startCursor: keys.length === 0 ? '' : `c-${keys[0]}`,
        endCursor,
        hasNextPage: true,
        hasPreviousPage: false,
      },
    },
  });
  const all = () => run(['list', 'parameters', '--all', '--page-size', '2', '-o', 'ndjson', '--node', url]);

  it('`list --all` exits with 5 at repeated rows under a new cursor, and counts the rows that were read', async () => {
    let count = 0;
    answers = () => answer(['a', 'b'], `moving ${count++}`);
    const { code, out, err } = await all();
    expect([code, out.split('\n').length - 1]).toEqual([5, 2]);
    expect(err).toContain('the same rows again under another cursor');
    expect(err).toContain('2 rows were read as the node sent them');
  });

  it('`list --all` exits with 5 in a cycle of pages whose cursors are always new', async () => {
    let count = 0;
    answers = () => answer(count % 3 === 0 ? ['a', 'b'] : [`x${count % 3}`, 'y'], `moving ${count++}`);
    const { code, out } = await all();
    expect([code, out.split('\n').length - 1]).toEqual([5, 6]);
  });

  it('`list --all` exits with 5 at the first of endless empty pages', async () => {
    let count = 0;
    answers = () => answer([], `moving ${count++}`);
    expect((await all()).code).toBe(5);
    expect(count).toBe(1);
  });
});

describe('Page too large for the node', () => {
  const tooLarge = '{"code":8,"message":"grpc: received message larger than max (30000000 vs. 20971520)","details":[]}';
  const keys = Array.from({ length: 9 }, (_, index) => `key ${index}`);

  it.each([
    [['--all', '--page-size', '8'], 9],
    [['--page-size', '8'], 2],
    [['--first', '7', '--page-size', '8'], 7],
  ])('A page too large for the node is halved until it passes, and reported once, with %j', async (words, rows) => {
    const asked: number[] = [];
    const node = createServer((request, response) => {
      const { searchParams } = new URL(`http://n${request.url}`);
      const size = Number(searchParams.get('pagination.first'));
      asked.push(size);
      const start = Number(searchParams.get('pagination.after') ?? -1) + 1;
      const page = keys
        .slice(start, start + size)
        .map((key, index) => ({ node: { key }, cursor: String(start + index) }));
      const pageInfo = { endCursor: String(start + page.length - 1), hasNextPage: start + size < keys.length };
      response.statusCode = size > 2 ? 429 : 200;
      response.end(size > 2 ? tooLarge : JSON.stringify({ networkParameters: { edges: page, pageInfo } }));
    });
    const ran = await run(['list', 'parameters', ...words, '-o', 'ndjson', '--node', await urlOf(node)]);
    node.close();
    expect([ran.code, ran.out.split('\n').length - 1]).toEqual([0, rows]);
    expect(asked.slice(0, 3)).toEqual([8, 4, 2]);
    expect(asked.slice(3).every(size => size === 2)).toBe(true);
    expect(ran.err.match(/too large for this node: asking for 2 at a time/g)?.length).toBe(1);
  });
});
