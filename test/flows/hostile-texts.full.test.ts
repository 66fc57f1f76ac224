import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../src/chain/resources/registry.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { createSink } from '../../src/cli/sink.ts';
import { run, TextStream } from '../cli/run-command.ts';
import { type HostileNode, type Manner, startHostileNode } from '../support/hostile-node.ts';
import { openTerminal } from '../support/terminal.ts';
import { deedsOf } from '../support/terminal-judge.ts';
import { zipArchive } from '../support/zip-writer.ts';
import { hostileStrings } from '../torture/hostile-strings.ts';
import { bundle } from './support/explorer.ts';
import { type Folder, temporaryFolder } from './support/folder.ts';

const STRINGS = hostileStrings(11, 400);
// As a word of a command line or a file name, which hold no NUL, no slash and no half surrogate pair.
const WORD = STRINGS.join('').toWellFormed().replaceAll(/[\0/]/g, '').slice(0, 3000);
const FILE_NAME = `\u001b]0;pwned\u0007\u009b31m\u202e${WORD.slice(0, 40)}`;
/** What the line that an export writes over is written over with. */
const OWN = ['\r\u001b[K', '\u001b[K'];
const CURSOR_BACK = '\u001b[?25h';
const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

let node: HostileNode;
let folder: Folder;
beforeAll(async () => {
  [node, folder] = await Promise.all([startHostileNode(STRINGS), temporaryFolder()]);
  await mkdir(join(folder.path, `${FILE_NAME}d`));
  const entries = STRINGS.slice(0, 40).map(text => ({ name: `${text}.csv`, text: `${text},a\n` }));
  await writeFile(join(folder.path, FILE_NAME), zipArchive(entries));
  await writeFile(join(folder.path, `${FILE_NAME}d`, 'manifest.json'), JSON.stringify({ format: 1, slices: STRINGS }));
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** What the program did to its terminal. */
async function deeds(manner: Manner, words: readonly string[], settings = '{}') {
  node.manner = manner;
  await using terminal = await openTerminal({
    command: process.execPath,
    args: [bundle, ...words],
    cwd: folder.path,
    env: { BLOCKGLASS_NODE: node.url, XDG_CONFIG_HOME: await settingsFolder(settings) },
  });
  await terminal.waitForExit({ deadlineMs: 20_000 });
  // The explorer's first frame is its own; what is said behind it when there is no more is judged.
  const said = opensExplorer(words)
    ? terminal.raw.slice(terminal.raw.lastIndexOf(CURSOR_BACK) + CURSOR_BACK.length)
    : terminal.raw;
  expect(said.length).toBeGreaterThan(0);
  return deedsOf(said, OWN);
}

/** The words without what this test is about: its own output goes to terminals as well. */
const label = (words: readonly string[]): string =>
  words.map(word => (/^[-\w./:]*$/.test(word) ? word : 'HOSTILE')).join(' ');

const opensExplorer = ([first = '']: readonly string[]): boolean => first === 'explore' || first.startsWith('-');

async function settingsFolder(text: string): Promise<string> {
  const path = join(folder.path, `settings-${Buffer.from(text).toString('hex').slice(0, 40)}`);
  await mkdir(join(path, 'blockglass'), { recursive: true });
  await writeFile(join(path, 'blockglass', 'config.json'), text);
  return path;
}

const ASKING = [
  ...RESOURCES.flatMap(({ id }) => [
    ['list', id, '--market-id', 'x'.repeat(64), '--party-id', 'y'],
    ['show', id, '0'],
    ['show', id, WORD],
  ]),
  ['segments'],
].map(words => (words[1] === 'provisions' ? words : words.filter((_, index) => index < 2 || words[0] !== 'list')));
const EXPORT = ['export', '--table', 'blocks', '--from', '1', '--to', '1000'];

type Call = readonly [manner: Manner, words: readonly string[]];

/** These are made in this process, with a stream that says it is a terminal: the program is the same behind it. */
const CALLS_WITHIN: readonly Call[] = [
  ...ASKING.flatMap(words => FORMATS.map(format => ['answers', [...words, '-o', format]] as const)),
  ...ASKING.map(words => ['refuses', words] as const),
  ...ASKING.map(words => ['garbles', words] as const),
  ...Object.keys(COMMANDS).flatMap(command => [
    ['answers', [command, '--help', `--${WORD}`]] as const,
    ['answers', [command, `--${WORD}`]] as const,
  ]),
];

const CALLS: readonly Call[] = [
  ...ASKING.map(words => ['answers', words] as const),
  ...(['answers', 'refuses', 'garbles'] as const).flatMap(manner => [
    [manner, [...EXPORT, '--overwrite']] as const,
    [manner, [...EXPORT, '--out', FILE_NAME]] as const,
    [manner, [...EXPORT, '--slice', '1']] as const,
  ]),
  ...FORMATS.flatMap(format =>
    [FILE_NAME, `${FILE_NAME}d`, WORD].map(path => ['answers', ['verify', path, '-o', format]] as const),
  ),
  ...Object.keys(COMMANDS).map(command => ['answers', [command, WORD]] as const),
  ...['list', 'explore', 'help', '--version'].flatMap(command => [
    ['answers', [command, WORD]] as const,
    ['answers', [command, '--help', `--${WORD}`]] as const,
    ['answers', [command, `--${WORD}`]] as const,
  ]),
  ['answers', [WORD]],
  ['answers', [`-${WORD}`]],
  ['answers', ['list', 'fees', '--node', WORD]],
  ['answers', ['list', 'fees', '--node', `http://${WORD}`]],
  ['answers', ['list', 'fees', '--timeout', WORD]],
  ['answers', ['list', 'fees', '-o', WORD]],
  ['answers', ['list', 'fees', '--log', `${FILE_NAME}d`]],
  ['answers', ['list', 'fees', '--asset-id', WORD, '--epoch-seq', WORD]],
  ['answers', ['list', 'provisions', '--after', WORD, '--live', WORD]],
  ['answers', ['completion', 'bash']],
  ['answers', ['completion', 'zsh']],
  ['answers', ['completion', 'fish']],
];

describe('Terminal output with hostile texts', () => {
  it.each(CALLS.map(([manner, words], index) => [index, manner, label(words), words] as const))(
    'The terminal gets only text (%i): a node that %s: blockglass %s',
    async (_, manner, __, words) => {
      expect(await deeds(manner, words)).toEqual([]);
    },
  );

  it.each(CALLS_WITHIN.map(([manner, words], index) => [index, manner, label(words), words] as const))(
    'The terminal gets only text (%i, in one process): a node that %s: blockglass %s',
    async (_, manner, __, words) => {
      node.manner = manner;
      const terminal = new TextStream(true);
      const sink = createSink(terminal);
      await run(words, { stdout: sink, stderr: sink, env: { BLOCKGLASS_NODE: node.url } });
      expect(terminal.text.length).toBeGreaterThan(0);
      expect(await deedsOf(terminal.text, OWN)).toEqual([]);
    },
  );

  it.each([
    ['a node that is no address', '{"node":"\u001b]0;pwned\u0007"}'],
    ['profiles', JSON.stringify({ node: WORD, profiles: { [WORD]: WORD } })],
    ['other members', JSON.stringify({ [WORD]: WORD, pageSize: WORD })],
    ['no JSON', '\u001b]0;pwned\u0007'],
  ])('The terminal gets only text with hostile settings: %s', async (_, settings) => {
    node.manner = 'answers';
    await using terminal = await openTerminal({
      command: process.execPath,
      args: [bundle, 'list', 'fees'],
      cwd: folder.path,
      env: { XDG_CONFIG_HOME: await settingsFolder(settings) },
    });
    await terminal.waitForExit({ deadlineMs: 20_000 });
    expect(await deedsOf(terminal.raw, OWN)).toEqual([]);
  });
});

describe('Hostile text detector', () => {
  it('The detector sees what every hostile string would do', async () => {
    const bare = STRINGS.filter(text => /[^\P{C}\r\n]/u.test(text));
    const missed: string[] = [];
    for (const text of bare) if ((await deedsOf(text)).length === 0) missed.push(JSON.stringify(text));
    expect(missed).toEqual([]);
    expect(bare.length).toBeGreaterThan(300);
  });

  it('The detector finds nothing in plain text', async () => {
    expect(await deedsOf('one\r\ntwo 漢字 é\r\n')).toEqual([]);
  });
});
