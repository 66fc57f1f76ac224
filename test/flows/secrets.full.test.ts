import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { randomFrom } from '../support/random-numbers.ts';
import { openTerminal } from '../support/terminal.ts';
import { bundle } from './support/explorer.ts';
import { type Folder, temporaryFolder } from './support/folder.ts';

/** A login with characters that addresses, shells, JSON and patterns treat in their own way. */
function loginFrom(seed: number) {
  const random = randomFrom(seed);
  const characters = Array.from(`abcXYZ0189:%/?#@&=+ "'\\\\[]{}<>|^\`~!$*(),;-_.éß漢😀`);
  const word = (start: string): string =>
    start + Array.from({ length: 12 }, () => characters[Math.floor(random() * characters.length)]).join('');
  return { user: word(`Us${seed}`), password: word(`Pw${seed}`) };
}
type Login = ReturnType<typeof loginFrom>;

/** Each way in which a part of the login may turn up, cut at the end or not. */
function forms({ user, password }: Login): readonly string[] {
  return [user, password].flatMap(part => [
    part.slice(0, 10),
    encodeURIComponent(part).slice(0, 10),
    encodeURI(part).slice(0, 10),
    JSON.stringify(part).slice(1, 11),
    // The three ways that base64 of something longer holds it, its ends left out.
    ...[0, 1, 2].map(offset =>
      Buffer.from(`${'x'.repeat(offset)}${part}`)
        .toString('base64')
        .slice(4, 14),
    ),
  ]);
}

const LOGINS = [1, 4].map(loginFrom);
const encoded = ({ user, password }: Login) => `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
const bare = ({ user, password }: Login) => `${user}:${password}`;
const tokenOnly = ({ user }: Login) => encodeURIComponent(user);

let node: RunningNode;
let page: Server;
let pageHost = '';
let folder: Folder;
beforeAll(async () => {
  node = await startNode();
  folder = await temporaryFolder();
  page = createServer((_, response) => response.writeHead(404).end('<html><title>No</title></html>'));
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  const address = page.address();
  pageHost = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  page.close();
  page.closeAllConnections();
  await node.close();
  await folder[Symbol.asyncDispose]();
});

interface Call {
  readonly words: readonly string[];
  readonly env?: Record<string, string>;
  readonly settings?: string;
}

function callsWith(login: string): readonly Call[] {
  const good = `http://${login}@${node.url.slice('http://'.length)}`;
  const dead = `http://${login}@127.0.0.1:1`;
  const foreign = 'http://node.invalid:3008';
  const fees = ['list', 'fees'];
  return [
    ...[
      good,
      dead,
      `http://${login}@${pageHost}`,
      `ftp://${login}@h`,
      `http://${login}@h:99999`,
      `${login}@127.0.0.1:1`,
    ].flatMap(address => [
      { words: [...fees, '--node', address, '--log', 'log.txt'] },
      { words: fees, env: { BLOCKGLASS_NODE: address } },
      { words: fees, settings: JSON.stringify({ node: address }) },
      { words: [...fees, '--node', 'mine'], settings: JSON.stringify({ profiles: { mine: address } }) },
    ]),
    { words: ['export', '--table', 'blocks', '--from', '1', '--to', '2000', '--slice', '1', '--node', good] },
    { words: ['segments', '--node', good] },
    { words: ['show', 'parameters', good, '--node', good] },
    ...[good].flatMap(address => [
      { words: [...fees, '--nod', address] },
      { words: [...fees, `--nod=${address}`] },
      { words: [...fees, '--node', address, '--node', address] },
      { words: [address] },
      { words: ['explore', address] },
      { words: ['fees', address] },
      { words: ['list', address] },
      { words: ['show', 'parameters', address] },
      { words: ['verify', address] },
      { words: ['completion', address] },
      { words: ['serve', '--at', address] },
      { words: ['export', '--table', address] },
      { words: ['export', '--table', 'blocks', '--from', address, '--to', address, '--node', address] },
      { words: [...fees, '-o', address] },
      { words: [...fees, '--page-size', address] },
      { words: [...fees, '--timeout', address, '--node', address] },
      { words: [...fees, '--market-id', address, '--epoch-seq', address, '--node', address] },
      { words: [...fees, '--log', address] },
      { words: ['status', '--node', address, '--node', address] },
      { words: ['status', '--node', address, '--max-lag', address] },
      { words: ['node', 'add', 'main', address] },
      { words: ['node', 'add', address, address] },
      { words: ['node', 'add', 'main', address, '--colour', address] },
      ...['use', 'remove', 'list', address].map(action => ({ words: ['node', action, address] })),
      ...[
        ['config', 'show'],
        ['config', 'path'],
        ['config', address],
        ['node', 'list'],
        ['status', '--timeout', '1'],
      ].flatMap(words => [
        { words, settings: JSON.stringify({ node: 'main', profiles: { main: { url: address }, [address]: address } }) },
        { words, settings: JSON.stringify({ node: address, theme: address, profiles: { main: { url: [address] } } }) },
        { words, env: { BLOCKGLASS_NODE: address } },
        { words, env: { BLOCKGLASS_THEME: address, BLOCKGLASS_MAX_LAG: address } },
      ]),
      { words: fees, settings: `{"node":"${address}",,}` },
      { words: fees, settings: `{"node":${address}` },
      { words: fees, settings: JSON.stringify({ node: [address], profiles: { [address]: 3 } }) },
      { words: [...fees, '--node', foreign], env: { HTTP_PROXY: address } },
      { words: [...fees, '--node', foreign], env: { http_proxy: `${address}:x` } },
      { words: [...fees, '--node', 'https://node.invalid'], env: { HTTPS_PROXY: address } },
    ]),
  ];
}

