import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verdictOf } from '../../src/cli/check/verdict.ts';
import { checkerOf, MINUTE_MS, START_MS, type SwitchedNode, startSwitchedNode } from './switched-node.ts';

/**
 * What has to be raised of a node, minute by minute, with `--hold 2m`, `--stalled-after 3m` and `--remind 5m`. `new` answers with a new
 * block, `old` with the block of the minute before, `back` with one of five minutes before, `gone` resets connections and
 * `busy` answers 503. Then the verdict, and the lines that are printed.
 */
const EXPECTED = {
  'a sound node': `
    new   ok
    new   ok
    new   ok
    new   ok
  `,
  'a flapping node': `
    new   ok
    gone  unknown
    new   ok
    gone  unknown
    new   ok
    gone  unknown
    new   ok
    busy  unknown
    new   ok
  `,
  'a restarting node': `
    new   ok
    new   ok
    gone  unknown
    back  ok
    new   ok
    new   ok
    new   ok
  `,
  'a node that takes long to restart': `
    new   ok
    new   ok
    gone  unknown
    gone  unknown
    gone  unknown  raised node unknown
    gone  unknown
    gone  unknown
    old   unknown
    new   unknown
    new   ok       cleared node ok
    new   ok
  `,
  'an unreachable node': `
    new   ok
    gone  unknown
    gone  unknown
    gone  unknown  raised node unknown
    gone  unknown
    gone  unknown
    gone  unknown
    gone  unknown
    gone  unknown  reminder node unknown
    gone  unknown
  `,
  'a node that is stuck, and goes away meanwhile': `
    new   ok
    new   ok
    old   ok
    old   ok
    old   critical raised node-behind critical
    old   critical
    old   critical raised node-stalled critical
    gone  critical
    old   critical
    new   critical reminder node-behind critical
    old   critical
    new   critical cleared node-stalled ok
    new   critical
    new   ok       cleared node-behind ok
    new   ok
  `,
} as const;

let node: SwitchedNode;
let folder: string;
beforeAll(async () => {
  node = await startSwitchedNode();
  folder = mkdtempSync(join(tmpdir(), 'blockglass-check-'));
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const tidy = (table: string): readonly string[] =>
  table
    .trim()
    .split('\n')
    .map(line => line.trim().replaceAll(/ +/g, ' '));

it.each(Object.entries(EXPECTED))('%s raises exactly the alarms of the table', async (name, table) => {
  const expected = tidy(table);
  const raised: string[] = [];
  let nowMs = START_MS;
  for (const [minute, line] of expected.entries()) {
    const [mode = ''] = line.split(' ');
    nowMs = START_MS + minute * MINUTE_MS;
    node.state = mode === 'gone' || mode === 'busy' ? mode : 'up';
    if (mode === 'new') node.chainMs = nowMs;
    if (mode === 'back') node.chainMs = nowMs - 5 * MINUTE_MS;
    // Each minute in a new process: a restart of the check raises and clears nothing.
    const checker = checkerOf(node, {
      ...{ path: join(folder, `${name}.json`), nowMs: () => nowMs, holdMs: 2 * MINUTE_MS },
      ...{ rules: ['node-behind', 'node-stalled', 'chain-changed'] },
    });
    const { entries, changes } = await checker.check({ remindMs: 5 * MINUTE_MS });
    const lines = changes.map(({ change, rule, severity }) => `${change} ${rule} ${severity}`).toSorted();
    raised.push([mode, verdictOf(entries), lines.join(', ')].join(' ').trim());
  }
  expect(raised).toEqual(expected);
});
