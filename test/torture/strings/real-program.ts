import { FakeTerminal } from '../../explorer/terminal/output/fake-terminal.ts';
import { openExplorer } from '../../flows/support/explorer.ts';
import { openTab, tabKey } from '../../support/tabs.ts';
import { startMutatedNode } from './mutated-node.ts';
import { ScreenJudge } from './screen-judge.ts';

const KEYS = [
  ...['j', 'enter', '+', 'J', 'J', 'R', 'escape', 'y', 'escape', 'l', '/', 'e', 'escape'],
  ...['2', 'f', 'down', 'escape', 'enter', 'G', 'enter', 'escape', 'escape', '3', 'n', '4', 'enter', '5', 'enter'],
  ...['G', 'enter', 'escape', 'escape', tabKey('history'), 'w', 'enter', 'escape', '?', 'escape', 'q'],
];
const [COLUMNS, ROWS] = [100, 30];

/** The built program in a pseudo-terminal, from its first byte to its last; tells what it did beside text. */
export async function runProgram(text: string): Promise<readonly string[]> {
  await using node = await startMutatedNode(text);
  await using terminal = await openExplorer({
    node: node.url,
    args: ['parameters'],
    columns: COLUMNS,
    rows: ROWS,
    until: openTab('parameters'),
    env: { NO_COLOR: undefined },
  });
  for (const key of KEYS) await terminal.press(key);
  const { exitCode } = await terminal.waitForExit();
  const shown = new FakeTerminal(COLUMNS, ROWS);
  const judge = new ScreenJudge(shown);
  shown.stdout.write(terminal.raw);
  const { deeds, copied } = judge.look();
  const ended = exitCode === 0 ? [] : [`it ends with ${exitCode}`];
  return [...deeds, ...copied.map(() => 'the clipboard was written'), ...ended].map(deed => `the program: ${deed}`);
}
