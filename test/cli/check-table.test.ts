import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkVerdict } from '../../src/cli/check/verdict.ts';
import { checkerOf, MINUTE_MS, START_MS, type SwitchedNode, startSwitchedNode } from './switched-node.ts';

/**
 * What has to be raised of a node, minute by minute, with `--hold 2m`, `--stalled-after 3m` and `--remind 5m`. `new` answers with a new
 * block, `hour` with one an hour later, `old` with the block of the minute before, `late` with one that is two minutes old,
 * `back` with one of five minutes before, `other` is of another chain, `gone` resets connections and `busy` answers 503. Then the verdict, and the lines that are printed.
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
  'a node that is behind every other minute': `
    new   ok
    late  ok
    new   ok
    late  ok
    new   ok
    late  ok
    new   ok
    late  ok
    new   ok
  `,
  'a node that is behind for longer and catches up for a moment': `
    new   ok
    late  ok
    late  ok
    late  critical raised node-behind critical
    new   critical
    late  critical
    new   critical
    new   critical
    late  critical reminder node-behind critical
    new   critical
    new   critical
    new   ok       cleared node-behind ok
    new   ok
  `,
  'a stuck node that is restarted again and again': `
    new   ok
    old   ok
    old   ok
    old   critical raised node-behind critical
    old   critical
    old   critical raised node-stalled critical
    gone  critical
    back  critical
    gone  critical reminder node-behind critical
    old   critical
    gone  critical reminder node-stalled critical
    old   critical
    old   critical
    old   critical reminder node-behind critical
  `,
  'a node that starts with another chain, and with its own again': `
    new   ok
    other ok
    other ok
    other critical raised chain-changed critical
    gone  critical
    other critical
    new   critical
    other critical
    other critical reminder chain-changed critical
    new   critical
    new   critical
    new   ok       cleared chain-changed ok
    new   ok
  `,
  'a node that is looked at once an hour': `
    new   ok
    gone  unknown
    hour  ok
    gone  unknown
    hour  ok
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

it.each(Object.entries(EXPECTED))('The check of %s raises exactly the alarms in the table', async (name, table) => {
  const expected = tidy(table);
  const raised: string[] = [];
  let nowMs = START_MS;
  for (const line of expected) {
    const [mode = ''] = line.split(' ');
    nowMs += (mode === 'hour' ? 60 : 1) * MINUTE_MS;
    node.state = mode === 'gone' || mode === 'busy' ? mode : 'up';
    if (mode === 'new' || mode === 'hour' || mode === 'other') node.chainMs = nowMs;
    node.alter = (_, body) => (mode === 'other' ? body.replaceAll('demo-chain-1', 'other-chain') : body);
    if (mode === 'late') node.chainMs = nowMs - 2 * MINUTE_MS;
    if (mode === 'back') node.chainMs = nowMs - 5 * MINUTE_MS;
    // Each minute in a new process: a restart of the check raises and clears nothing.
    const checker = checkerOf(node, {
      ...{ path: join(folder, `${name}.json`), nowMs: () => nowMs, holdMs: 2 * MINUTE_MS },
      ...{ rules: ['node-behind', 'node-stalled', 'chain-changed'] },
    });
    const { entries, changes } = await checker.check({ remindMs: 5 * MINUTE_MS });
    const lines = changes.map(({ change, rule, severity }) => `${change} ${rule} ${severity}`).toSorted();
    raised.push([mode, checkVerdict(entries), lines.join(', ')].join(' ').trim());
  }
  expect(raised).toEqual(expected);
});
