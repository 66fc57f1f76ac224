import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSink } from '../../src/cli/sink.ts';
import { urlOf } from '../support/loopback.ts';
import { type StrictNode, startStrictNode } from '../support/strict-node.ts';
import { run, TextStream } from './run-command.ts';

let node: StrictNode;
beforeAll(async () => {
  node = await startStrictNode();
});
afterAll(() => node.close());

const list = (...words: readonly string[]) => run(['list', ...words, '--node', node.url]);
const show = (...words: readonly string[]) => run(['show', ...words, '--node', node.url]);
/** A node that answers everything with this body; its address. */
async function answering(body: string, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return urlOf(server);
}

const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

describe('list', () => {
  it('`list` prints one page and how to get the next one', async () => {
    const first = await list('parameters', '--page-size', '12', '-o', 'ndjson');
    expect(first.code).toBe(0);
    expect(lines(first.out).length).toBe(12);
    const [, after = ''] = /--after (\S+)/.exec(first.err) ?? [];
    expect(first.err).toContain('12 rows\n');
    const second = await list('parameters', '--page-size', '12', '--after', after, '-o', 'ndjson');
    expect(second.err).toContain('previous page: --before');
    expect(lines(second.out)[0]).not.toBe(lines(first.out)[0]);
  });

  it('`list --all` prints every row of the node, page by page', async () => {
    const before = node.requests.length;
    const { out, code } = await list('provisions', '--live=false', '--all', '--page-size', '100', '-o', 'ndjson');
    expect(code).toBe(0);
    expect(lines(out).length).toBe(node.rows.provisionsNotLive);
    expect(node.requests.length - before).toBe(Math.ceil(node.rows.provisionsNotLive / 100));
  });

  it('`list --all` requests rows that can move in one page, if they fit and the node has that list', async () => {
    const before = node.requests.length;
    const { out, code } = await list('provisions', '--live', '--all', '-o', 'ndjson');
    expect(code).toBe(0);
    expect(lines(out).length).toBe(node.rows.provisions);
    expect(node.requests.length - before).toBe(2);
  });

  it('`list --all` over several pages prints rows that can move once each, and checks the first page again', async () => {
    const before = node.requests.length;
    const { out, code, err } = await list('provisions', '--live', '--all', '--page-size', '1000', '-o', 'ndjson');
    const note = 'note: for an amended provision this node lists only the pending version, not the current one\n';
    expect([code, err]).toEqual([0, note]);
    expect(new Set(lines(out)).size).toBe(node.rows.provisions);
    expect(lines(out).length).toBe(node.rows.provisions);
    expect(node.requests.length - before).toBe(5);
  });

  it('`list --first` prints exactly that many rows', async () => {
    expect(lines((await list('provisions', '--live', '--first', '1500', '-o', 'ndjson')).out).length).toBe(1500);
    expect(lines((await list('bundles', '--first', '1', '-o', 'ndjson')).out).length).toBe(1);
    expect(lines((await list('bundles', '--first', '999', '-o', 'ndjson')).out).length).toBe(node.rows.bundles);
  });

  it('`list` keeps every digit of a bare number', async () => {
    const { out } = await list('provisions', '--live', '--first', '1', '-o', 'ndjson');
    expect(out).toContain('"version":9007199254740993');
    expect((await list('provisions', '--live', '--first', '1', '-o', 'csv')).out).toContain(',9007199254740993,');
  });

  it('`list` prints each resource in each format', async () => {
    for (const resource of ['parameters', 'provisions', 'fees', 'bundles', 'oracles']) {
      for (const format of ['table', 'json', 'ndjson', 'csv']) {
        const { code, out } = await list(resource, '-o', format);
        expect(code, `${resource} ${format}`).toBe(0);
        expect(out.length, `${resource} ${format}`).toBeGreaterThan(100);
      }
    }
  });

  it.each([
    [['parameters', '--all', '--first', '3'], '--all and --first cannot be used together'],
    [['parameters', '--all', '--last', '3'], '--all and --first cannot be used with --before or --last'],
    [[], 'missing argument <resource>: one of parameters, provisions, fees, bundles, oracles'],
    [['parameters', '--first', '0'], /--first must be a whole number from 1 to/],
    [['parameters', '--page-size', '5001'], '--page-size must be a whole number from 1 to 5000, not "5001"'],
  ])('`list` reports %j as a usage error', async (words, sentence) => {
    const { code, out, err } = await list(...words);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(sentence);
  });

  it('`list` offers no cursor that would not work in its displayed form', async () => {
    const cursor = 'a\u001b]0;x\u0007';
    const edges = [{ node: { key: 'k', value: 'v' }, cursor }];
    const info = { hasNextPage: true, hasPreviousPage: false, startCursor: cursor, endCursor: cursor };
    const url = await answering(JSON.stringify({ networkParameters: { edges, pageInfo: info } }));
    const { err, code } = await run(['list', 'parameters', '--node', url]);
    expect(code).toBe(0);
    expect(err).toBe('1 row\nthere are more rows. Use --all: the cursor contains characters that cannot be pasted.\n');
  });

  it('`list` prints the message of a refusal only once', async () => {
    const url = await answering('<html><title>Bad gateway</title></html>', 502);
    const { err } = await run(['list', 'parameters', '--node', url]);
    expect(err.match(/Bad gateway/g)?.length).toBe(1);
  });

  it('`list` prints the error message of the node and exits with 3', async () => {
    node.failNext({ status: 500, body: '{"code":13,"message":"Internal\\u001b[2J error","details":[]}' });
    const { code, out, err } = await list('parameters');
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^blockglass: HTTP 500: Internal␛\[2J error\n/);
    expect(err).toContain('  try: ');
  });

  it('`list` suggests the flags first if the node demands a market or a party', async () => {
    const inner = 'partyID: , marketID: , reference: : market or party filters are required';
    node.failNext({
      status: 500,
      body: JSON.stringify({
        code: 13,
        message: 'Internal error',
        details: [{ code: 280001, message: 'failed', inner }],
      }),
    });
    const { code, err } = await list('provisions');
    expect(code).toBe(3);
    expect(err.replace(/at http.*/, 'at URL')).toBe(
      [
        'blockglass: provisions need --market-id or --party-id on this node',
        '  try: add --market-id ID to this command; blockglass list markets has the ids',
        '  the node replied: HTTP 500: Internal error',
        `  failed: ${inner} (code 280001)`,
        '  Internal error (code 13)',
        '  at URL',
        '',
      ].join('\n'),
    );
  });

  it('`list` exits with 5 if the response is not a page, and with 4 if nothing listens', async () => {
    node.failNext({ status: 200, body: '<html><title>Welcome</title>' });
    expect((await list('parameters')).code).toBe(5);
    node.failNext({ status: 200, body: '{"other":{}}' });
    expect(await list('parameters')).toMatchObject({ code: 5, err: expect.stringContaining('no "networkParameters"') });
    expect((await run(['list', 'parameters', '--node', 'http://127.0.0.1:1'])).code).toBe(4);
  });

  it('`list` exits with 130 when it is interrupted', async () => {
    const abort = new AbortController();
    const release = node.hold();
    const ran = run(['list', 'parameters', '--node', node.url], { signal: abort.signal });
    await node.waitForRequest(() => true, { from: node.requests.length });
    abort.abort();
    release();
    expect(await ran).toMatchObject({ code: 130, out: '' });
  });

  it('`list` never writes a control character from the node to stderr', async () => {
    const cursor = "\u001b[2J' ; rm -rf ~ #";
    node.failNext({
      status: 200,
      body: JSON.stringify({
        networkParameters: { edges: [], pageInfo: { endCursor: cursor, startCursor: cursor, hasNextPage: true } },
      }),
    });
    const { err } = await list('parameters');
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('`list` never writes a control character from the node to a terminal, in any format', async () => {
    for (const format of ['table', 'json', 'ndjson', 'csv']) {
      const stdout = new TextStream(true);
      const words = ['list', 'provisions', '--live', '--first', '2', '-o', format, '--node', node.url];
      await run(words, { stdout: createSink(stdout) });
      expect(stdout.text.replaceAll(/\r?\n/g, ''), format).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });
});

describe('show', () => {
  it('`show` prints every section of the record with this key', async () => {
    const { code, out } = await show('provisions', node.ids.exactProvision, '--live', '--raw');
    expect(code).toBe(0);
    expect(out).toMatch(/^Commitment\n {2}status /);
    for (const part of ['Identity', 'Times', 'Orders', node.ids.exactProvision]) expect(out).toContain(part);
    expect(out.replaceAll(' ', '')).toContain('version9007199254740993');
  });

  it('`show` explains a bare number like a quoted one', async () => {
    const { out } = await show('provisions', node.ids.exactProvision, '--live');
    expect(out).toContain('2023-11-14 22:13:20.123456789 UTC');
  });

  it('`show` never claims to have searched the whole list if it searched a part of it', async () => {
    const [first = ''] = lines((await list('parameters', '-o', 'ndjson')).out).map(line => JSON.parse(line).key);
    const [, after = ''] = /--after (\S+)/.exec((await list('parameters', '--page-size', '2')).err) ?? [];
    const none = `no network parameter matches "${first}" in the`;
    expect((await show('parameters', first, '--last', '2')).err).toContain(
      `${none} 2 rows searched on the last page\n`,
    );
    expect((await show('parameters', first, '--after', after)).err).toMatch(/\d+ rows searched after this cursor\n/);
    expect((await show('parameters', first, '--before', after)).code).toBe(0);
    expect((await show('parameters', 'none')).err).toMatch(
      /^blockglass: no network parameter matches "none" in the \d+ rows searched\n {2}list them with: blockglass list parameters --node http:\S+\n$/,
    );
    expect((await show('provisions', 'none', '--live')).err).toMatch(
      /rows? searched with these filters\n.* {2}list them with: blockglass list provisions --live --node http:\S+\n/s,
    );
  });

  it('`show` finds a key on a later page, and the Nth row of a page', async () => {
    const { out } = await list('provisions', '--live', '--all', '-o', 'ndjson');
    const ids = lines(out).map(line => String(JSON.parse(line).id));
    expect((await show('provisions', ids[2100] ?? '', '--live', '-o', 'ndjson')).out).toContain(ids[2100]);
    expect((await show('provisions', '7', '--live', '-o', 'ndjson')).out).toContain(ids[7]);
  });

  it('`show` prints the record exactly, as JSON and as CSV', async () => {
    const words = ['provisions', node.ids.exactProvision, '--live'];
    expect((await show(...words, '-o', 'json')).out).toContain('\n  "version": 9007199254740993');
    expect((await show(...words, '-o', 'csv')).out.split('\r\n').length).toBe(3);
  });

  it.each([
    [
      ['parameters'],
      2,
      'missing argument <key>: the key of a network parameter, or a row number (0 = first row). Usage: blockglass show parameters <key>',
    ],
    [['parameters', 'no.such.key'], 3, 'no network parameter matches "no.such.key" in the'],
    [['parameters', '4999'], 3, 'no row 4999 on this page. Row 0 is the first.'],
  ])('`show` with %j exits with %i', async (words, code, sentence) => {
    expect(await show(...words)).toMatchObject({ code, out: '', err: expect.stringContaining(sentence) });
  });
});

describe('Program', () => {
  it('The program has a help for itself and for each command, and a version', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    const { out: help } = await run(['--help']);
    expect(help).toMatch(/^blockglass - /);
    for (const command of ['list', 'show', 'segments', 'export', 'serve']) {
      const { code, out } = await run([command, '--help']);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^blockglass ${command}\\b`));
    }
  });

  it.each(['nothing', 'toString', '__proto__'])('The program rejects the unknown command %s', async name => {
    expect(await run([name])).toMatchObject({ code: 2, err: expect.stringContaining('unknown command') });
  });
});
