import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run-command.ts';
import { hasRealNode, type RecordedNode, recordedNode } from '../support/recorded-node.ts';
import { openTab } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import { goToTab, openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

/** What would be said of a live node that is broken, or of ages by the clock of today. */
const OUTAGE =
  /dial tcp|transport:|REFUSED|BEHIND|blocks? behind its core|behind by|is behind|stalled|offline|unreachable|\bstale\b|\b\d{4,} d\b|does not name|r asks again/;

const TABS = ['parameters', 'provisions', 'fees', 'bundles', 'oracles', 'markets', 'validators', 'history'] as const;
const ARCHIVE = 'archive, newest block 2023-01-18 01:38 UTC';

const PARTY = 'c75946d940020ad8df9dd0ece42ba5d533166cc6ecf237e7779f1021c42499de';

const SIZES = [
  [80, 24],
  [120, 40],
] as const;

describe.skipIf(!hasRealNode)('Explorer on a chain that has ended', () => {
  let node: RecordedNode;
  beforeAll(async () => {
    node = await recordedNode();
  });
  afterAll(() => node[Symbol.asyncDispose]());

  /** What is on the screen once it shows this; its header says which block is the newest, and no line calls that an outage. */
  async function seen(terminal: Terminal, until: string | RegExp): Promise<string> {
    const isThere = (screen: string): boolean =>
      screen.includes(ARCHIVE) && (typeof until === 'string' ? screen.includes(until) : until.test(screen));
    const screen = await terminal.waitFor(isThere);
    expect(OUTAGE.exec(screen)?.[0]).toBeUndefined();
    return screen;
  }

  it.each(SIZES)(
    'The explorer reads as made for an ended chain at %d x %d, in each tab, record and search',
    async (columns, rows) => {
      await using home = await temporaryFolder();
      const env = { HOME: home.path, XDG_STATE_HOME: home.path, XDG_CONFIG_HOME: home.path, XDG_CACHE_HOME: home.path };
      await using terminal = await openExplorer({
        ...{ node: node.url, columns, rows },
        env: { ...env, BLOCKGLASS_START_TAB: undefined },
        until: /archive, newest block 2023-01-18 01:38 UTC/,
      });
      await terminal.waitFor(screen => !/not answered yet|wait for answers/.test(screen));
      const overview = await seen(terminal, /History {2}blocks 1 to 5000 in 5 segments, no gap/);
      expect(overview).toMatch(/Epoch {4}280 .* the last, begun 2023-01-18 01:38 UTC/);
      expect(overview).not.toMatch(/not known/);
      for (const tab of TABS) {
        await goToTab(terminal, tab);
        await seen(terminal, openTab(tab));
      }
      await goToTab(terminal, 'validators');
      await seen(terminal, /> unnamed a981 .*\n {2}unnamed 0330 /);
      await goToTab(terminal, 'fees');
      await seen(terminal, 'the node has no paid fee');
      await terminal.press(':');
      await terminal.waitFor(screen => /^ ?:/m.test(screen));
      await terminal.press(`provisions party=${PARTY}`, 'enter');
      await seen(terminal, '1-1 of 1');
      await terminal.press('a');
      await seen(terminal, /\n {2}55f7/);
      await terminal.press('t');
      await seen(terminal, 'every version');
      await terminal.press('j', 'j', 'j', 'enter');
      const record = await seen(terminal, 'This node does not list the market');
      expect(record).toMatch(/20 min\s+ago/);
    },
  );

  it.each(['list parameters', 'list validators', 'what testnet-001', 'overview'])(
    'The command %s requests the state of a missing core once',
    async words => {
      await using alone = await recordedNode();
      await using home = await temporaryFolder();
      const env = { HOME: home.path, XDG_STATE_HOME: home.path, XDG_CONFIG_HOME: home.path, XDG_CACHE_HOME: home.path };
      expect((await run([...words.split(' '), '--node', alone.url], { env })).code).toBe(0);
      expect(alone.asked.filter(address => address === '/statistics')).toHaveLength(1);
    },
  );

  it('The explorer finds an ended chain, and says for a later block which one is the newest', async () => {
    await using home = await temporaryFolder();
    const env = { HOME: home.path, XDG_STATE_HOME: home.path, XDG_CONFIG_HOME: home.path, XDG_CACHE_HOME: home.path };
    await using terminal = await openExplorer({ node: node.url, columns: 120, rows: 40, env });
    const find = async (text: string, until: string): Promise<void> => {
      await terminal.press(':');
      await terminal.waitFor(screen => /^ ?:/m.test(screen));
      await terminal.press(text);
      await terminal.press('enter');
      await seen(terminal, until);
      await terminal.press('escape');
    };
    await find('testnet-001', '5 history segments here, up to block 5000');
    await find('5003', 'not in this node: its newest block is 5002, of epoch 280');
  });
});