let runs = 0;

/** Everything that a call leaves behind: what it says, and what is in every file it writes but its settings. */
async function left({ words, env = {}, settings }: Call): Promise<string> {
  const cwd = join(folder.path, `run-${runs++}`);
  const config = `${cwd}-settings`;
  await mkdir(join(config, 'blockglass'), { recursive: true });
  await mkdir(cwd);
  if (settings !== undefined) await writeFile(join(config, 'blockglass', 'config.json'), settings);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const plain = { PATH, NODE_COMPILE_CACHE, XDG_CONFIG_HOME: config, HOME: config, ...env };
  const child = spawn(process.execPath, [bundle, ...words], { cwd, env: plain, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const names = await readdir(cwd, { recursive: true, withFileTypes: true });
  const files = names.filter(entry => entry.isFile());
  const texts = await Promise.all(files.map(entry => readFile(join(entry.parentPath, entry.name), 'latin1')));
  return [stdout, stderr, ...files.map(({ name }) => name), ...texts].join('\n');
}

const found = (all: string, login: Login): readonly string[] => forms(login).filter(form => all.includes(form));

describe.each(LOGINS.slice(1).map((login, index) => [index, login] as const))(
  'Login of an address (%i)',
  (_, login) => {
    it.each([
      ['percent-encoded', encoded, () => true],
      // Each other way of writing with every second call.
      ['as it is', bare, (call: number) => call % 2 === 0],
      ['a user alone', tokenOnly, (call: number) => call % 2 === 1],
    ] as const)(
      'The login is in no message, log or file: %s',
      async (__, write, isTried) => {
        const calls = callsWith(write(login)).filter(
          ({ words }, index) => isTried(index) && words.every(word => !word.includes('\0')),
        );
        const told: unknown[] = [];
        await Promise.all(
          [0, 1].map(async part => {
            for (const call of calls.filter((___, index) => index % 2 === part)) {
              const shown = found(await left(call), login);
              if (shown.length > 0) told.push({ call, shown });
            }
          }),
        );
        expect(told).toEqual([]);
      },
      120_000,
    );
  },
);

describe('Login in the command line of a running program', () => {
  it('The login in the command line is overwritten, if the system lets a program do that', async ({ skip }) => {
    if (process.platform !== 'linux') skip();
    const [login] = LOGINS;
    if (login === undefined) throw new Error('no login');
    const address = `http://${encoded(login)}@${node.url.slice('http://'.length)}`;
    const words = ['list', 'fees', '--all', '--page-size', '1', '--node', address];
    const child = spawn(process.execPath, [bundle, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const line = await readFile(`/proc/${child.pid}/cmdline`, 'utf8');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(line).toContain('--node http://***@127.0.0.1');
    expect(found(line, login)).toEqual([]);
  });
});

describe('Login in the explorer', () => {
  it('The explorer sends the login with its requests, and neither draws nor copies it', async () => {
    const [login] = LOGINS;
    if (login === undefined) throw new Error('no login');
    const address = `http://${encoded(login)}@${node.url.slice('http://'.length)}`;
    await using terminal = await openTerminal({
      command: process.execPath,
      args: [bundle],
      env: { BLOCKGLASS_NODE: address },
    });
    await terminal.waitFor(node.url.slice('http://'.length));
    await terminal.waitFor(' of ');
    for (const what of ['command for this page', 'command for this record', 'curl for this page']) {
      await terminal.press('y');
      await terminal.waitFor('record as JSON');
      await terminal.press('/', what);
      await terminal.waitFor(`${what} (no login)`);
      await terminal.press('enter');
      await terminal.waitFor("sent to your terminal's clipboard");
    }
    await terminal.press('q');
    await terminal.waitForExit();
    const copies = [...terminal.raw.matchAll(/\]52;c;([^\u0007]*)\u0007/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(copies).toEqual([
      'blockglass list parameters --node "$BLOCKGLASS_NODE" --page-size 500',
      expect.stringMatching(/^blockglass show parameters \S+ --node "\$BLOCKGLASS_NODE"$/),
      `curl -sS "\${BLOCKGLASS_NODE%/}"'/api/v2/network/parameters?pagination.first=500'`,
    ]);
    expect(found(terminal.raw + copies.join('\n'), login)).toEqual([]);
  });

  it('The explorer shows an error without the login', async () => {
    for (const login of LOGINS) {
      await using terminal = await openTerminal({
        command: process.execPath,
        args: [bundle],
        env: { BLOCKGLASS_NODE: `http://${encoded(login)}@127.0.0.1:1` },
      });
      await terminal.waitFor('nothing is listening there');
      await terminal.press('q');
      await terminal.waitForExit();
      expect(found(terminal.raw, login)).toEqual([]);
    }
  });
});
