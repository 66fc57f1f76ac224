import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import type { EnvironmentChanges } from '../support/terminal-env.ts';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

// A container may have the program and not allow it.
const isTraced = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** What the system and Node read for any program. */
const OF_THE_SYSTEM =
  /^(?:\/proc\/|\/sys\/|\/dev\/(?:null|tty|pts\/\d+|urandom)$|\/(?:usr\/)?lib(?:64)?\/|\/usr\/share\/zoneinfo|\/etc\/(?:ld\.so\.|localtime|timezone|ssl\/|resolv\.conf|nsswitch\.conf|hosts|host\.conf|svc\.conf|netsvc\.conf)|\/usr\/lib\/ssl\/)/;

/** A minute without a key is over in six seconds. */
const SHORT_MINUTES = { NODE_OPTIONS: `--import=${new URL('support/short-minutes.mjs', import.meta.url).href}` };

async function asGuest(
  node: RunningNode,
  folder: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: EnvironmentChanges } = {},
): Promise<Terminal> {
  const words = [process.execPath, bundle, '--guest', '--node', node.url, ...args];
  const [command = '', ...rest] = isTraced
    ? ['strace', '-D', '-f', '-s', '300', '-o', join(folder, 'trace'), '-e', 'trace=file,network,process', ...words]
    : words;
  return openTerminal({
    ...{ command, args: rest, cwd: folder, columns: 100, rows: 30 },
    env: {
      ...{ NO_COLOR: '1', VISUAL: 'vi', EDITOR: 'vi', PAGER: 'less', BLOCKGLASS_NODE: 'http://127.0.0.1:1' },
      ...{ BLOCKGLASS_THEME: 'nonsense', XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: folder },
      ...{ XDG_CACHE_HOME: folder, HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' },
      // What is compiled would be cached by Node, in a folder that a guest has no business in.
      NODE_COMPILE_CACHE: undefined,
      ...env,
    },
  });
}

const COMMANDS = [
  ...['view /etc/passwd', 'save /tmp/x.csv', 'node http://127.0.0.1:1', 'at yesterday', 'status', 'preset save a'],
  ...['what ../../etc/passwd', 'show /etc/passwd', 'export ledger last 1', 'copy csv'],
];

/** Through every tab, with each key that could lead elsewhere, and commands that name files and nodes. */
async function tryToLeave(guest: Terminal): Promise<void> {
  await guest.waitFor('in sync');
  for (const tab of '012345678') {
    await guest.press(tab);
    await guest.press(...'NDW,.vMLTJaAR', 'ctrl-z', 'esc', 'esc');
    await guest.press('enter', 'v', 'W', 'y', 'enter', 'esc', 'esc');
  }
  for (const line of COMMANDS) {
    await guest.press(':');
    for (const letter of line) await guest.press(letter === ' ' ? 'space' : letter);
    await guest.press('enter', 'enter', 'esc', 'esc', 'esc');
    await guest.paste('; cat /etc/passwd $(id) /tmp/x\n!sh\n');
    await guest.press('esc', 'esc');
  }
}

describe.skipIf(!isTraced)('System calls of a guest (needs strace)', () => {
  it('The program of a guest reads only its own files and connects only to its node', {
    timeout: 180_000,
  }, async () => {
    await using folder = await temporaryFolder();
    const node = await startNode({});
    try {
      const guest = await asGuest(node, folder.path);
      try {
        await tryToLeave(guest);
        await guest.press('ctrl-c');
        expect(await guest.waitForExit()).toMatchObject({ exitCode: 130 });
      } finally {
        await guest.close();
      }
    } finally {
      await node.close();
    }
    const read = () => readFile(join(folder.path, 'trace'), 'utf8');
    // The tracer writes the end after the program has ended.
    await expect.poll(read).toMatch(/\+\+\+ exited with 130 \+\+\+\n$/);
    const trace = await read();
    const paths = [...trace.matchAll(/^\d+\s+\w+\([^"\n]*"(\/[^"]*)"/gm)].map(([, path = '']) => path);
    const own = dirname(bundle);
    const others = new Set(paths.filter(path => !OF_THE_SYSTEM.test(path) && !path.startsWith(`${own}/`)));
    // The current folder is named by the system, and looked at by nobody.
    for (const path of [process.execPath, folder.path, '/etc', '/usr', '/usr/share']) others.delete(path);
    expect([...others].filter(path => !isAbove(path, own))).toEqual([]);
    // Nothing is opened for writing but the terminal, and nothing is made, renamed or removed.
    const written = trace
      .split('\n')
      .filter(line => /O_WRONLY|O_RDWR|O_CREAT|\b(?:mkdir|rename|unlink|link|symlink|chmod)\w*\(/.test(line));
    expect(written.filter(line => !/"\/dev\/(?:pts\/\d+|tty|null)"/.test(line))).toEqual([]);
    expect(trace.match(/^\d+\s+execve\(/gm)).toHaveLength(1);
    expect(trace).not.toMatch(/^\d+\s+(?:v?fork)\(/m);
    const addresses = trace.match(/connect\(\d+, \{sa_family=\w+[^}]*\}/g) ?? [];
    const port = new URL(node.url).port;
    expect(addresses.filter(address => !address.includes(`htons(${port})`))).toEqual([]);
    expect(addresses.length).toBeGreaterThan(0);
    expect(await readdir(folder.path)).toEqual(['trace']);
  });
});

describe('Guest session', () => {
  it('A guest who adds a command after the address is refused with one sentence', () => {
    const env = { SSH_ORIGINAL_COMMAND: 'cat /etc/passwd', PATH: process.env.PATH };
    const refused = spawnSync(process.execPath, [bundle, '--guest', '--demo'], { env, encoding: 'utf8' });
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'blockglass: this is an explorer for guests, and it runs no commands. Connect without one: ssh -t HOST.\n',
    );
  });

  it.each([
    ['list fees', 'runs no command'],
    ['--node nobody', 'reads no profiles'],
    ['--demo --log x', 'unknown option --log'],
    ['--demo --at yesterday', 'unknown option --at'],
    ['view x', 'runs no command'],
    ['', 'needs a node'],
  ])('A guest gets no other program by --guest %s', (words, sentence) => {
    const args = [bundle, '--guest', ...words.split(' ').filter(word => word !== '')];
    const refused = spawnSync(process.execPath, args, { env: {}, encoding: 'utf8' });
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain(sentence);
  });

  // These two wait side by side.
  it.concurrent('A guest is warned when no key is pressed, stays by pressing one, and is disconnected without', async () => {
    await using folder = await temporaryFolder();
    const node = await startNode({});
    try {
      const guest = await asGuest(node, folder.path, { args: ['--idle-minutes', '1'], env: SHORT_MINUTES });
      try {
        await guest.waitFor('any key keeps it open');
        await guest.press('1');
        await guest.waitFor(screen => screen.includes('[Params]') && !screen.includes('any key keeps it open'));
        await guest.waitFor('any key keeps it open');
        expect(await guest.waitForExit()).toMatchObject({ exitCode: 0 });
        expect(guest.screen()).toContain('the session has ended, as no key was pressed for a while');
      } finally {
        await guest.close();
      }
    } finally {
      await node.close();
    }
  });

  it.concurrent('A guest that stops reading is disconnected once idle, and the keys it sends change nothing', async () => {
    const node = await startNode({});
    const words = [bundle, '--guest', '--node', node.url, '--idle-minutes', '1'];
    const guest = spawn(process.execPath, words, {
      name: 'xterm-256color',
      cols: 300,
      rows: 100,
      env: { LANG: 'C.UTF-8', ...SHORT_MINUTES },
    });
    try {
      const { promise: ended, resolve } = Promise.withResolvers<number | undefined>();
      guest.onExit(({ signal }) => resolve(signal));
      const { promise: drawn, resolve: seen } = Promise.withResolvers<void>();
      guest.onData(text => text.includes('in sync') && seen());
      await drawn;
      guest.pause();
      // Each draws another list, which soon is more than fits between the two.
      let pressed = 0;
      const keys = setInterval(() => guest.write('1347'[pressed++ % 4] ?? ''), 100);
      expect(await ended.finally(() => clearInterval(keys))).toBe(constants.signals.SIGKILL);
    } finally {
      guest.kill('SIGKILL');
      await node.close();
    }
  });

  it('A guest screen that claims to be huge is drawn no larger than a large one', async () => {
    await using folder = await temporaryFolder();
    const node = await startNode({});
    try {
      const guest = await asGuest(node, folder.path);
      try {
        await guest.waitFor('in sync');
        await guest.resize(900, 400);
        await guest.press('1');
        const lines = (await guest.waitFor('[Params]')).split('\n').map(line => line.trimEnd());
        expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(300);
        expect(lines.slice(100).join('')).toBe('');
      } finally {
        await guest.close();
      }
    } finally {
      await node.close();
    }
  });
});

const isAbove = (path: string, folder: string): boolean => folder.startsWith(path);
