import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { tour } from './tour.ts';

// Packs what is built and installs it on each Node that is named (npm run package-test -- PATH...). Nothing is fetched.

/** One Node, with a PATH on which there is no other before it, and an empty folder. */
interface Host {
  readonly node: string;
  readonly path: string;
  readonly folder: string;
}

const OFFLINE = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];

const { npm_execpath: npm } = process.env;
if (npm === undefined) throw new Error('npm run package-test -- PATH_OF_A_NODE...');
const npx = join(dirname(npm), 'npx-cli.js');
const named = process.argv.slice(2).map(path => resolve(path));
const folder = await mkdtemp(join(tmpdir(), 'blockglass-package-'));
const say = (line: string): void => console.log(line);

try {
  const archive = await pack(npm);
  for (const node of named.length > 0 ? named : [process.execPath]) await tryOn(node, archive, npm);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function pack(npm: string): Promise<string> {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...OFFLINE];
  const [{ filename, size, unpackedSize, files }] = JSON.parse(await output(process.execPath, [npm, ...words]));
  say(`${filename}: ${size} bytes, ${unpackedSize} unpacked, ${files.length} files`);
  return join(folder, filename);
}

async function tryOn(node: string, archive: string, npm: string): Promise<void> {
  const version = (await output(node, ['--version'])).trim();
  const place = join(folder, version);
  await mkdir(place);
  await symlink(node, join(place, 'node'));
  const host: Host = { node, path: [place, '/usr/bin', '/bin'].join(delimiter), folder: place };
  say(`\n${version}`);
  await inFolder(host, archive, npm);
  await onPath(host, archive, npm);
  await once(host, archive);
}

/** In an empty folder: all that the program does. */
async function inFolder(host: Host, archive: string, npm: string): Promise<void> {
  const empty = join(host.folder, 'empty');
  await mkdir(empty);
  await output(host.node, [npm, 'install', archive, ...OFFLINE], { ...host, folder: empty });
  const installed = (await readdir(join(empty, 'node_modules'))).filter(name => !name.startsWith('.'));
  judge('npm install, of nothing else', installed.join(' ') === 'blockglass');
  const command = join(empty, 'node_modules/.bin/blockglass');
  if (!(await tour({ command, args: [], path: host.path }, say))) process.exitCode = 1;
}

/** On the PATH: the command and its page of the manual, and neither after it is taken away. */
async function onPath(host: Host, archive: string, npm: string): Promise<void> {
  const prefix = join(host.folder, 'prefix');
  const there = ['bin/blockglass', 'share/man/man1/blockglass.1'].map(path => join(prefix, path));
  await output(host.node, [npm, 'install', '--global', '--prefix', prefix, archive, ...OFFLINE], host);
  const listed = await output('blockglass', ['list', 'parameters', '--demo', '-o', 'csv'], {
    folder: '/',
    path: `${join(prefix, 'bin')}${delimiter}${host.path}`,
  });
  judge('npm install -g, by its name from another folder', listed.startsWith('key,') && there.every(existsSync));
  await output(host.node, [npm, 'uninstall', '--global', '--prefix', prefix, 'blockglass', ...OFFLINE], host);
  judge('npm uninstall -g', !there.some(existsSync));
}

/** By npx, without an installation. It takes only a relative path for a package. */
async function once(host: Host, archive: string): Promise<void> {
  const words = ['--yes', ...OFFLINE, `./${basename(archive)}`, 'list', 'parameters', '--demo', '-o', 'csv'];
  const listed = await output(host.node, [npx, ...words], { ...host, folder: dirname(archive) });
  judge('npx', listed.startsWith('key,'));
}

function judge(what: string, isGood: boolean): void {
  say(`  ${isGood ? 'good  ' : 'FAILED'} ${what}`);
  if (!isGood) process.exitCode = 1;
}

/** What it prints, with a home and a cache of npm of its own where a host is named. */
async function output(command: string, words: readonly string[], host?: Omit<Host, 'node'>): Promise<string> {
  const env = host === undefined ? process.env : { PATH: host.path, HOME: join(folder, 'home') };
  const { stdout } = await promisify(execFile)(command, words, { env, cwd: host?.folder ?? process.cwd() });
  return stdout;
}
