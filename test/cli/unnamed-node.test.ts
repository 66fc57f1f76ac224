import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { createSink } from '../../src/cli/sink.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run, TextStream } from './run-command.ts';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ port: 0, provisions: 5, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

const ASKED = [
  ['list', 'markets'],
  ['show', 'markets', '0'],
  ['show', 'markets', '0', '--meaning'],
  ['statement', '--party', 'aa'.repeat(32)],
  ['what', 'USDT'],
  ['segments'],
  ['status'],
  ['export', '--table', 'ledger', '--last', '1', '--plan'],
];

const NOTE = 'warning: no node given, showing demo data. Use --node URL, or --demo to silence this.\n';

describe('Commands that need a node', () => {
  const ranWith = (words: readonly string[], members: Partial<Context> = {}) =>
    run(words, { startDemo: async () => node, ...members });

  it.each(ASKED)('A command without a node says on a terminal that it used the demo chain: %s', async (...words) => {
    const terminal = new TextStream(true);
    const { code, out } = await ranWith(words, { stderr: createSink(terminal) });
    expect([code, terminal.text.startsWith(NOTE)]).toEqual([0, true]);
    expect(out).not.toContain('no node given');
  });

  it.each([...ASKED, ['overview'], ['record', '--once'], ['diff', 'demo'], ['mine', 'add', 'aa'.repeat(32)]])(
    'A command without a node is refused when there is no terminal: %s',
    async (...words) => {
      const { code, out, err } = await ranWith(words, { env: { HOME: '/nowhere' } });
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('no node is configured\n  Set one with --node URL,');
    },
  );

  it.each(ASKED)('A command with an unknown profile says that the profile is unknown: %s', async (...words) => {
    for (const profiles of [{}, { main: 'http://n' }]) {
      const settings = async () => ({ profiles });
      const ran = await ranWith([...words, '--node', 'qqqq'], { settings });
      expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining('no profile "qqqq"') });
    }
  });

  it.each(ASKED)('A command with a given node does not mention the demo chain: %s', async (...words) => {
    const named = [
      await ranWith([...words, '--demo']),
      await ranWith([...words, '--node', node.url]),
      await ranWith(words, { env: { BLOCKGLASS_NODE: node.url } }),
      await ranWith(words, { settings: async () => ({ node: 'demo' }) }),
    ];
    for (const { code, err } of named) expect([code, err.includes('no node given')]).toEqual([0, false]);
  });
});
