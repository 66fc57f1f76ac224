import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Check } from './report.ts';
import { becomes, descendants, GUEST_ID, type GuestServer, guestsOf, read } from './server.ts';
import { environment, openGuest, PATIENCE, run } from './ssh.ts';

const REFUSAL = 'this is an explorer for guests';

/** Everything that an SSH client can ask for beside the explorer. */
export const DOOR: readonly Check<GuestServer>[] = [
  [
    'the banner comes before the login',
    async server => {
      const { output } = await run('ssh', ['-T', ...server.client()]);
      return output.includes('What you do here is limited');
    },
  ],
  [
    'without a terminal: refused, whatever comes in',
    async server => {
      const { code, output } = await run('ssh', ['-T', ...server.client()], 'id\ncat /etc/passwd\n');
      return code === 2 && output.includes(REFUSAL) && !output.includes('root:');
    },
  ],
  ...['cat /etc/passwd', 'sh', '/bin/sh -i', '--help', '; id', '$(id)', '-c id', '\n id', 'internal-sftp'].map(
    (command): Check<GuestServer> => [
      `the command ${JSON.stringify(command)}: refused`,
      async server => {
        const plain = await run('ssh', [...server.client(), '--', command]);
        const typed = await run('ssh', ['-tt', ...server.client(), '--', command]);
        return [plain, typed].every(
          ({ code, output }) => code === 2 && output.includes(REFUSAL) && !/uid=|root:/.test(output),
        );
      },
    ],
  ),
  [
    'a subsystem: refused',
    async server => {
      const tried = await Promise.all(
        ['sftp', 'netconf', ''].map(name => run('ssh', ['-s', ...server.client(), name])),
      );
      return tried.every(({ code, output }) => code !== 0 && !output.includes('root:'));
    },
  ],
  [
    'sftp and scp: refused',
    async server => {
      const [options, address] = [server.client().slice(0, -1), server.client().at(-1) ?? ''];
      const [flags, to] = [options.map(word => (word === '-p' ? '-P' : word)), join(server.folder, 'stolen')];
      const tried = [
        await run('sftp', [...flags, address], 'ls /\n'),
        await run('scp', [...flags, `${address}:/etc/passwd`, to]),
        await run('scp', ['-O', ...flags, `${address}:/etc/passwd`, to]),
        await run('scp', ['-O', ...flags, '/etc/hostname', `${address}:/tmp/brought`]),
      ];
      return tried.every(({ code }) => code !== 0) && !existsSync(to) && !existsSync('/tmp/brought');
    },
  ],
  [
    '-L and -D reach nothing',
    async server => {
      const target = await listening();
      const [local, socks] = [await freePort(), await freePort()];
      const client = spawn(
        'ssh',
        ['-N', '-L', `127.0.0.1:${local}:127.0.0.1:${target.port}`, '-D', `127.0.0.1:${socks}`, ...server.client()],
        { env: environment() },
      );
      try {
        const [byPort, bySocks] = [await said(local, 'GET /'), await said(socks, socksRequest(target.port))];
        return !byPort.includes('reached') && !bySocks.includes('reached') && target.reached() === 0;
      } finally {
        await ended(client);
        target.close();
      }
    },
  ],
  [
    '-W, -w and a socket of the machine: refused',
    async server => {
      const target = await listening();
      const tried = await Promise.all([
        run('ssh', ['-W', `127.0.0.1:${target.port}`, ...server.client()], 'GET /\n'),
        run('ssh', ['-N', '-w', 'any', '-o', 'ExitOnForwardFailure=yes', ...server.client()]),
        run('ssh', ['-W', '/run/systemd/private', ...server.client()]),
      ]);
      target.close();
      return tried.every(({ code }) => code !== 0) && target.reached() === 0;
    },
  ],
  [
    '-R opens no port and no socket',
    async server => {
      const [port, path] = [await freePort(), join(server.folder, 'socket')];
      const tried = await Promise.all(
        [`127.0.0.1:${port}:127.0.0.1:1`, String(port), `${path}:127.0.0.1:1`].map(word =>
          run('ssh', ['-N', '-R', word, '-o', 'ExitOnForwardFailure=yes', ...server.client()]),
        ),
      );
      return tried.every(({ code, output }) => code !== 0 && output.includes('forwarding failed')) && !existsSync(path);
    },
  ],
  [
    'agent and X11 are not forwarded',
    async server => {
      const agent = await run('ssh-agent', ['-s']);
      const socket = /SSH_AUTH_SOCK=([^;]+)/.exec(agent.output)?.[1] ?? '';
      const before = sockets();
      await using guest = await openGuest(
        server,
        '-A',
        '-X',
        '-o',
        `ForwardAgent=${socket}`,
        '-o',
        'ForwardX11Trusted=yes',
      );
      const given = variablesOf(server);
      const added = sockets().filter(name => !before.includes(name));
      await guest.close();
      process.kill(Number(/SSH_AGENT_PID=(\d+)/.exec(agent.output)?.[1]), 'SIGTERM');
      return given.length > 0 && given.every(name => !/AUTH_SOCK|DISPLAY|XAUTH/.test(name)) && added.length === 0;
    },
  ],
  [
    'no variable is brought in but language and terminal',
    async server => {
      const sent = [
        'NODE_OPTIONS=--inspect',
        'LD_PRELOAD=/tmp/x.so',
        'BLOCKGLASS_NODE=http://127.0.0.1:1',
        'BLOCKGLASS_CLIENT=x',
        'HTTP_PROXY=http://127.0.0.1:1',
        'ENV=/tmp/x',
        'PATH=/tmp',
        'SHELL=/tmp/x',
        'LC_EVIL=1',
      ];
      await using guest = await openGuest(server, '-o', `SetEnv=${sent.join(' ')}`);
      const given = variablesOf(server);
      await guest.close();
      const isKnown = (variable: string): boolean =>
        /^(?:SSH_(?:CLIENT|CONNECTION|TTY)|USER|LOGNAME|HOME|PATH|SHELL|TERM|MAIL|PWD|_|LANG|MALLOC_\w+|BLOCKGLASS_CLIENT)=/.test(
          variable,
        );
      return (
        given.includes('BLOCKGLASS_CLIENT=127.0.0.1') &&
        given.every(isKnown) &&
        sent.every(variable => !given.includes(variable))
      );
    },
  ],
  [
    'only the program of the guest runs, as the user for guests',
    async server => {
      await using guest = await openGuest(server);
      const programs = descendants(server.pid).filter(id => !read(`/proc/${id}/cmdline`).startsWith('sshd'));
      await guest.close();
      return programs.length === 1;
    },
  ],
  [
    'every process of the server: the user for guests, without any capability',
    async server => {
      await using guest = await openGuest(server);
      const all = [server.pid, ...descendants(server.pid)].map(id => read(`/proc/${id}/status`));
      await guest.close();
      const isGuests = (status: string): boolean =>
        new RegExp(`^Uid:(\\t${GUEST_ID}){4}$`, 'm').test(status) && /^CapEff:\t0+$/m.test(status);
      return all.length > 2 && (server.user !== 'glass' || all.every(isGuests));
    },
  ],
  [
    'a second session on the same connection: refused',
    async server => {
      const path = join(server.folder, 'control');
      await using guest = await openGuest(server, '-M', '-S', path);
      const { output } = await run('ssh', ['-tt', '-S', path, '-o', 'ControlMaster=no', ...server.client()], '', 8000);
      await guest.close();
      return output.includes('refused by peer');
    },
  ],
  [
    'without the key, or as another user: refused',
    async server => {
      const noKey = [
        '-o',
        'PubkeyAuthentication=no',
        '-o',
        'PreferredAuthentications=none,password,keyboard-interactive,hostbased',
      ];
      const tried = [await run('ssh', [...noKey, ...server.client()])];
      for (const user of ['root', 'nobody', 'glass2', 'sshd'].filter(name => name !== server.user))
        tried.push(await run('ssh', ['-l', user, ...server.client().with(-1, '127.0.0.1')]));
      return tried.every(({ code, output }) => code === 255 && output.includes('Permission denied (publickey)'));
    },
  ],
  [
    'a connection without a session is closed',
    async server => {
      const { code } = await run('ssh', ['-N', ...server.client()], '', 60_000);
      return code !== null;
    },
  ],
  [
    'the screen has the size of the terminal, and follows it',
    async server => {
      await using guest = await openGuest(server);
      const wide = widest(guest.screen());
      await guest.resize(140, 40);
      await guest.waitFor(screen => widest(screen) > 110, PATIENCE);
      await guest.resize(60, 15);
      await guest.waitFor(screen => widest(screen) <= 60 && screen.includes('in sync'), PATIENCE);
      await guest.close();
      return wide > 80 && wide <= 100;
    },
  ],
  [
    'Ctrl-Z, Ctrl-\\ and Ctrl-S stop nothing; Ctrl-C ends the session',
    async server => {
      await using guest = await openGuest(server);
      guest.send('\u001a\u001c\u0013');
      guest.send('1');
      await guest.waitFor('[Params]', PATIENCE);
      guest.send('\u0003');
      const { exitCode } = await guest.waitForExit(PATIENCE);
      return exitCode === 130 && (await becomes(() => guestsOf(server).length === 0));
    },
  ],
  [
    'a client that is killed leaves nothing',
    async server => {
      const guest = await openGuest(server);
      const [id = 0] = guestsOf(server);
      guest.kill('SIGKILL');
      await guest.close();
      return id !== 0 && (await becomes(() => descendants(server.pid).length === 0));
    },
  ],
];

