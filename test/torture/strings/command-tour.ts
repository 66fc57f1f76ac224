import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { createSink } from '../../../src/cli/sink.ts';
import { run, TextStream } from '../../cli/run-command.ts';
import { deedsOf } from '../../support/terminal-judge.ts';
import { type Manner, startMutatedNode } from './mutated-node.ts';

const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
/** The line that an export writes over and over. */
const OWN = ['\r\u001b[K', '\u001b[K'];

const ASKING = [
  ...RESOURCES.flatMap(({ id }) => [
    ['list', id],
    ['show', id, '0'],
    ['show', id, '3'],
  ]),
  ['segments'],
];
const CALLS: readonly (readonly [manner: Manner, words: readonly string[]])[] = [
  ...ASKING.flatMap(words => FORMATS.map(format => ['answers', [...words, '-o', format]] as const)),
  ...ASKING.map(words => ['refuses', words] as const),
  ...ASKING.map(words => ['garbles', words] as const),
  ['answers', ['list', 'fees', '--first', '200']],
];
const EXPORT = ['export', '--table', 'blocks', '--from', '1', '--to', '1000', '--overwrite', '--out'];

/** Runs every command on a terminal against a node that puts the text everywhere; tells what it did beside text. */
export async function tourCommands(text: string): Promise<readonly string[]> {
  await using node = await startMutatedNode(text);
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-strings-'));
  const calls = [
    ...CALLS,
    ...(['answers', 'refuses', 'garbles'] as const).map(manner => [manner, [...EXPORT, folder]] as const),
  ];
  const said: { readonly call: string; readonly output: string }[] = [];
  try {
    for (const [manner, words] of calls) {
      node.behave(manner);
      said.push({ call: `${manner}: ${words.join(' ')}`, output: await outputOf([...words, '--node', node.url]) });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  // One look at all of it is enough as long as there is nothing to see.
  if ((await deedsOf(said.map(({ output }) => output).join('\r\n'), OWN)).length === 0) return [];
  const deeds = await Promise.all(said.map(async ({ call, output }) => ({ call, deeds: await deedsOf(output, OWN) })));
  return deeds.flatMap(({ call, deeds: each }) => each.map(deed => `${call}: ${deed}`));
}

async function outputOf(words: readonly string[]): Promise<string> {
  const terminal = new TextStream(true);
  await run(words, { stdout: createSink(terminal), stderr: createSink(terminal) });
  return terminal.text.replaceAll('\n', '\r\n');
}
