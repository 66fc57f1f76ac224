import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { temporaryFolder } from './support/folder.ts';
import { nodes } from './support/nodes.ts';
import { run, runShell } from './support/program.ts';
import { fetchAll, fetchPage, knownIds, type WireRecord } from './support/wire.ts';

/** Fees are a record a party in CSV, and one where nobody is named. */
const partiesOf = ({ feesPaidPerParty: paid }: WireRecord): readonly WireRecord[] =>
  paid.length === 0 ? [null] : paid;

describe.each(nodes)('Commands on $name', ({ start }) => {
  it('The commands list as many provisions as the store has', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    const rows = await fetchAll(node.url, 'provisions', { marketId: market, live: 'true' });
    const { code, stdout, stderr } = await runShell(
      `blockglass list provisions --node ${node.url} --market-id ${market} --live -o ndjson --all | wc -l`,
    );
    // A node without the list of what stands is asked for the other one, which is said.
    expect(stderr).toMatch(/^(?:note: for an amended provision this node lists only the pending version, .*\n)?$/);
    expect([code, Number(stdout)]).toEqual([0, rows.length]);
    const versions = await fetchAll(node.url, 'provisions', { marketId: market });
    const paged = await run([
      'list',
      'provisions',
      '--node',
      node.url,
      '--market-id',
      market,
      '--page-size',
      '20',
      '--all',
      '-o',
      'ndjson',
    ]);
    const ids = paged.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).id);
    expect(ids).toEqual(versions.map(record => record.id));
  });

  it.each(['parameters', 'fees', 'bundles', 'oracles'] as const)(
    'The commands list every row of %s in every format',
    async list => {
      await using node = await start();
      const rows = await fetchAll(node.url, list);
      const lines = async (format: string) => {
        const { code, stdout } = await run(['list', list, '--node', node.url, '--all', '-o', format]);
        expect(code).toBe(0);
        return stdout;
      };
      const ndjson = await lines('ndjson');
      expect(
        ndjson
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line)),
      ).toEqual(rows);
      expect(JSON.parse(await lines('json'))).toEqual(rows);
      const records = list === 'fees' ? rows.flatMap(partiesOf) : rows;
      expect(readCsv(await lines('csv'))).toHaveLength(records.length + 1);
      expect((await lines('table')).trimEnd().split('\n')).toHaveLength(rows.length + 1);
    },
  );

  it('The commands end cleanly when nobody reads on', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    const { code, stdout, stderr } = await runShell(
      `blockglass list provisions --node ${node.url} --market-id ${market} --page-size 10 --all -o ndjson | head -1`,
    );
    expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 });
  });

  it('The commands write CSV by RFC 4180, with values as the node sent them', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    const rows = await fetchAll(node.url, 'provisions', { marketId: market });
    const { stdout } = await run([
      'list',
      'provisions',
      '--node',
      node.url,
      '--market-id',
      market,
      '--all',
      '-o',
      'csv',
    ]);
    expect(stdout.endsWith('\r\n')).toBe(true);
    const [heading = [], ...records] = readCsv(stdout);
    const column = heading.indexOf('reference');
    expect(new Set(records.map(record => record.length))).toEqual(new Set([heading.length]));
    expect(records.map(record => record[column])).toEqual(rows.map(row => row.reference ?? ''));
  });

  it('The commands show a record by its key and by its number, and exit with 3 for unknown ones', async () => {
    await using node = await start();
    const { records } = await fetchPage(node.url, 'parameters', { 'pagination.first': '50' });
    const byNumber = await run(['show', 'parameters', '3', '--node', node.url, '-o', 'json']);
    expect(JSON.parse(byNumber.stdout)).toEqual(records[3]);
    const byKey = await run(['show', 'parameters', records[7].key, '--node', node.url]);
    expect(byKey.stdout).toContain(records[7].key);
    expect(byKey.stdout).toContain(records[7].value);
    const unknown = await run(['show', 'parameters', 'no.such.parameter', '--node', node.url]);
    expect(unknown).toMatchObject({ code: 3, stdout: '' });
    expect(unknown.stderr).toContain('matches "no.such.parameter" in the');
  });

  it('The commands export to a file and print its path', async () => {
    await using node = await start();
    await using folder = await temporaryFolder();
    const args = ['export', '--node', node.url, '--table', node.exportTable, '--from', '1', '--to', '2000'];
    const { code, stdout } = await run([...args, '--out', folder.path]);
    expect(code).toBe(0);
    // The names of its chain stand beside it.
    const [name = ''] = (await folder.files()).filter(file => file.endsWith('.zip'));
    expect(stdout).toBe(`${join(folder.path, name)}\n`);
    const again = await run([...args, '--out', stdout.trim()]);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('exists');
    expect((await readFile(stdout.trim())).subarray(0, 2).toString()).toBe('PK');
    const wrong = await run(['export', '--node', node.url, '--table', node.exportTable, '--from', '5', '--to', '2000']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/segments begin at 1 and 1001, not at 5/);
  });

  it('The commands exit with 2 for a wrong call and 3 for a refusal', async () => {
    await using node = await start();
    expect(await run(['list', 'nothing', '--node', node.url])).toMatchObject({ code: 2, stdout: '' });
    expect(await run(['list', 'fees', '--node', node.url, '--epoch-seq', 'x'])).toMatchObject({ code: 2, stdout: '' });
    const refused = await run(['list', 'bundles', '--node', node.url, '--after', 'bm90IGEgY3Vyc29y']);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('HTTP');
  });
});

