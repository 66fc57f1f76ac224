import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir, userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

/** What ships for operators, and is tried here as it is. */
const SHIPPED = 'docs/guides/guests';

export interface GuestServer {
  readonly port: number;
  /** Whom guests log in as. */
  readonly user: string;
  readonly pid: number;
  /** Holds the keys; gone after `close`. */
  readonly folder: string;
  /** Arguments of ssh up to the address, which is the last one. */
  readonly client: (...options: readonly string[]) => readonly string[];
  /** What the server has logged so far. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

export interface ServerOptions {
  /** The node of the guests, or nginx before it. */
  readonly node: string;
  /** More words behind those of the shipped script. */
  readonly words?: readonly string[];
  /** Lines above those of the shipped configuration; the first line for a name counts. */
  readonly lines?: readonly string[];
}

/**
 * An SSH server on loopback, as in docs/guides/guests.md: only paths, port and address of the node differ. Started by root it runs
 * as an account `glass` of its own, which only it sees; otherwise guests log in as the user who runs this.
 */
export async function startGuestServer({ node, words = [], lines = [] }: ServerOptions): Promise<GuestServer> {
  const sshd = programNamed('sshd');
  const isRoot = userInfo().uid === 0;
  const folder = await mkdtemp(join(isRoot ? tmpdir() : homedir(), '.blockglass-guests-'));
  await chmod(folder, 0o755);
  // sshd trusts no keys below a folder that others can write, such as that for temporary files.
  const seen = isRoot ? '/run/glass' : folder;
  const user = isRoot ? 'glass' : userInfo().username;
  const port = await freePort();
  const places = (text: string): string =>
    text
      .replaceAll('/etc/glass', seen)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/opt/blockglass', resolve('.'))
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, [node, ...words].join(' '));
  const config = places(await readFile(join(SHIPPED, 'sshd_config'), 'utf8'))
    .replace(/^Port .*$/m, `Port ${port}\nListenAddress 127.0.0.1`)
    .replaceAll(/^(AllowUsers|Match User) glass$/gm, `$1 ${user}`);
  for (const name of ['host_key', 'guest_key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)]);
  const [type, key] = (await readFile(join(folder, 'host_key.pub'), 'utf8')).split(' ');
  const written = {
    sshd_config: [...lines, config].join('\n'),
    'guest.sh': places(await readFile(join(SHIPPED, 'guest.sh'), 'utf8')),
    banner: await readFile(join(SHIPPED, 'banner'), 'utf8'),
    keys: await readFile(join(folder, 'guest_key.pub'), 'utf8'),
    known: `[127.0.0.1]:${port} ${type} ${key}\n`,
    passwd: `${readFileSync('/etc/passwd', 'utf8')}glass:x:${GUEST_ID}:${GUEST_ID}::/nonexistent:/bin/sh\n`,
    group: `${readFileSync('/etc/group', 'utf8')}glass:x:${GUEST_ID}:\n`,
  };
  for (const [name, text] of Object.entries(written)) await writeFile(join(folder, name), text);
  // The server runs as the guests do: it reads its key and cannot change it.
  if (isRoot) await chown(join(folder, 'host_key'), 0, GUEST_ID);
  if (isRoot) await chmod(join(folder, 'host_key'), 0o640);
  const command = [sshd, '-D', '-e', '-f', join(seen, 'sshd_config')];
  const child = isRoot
    ? spawn('unshare', ['--mount', 'sh', '-c', OWN_ACCOUNT, folder, ...command], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    : spawn(sshd, command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  const endServer = (): void => void child.kill();
  process.once('exit', endServer);
  let log = '';
  const lineReader = createInterface(child.stderr);
  const listening = new Promise<void>((heard, failed) => {
    lineReader.on('line', line => {
      log += `${line}\n`;
      if (line.startsWith('Server listening')) heard();
    });
    child.once('exit', () => failed(new Error(`sshd has ended: ${log}`)));
  });
  await listening;
  const pid = child.pid ?? 0;
  const settings = {
    IdentityFile: join(folder, 'guest_key'),
    IdentitiesOnly: 'yes',
    UserKnownHostsFile: join(folder, 'known'),
    StrictHostKeyChecking: 'yes',
    BatchMode: 'yes',
  };
  const always = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return {
    ...{ port, user, pid, folder },
    client: (...options) => ['-F', 'none', '-p', String(port), ...always, ...options, `${user}@127.0.0.1`],
    log: () => log,
    close: async () => {
      const sessions = descendants(pid);
      process.off('exit', endServer);
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      for (const session of sessions) end(session);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** User and group of the account for guests. */
export const GUEST_ID = 4711;

/** Seen by this server alone: an account without a password, and terminals as systemd mounts them. It has no rights of root. */
const OWN_ACCOUNT = `mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/group" /etc/group &&
mount -t tmpfs -o mode=755 tmpfs /run && mkdir -m 755 /run/glass && mount --bind "$0" /run/glass &&
mount -t devpts -o newinstance,gid=tty,mode=620,ptmxmode=666 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx &&
exec setpriv --reuid=${GUEST_ID} --regid=${GUEST_ID} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;

function programNamed(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map(folder => join(folder, name)).find(path => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not installed. Install OpenSSH 9.2 or newer.`);
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Processes that a process has started, and those have, without itself. */
export function descendants(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? /^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const tree = [root];
  for (const id of tree) tree.push(...[...parents].filter(([, parent]) => parent === id).map(([child]) => child));
  return tree.slice(1);
}

/** The programs of guests on a server. */
export const guestsOf = (server: GuestServer): readonly number[] =>
  descendants(server.pid).filter(id => read(`/proc/${id}/cmdline`).includes('\0--guest\0'));

export function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Waits until something is so; false when it is not in time. */
export async function becomes(condition: () => boolean, deadlineMs = 10_000): Promise<boolean> {
  for (const until = performance.now() + deadlineMs; performance.now() < until; await wait(50))
    if (condition()) return true;
  return condition();
}

function end(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