/** Needs a server whose guests are idle after a minute. */
export const STOPPED: Check<GuestServer> = [
  'a client that is stopped and reads nothing: its program ends within the idle time',
  async server => {
    await using guest = await openGuest(server);
    const [id = 0] = guestsOf(server);
    // Enough output for every buffer between the two, then nobody who reads it.
    guest.send('12345678'.repeat(60));
    guest.kill('SIGSTOP');
    const isGone = await becomes(() => read(`/proc/${id}/cmdline`) === '', 100_000);
    guest.kill('SIGCONT');
    await guest.close();
    return id !== 0 && isGone;
  },
];

function variablesOf(server: GuestServer): readonly string[] {
  const [id = 0] = guestsOf(server);
  return read(`/proc/${id}/environ`)
    .split('\0')
    .filter(variable => variable !== '');
}

const sockets = (): readonly string[] => readdirSync('/tmp').filter(name => /^ssh-|^\.X11|^\.Xauth/.test(name));

const widest = (screen: string): number => Math.max(...screen.split('\n').map(line => line.trimEnd().length));

async function listening() {
  let count = 0;
  const server = createServer(socket => {
    count++;
    socket.on('error', () => {});
    socket.end('reached');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, reached: () => count, close: () => server.close() };
}

async function freePort(): Promise<number> {
  const { port, close } = await listening();
  close();
  return port;
}

/** What comes back on a port that ssh opens, once it is open. */
async function said(port: number, request: string | Uint8Array): Promise<string> {
  let answer = '';
  const isOpen = await becomesOpen(port);
  if (!isOpen) throw new Error('ssh opened no port');
  const socket = connect(port, '127.0.0.1');
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('error', () => {});
  socket.on('close', () => resolve());
  socket.on('data', chunk => (answer += chunk.toString('latin1')));
  socket.setTimeout(4000, () => socket.destroy());
  socket.write(request);
  await closed;
  return answer;
}

async function becomesOpen(port: number): Promise<boolean> {
  for (const until = performance.now() + 15_000; performance.now() < until; ) {
    const socket = connect(port, '127.0.0.1');
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    const isOpen = await promise;
    socket.destroy();
    if (isOpen) return true;
  }
  return false;
}

const socksRequest = (port: number): Uint8Array => Uint8Array.from([4, 1, port >> 8, port & 0xff, 127, 0, 0, 1, 0]);

async function ended(client: ChildProcess): Promise<void> {
  if (client.exitCode !== null || client.signalCode !== null) return;
  client.kill(constants.signals.SIGTERM);
  await once(client, 'exit');
}
