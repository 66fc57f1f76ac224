import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { createSession } from '../../../src/explorer/app/session.ts';
import { SCREENS } from '../../../src/explorer/screens/registry.ts';
import { realWorld } from '../../../src/explorer/services/real-world.ts';
import { startNode } from '../../../src/node/index.ts';

/** What the program has called here, the first one first: `src/a.ts name`. Callers that await it are among them. */
function callsHere(): readonly string[] {
  const { stack = '' } = new Error('to see the stack');
  return stack
    .split('\n')
    .flatMap(line => {
      const [, name = '', file = ''] = /^\s+at (?:async )?(?:new )?(?:Object\.)?(\S*) .*\/(src\/.*?):/.exec(line) ?? [];
      return file === '' ? [] : [`${file} ${name}`];
    })
    .toReversed();
}

const fileOf = (call: string): string => call.split(' ')[0] ?? '';

/** From `n` in a list to the request of its next page: on the way to the handler, to the effect, and to the client. */
async function callsOfNextPage(): Promise<readonly string[]> {
  let handler: readonly string[] = [];
  let effect: readonly string[] = [];
  let request: readonly string[] = [];
  const node = await startNode({});
  onTestFinished(() => node.close());
  const client = createClient({
    base: baseAddress(node.url),
    nowMs: () => {
      const calls = callsHere();
      const sent = calls.indexOf('src/chain/api/client.ts once');
      if (sent >= 0) request = calls.slice(0, sent + 1);
      return Date.now();
    },
  });
  const connection = {
    ...{ label: 'a', preferences: { pageSize: 20 }, notice: null, firstByteMs: 60_000, idleMs: 60_000 },
    client,
  };
  const world = realWorld({
    connect: async () => connection,
    clientOf: async () => client,
    profiles: async () => ({ profiles: [], problem: null }),
    clipboard: { mostBytes: 0, send: () => '' },
    ...{ folders: [], drawn: () => '', namesFolder: null, stateFolder: null, program: 'blockglass test' },
  });
  const toNode = () => {
    effect = callsHere();
    return world.node();
  };
  // So few rows are seen that the next page is not fetched ahead.
  const start = { screen: { columns: 80, rows: 10 }, tab: 'oracles', label: 'a', nowMs: 0 } as const;
  const session = createSession(start, { ...world, node: toNode });
  onTestFinished(() => session.close());
  await session.idle();
  const handlers = SCREENS.browse?.handlers ?? {};
  const original = handlers['next-page'];
  if (original === undefined) throw new Error('a list has no handler of its next page');
  const spy = vi.spyOn(handlers, 'next-page').mockImplementation((...given) => {
    handler = [...callsHere(), 'src/explorer/screens/browse/list/pager.ts next-page'];
    return original(...given);
  });
  onTestFinished(() => spy.mockRestore());
  [effect, request] = [[], []];
  session.press('n');
  await session.idle();
  for (const calls of [handler, effect, request]) expect(calls.length).toBeGreaterThan(3);
  return [...new Set([...handler, ...effect, ...request])];
}

it('A key becomes a request in as few calls and files as the page on architecture states, and it lists these files', async () => {
  const calls = await callsOfNextPage();
  const files = [...new Set(calls.map(fileOf))];
  const page = readFileSync('docs/development/architecture.md', 'utf8');
  const section = /\n## From a key to a request\n(.*?)\n## /s.exec(page)?.[1] ?? '';
  expect(section).toContain(`${calls.length} calls in ${files.length} files`);
  expect(files.filter(file => !section.includes(`\`${file}\``))).toEqual([]);
  expect(calls.length).toBeLessThanOrEqual(12);
});
