import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crowd } from '../support/crowd.ts';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { urlOf } from '../support/loopback.ts';
import { openTerminal } from '../support/terminal.ts';
import { bundle, openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded, stranger } from './support/nodes.ts';
import { run } from './support/program.ts';

async function misbehaving(...faults: readonly string[]) {
  const node = await startFaultyNode({ faults });
  return { url: node.url, [Symbol.asyncDispose]: () => node.close() };
}

/** A node that takes requests and never answers. */
async function silent() {
  const server = createServer(() => {});
  const url = await urlOf(server);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('status command', () => {
  it('`status` shows several nodes quickly, one next to the other, and the worst of them decides', async () => {
    await using healthy = await embedded.start();
    await using slow = await misbehaving('slow:700');
    await using behind = await misbehaving('behind:300');
    await using dead = await silent();
    const startedMs = performance.now();
    const all = [healthy.url, slow.url, behind.url, dead.url, 'http://127.0.0.1:1'];
    const words = ['status', '--timeout', '3', '-o', 'json', ...all.flatMap(url => ['--node', url])];
    const { code, stdout, stderr } = await run(words);
    // They are asked at once: the slowest alone is waited for.
    expect(performance.now() - startedMs).toBeLessThan(9000 * crowd());
    const told = JSON.parse(stdout);
    expect([code, told.exitCode, stderr]).toEqual([4, 4, '']);
    expect(told.nodes.map(({ exitCode }: { readonly exitCode: number }) => exitCode)).toEqual([0, 0, 6, 4, 4]);
    expect(told.nodes[1].latencyMs).toBeGreaterThanOrEqual(700);
    expect(Number(told.nodes[2].core.behindBlocks)).toBeGreaterThan(250);
    expect(told.nodes[3].problems).toHaveLength(1);
    expect((await run(words.slice(0, 9))).code).toBe(0);
    expect((await run(words.slice(0, 11))).code).toBe(6);
  });

  it('`status` of a node that serves only lists says that its state is unknown', async () => {
    await using node = await stranger.start();
    const { code, stdout } = await run(['status', '--node', node.url]);
    expect([code, stdout]).toEqual([5, expect.stringContaining('it serves lists, but no status')]);
  });

  it('`status` of a node that never answers exits with 4 when the time is over', async () => {
    await using node = await silent();
    expect(await run(['status', '--node', node.url, '--timeout', '1'])).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/UNREACHABLE\n {2}problem +no answer: .*\n$/),
    });
  });
});

describe('Node profiles', () => {
  it('Node profiles are added, queried, opened and removed; their login is stored and shown nowhere', async () => {
    await using node = await embedded.start();
    await using home = await temporaryFolder();
    const env = { XDG_CONFIG_HOME: home.path };
    const told: string[] = [];
    const call = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await run(words, { env });
      told.push(stdout, stderr);
      return { code, stdout, stderr };
    };
    const login = node.url.replace('://', '://user:secret@');
    expect((await call('node', 'add', 'main', login, '--colour', 'red')).code).toBe(0);
    expect((await call('node', 'use', 'main')).code).toBe(0);
    expect((await call('node', 'list')).stdout).toContain('***@');
    expect((await call('status')).stdout).toContain('main (http://***@127.0.0.1');
    expect((await call('list', 'parameters', '--first', '1', '-o', 'ndjson')).code).toBe(0);
    const file = join(home.path, 'blockglass', 'config.json');
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.main.url).toBe(login);
    await using terminal = await openExplorer({ args: [], env });
    await terminal.waitFor('main');
    await terminal.press('q');
    await terminal.waitForExit();
    told.push(terminal.raw);
    expect((await call('node', 'remove', 'main')).stdout).toContain('It was the default node');
    expect(told.join('\n')).not.toContain('secret');
  });
});

describe('Settings with a mistake', () => {
  it.each([
    [
      'which node is meant is open',
      '{\n"node":"main",\n"profiles":{"main":{"url":7}}}',
      /profiles\.main\.url: must be text/,
    ],
    [
      'nothing of it can be read',
      '{\n"node":"main",\n',
      /is not used: it is not valid JSON: unexpected end of the file/,
    ],
  ])('Settings with a mistake open no other node: %s', async (_, settings, sentence) => {
    await using home = await temporaryFolder();
    const env = { XDG_CONFIG_HOME: home.path };
    await mkdir(join(home.path, 'blockglass'));
    await writeFile(join(home.path, 'blockglass', 'config.json'), settings, { mode: 0o600 });
    await using terminal = await openTerminal({ command: process.execPath, args: [bundle], env, columns: 200 });
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 2 });
    expect(terminal.screen().replaceAll('\n', '')).toMatch(sentence);
    expect((await run(['status'], { env })).stderr).toMatch(sentence);
  });
});
