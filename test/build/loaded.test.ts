import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';

const run = promisify(execFile);

/** What a process has loaded when it ends: Node's own modules and the program's files, each on a line, beside its output. */
const TELLING = `process.on('exit', () => {
  const own = process.moduleLoadList.filter(name => name.startsWith('NativeModule ')).map(name => name.slice(13));
  const files = Object.keys(require.cache).map(path => path.replace(/^.*\\/dist\\//, 'dist/'));
  console.error([...own, ...files].map(name => 'loaded ' + name).join('\\n'));
});`;

/** Each takes milliseconds to load, and the version is said without any of them. */
const LATE = ['child_process', 'crypto', 'fs/promises', 'http', 'https', 'readline', 'sqlite', 'zlib'];

let folder: string;
let node: RunningNode;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-loaded-'));
  await writeFile(join(folder, 'telling.cjs'), TELLING);
  node = await startNode();
});

afterAll(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

async function loadedBy(...words: readonly string[]): Promise<readonly string[]> {
  const env = { ...process.env, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['--require', join(folder, 'telling.cjs'), resolve('dist/start.js'), ...words];
  const { stderr } = await run(process.execPath, args, { env });
  return stderr.split('\n').flatMap(line => (line.startsWith('loaded ') ? [line.slice(7)] : []));
}

it('The `--version` flag prints before any slow Node module is loaded', async () => {
  const loaded = await loadedBy('--version');
  expect(loaded).toContain('fs');
  expect(LATE.filter(name => loaded.includes(name))).toEqual([]);
});

it('A list from a remote node is read without loading the embedded node, the answers or the buckets', async () => {
  const loaded = await loadedBy('list', 'markets', '--node', node.url);
  expect(loaded.filter(name => /^dist\/[^/]*\.js$/.test(name))).toEqual(['dist/start.js', 'dist/blockglass.js']);
});

it('The modules of the program are compiled with its file', () => {
  const program = readFileSync('dist/blockglass.js', 'utf8');
  // A module in parentheses is `=I((()=>{`.
  expect(program.match(/=[\w$]+\(\(\(\)=>\{/g)?.length).toBeGreaterThan(500);
});
