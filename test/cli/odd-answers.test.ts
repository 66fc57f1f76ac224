import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/chain/api/json.ts';
import { NO_NAMES } from '../../src/chain/directory/directory.ts';
import { resourceById } from '../../src/chain/resources/registry.ts';
import { setAllFolds, treeLines } from '../../src/explorer/screens/browse/record/inspector.ts';
import { objectOf } from '../chain/resources/full-records.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

const inspectorOf = (row: JsonObject) =>
  ({
    row,
    around: { filters: {}, rows: [row] },
    receivedAtMs: 0,
    cursor: 0,
    top: 0,
    folds: {},
    find: '',
    names: NO_NAMES,
    isRaw: false,
    meaning: { status: 'none' },
    columns: 0,
  }) as const;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that answers every request with these bytes; its address. */
async function answering(bytes: string): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  closing.push(() => server.close());
  return urlOf(server);
}

const json = (body: string): string =>
  `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

const record = (levels: number, opening: string, ending: string): string =>
  `{"key":"k","value":"v","deep":${opening.repeat(levels)}1${ending.repeat(levels)}}`;

const page = (node: string): string =>
  json(
    `{"networkParameters":{"edges":[{"cursor":"a","node":${node}}],"pageInfo":{"endCursor":"a","hasNextPage":false}}}`,
  );

const SHAPES = [
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
] as const;
const CALLS = ['table', 'json', 'ndjson', 'csv'].flatMap(format => [
  ['list', 'parameters', '-o', format],
  ['show', 'parameters', 'k', '-o', format],
]);

describe.each(SHAPES)('Deeply nested record of %s', (_, opening, ending) => {
  it('A record nested 100,000 levels deep ends every command with 5 and one sentence', async () => {
    const url = await answering(page(record(100_000, opening, ending)));
    for (const words of CALLS) {
      const { code, out, err } = await run([...words, '--node', url]);
      expect([code, out], words.join(' ')).toEqual([5, '']);
      expect(err.split('\n').filter(line => line.startsWith('blockglass:')).length).toBe(1);
      expect(err).toContain('levels deep');
    }
  });

  it('A record at the nesting limit is printed in every format and can be unfolded', async () => {
    // Page, list, edge and record lie around it.
    const text = record(1000 - 6, opening, ending);
    const url = await answering(page(text));
    for (const words of CALLS) {
      const { code, err } = await run([...words, '--node', url]);
      expect(code, `${words.join(' ')}: ${err}`).toBe(0);
    }
    const resource = resourceById('parameters');
    if (resource === undefined) throw new Error('no parameters');
    expect(treeLines(resource, setAllFolds(resource, inspectorOf(objectOf(text)), true)).length).toBeGreaterThan(60);
  });

  it('A text with 100,000 nested levels inside is shown as that text', async () => {
    const inner = JSON.stringify(`${opening.repeat(100_000)}1${ending.repeat(100_000)}`);
    const url = await answering(page(`{"key":"k","value":${inner}}`));
    for (const words of CALLS) expect((await run([...words, '--node', url])).code, words.join(' ')).toBe(0);
  });
});

describe('Fields with inherited names', () => {
  it('A field named like an inherited member folds and unfolds like others', () => {
    const resource = resourceById('parameters');
    if (resource === undefined) throw new Error('no parameters');
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    const text = `{"key":"k","value":"v",${names.map(name => `"${name}":{"in":{"side":1}}`).join(',')}}`;
    const folded = setAllFolds(resource, inspectorOf(objectOf(text)), false);
    expect(treeLines(resource, folded).filter(({ isOpen }) => isOpen)).toEqual([]);
    const lines = treeLines(resource, setAllFolds(resource, folded, true));
    for (const name of names) expect(lines.find(({ node }) => node.path === name)?.isOpen, name).toBe(true);
    expect(lines.filter(({ node }) => node.label === 'side').length).toBe(names.length);
  });
});

describe('Malformed header', () => {
  it.each([
    ['an escape in its value', 'x-note: \u001b]0;pwned\u0007'],
    ['an escape in its name', 'x-\u001b[31m: a'],
    ['an 8-bit escape', 'content-type: \u009b31m'],
    ['no colon', 'nothing'],
    ['a NUL', 'x-note: a\u0000b'],
  ])('A malformed header ends with one sentence and no raw control characters: %s', async (_, header) => {
    const url = await answering(`HTTP/1.1 200 OK\r\n${header}\r\ncontent-length: 2\r\n\r\n{}`);
    const { code, out, err } = await run(['list', 'parameters', '--node', url]);
    expect([code, out]).toEqual([5, '']);
    expect(err.split('\n').filter(line => line.startsWith('blockglass:')).length).toBe(1);
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('An escape in the status line is not printed raw', async () => {
    const url = await answering('HTTP/1.1 500 \u001b]0;pwned\u0007\r\ncontent-length: 0\r\n\r\n');
    const { code, err } = await run(['list', 'parameters', '--node', url]);
    expect([3, 5]).toContain(code);
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});
