import { spawn } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { startNode } from '../../src/node/index.ts';
import description from '../fixtures/node-answers.json' with { type: 'json' };
import { EXPORT_PATH, type KnownIds, openApi } from './interface.ts';

// `npm run fuzz-node`: the embedded node against its own description, by a schema-driven fuzzer that is installed in a
// folder of its own. Needs Python 3; ends with 1 if anything is not as described.

const VERSION = '4.32.5';
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/fuzz-node');

async function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', cwd: CACHE });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', code => resolve(code ?? 1));
  });
}

/** The program of the fuzzer, installed if it is not there. */
async function installed(): Promise<string> {
  const place = join(CACHE, VERSION);
  const program = join(place, 'bin', 'schemathesis');
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (isThere) return program;
  await rm(place, { recursive: true, force: true });
  const made = [
    ['python3', ['-m', 'venv', place]],
    [join(place, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]],
  ] as const;
  for (const [command, args] of made)
    if ((await run(command, args)) !== 0) throw new Error(`${command} ${args.join(' ')} failed. Is Python 3 there?`);
  return program;
}

const record = v.object({ edges: v.array(v.object({ node: v.record(v.string(), v.unknown()) })) });

/** Ids of records that the node has, so that some requests find one. */
async function knownIds(url: string): Promise<KnownIds> {
  const known = new Map<string, readonly string[]>();
  for (const [path, [, type]] of Object.entries(description.singles)) {
    const list = Object.entries(description.lists).find(([, [, listed]]) => listed === type);
    if (list === undefined) throw new Error(`no list of ${type}`);
    const [listPath, [wrapper = '']] = list;
    const answer = v.parse(
      v.record(v.string(), record),
      await (await fetch(`${url}${listPath}?pagination.first=3`)).json(),
    );
    const ids = answer[wrapper]?.edges.map(
      ({ node }) => /"(?:id|key)":"([^"]+)"/.exec(JSON.stringify(node))?.[1] ?? '',
    );
    known.set(path, ids ?? []);
  }
  return known;
}

/** Answers of a deployed node that the fuzzer would call wrong (node-behaviour.md sections 1 and 3). */
const NOT_HERE = [
  // A method other than GET is 501, as the gateway of a node answers.
  'unsupported_method',
  // Names of the query that mean nothing are ignored, and some values that are not as described are accepted.
  'negative_data_rejection',
  // A cursor of another list, or two that exclude each other, are refused.
  'positive_data_acceptance',
  // A cursor of another list is 500; its detail is in the description, which a fault of the node would not have.
  'not_a_server_error',
  // Errors of a handler have two types, one of them that of the service behind the gateway.
  'content_type_conformance',
];

/** Writes a description to a file, whole or not at all. */
async function described(document: ReturnType<typeof openApi>, name: string): Promise<string> {
  const path = join(CACHE, name);
  await writeFile(`${path}.new`, JSON.stringify(document));
  await rename(`${path}.new`, path);
  return path;
}

async function fuzzed(): Promise<number> {
  await mkdir(CACHE, { recursive: true });
  const program = await installed();
  const node = await startNode({ seed: 'fuzz', provisions: 200, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
  const fuzz = (path: string, words: readonly string[]): Promise<number> =>
    run(program, ['run', path, '--url', node.url, '--generation-deterministic', '--no-color', ...words]);
  try {
    const known = await knownIds(node.url);
    const path = await described(openApi(known), 'openapi.json');
    const checks = ['--exclude-checks', NOT_HERE.join(',')];
    const lists = await fuzz(path, [...checks, '--exclude-path', EXPORT_PATH, '--max-examples', '60']);
    const positive = ['--phases', 'fuzzing', '--mode', 'positive', '--max-examples', '12'];
    const exports = await fuzz(path, ['--include-path', EXPORT_PATH, ...positive]);
    // A fuzzer that finds nothing wrong with a wrong description looks at nothing.
    const wrong = await described(openApi(known, { type: 'Parameter', member: 'value' }), 'wrong.json');
    process.stdout.write('\nAgainst a description that lacks a member: this has to fail.\n');
    const control = await fuzz(wrong, [...checks, '--include-path', '/api/v2/network/parameters', ...positive]);
    const outcome = [lists === 0, exports === 0, control !== 0];
    process.stdout.write(`\nlists, exports, control: ${outcome.map(isGood => (isGood ? 'good' : 'BAD')).join(', ')}\n`);
    return outcome.every(isGood => isGood) ? 0 : 1;
  } finally {
    await node.close();
  }
}

process.exitCode = await fuzzed();
