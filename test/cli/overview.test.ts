import { createServer, type RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../../src/attention/rules/registry.ts';
import { drawsAscii } from '../../src/cli/charset.ts';
import { overview as command } from '../../src/cli/overview.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { createSink } from '../../src/cli/sink.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { startHostileNode } from '../support/hostile-node.ts';
import { listening } from '../support/loopback.ts';
import { startStrictNode } from '../support/strict-node.ts';
import { deedsOf } from '../support/terminal-judge.ts';
import { hostileStrings } from '../torture/hostile-strings.ts';
import { contextWith, run, TextStream } from './run-command.ts';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serving(handler: RequestListener): Promise<string> {
  const server = await listening(createServer(handler));
  closers.push(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** The demo node, with the requests counted, and some paths left out. */
async function counted(isAbsent: (path: string) => boolean = () => false) {
  const paths: string[] = [];
  const url = await serving(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    paths.push(path);
    if (isAbsent(path)) return void response.writeHead(404).end('{"code":5,"message":"Not Found","details":[]}');
    const answered = await fetch(`${node.url}${request.url}`);
    const headers = Object.fromEntries([...answered.headers].filter(([name]) => /^x-block-|^ratelimit-/.test(name)));
    response.writeHead(answered.status, { 'content-type': 'application/json', ...headers });
    response.end(await answered.text());
  });
  return { url, paths };
}

const overview = (url: string, ...words: readonly string[]) => run(['overview', '--node', url, ...words]);

interface Printed {
  readonly attention: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly sentence: string;
    readonly resource: string | null;
    readonly key: string | null;
  }[];
  readonly requests: number;
}

const printed = (out: string): Printed => JSON.parse(out);

describe('overview', () => {
  it('`overview` prints keys that each show one record', async () => {
    const { out } = await overview(node.url);
    // Nodes list provisions of a market or party alone.
    const keys = [...out.matchAll(/\((bundles|oracles|validators) (\S+)\)$/gm)].map(([, ...words]) => words);
    expect(new Set(keys.map(([resource]) => resource)).size).toBeGreaterThan(1);
    const codes = await Promise.all(
      keys.map(async ([resource = '', key = '']) => (await run(['show', resource, key, '--node', node.url])).code),
    );
    expect(codes).toEqual(keys.map(() => 0));
  });

  it('`overview` prints what scripts rely on, and sends as many requests as it reports', async () => {
    const { url, paths } = await counted();
    const { code, out, err } = await overview(url, '-o', 'json');
    expect([code, err]).toEqual([0, '']);
    const json = JSON.parse(out);
    expect(Object.keys(json)).toEqual([
      'node',
      'epoch',
      'network',
      'fees',
      'attention',
      'checked',
      'mine',
      'changed',
      'requests',
    ]);
    expect(json).toMatchObject({
      node: {
        name: null,
        address: url,
        version: 'v0.74.10',
        chainId: 'demo-chain-1',
        error: null,
        at: expect.any(String),
      },
      epoch: { seq: '42', progress: expect.any(Number), error: null },
      network: { markets: { count: 14, active: 12, error: null }, validators: { count: 8, active: 4 } },
      fees: { epoch: '41', markets: 10, lastEpochsError: null },
      mine: [],
      requests: paths.length,
    });
    expect(json.fees.lastEpochs.epochs).toHaveLength(10);
    expect(json.checked).toHaveLength(RULES.length);
    expect(paths.length).toBeLessThanOrEqual(12);
    for (const { rule, severity, sentence } of printed(out).attention) {
      expect(['critical', 'warning', 'info']).toContain(severity);
      expect([rule, sentence]).toEqual([expect.any(String), expect.stringMatching(/^[\w ]/)]);
    }
  });

  it('`overview` links to records that `show` finds', async () => {
    const { attention } = printed((await overview(node.url, '-o', 'json')).out);
    const found = attention.flatMap(({ resource, key }) =>
      resource === null || key === null ? [] : [[resource, key]],
    );
    expect(found.length).toBeGreaterThan(5);
    for (const [resource = '', key = ''] of found.filter(([resource]) => resource !== 'provisions')) {
      const { code, err } = await run(['show', resource, key, '--node', node.url]);
      expect([resource, key, code, err]).toEqual([resource, key, 0, '']);
    }
  });

  it('`overview` has a line for each part and each finding', async () => {
    const { code, out } = await run(['overview', '--node', node.url], { env: { LANG: 'C.UTF-8' } });
    expect(code).toBe(0);
    const labels = out.split('\n').flatMap(line => /^ {2}(\w+)/.exec(line)?.[1] ?? []);
    expect([...new Set(labels)]).toEqual([
      ...['node', 'history', 'epoch', 'network', 'fees', 'attention', 'critical', 'warning', 'info', 'mine'],
    ]);
    expect(out).toMatch(/critical {2}no consensus validator is rewarded/);
    expect(out).toMatch(/epochs 32 to 41, up to [\d.]+ USDC on .*: [\u2581-\u2588_]{10}\n/);
    expect(out).toMatch(/\n {12}12 requests sent\n$/);
  });

  it('`overview` draws its chart in the characters that the locale, the variable or the setting allows', async () => {
    const drawn = async (env: NodeJS.ProcessEnv, charset?: 'utf-8' | 'ascii') => {
      const settings = async () => (charset === undefined ? {} : { charset });
      const stdout = new TextStream();
      const isAscii = () => drawsAscii({ env, settings });
      await run(['overview', '--node', node.url], { env, settings, stdout: createSink(stdout, { isAscii }) });
      return stdout.text;
    };
    expect(await drawn({ LC_ALL: 'C', LANG: 'en_GB.UTF-8' })).toMatch(
      /epochs 32 to 41, up to [\d.]+ USDC on .*: [_+#]{10}\n/,
    );
    expect(await drawn({ LC_ALL: 'C' })).toMatch(/^[\n\x20-\x7e]+$/);
    expect(await drawn({ LANG: 'C.UTF-8', BLOCKGLASS_CHARSET: 'ascii' })).toMatch(/^[\n\x20-\x7e]+$/);
    expect(await drawn({ LANG: 'C.UTF-8' }, 'ascii')).toMatch(/^[\n\x20-\x7e]+$/);
    expect(await drawn({ LC_ALL: 'C' }, 'utf-8')).toMatch(/[\u2581-\u2588]/);
  });

  it('`overview` compares signatures with the given threshold', async () => {
    const { out } = await overview(node.url, '--threshold', '667', '--signer-count', '8');
    expect(out).toMatch(
      /info .*remove signer Gannet: not enough signatures yet: .*: 5 of 8 signers signed, threshold 667/,
    );
    expect(out).toMatch(/warning .*remove signer Farolito: 3 bundles, for one submitter each: 6 of 8 signers signed/);
    const { code, err } = await overview(node.url, '--signer-count', '8');
    expect([code, err]).toEqual([2, expect.stringMatching(/--signer-count needs --threshold/)]);
  });

  it('`overview` shows in place what a node does not serve, and still succeeds', async () => {
    const { url } = await counted(path => path === '/statistics' || path === '/api/v2/assets');
    const { code, out } = await overview(url);
    expect(code).toBe(0);
    expect(out).toMatch(/\n {2}node +v0\.74\.10 \| demo-chain-1 \| block \d+, .* old \| core not known\n/);
    expect(out).toMatch(/\n {2}epoch +42, ends in /);
    expect(out).toMatch(/assets not known: not served by this node/);
    expect(out).toMatch(/epoch 41: [\d ]+ smallest units/);
  });

  it('`overview` works with a node that serves only the documented interface', async () => {
    await using strict = await startStrictNode();
    const { code, out } = await overview(strict.url);
    expect(code).toBe(0);
    expect(out).toMatch(
      /unknown {3}overdue oracle specs: not known, because .* could not be read: not served by this node\n/,
    );
    expect(out).toMatch(/\n {2}mine {6}not known: the node does not report a chain id\n/);
  });

  it.each([
    ['a dead node', 'http://127.0.0.1:9', 4, /^blockglass: cannot reach the node: .*\n.*\n {2}try: .*\n$/],
    ['a web page', '', 5, /^blockglass: .*\n/],
  ])('`overview` ends with the error of %s and its exit code, printed once', async (_, address, exit, said) => {
    const page: RequestListener = (_, response) => void response.end('<!doctype html><title>Hello</title>');
    const url = address === '' ? await serving(page) : address;
    const { code, out, err } = await overview(url);
    expect([code, out]).toEqual([exit, '']);
    expect(err).toMatch(said);
    const json = await overview(url, '-o', 'json');
    expect(json.code).toBe(exit);
    expect(printed(json.out).attention.map(({ severity }) => severity)).not.toContain('info');
    expect(printed(json.out).attention[0]).toMatchObject({
      rule: 'node-behind',
      severity: exit === 4 ? 'critical' : 'unknown',
    });
  });

  it('`overview` prints a reason shared by several lists once', async () => {
    const { url } = await counted(path => /assets|nodes|bundles/.test(path));
    const { code, out } = await overview(url);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\n {2}network +14 markets \(12 active\) \| \d+ oracle specs \| validators, assets, signer bundles not known: not served by this node\n/,
    );
  });

  it.each(['answers', 'refuses', 'garbles'] as const)(
    '`overview` writes no control sequence if a hostile node %s',
    async manner => {
      await using hostile = await startHostileNode(hostileStrings(5, 120));
      hostile.manner = manner;
      for (const format of ['table', 'json']) {
        const terminal = new TextStream(true);
        const { context, stderr } = contextWith({ stdout: createSink(terminal) });
        await runCommandLine(['overview', '--node', hostile.url, '-o', format], context);
        expect(`${terminal.text}${stderr.text}`.length).toBeGreaterThan(100);
        expect(await deedsOf(`${terminal.text}${stderr.text}`.replaceAll('\n', '\r\n'))).toEqual([]);
      }
    },
  );

  it('`overview` has examples that work as printed', async () => {
    for (const example of command.examples)
      expect((await run(example.split(' ').map(word => (word === '--demo' ? `--node=${node.url}` : word)))).code).toBe(
        0,
      );
  });
});
