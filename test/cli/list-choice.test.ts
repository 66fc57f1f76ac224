import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isJsonArray, isJsonObject, type Json, parseJson } from '../../src/chain/api/json.ts';
import { createSink } from '../../src/cli/sink.ts';
import { startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { type StrictNode, startStrictNode } from '../support/strict-node.ts';
import { run, TextStream } from './run-command.ts';

let node: StrictNode;
let demo: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  node = await startStrictNode();
  demo = await startNode({ port: 0, seed: 'choice', rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(async () => {
  await node.close();
  await demo.close();
});

const list = (...words: readonly string[]) => run(['list', ...words, '--node', node.url]);
const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** The address of a node whose parameters these are, a page each. */
async function withParameters(...pages: readonly (readonly (readonly [key: string, value: string])[])[]) {
  const server = createServer(({ url = '' }, response) => {
    const number = Number(/after=p(\d+)/.exec(url)?.[1] ?? 0);
    const rows = pages[number] ?? [];
    const edges = rows.map(([key, value], index) => ({
      node: { key, value },
      cursor: index === rows.length - 1 ? `p${number + 1}` : `${number}.${index}`,
    }));
    const [startCursor, endCursor] = [edges[0]?.cursor ?? '', edges.at(-1)?.cursor ?? ''];
    const pageInfo = { hasNextPage: number + 1 < pages.length, startCursor, endCursor };
    if (!url.includes('network/parameters')) return response.writeHead(404).end('{"code":5,"message":"Not Found"}');
    return response.end(JSON.stringify({ networkParameters: { edges, pageInfo } }));
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return urlOf(server);
}

describe('list --find', () => {
  it('`list --find` searches the whole list, however far down a record is, and says so', async () => {
    const [id = ''] = lines((await list('provisions', '--live', '--all', '-o', 'ndjson')).out)
      .slice(-1)
      .map(line => String(JSON.parse(line).id));
    for (const format of ['table', 'json', 'ndjson', 'csv']) {
      const { code, out, err } = await list('provisions', '--live', '--find', id.toUpperCase(), '-o', format);
      expect([code, out.includes(id)], format).toEqual([0, true]);
      expect(err).toMatch(/^1 of [2-9] \d{3} rows match, all that the node lists with these filters\n/m);
    }
  });

  it('`list --find` reports a search in only a part of the list, and how to search further', async () => {
    const { total, key } = await first();
    const find = (...words: readonly string[]) => list('parameters', '--find', key, '-o', 'ndjson', ...words);
    expect((await find('--first', '5')).err).toContain('of the first 5 rows match; --all reads every row\n');
    expect((await find('--page-size', '5')).err).toContain('of the first 5 rows match; --all reads every row\n');
    expect((await find('--last', '5')).err).toContain('of the last 5 rows match; --all reads every row\n');
    const [, after = ''] = /--after (\S+)/.exec((await list('parameters', '--page-size', '2')).err) ?? [];
    expect((await find('--after', after, '--page-size', '3')).err).toContain('of the 3 rows after the cursor match; ');
    expect((await find('--after', after, '--all')).err).toContain(
      ' rows after the cursor match, to the end of the list\n',
    );
    expect((await find('--first', '100000')).err).toContain(`of ${total} rows match, whole list\n`);
    expect((await find('--all')).err).toContain(`of ${total} rows match, whole list\n`);
  });

  it('`list --find` prints only a heading if nothing matches, and succeeds', async () => {
    expect(await list('parameters', '--find', 'no such text', '-o', 'csv')).toMatchObject({ code: 0 });
    expect((await list('parameters', '--find', 'no such text', '-o', 'json')).out).toBe('[]\n');
    expect((await list('parameters', '--find', 'no such text', '-o', 'ndjson')).out).toBe('');
    expect(lines((await list('parameters', '--find', 'no such text')).out).length).toBe(1);
    expect((await list('parameters', '--find', 'no such text')).err).toMatch(/^0 of \d+ rows match, whole list\n/);
  });

  it('`list --find` sets the column widths for the matches, not for the first page', async () => {
    const url = await withParameters([['a', '1']], [['longer.than.the.first', '2']]);
    const stdout = new TextStream(true);
    await run(['list', 'parameters', '--node', url, '--find', 'longer'], { stdout: createSink(stdout) });
    expect(stdout.text).toContain('longer.than.the.first');
  });

  it('`list --find` finds each oracle spec by every id, address, key and signer in it', async () => {
    const { out } = await run(['list', 'oracles', '--all', '-o', 'ndjson', '--node', demo.url]);
    const wanted = lines(out).flatMap((line, index) =>
      index % 4 === 0 ? [...new Set(hexIn(parseJson(line)))].map(text => [line, text] as const) : [],
    );
    expect(wanted.length).toBeGreaterThan(15);
    for (const [line, text] of wanted) {
      const found = await run(['list', 'oracles', '--find', text, '-o', 'ndjson', '--node', demo.url]);
      expect(lines(found.out), text).toContain(line);
      expect(found.err).toMatch(/of 40 rows match, whole list\n/);
    }
  });

  it('`list --find` matches displayed names and units, unless raw values are requested', async () => {
    const find = (...words: readonly string[]) =>
      run(['list', 'fees', '-o', 'ndjson', '--node', demo.url, '--find', 'USDT', ...words]);
    expect(lines((await find()).out).length).toBeGreaterThan(0);
    expect((await find('--exact')).err).toMatch(/^0 of \d+ rows match, all that the node lists\nnote: /);
  });

  async function first() {
    const rows = lines((await list('parameters', '--all', '-o', 'ndjson')).out);
    return { total: rows.length, key: String(JSON.parse(rows[0] ?? '{}').key) };
  }
});

function hexIn(value: Json): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(hexIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(hexIn);
  return typeof value === 'string' && /^(?:0x)?[0-9a-f]{20,}$/i.test(value) ? [value] : [];
}

it('The progress line is cleared from the terminal when the list ends, also with an error', async () => {
  const url = await withParameters([['a', '1']], [['b', '1']], [['a', '1']]);
  const stderr = new TextStream(true);
  const words = ['list', 'parameters', '--where', 'key~a', '-o', 'ndjson', '--node', url];
  expect(await run(words, { stderr: createSink(stderr) })).toMatchObject({ code: 5 });
  expect(stderr.text).toContain('rows read');
  expect(stderr.text).toMatch(/read\r\u001b\[K[^\r]*blockglass: /);
});

describe('list --where', () => {
  it('`list --where` tests each row, with all conditions on the same row, and counts the rows it cannot test', async () => {
    const url = await withParameters(
      [
        ['a.length', '24h0m0s'],
        ['b.length', '1h0m0s'],
      ],
      [
        ['c.length', '48h0m0s'],
        ['c.text', 'hello'],
        ['c.number', '5'],
      ],
    );
    const where = (...conditions: readonly string[]) =>
      run(['list', 'parameters', '--node', url, '-o', 'csv', ...conditions.flatMap(text => ['--where', text])]);
    const { out, err } = await where('value>=1d');
    expect(out.match(/^\w\.\w+/gm)).toEqual(['a.length', 'c.length']);
    expect(err).toBe('2 of 5 rows match, whole list\nskipped 2 rows: column "value" is not a duration\n');
    expect((await where('value>=1d', 'key~c.')).out.match(/^\w\.\w+/gm)).toEqual(['c.length']);
    expect((await where('value>=1d', 'key=nothing')).out.match(/^\w\.\w+/gm)).toBeNull();
  });

  it('`list --where` compares amounts in units, or in smallest units if they are meant', async () => {
    const where = (...words: readonly string[]) => run(['list', 'fees', '-o', 'csv', '--node', demo.url, ...words]);
    const all = (await where()).out.split('\r\n').slice(1, -1);
    const inUnits = await where('--where', 'total>30', '--sort', 'total');
    const totals = new Set(
      inUnits.out
        .split('\r\n')
        .slice(1, -1)
        .map(line => line.split(',')[4]),
    );
    expect(totals.size).toBeGreaterThan(0);
    for (const total of totals) expect(Number(total)).toBeGreaterThan(30);
    expect(totals.size).toBeLessThan(new Set(all.map(line => line.split(',')[3])).size);
    const raw = await where('--where', 'total>30', '--exact');
    expect(raw.err).toMatch(/^(\d+) of \1 rows match/);
  });

  it('`list --where` reports amounts without a known unit instead of comparing smallest units', async () => {
    const { err } = await list('fees', '--where', 'total>300');
    expect(err).toMatch(
      /^0 of (\d+) rows match.*\nskipped \1 rows: column "total" is not an amount in a known unit; --exact compares smallest units\n/,
    );
  });

  it('`list --where` can compare shares if all provisions of a market are loaded', async () => {
    const { out } = await run(['list', 'markets', '-o', 'ndjson', '--node', demo.url]);
    const ids = lines(out).map(line => String(JSON.parse(line).id));
    const words = (id: string) => ['list', 'provisions', '--market-id', id, '--live', '--node', demo.url];
    let found = 0;
    for (const id of ids) {
      const { out: table, err } = await run([...words(id), '--where', 'share>0', '--page-size', '1000', '--all']);
      expect(err).toMatch(/rows? match, all that the node lists/);
      for (const line of lines(table).slice(1)) expect(line).toMatch(/ \d+\.\d % /);
      found += lines(table).length - 1;
    }
    expect(found).toBeGreaterThan(10);
  });

  it.each([
    [['parameters', '--where', 'valeu=1'], /unknown column "valeu".*did you mean "value"\?/],
    [['parameters', '--where', 'value>'], /has no value: value>24h for example/],
    [['parameters', '--find', '  '], /--find needs some text/],
    [['parameters', '--freq', 'valeu'], /--freq: unknown column "valeu"/],
    [['parameters', '--sum', 'value'], /--sum: column "value" cannot be added up: this list has no column that can/],
    [['provisions', '--sum', 'fee'], /--sum: column "fee" cannot be added up: use commitment, /],
    [['provisions', '--sum', 'commitment', '--freq', 'fee'], /--freq and --sum cannot be used together/],
    [['provisions', '--freq', 'fee', '--sort', 'fee'], /--sort cannot be used with --freq or --sum/],
  ])('`list --where` reports %j as a usage error and contacts no node', async (words, sentence) => {
    const before = node.requests.length;
    expect(await list(...words)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) });
    expect(node.requests.length).toBe(before);
  });
});

describe('list --freq and --sum', () => {
  const figures = (...words: readonly string[]) => run(['list', ...words, '--node', demo.url]);

  it('`list --freq` counts how often each value occurs in the whole list, in each format', async () => {
    const { out, err } = await figures('markets', '--freq', 'asset', '-o', 'json');
    const { column, rows, values } = JSON.parse(out);
    expect([column, values.reduce((sum: number, { count }: { readonly count: number }) => sum + count, 0)]).toEqual([
      'asset',
      rows,
    ]);
    expect(err).toBe(`${values.length} values in ${rows} rows, whole list\n`);
    const csv = (await figures('markets', '--freq', 'asset', '-o', 'csv')).out.split('\r\n');
    expect(csv[0]).toBe('value,shown,count,share');
    expect(csv.length).toBe(values.length + 2);
    const records = lines((await figures('markets', '--freq', 'asset', '-o', 'ndjson')).out).map(line =>
      JSON.parse(line),
    );
    expect(records).toEqual(values);
    const table = (await figures('markets', '--freq', 'asset')).out;
    expect(lines(table).length).toBe(values.length + 1);
    expect(table).toMatch(/ {2}\d+\.\d % {2}━{20}\n/);
  });

  it('`list --sum` adds up amounts exactly, by asset', async () => {
    const { out } = await figures('fees', '--sum', 'total', '-o', 'json');
    const { sums, unsummed } = JSON.parse(out);
    const csv = (await figures('fees', '--all', '-o', 'ndjson')).out;
    const paid = lines(csv).map(line => JSON.parse(line));
    for (const { id, count, sum, symbol } of sums) {
      const alike = paid.filter(({ asset }) => asset === id);
      const whole = alike.reduce((total, { totalFeesPaid }) => total + BigInt(totalFeesPaid), 0n);
      expect([count, symbol.length > 0]).toEqual([alike.length, true]);
      expect(`${whole}`.replace(/0+$/, '')).toBe(sum.replace('.', '').replace(/^0+/, ''));
    }
    expect([sums.length > 1, unsummed]).toEqual([true, 0]);
  });

  it('`list --freq` and `--sum` count only the matches, and report both counts', async () => {
    const { err } = await figures('validators', '--freq', 'status', '--where', 'status=ERSATZ');
    expect(err).toBe('4 of 8 rows match, whole list\n1 value in the 4 rows that match\n');
  });

  it('`list --freq` and `--sum` report that only a part of the list was counted', async () => {
    const { err } = await figures('parameters', '--freq', 'type', '--first', '10');
    expect(err).toMatch(/^\d values? in the first 10 rows; --all reads every row\n$/);
  });

  it('`list --freq` and `--sum` print an empty result for an empty list, in each format', async () => {
    const url = await withParameters([]);
    const empty = (...words: readonly string[]) =>
      run(['list', 'parameters', '--node', url, '--freq', 'key', ...words]);
    expect((await empty()).out).toBe('KEY  COUNT  SHARE\n');
    expect((await empty('-o', 'csv')).out).toBe('value,shown,count,share\r\n');
    expect((await empty('-o', 'ndjson')).out).toBe('');
    expect(JSON.parse((await empty('-o', 'json')).out)).toMatchObject({ rows: 0, values: [] });
    expect((await empty()).err).toBe('0 values in 0 rows, whole list\n');
  });

  it('`list --freq` and `--sum` never write a control character from the node to a terminal', async () => {
    const url = await withParameters([
      ['a\u001b[2J\u202e', 'x\u0007\n'],
      ['a\u001b[2J\u202e', '\ud800'],
    ]);
    for (const words of [
      ['--freq', 'key'],
      ['--freq', 'value'],
      ['--where', 'key~a'],
      ['--find', 'a'],
    ])
      for (const format of ['table', 'json', 'ndjson', 'csv']) {
        const stdout = new TextStream(true);
        const stderr = new TextStream();
        const words_ = ['list', 'parameters', ...words, '-o', format, '--node', url];
        await run(words_, { stdout: createSink(stdout), stderr: createSink(stderr) });
        const written = `${stdout.text}${stderr.text}`.replaceAll(/\r?\n/g, '');
        expect(written, words.join(' ')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }
  });
});
