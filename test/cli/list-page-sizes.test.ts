import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson, printJson } from '../../src/api/json.ts';
import { startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

let node: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  node = await startNode({ port: 0, seed: 'page sizes', rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

const list = (...words: readonly string[]) => run(['list', ...words, '--node', node.url]);

const rowsOf = (out: string): readonly string[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map(line => printJson(parseJson(line)));

describe('what is found of a list', () => {
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
  ])('is the same however small its pages are: %s %s %s', async (...words) => {
    const whole = await list(...words, '-o', 'ndjson');
    const parts = await list(...words, '-o', 'ndjson', '--all', '--page-size', '3');
    expect([whole.code, parts.code]).toEqual([0, 0]);
    expect(rowsOf(parts.out)).toEqual(rowsOf(whole.out));
    expect(rowsOf(whole.out).length).toBeGreaterThan(0);
  });

  it.each([
    ['fees', '--freq', 'market'],
    ['fees', '--sum', 'total'],
    ['parameters', '--freq', 'words'],
  ])('is counted and added up the same however small its pages are: %s %s %s', async (...words) => {
    const whole = await list(...words, '-o', 'json');
    const parts = await list(...words, '-o', 'json', '--all', '--page-size', '37');
    expect([whole.code, parts.code]).toEqual([0, 0]);
    expect(parseJson(parts.out)).toEqual(parseJson(whole.out));
  });
});
