import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson, printJson } from '../../src/chain/api/json.ts';
import { startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

let node: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  node = await startNode({ port: 0, seed: 'page sizes', rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

const list = (...words: readonly string[]) => run(['list', ...words, '--node', node.url]);

/** What the list prints as a whole, and put together of pages of this size. */
async function bothWays(size: string, ...words: readonly string[]) {
  const [whole, parts] = [await list(...words), await list(...words, '--all', '--page-size', size)];
  expect([whole.code, parts.code]).toEqual([0, 0]);
  return [whole.out, parts.out] as const;
}

const rowsOf = (out: string): readonly string[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map(line => printJson(parseJson(line)));

describe('List results and page size', () => {
  it.each([
    ['parameters', '--find', 'VEGA'],
    ['parameters', '--find', 'min'],
    ['parameters', '--where', 'words>10'],
    ['parameters', '--where', 'words~min'],
    ['parameters', '--where', 'words>1h'],
    ['markets', '--find', 'active'],
    ['markets', '--where', 'state=ACTIVE'],
    ['fees', '--find', 'USD'],
    ['fees', '--where', 'epoch>1'],
    ['oracles', '--find', 'active'],
  ])('The matches of a list are the same for any page size: %s %s %s', async (...words) => {
    const [whole, parts] = (await bothWays('3', ...words, '-o', 'ndjson')).map(rowsOf);
    expect(parts).toEqual(whole);
    expect(whole).not.toEqual([]);
  });

  it.each([
    ['fees', '--freq', 'market'],
    ['fees', '--sum', 'total'],
    ['parameters', '--freq', 'words'],
  ])('The counts and sums of a list are the same for any page size: %s %s %s', async (...words) => {
    const [whole, parts] = await bothWays('37', ...words, '-o', 'json');
    expect(parseJson(parts)).toEqual(parseJson(whole));
  });
});
