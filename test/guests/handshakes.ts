import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Report } from './report.ts';
import { becomes, descendants, type GuestServer, read, startGuestServer } from './server.ts';
import { environment, openGuest } from './ssh.ts';

/** Connections at a time. */
const AT_ONCE = 40;
/** How long a connection is left as it is. Those that come meanwhile meet the limits of the server. */
const LEFT_MS = 150;

/** What a client sends, and then nothing more. */
const STEPS: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['TCP alone', new Uint8Array()],
  ['half of the version', Buffer.from('SSH-2.0-Open')],
  ['the version', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
  ['a version without end', Buffer.from(`SSH-2.0-${'x'.repeat(5000)}`)],
  ['half of KEXINIT', Buffer.concat([Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), keyExchange().subarray(0, 60)])],
  ['KEXINIT', Buffer.concat([Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), keyExchange()])],
  ['a packet that names 4 GB', Buffer.concat([Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), Buffer.alloc(64, 0xff)])],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
];

/** Connections that stop at each step leave the machine as it was, and a guest gets in right after. */
export async function tryHandshakes(report: Report, node: string, count: number): Promise<void> {
  const server = await startGuestServer({ node });
  try {
    await (await openGuest(server)).close();
    await becomes(() => descendants(server.pid).length === 0);
    const before = stateOf(server);
    for (const [name, bytes] of STEPS)
      await stopAfter(server, bytes, Math.ceil(count / STEPS.length / 2), name.length % 2 === 0);
    for (const [, bytes] of STEPS) await stopAfter(server, bytes, Math.ceil(count / STEPS.length / 2), false);
    await killClients(server, Math.ceil(count / 100));
    // Those that a client keeps open end by themselves, after the time for a login.
    const kept = STEPS.slice(0, 5).map(([, bytes]) => opened(server, bytes));
    await wait(500);
    const isCleared = await becomes(() => descendants(server.pid).length === 0, 40_000);
    for (const socket of kept) socket.destroy();
    report.say(isCleared, `connections that stay without logging in are closed by LoginGraceTime`);
    const after = stateOf(server);
    report.say(true, `${count} connections stopped at ${STEPS.length} steps`);
    for (const [what, value] of Object.entries(after)) {
      const was = before[what] ?? 0;
      report.say(value <= was + (ROOM[what] ?? 0), `${what}: ${was} before, ${value} after`);
    }
    const guest = await openGuest(server);
    await guest.close();
    report.say(true, 'a guest gets in right after');
  } finally {
    await server.close();
  }
}

/** What may differ though nothing was left: memory that the server keeps for its next connection. */
const ROOM: Readonly<Record<string, number>> = { 'memory of the server, KiB': 1024 };

/** Of a socket in /proc/net/tcp: it listens, or it is closed and forgotten soon. */
const NOT_HELD = ['0A', '06'];

function stateOf(server: GuestServer): Record<string, number> {
  const port = `:${server.port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = read('/proc/net/tcp')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, local = '', , state = '']) => local.endsWith(port) && !NOT_HELD.includes(state));
  return {
    'processes of the server': descendants(server.pid).length,
    'open files of the server': readdirSync(`/proc/${server.pid}/fd`).length,
    'memory of the server, KiB': Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${server.pid}/smaps_rollup`))?.[1] ?? 0),
    'connections of its port': connections.length,
  };
}

async function stopAfter(server: GuestServer, bytes: Uint8Array, count: number, isReset: boolean): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    const sockets = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => opened(server, bytes));
    await wait(LEFT_MS);
    for (const socket of sockets) {
      if (isReset) socket.resetAndDestroy();
      else socket.destroy();
    }
  }
}

/** The real client, killed while it exchanges keys, logs in or opens its session. */
async function killClients(server: GuestServer, count: number): Promise<void> {
  for (let killed = 0; killed < count; killed++) {
    const client = spawn('ssh', ['-tt', ...server.client()], { env: environment(), stdio: 'ignore' });
    await wait((killed % 20) * 25);
    client.kill('SIGKILL');
    if (client.exitCode === null && client.signalCode === null) await once(client, 'exit');
  }
}

function opened(server: GuestServer, bytes: Uint8Array): Socket {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.on('connect', () => socket.write(bytes));
  socket.resume();
  return socket;
}

/** A first packet of the key exchange, as a client sends it. */
function keyExchange(): Buffer {
  const lists = [
    'curve25519-sha256',
    'ssh-ed25519',
    ...Array(2).fill('aes256-ctr'),
    ...Array(2).fill('hmac-sha2-256'),
    ...Array(2).fill('none'),
    '',
    '',
  ];
  const named = lists.map(name => Buffer.concat([sized(name.length), Buffer.from(name)]));
  const payload = Buffer.concat([Buffer.from([20]), Buffer.alloc(16, 7), ...named, Buffer.alloc(5)]);
  const padding = 8 - ((payload.length + 5) % 8) + 4;
  const total = padding + ((8 - ((payload.length + 5 + padding) % 8)) % 8);
  return Buffer.concat([sized(payload.length + total + 1), Buffer.from([total]), payload, Buffer.alloc(total)]);
}

function sized(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