describe('Exact digits of a command', () => {
  it.each(['ndjson', 'json'])('A command prints the exact digits of a bare number in %s', async format => {
    await using node = await startStrictNode();
    const { stdout } = await run(['list', 'provisions', '--node', node.url, '--first', '1', '-o', format]);
    expect(stdout).toMatch(/"version": ?9007199254740993\b/);
    expect(stdout).toContain('"340282366920938463463374607431768211455"');
    const shown = await run(['show', 'provisions', node.ids.exactProvision, '--node', node.url, '-o', format]);
    expect(shown.stdout).toMatch(/"version": ?9007199254740993\b/);
    const specs = await run(['list', 'oracles', '--node', node.url, '-o', format]);
    expect(specs.stdout).toMatch(/"scale": ?18446744073709551615\b/);
    expect(specs.stdout).toMatch(/\[\s*9007199254740993\b/);
  });
});

describe('Embedded node of the program', () => {
  it('The embedded node has history segments without a gap', async () => {
    const { code, stdout } = await run(['segments', '--demo', '-o', 'json']);
    expect(code).toBe(0);
    const segments = JSON.parse(stdout);
    expect(segments).toHaveLength(24);
    expect(segments[0]).toMatchObject({ fromHeight: '1', toHeight: '1000' });
  });

  it('The embedded node runs by itself on a free port, and exits with 130 on a signal', async () => {
    let status = 0;
    const { code, stdout } = await run(['serve', '--port', '0'], {
      during: async process => {
        const url = await process.firstOutput();
        status = (await fetch(`${url}/api/v2/network/parameters`)).status;
        process.kill('SIGTERM');
      },
    });
    expect([status, code]).toEqual([200, 130]);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  });
});

describe('Commands on a node with problems', () => {
  it('A command exits with 4 when nothing listens, and 5 when the answer is a web page', async () => {
    const server = createServer((_, response) => response.end('<html><title>Hello</title></html>')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const page = await run(['list', 'fees', '--node', url]);
    expect(page).toMatchObject({ code: 5, stdout: '' });
    expect(page.stderr).toContain('an HTML page titled "Hello"');
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    const dead = await run(['list', 'fees', '--node', url]);
    expect(dead).toMatchObject({ code: 4, stdout: '' });
    expect(dead.stderr).toContain('nothing is listening there');
  });

  it('A command exits with 130 when it is interrupted while it waits', async () => {
    await using node = await startStrictNode();
    node.hold();
    const { code, stdout } = await run(['list', 'fees', '--node', node.url], {
      during: async process => {
        await node.waitForRequest(({ path }) => path.endsWith('/paidfees'));
        process.kill('SIGINT');
      },
    });
    expect([code, stdout]).toEqual([130, '']);
  });

  it('A command exits with 3 and the sentence when provisions need a market or a party', async () => {
    const { code, stderr } = await run(['list', 'provisions', '--demo']);
    expect(code).toBe(3);
    expect(stderr).toContain('provisions need --market-id or --party-id on this node');
    expect(stderr).toContain('--market-id or --party-id');
  });
});

/** Records of a CSV text by RFC 4180, and nothing more lenient. */
function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
    if (field.lastIndex === text.length) return records;
  }
  throw new Error(`no CSV from ${JSON.stringify(text.slice(field.lastIndex, field.lastIndex + 80))}`);
}
